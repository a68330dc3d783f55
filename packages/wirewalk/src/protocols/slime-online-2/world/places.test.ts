import { describe, expect, it } from "vitest";
import { type Options, pair, Stage } from "../testing/stage.ts";
import type { SlimeClientMessage } from "../wire/codec.ts";
import { Places } from "./places.ts";

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

  it("what was gained is not forgotten, and credit does not grow by leaving", () => {
    const jumps = (leaves: boolean): string[] => {
      const stage = pair();
      stage.to(60_000);
      if (leaves) stage.leave(1).join(1);
      return stage.move(1, "landing", 448 + 1200, 160);
    };
    expect(jumps(true)).toEqual(jumps(false));
    expect(jumps(true)).toEqual(["correct axis-speed"]);
  });

  it("ten minutes later, in another room, or for an address that may be several people it begins anew", () => {
    const far = (change: (stage: Stage) => void, options: Options = {}): string[] => {
      const stage = pair(options);
      change(stage);
      return stage.move(1, "landing", 30_000, 160);
    };
    expect(far((stage) => stage.leave(1).to(500_000).join(1))).toEqual(["correct axis-speed"]);
    expect(far((stage) => stage.leave(1).to(601_100).join(1))).toEqual([]);
    expect(far((stage) => stage.leave(1).join(1, { room: "2" }))).toEqual([]);
    expect(far((stage) => stage.leave(1).join(1, { room: "2" }).leave(1).join(1))).toEqual(["correct teleport"]);
    const address = new Stage().join(1, { isShared: true });
    address.move(1, "landing", 448, 160);
    address.leave(1).join(3, { account: "account1", isShared: true });
    expect(address.move(3, "landing", 30_000, 160)).toEqual([]);
  });

  it("holds a bounded number of places, the first to leave are forgotten first", () => {
    const places = new Places();
    const rate = { times: new Float64Array(), spare: 0, atMs: 0 };
    const pace = { atMs: 0, burstMs: 0, burstLateMs: 0, carried: false, together: 0, lateMs: 0 };
    const position = { baseline: undefined, travel: undefined, sinceMs: 0, allowedAtMs: undefined };
    for (let number = 0; number <= 20_000; number++) {
      places.leave(`a${number}`, { room: 1, position, start: undefined, pace, rate, warpsPaidMs: 0, leftMs: 0 });
    }
    expect(places.save().size).toBe(20_000);
    expect(places.take("a0", 1, 1)).toBeUndefined();
    expect(places.take("a20000", 1, 1)).toBeDefined();
    expect(places.take("a20000", 1, 1)).toBeUndefined();
  });
});

describe("slow cheats", () => {
  it("one jump of 50,000 px a minute is corrected each time, and adds up", () => {
    const stage = pair();
    for (let minute = 1; minute <= 20; minute++) {
      expect(stage.to(minute * 60_000).move(1, "landing", 50_448, 160)).toEqual(["correct axis-speed"]);
    }
    expect(stage.to(21 * 60_000).move(1, "landing", 50_448, 160)).toEqual(["correct axis-speed", "reject anti-cheat"]);
    expect(stage.verdicts.at(-1)).toMatchObject({ measured: 21, allowed: 20, unit: "corrections/h" });
    expect(stage.of("ban")[0]?.evidence).toHaveLength(6);
    expect(stage.received(2)).toEqual([]);
  });

  it("ten minutes of rest do not pay for a jump of 65,000 px", () => {
    const stage = pair();
    expect(stage.to(600_000).move(1, "landing", 65_448, 160)).toEqual(["correct axis-speed"]);
    expect(stage.move(1, "landing", 448 + 1000, 160)).toEqual([]);
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
