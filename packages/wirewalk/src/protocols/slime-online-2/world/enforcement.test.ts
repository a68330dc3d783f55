import { describe, expect, it } from "vitest";
import { pair, Stage } from "../testing/stage.ts";
import { slimeCodec } from "../wire/codec.ts";
import { moveMessage } from "../wire/move-player.ts";
import { slimeRuleDefaults } from "./limits.ts";

describe("anti-cheat (standard 8.8)", () => {
  const leap = (stage: Stage, atMs: number): string[] => stage.to(atMs).move(1, "landing", 20_000, 20_000);

  it("the sixth teleport within a minute bans the account for 24 hours, with its evidence, and closes", () => {
    const stage = pair();
    for (let index = 0; index < 5; index++) expect(leap(stage, 2000 + index * 5000)).toEqual(["correct teleport"]);
    expect(stage.of("ban")).toEqual([]);
    stage.received(1);
    expect(leap(stage, 30_000)).toEqual(["correct teleport", "reject anti-cheat"]);
    const [ban] = stage.of("ban");
    expect(ban).toMatchObject({ player: 1, account: "account1", reason: "Multiple speed violations" });
    expect(ban?.durationMs).toBe(slimeRuleDefaults.banMs);
    expect(ban?.durationMs).toBe(24 * 60 * 60 * 1000);
    const teleports = stage.verdicts.filter(({ rule }) => rule === "teleport");
    expect(ban?.evidence).toEqual(teleports);
    expect(stage.of("close")).toEqual([{ effect: "close", player: 1, reason: "banned" }]);
    // A banned player receives no corrections, and its messages are ignored.
    expect(stage.received(1)).toEqual([]);
    expect(stage.move(1, "landing", 448, 160)).toEqual([]);
    expect(stage.received(2)).toEqual([]);
  });

  it("six in more than a minute do not lead to a ban", () => {
    const stage = pair();
    for (let index = 0; index < 12; index++) {
      stage.move(1, "landing", 448, 160);
      expect(leap(stage, 2000 + index * 12_000)).toEqual(["correct teleport"]);
    }
    expect(stage.of("ban")).toEqual([]);
  });

  it("leaving and coming back does not start the count anew", () => {
    const stage = pair();
    for (let index = 0; index < 5; index++) leap(stage, 2000 + index * 5000);
    stage.leave(1).join(3, { account: "account1" });
    stage.move(3, "landing", 448, 160);
    expect(stage.to(30_000).move(3, "landing", 20_000, 20_000)).toEqual(["correct teleport", "reject anti-cheat"]);
    expect(stage.of("ban")).toMatchObject([{ player: 3, account: "account1" }]);
  });

  it("a minute after leaving, violations are forgotten", () => {
    const stage = pair();
    for (let index = 0; index < 5; index++) leap(stage, 2000 + index * 5000);
    stage.leave(1).to(90_000).join(1);
    stage.move(1, "landing", 448, 160);
    for (let index = 0; index < 5; index++) {
      expect(leap(stage, 91_000 + index * 5000)).toEqual(["correct teleport"]);
    }
    expect(stage.of("ban")).toEqual([]);
  });

  it("violations are kept of a thousand accounts that left", () => {
    const stage = new Stage();
    for (let id = 1; id <= 1001; id++) {
      stage.join(id).move(id, "landing", 448, 160);
      stage.move(id, "landing", 60_000, 160);
      stage.leave(id);
    }
    const fiveMore = (id: number): number => {
      stage.join(id).move(id, "landing", 448, 160);
      for (let index = 0; index < 5; index++) stage.move(id, "landing", 60_000, 160);
      return stage.of("ban").length;
    };
    expect(fiveMore(1)).toBe(0);
    expect(fiveMore(1001)).toBe(1);
  });

  it("a run delayed by a stall of twelve seconds leads to no ban, though its end is refused", () => {
    const stage = pair();
    stage.to(13_000);
    const found: string[] = [];
    for (let step = 0; step < 24; step++) {
      found.push(...stage.move(1, "rightPress", 448 + step * 75, 160));
      found.push(...stage.move(1, "rightRelease", 448 + step * 75 + 75, 160));
    }
    expect(found.filter((verdict) => verdict.startsWith("correct ")).length).toBeGreaterThan(6);
    expect(stage.of("ban")).toEqual([]);
    // The silence explains all of it, so it counts as none: five more are forgiven.
    for (let index = 0; index < 5; index++) expect(leap(stage, 14_000 + index * 1000)).toEqual(["correct teleport"]);
    expect(leap(stage, 19_000)).toEqual(["correct teleport", "reject anti-cheat"]);
  });

  it("each part of a burst that a long stall delayed counts once", () => {
    const stage = pair();
    stage.to(25_000).move(1, "landing", 448, 160);
    // A packet is lost again: the rest waits for three more seconds, and its last part for another.
    const found: string[] = [];
    for (const atMs of [28_000, 28_600]) {
      stage.to(atMs);
      for (let step = 0; step < 8; step++) found.push(...leap(stage, atMs));
    }
    expect(found).toEqual(new Array(16).fill("correct teleport"));
    expect(stage.of("ban")).toEqual([]);
    // Two so far.
    for (let index = 0; index < 3; index++) expect(leap(stage, 30_000 + index * 1000)).toEqual(["correct teleport"]);
    expect(leap(stage, 33_000)).toEqual(["correct teleport", "reject anti-cheat"]);
  });

  it("parts of a burst that never end count each", () => {
    const stage = pair();
    stage.to(25_000).move(1, "landing", 448, 160);
    for (let part = 0; part < 5; part++) expect(leap(stage, 25_250 + part * 250)).toEqual(["correct teleport"]);
    expect(leap(stage, 26_500)).toEqual(["correct teleport", "reject anti-cheat"]);
  });

  it("leaps with silence between them count each", () => {
    const stage = pair();
    const far = (atMs: number): string[] => stage.to(atMs).move(1, "landing", 60_000, 160);
    for (let index = 0; index < 5; index++) expect(far(10_000 + index * 7000)).toEqual(["correct teleport"]);
    expect(far(45_000)).toEqual(["correct teleport", "reject anti-cheat"]);
  });

  it("nothing but teleports counts", () => {
    const stage = pair();
    for (let index = 0; index < 500; index++) {
      stage.to(2000 + index * 20);
      stage.move(1, "leftReleaseAir");
      stage.move(1, "downRelease");
    }
    expect(stage.verdicts.length).toBeGreaterThan(500);
    expect(stage.of("ban")).toEqual([]);
  });

  it("evidence is a copy of the payload", () => {
    const stage = pair();
    const message = moveMessage("landing", 9000, 9000);
    const payload = slimeCodec("documented").write("client", message);
    stage.world.receive(1, message, payload, stage.now);
    payload.fill(0xee);
    stage.settle();
    expect(stage.verdicts.at(-1)?.message).toEqual(slimeCodec("documented").write("client", message));
  });

  it("log-only flags and relays, without corrections and bans", () => {
    const stage = pair({ enforcement: "log" });
    stage.to(5000);
    for (let index = 0; index < 5; index++) {
      const x = index % 2 === 0 ? 20_000 : 448;
      expect(stage.move(1, "landing", x, 160)).toEqual(["flag teleport"]);
      expect(stage.received(2)).toEqual([`1 landing ${x} 160`]);
    }
    expect(stage.move(1, "landing", 448, 160)).toEqual(["flag teleport", "flag anti-cheat"]);
    // The teleport was believed: the next step is ordinary.
    expect(stage.to(5500).move(1, "leftPress", 450, 160)).toEqual([]);
    expect(stage.received(1)).toEqual([]);
    expect(stage.of("ban")).toEqual([]);
    expect(stage.of("close")).toEqual([]);
    // An invalid message is refused in this mode too.
    expect(stage.move(1, "leftPress", 450, 160)).toEqual(["reject transition"]);
  });

  it("a chosen response to a rule takes the place of the rule's own", () => {
    const relayed = pair({ responses: { teleport: "relay" } });
    relayed.to(5000);
    expect(relayed.move(1, "landing", 20_000, 160)).toEqual(["flag teleport"]);
    expect(relayed.received(2)).toEqual(["1 landing 20000 160"]);
    // The other rules answer as before.
    expect(relayed.move(1, "leftRelease", 20_000, 160)).toEqual(["reject transition"]);
    const dropped = pair({ responses: { teleport: "drop" } });
    dropped.to(5000);
    dropped.received(1);
    expect(dropped.move(1, "landing", 20_000, 160)).toEqual(["reject teleport"]);
    expect([dropped.received(1), dropped.received(2)]).toEqual([[], []]);
    // Six within a minute are a ban all the same.
    for (let index = 1; index < 6; index++) dropped.to(5000 + index * 100).move(1, "landing", 30_000, 160);
    expect(dropped.of("ban")).toHaveLength(1);
    expect(() => pair({ responses: { transition: "drop" } })).toThrow(/^The response of slime-online-2 to transition/);
  });

  it("log-only does not flag a message that is refused for another reason", () => {
    const stage = pair({ enforcement: "log" });
    stage.move(1, "leftPress", 448, 160);
    expect(stage.to(5000).move(1, "leftPress", 20_000, 160)).toEqual(["reject transition"]);
    expect(stage.received(2)).toEqual(["1 leftPress 448 160"]);
  });
});
