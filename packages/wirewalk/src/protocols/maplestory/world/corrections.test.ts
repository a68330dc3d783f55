import { beforeEach, describe, expect, it } from "vitest";
import type { MapleEffect } from "../testing/test-world.ts";
import { kinds, messagesTo, start, TestWorld, verdicts, walk } from "../testing/test-world.ts";
import { MapleWorld } from "./world.ts";

let world: TestWorld;
let fieldKey: number;
beforeEach(() => {
  world = new TestWorld();
  world.logIn(3);
  fieldKey = 1;
});

const bans = (effects: readonly MapleEffect[]) => effects.filter(({ effect }) => effect === "ban");

/** A jump of 400 px after so many milliseconds. */
function jump(player: number, afterMs: number): readonly MapleEffect[] {
  world.nowMs += afterMs;
  const effects = world.send(player, walk({ x: start.x + 400, y: 300 }, start.x + 400, { fieldKey }));
  fieldKey += 1;
  return effects;
}

/** Walks to and fro at 1.035 times the speed, within the slack of each path, for so many paths, until it is corrected. */
function hurry(paths: number): readonly string[] {
  const found: string[] = [];
  for (let index = 0, { x } = start, step = 66; index < paths; index++, x += step) {
    world.nowMs += 510;
    if (x + step < -600 || x + step > -200) step = -step;
    const effects = world.send(3, walk({ x, y: 300 }, x + step, { fieldKey }));
    found.push(...kinds(effects));
    if (messagesTo(effects, 3).some(({ message }) => message === "changeMap")) break;
  }
  return found;
}

describe("corrections", () => {
  it("take a gain back once it is a tolerance: the client is put on a portal", () => {
    const found = hurry(100);
    // 2.25 px each path, of which 0.51 are forgiven; from 20 px on it is reported, above 50 px it is refused.
    expect(found.length).toBeGreaterThan(15);
    expect(found).toEqual([...Array(found.length - 1).fill("flag gain"), "correct gain"]);
    fieldKey = 2;
    expect(hurry(1)).not.toContain("flag gain");
  });

  it("are a ban after eleven in five minutes, with their evidence, and not before", () => {
    for (let count = 1; count <= 10; count++) expect(bans(jump(3, 12_000))).toEqual([]);
    const effects = jump(3, 12_000);
    expect(kinds(effects)).toEqual(["correct teleport", "flag corrections"]);
    const [ban] = bans(effects);
    expect(ban).toMatchObject({ player: 3, account: "3", durationMs: 3_600_000 });
    expect(ban?.effect === "ban" && ban.evidence.map(({ rule }) => rule)).toEqual(Array(5).fill("teleport"));
    expect(effects.at(-1)).toEqual({ effect: "close", player: 3, reason: "banned" });
  });

  it("are a ban when one a minute goes on for twenty minutes", () => {
    const found = Array.from({ length: 21 }, () => bans(jump(3, 60_000)).length);
    expect(found).toEqual([...Array(20).fill(0), 1]);
  });

  it("are no ban when they are rare, or all at once", () => {
    for (let count = 0; count < 40; count++) expect(bans(jump(3, 200_000))).toEqual([]);
    for (let count = 0; count < 40; count++) expect(bans(jump(3, 100))).toEqual([]);
  });

  it("are neither made nor counted by a world that only logs", () => {
    world = new TestWorld({ enforcement: "log" });
    world.logIn(3);
    for (let count = 0; count < 30; count++) {
      world.nowMs += 12_000;
      const x = start.x + (count % 2) * 400;
      expect(bans(world.send(3, walk({ x, y: 300 }, x)))).toEqual([]);
    }
  });
});

describe("a character that comes back", () => {
  const comeBack = (player: number, room?: string, account = "3"): readonly MapleEffect[] => {
    world.join(player, { account, name: "x", ...(room === undefined ? {} : { room }) }, world.nowMs);
    const effects = world.send(player, { message: "playerLoggedIn", value: { characterId: 103, reserved: 0 } });
    fieldKey = 1;
    return effects;
  };
  const portalOf = (effects: readonly MapleEffect[], player: number): unknown => {
    const [first] = messagesTo(effects, player);
    return first?.message === "changeMap" && first.value.target.content === "map"
      ? [first.value.target.mapId, first.value.target.spawnPoint]
      : first;
  };

  it("is on the portal nearest to where it was, whatever its new id is", () => {
    world.nowMs = 600;
    world.send(3, walk(start, -440));
    world.leave(3, world.nowMs);
    world.takeEffects();
    // 4 and 5 would enter at the others.
    expect(portalOf(comeBack(4, "1"), 4)).toEqual([1, 0]);
    world.leave(4, world.nowMs);
    world.takeEffects();
    expect(portalOf(comeBack(5), 5)).toEqual([1, 0]);
  });

  it("goes where it asks when that is another room", () => {
    world.leave(3, 0);
    world.takeEffects();
    expect(portalOf(comeBack(5, "2"), 5)).toEqual([2, 1]);
  });

  it("keeps its gain and its corrections, also in a world that was saved meanwhile", () => {
    for (let count = 0; count < 10; count++) jump(3, 12_000);
    world.leave(3, world.nowMs);
    world.takeEffects();
    const saved = world.save();
    world = new TestWorld();
    world.nowMs = 120_000;
    world.restore(structuredClone(saved));
    comeBack(6, "1");
    expect(bans(jump(6, 12_000))).toHaveLength(1);
  });

  it("does not come back as what it was after an hour, and nobody else does", () => {
    for (let count = 0; count < 10; count++) jump(3, 12_000);
    world.leave(3, world.nowMs);
    world.takeEffects();
    world.logIn(6, 999);
    fieldKey = 1;
    expect(bans(jump(6, 12_000))).toEqual([]);
    world.nowMs += 3_600_000;
    comeBack(9, "1");
    expect(bans(jump(9, 12_000))).toEqual([]);
  });

  it("is not what another address claims to be, which takes neither its place nor its corrections", () => {
    for (let count = 0; count < 10; count++) jump(3, 12_000);
    world.leave(3, world.nowMs);
    world.takeEffects();
    comeBack(6, "1", "elsewhere");
    expect(bans(jump(6, 12_000))).toEqual([]);
    world.leave(6, world.nowMs);
    world.takeEffects();
    comeBack(9, "1");
    expect(bans(jump(9, 12_000))).toHaveLength(1);
  });

  it("is one of a thousand at most that a world keeps", () => {
    for (let player = 10; player < 1100; player++) {
      world.logIn(player);
      world.leave(player, world.nowMs);
      world.takeEffects();
    }
    const { departed } = world.save().state as { readonly departed: ReadonlyMap<string, unknown> };
    expect(departed.size).toBe(1000);
    expect(departed.has("1099 1199")).toBe(true);
  });

  it("must be well-formed in a saved world", () => {
    world.leave(3, 0);
    for (const damage of [{ x: "0" }, { gain: {} }, { corrections: [""] }, { evidence: [{}] }, { extra: 1 }]) {
      const saved = structuredClone(world.save());
      const { departed } = saved.state as { readonly departed: Map<string, object> };
      departed.set("3 103", { ...departed.get("3 103"), ...damage });
      expect(() => new MapleWorld({ dialect: "v62", seed: 1, demo: true }).restore(saved)).toThrow(/^Cannot restore/);
    }
  });

  it("is reported by verdicts with what they measured", () => {
    const [verdict] = verdicts(jump(3, 600));
    expect(verdict).toMatchObject({ kind: "correct", rule: "teleport", unit: "px" });
  });
});
