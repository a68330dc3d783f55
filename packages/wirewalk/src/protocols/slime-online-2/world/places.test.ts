import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { SlimeBot } from "../bots/bot.ts";
import { type Options, pair, Stage } from "../testing/stage.ts";
import type { SlimeClientMessage } from "../wire/codec.ts";

const warp = (room: number, x: number): SlimeClientMessage => ({ message: "warp", value: { room, x, y: 160 } });

describe("to come back is no way to get elsewhere (standard 8.11)", () => {
  it.each(["documented", "v0106"] as const)("reconnect, teleport, reconnect in %s gains nothing", (dialect) => {
    const stage = pair({ dialect });
    let x = 448;
    const accepted: number[] = [];
    for (let round = 1; round <= 20 && stage.of("ban").length === 0; round++) {
      stage.leave(1).to(stage.now + 1000);
      stage.join(1);
      if (stage.move(1, "landing", x + 5000, 160).length === 0) accepted.push(round);
      x += 5000;
    }
    expect(accepted).toEqual([]);
    // A correction names the last true place, and in the end the account is banned.
    const [correction] = stage.received(1).filter((message) => JSON.stringify(message).includes("448"));
    expect(correction).toBeDefined();
    expect(stage.of("ban")).toMatchObject([{ account: "account1" }]);
  });

  it("v0106: the login names the last place, and the next position is measured from it", () => {
    const stage = pair({ dialect: "v0106" });
    stage.move(1, "rightPress", 448, 160);
    stage.to(3000).move(1, "rightRelease", 740, 160);
    stage.leave(1).to(4000).join(1);
    expect(stage.received(1)).toContainEqual(
      expect.objectContaining({ message: "login", value: expect.objectContaining({ x: 740, y: 160, room: 1 }) }),
    );
    expect(stage.move(1, "landing", 740, 160)).toEqual([]);
  });

  it("v0106: a first position is measured from the place that the login names", () => {
    const stage = new Stage({ dialect: "v0106" }).join(1);
    expect(stage.move(1, "landing", 60_000, 160)).toEqual(["correct teleport"]);
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
  });

  it("a client that starts anew begins where it began before", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    stage.to(11_000).move(1, "rightRelease", 1940, 160);
    stage.leave(1).join(1);
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
    // Once.
    expect(stage.to(11_100).move(1, "landing", 1940, 160)).toEqual(["correct teleport"]);
  });

  it("and has not run there: what a stall delays right after that is not too fast", () => {
    const stage = pair();
    stage.move(1, "rightPress", 448, 160);
    stage.to(stage.now + 4700).move(1, "rightRelease", 1148, 160);
    stage.move(1, "leftPress", 1148, 160);
    stage
      .to(stage.now + 500)
      .leave(1)
      .join(1)
      .to(stage.now + 4800);
    const runs = (count: number): string[] =>
      Array.from({ length: count }, () => [
        ...stage.move(1, "rightPress", 448, 160),
        ...stage.move(1, "rightRelease", 523, 160),
        ...stage.move(1, "leftPress", 523, 160),
        ...stage.move(1, "leftRelease", 448, 160),
      ]).flat();
    // A second each.
    expect([...stage.move(1, "landing", 448, 160), ...runs(4)]).toEqual([]);
    expect(runs(2)).toContain("correct unreachable");
  });

  it("what was gained is not forgotten, and credit does not grow by leaving", () => {
    const jumps = (leaves: boolean): string[] => {
      const stage = pair();
      stage.to(60_000);
      if (leaves) stage.leave(1).join(1);
      return stage.move(1, "landing", 448 + 1200, 160);
    };
    expect(jumps(true)).toEqual(jumps(false));
    expect(jumps(true)).toEqual(["correct unreachable"]);
  });

  it("ten minutes later or in another room it begins anew", () => {
    const far = (change: (stage: Stage) => void, options: Options = {}): string[] => {
      const stage = pair(options);
      change(stage);
      return stage.move(1, "landing", 30_000, 160);
    };
    expect(far((stage) => stage.leave(1).to(500_000).join(1))).toEqual(["correct unreachable"]);
    expect(far((stage) => stage.leave(1).to(601_100).join(1))).toEqual([]);
    expect(far((stage) => stage.leave(1).join(1, { room: "2" }))).toEqual([]);
    expect(far((stage) => stage.leave(1).join(1, { room: "2" }).leave(1).join(1))).toEqual(["correct teleport"]);
  });

  describe("an address that is several people", () => {
    const account = "address:192.0.2.7";
    const begin = (): Stage => new Stage().join(9).join(1, { account }).join(2, { account });
    /** Runs to the right, at full speed. */
    const run = (stage: Stage, id: number, from: number, to: number): Stage => {
      expect(stage.move(id, "rightPress", from, 160)).toEqual([]);
      stage.to(stage.now + ((to - from) / 150) * 1000 + 100);
      expect(stage.move(id, "rightRelease", to, 160)).toEqual([]);
      return stage;
    };

    it("each comes back to its own place, in any order", () => {
      const stage = run(run(begin(), 1, 448, 1500), 2, 448, 4000);
      stage
        .leave(1)
        .leave(2)
        .to(stage.now + 5000);
      stage.join(3, { account }).join(4, { account });
      expect(stage.move(3, "landing", 1500, 160)).toEqual([]);
      expect(stage.move(4, "landing", 4000, 160)).toEqual([]);
      // Both places are taken.
      stage.join(5, { account });
      expect(stage.move(5, "landing", 4000, 160)).toEqual([]);
      stage.leave(3).leave(4).leave(5).join(6, { account }).join(7, { account }).join(8, { account });
      expect(stage.move(6, "landing", 1500, 160)).toEqual([]);
      expect(stage.move(7, "landing", 1500, 160)).toEqual(["correct teleport"]);
    });

    it("one that is new begins where players begin, whoever has left", () => {
      const stage = run(begin(), 1, 448, 4000);
      stage.leave(1).join(3, { account });
      expect(stage.move(3, "landing", 448, 160)).toEqual([]);
      stage.join(4, { account });
      expect(stage.move(4, "landing", 4000, 160)).toEqual([]);
    });

    it.each([
      ["over and over, to a new place each time", (round: number) => 448 + ((round * 5000) % 60_000)],
      ["back and forth between where it begins and where it was", (round: number) => (round % 2 === 0 ? 448 : 4000)],
    ])("reconnect, teleport, reconnect gains nothing: %s", (_, placeOf) => {
      const stage = run(begin(), 1, 448, 4000).leave(2);
      const accepted: number[] = [];
      for (let round = 2; round < 22; round += 1) {
        stage
          .leave(1)
          .to(stage.now + 1000)
          .join(1, { account });
        if (stage.move(1, "landing", placeOf(round), 160).length === 0) accepted.push(placeOf(round));
      }
      // To begin anew is allowed, and then the last true place is there.
      expect(accepted.filter((x) => x !== 448)).toEqual([]);
    });

    it("players that come and go at random, half of them anew, are never corrected", () => {
      const random = createRandom(7);
      const stage = new Stage({ demo: true });
      const bots = new Map<number, SlimeBot>();
      const away: SlimeBot[] = [];
      let number = 0;
      const create = (): SlimeBot => {
        number += 1;
        return new SlimeBot({ dialect: "documented", random: random.fork(), number, cheat: "none", room: 1 });
      };
      for (let second = 0; second < 300; second += 1) {
        const id = 1 + (second % 12);
        const bot = bots.get(id);
        if (bot === undefined) {
          // One that comes back has played on meanwhile, as a client does.
          const next = random.chance(0.5) ? (away.shift() ?? create()) : create();
          stage.join(id, { account });
          for (const message of next.start(stage.now)) stage.send(id, message);
          bots.set(id, next);
        } else if (random.chance(0.3)) {
          stage.leave(id);
          bots.delete(id);
          away.push(bot);
        }
        for (const endMs = stage.now + 1000; stage.now < endMs; ) {
          stage.to(stage.now + 50);
          for (const [player, playing] of bots) for (const sent of playing.step(stage.now)) stage.send(player, sent);
          for (const playing of away) playing.step(stage.now);
        }
      }
      expect(number).toBeGreaterThan(20);
      expect(stage.verdicts.filter(({ kind }) => kind !== "benign" && kind !== "accept")).toEqual([]);
    });
  });
});

describe("slow cheats", () => {
  it("one jump of 50,000 px a minute is corrected each time, and adds up", () => {
    const stage = pair();
    for (let minute = 1; minute <= 20; minute++) {
      expect(stage.to(minute * 60_000).move(1, "landing", 50_448, 160)).toEqual(["correct unreachable"]);
    }
    expect(stage.to(21 * 60_000).move(1, "landing", 50_448, 160)).toEqual(["correct unreachable", "reject anti-cheat"]);
    expect(stage.verdicts.at(-1)).toMatchObject({ measured: 21, allowed: 20, unit: "corrections/h" });
    expect(stage.of("ban")[0]?.evidence).toHaveLength(6);
    expect(stage.received(2)).toEqual([]);
  });

  it("ten minutes of rest do not pay for a jump of 65,000 px", () => {
    const stage = pair();
    expect(stage.to(600_000).move(1, "landing", 65_448, 160)).toEqual(["correct unreachable"]);
    // What it rested for at most: its press may be among what was refused.
    expect(stage.move(1, "landing", 448 + 900, 160)).toEqual([]);
  });

  it("a warp within the room, five a second, gets nowhere", () => {
    const stage = pair({ dialect: "v0106" });
    for (let index = 0; index < 300 && stage.of("ban").length === 0; index++) {
      stage.to(1000 + index * 200).send(1, warp(1, index % 2 === 0 ? 60_000 : 448));
    }
    expect(stage.of("ban")).toHaveLength(1);
    expect(stage.received(2).filter((message) => JSON.stringify(message).includes("60000"))).toEqual([]);
  });
});

describe("a stall of the server itself", () => {
  it.each([1000, 3000, 5000, 9000])(
    "of %i ms is nobody's fault: what was sent meanwhile is accepted in order",
    (ms) => {
      const stage = pair();
      stage.to(20_000).move(1, "rightPress", 448, 160);
      stage.to(20_500).move(1, "rightRelease", 522, 160);
      // No tick comes, and everything that was sent is read at once before the late one.
      stage.now += ms;
      const found: string[] = [];
      for (let sentMs = 500; sentMs < ms; sentMs += 500) {
        const x = 522 + ((sentMs - 500) / 500) * 75;
        found.push(...stage.move(1, "rightPress", x, 160), ...stage.move(1, "rightRelease", x + 74, 160));
      }
      expect(found.filter((verdict) => !verdict.startsWith("benign"))).toEqual([]);
    },
  );
});
