import { beforeEach, describe, expect, it } from "vitest";
import { broadcasts, kinds, messagesTo, TestWorld, verdicts } from "../testing/test-world.ts";
import type { MapleClientMessage } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";
import { boxOf, type Point } from "../wire/messages.ts";

let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});

describe("monsters", () => {
  const life = (mobId: number, from: Point, to: Point, change: object = {}): MapleClientMessage => {
    const fragments = [Fragment.of("absolute", { type: 0, ...to, foothold: 1, state: 2, durationMs: 1080 })];
    const fixed = { moveId: 7, flags: 1, actionAndDirection: -1, target: new Uint8Array(4), moveFlags: 0, unknown: 1 };
    const value = { mobId, ...fixed, start: from, fragments, keypad: [], box: boxOf(from, fragments), ...change };
    return { message: "moveLife", value };
  };
  const first = (): { mobId: number; x: number; y: number } => {
    const [monster] = world.monsters("1").values();
    if (monster === undefined) throw new Error("no monster");
    return monster;
  };

  beforeEach(() => {
    world.logIn(3);
    world.logIn(4);
    world.takeEffects();
  });

  it("answer every path with its number, and are relayed", () => {
    const { mobId, x, y } = first();
    const effects = world.send(3, life(mobId, { x, y }, { x: x + 50, y }));
    expect(messagesTo(effects, 3)).toEqual([
      {
        message: "moveMonsterResponse",
        value: { mobId, moveId: 7, nextAttack: 1, mp: 100, skillId: 0, skillLevel: 0 },
      },
    ]);
    expect(broadcasts(effects)).toMatchObject([
      { except: 3, message: { message: "moveMonster", value: { mobId, actionAndDirection: -1 } } },
    ]);
    expect(first()).toMatchObject({ x: x + 50 });
  });

  it("are not moved by a client that does not control them, which is answered all the same", () => {
    const { mobId, x, y } = first();
    const effects = world.send(4, life(mobId, { x, y }, { x: x + 50, y }));
    expect(kinds(effects)).toEqual(["reject monster-control"]);
    expect(broadcasts(effects)).toEqual([]);
    expect(messagesTo(effects, 4)).toHaveLength(1);
    expect(first()).toMatchObject({ x });
  });

  it("are taken over by a player who has just attacked; the former controller's paths are late", () => {
    const { mobId, x, y } = first();
    world.attack(4, mobId, world.nowMs);
    expect(world.takeEffects()).toMatchObject([
      { to: 3, message: { message: "controlMonster", value: { mode: "stop", mobId } } },
      { to: 4, message: { message: "controlMonster", value: { mode: "controlWithAggro", mobId } } },
    ]);
    expect(kinds(world.send(3, life(mobId, { x, y }, { x, y })))).toEqual(["benign monster-control"]);
    world.nowMs = 60_000;
    expect(kinds(world.send(3, life(mobId, { x, y }, { x, y })))).toEqual(["reject monster-control"]);
  });

  it("stay with their controller when a player who may take over sends an empty path", () => {
    const { mobId, x, y } = first();
    world.attack(3, mobId, world.nowMs);
    world.setHidden(3, true, world.nowMs);
    world.setHidden(3, false, world.nowMs);
    world.takeEffects();
    const saved = world.save();
    expect(kinds(world.send(3, life(mobId, { x, y }, { x, y }, { fragments: [] })))).toEqual(["reject empty-path"]);
    expect(world.save()).toEqual(saved);
    expect(world.monsters("1").get(mobId)?.controller).toBe(4);
    // The right is part of what is saved.
    world = new TestWorld();
    world.restore(saved);
    expect(kinds(world.send(3, life(mobId, { x, y }, { x, y })))).toEqual([]);
    expect(world.monsters("1").get(mobId)?.controller).toBe(3);
  });

  it("are taken over by a player they notice, unless they fight somebody", () => {
    const { mobId } = first();
    world.send(4, { message: "aggro", value: { mobId, unknown: 0 } });
    expect(world.monsters("1").get(mobId)?.controller).toBe(4);
    world.send(3, { message: "aggro", value: { mobId, unknown: 0 } });
    expect(world.monsters("1").get(mobId)?.controller).toBe(4);
  });

  it("are handed over by a player who hides or leaves", () => {
    world.setHidden(3, true, world.nowMs);
    expect(world.takeEffects().filter((effect) => effect.effect === "send")).toHaveLength(24);
    expect([...world.monsters("1").values()].every(({ controller }) => controller === 4)).toBe(true);
    world.leave(4, world.nowMs);
    expect([...world.monsters("1").values()].every(({ controller }) => controller === undefined)).toBe(true);
    world.setHidden(3, false, world.nowMs);
    expect([...world.monsters("1").values()].every(({ controller }) => controller === 3)).toBe(true);
  });

  it("on another map are refused, unless the player has just left it or the monster has just died", () => {
    const { mobId, x, y } = first();
    world.spawnMonster("2", 100_100, { x: 0, y: 200 }, world.nowMs);
    const [elsewhere = 0] = world.monsters("2").keys();
    const moved = (id: number): string[] => kinds(world.send(3, life(id, { x, y }, { x, y })));
    expect(moved(elsewhere)).toEqual(["benign monster-elsewhere"]);
    world.nowMs = 20_000;
    expect([moved(elsewhere), moved(5)].flat()).toEqual(["reject monster-elsewhere", "reject monster-elsewhere"]);
    world.killMonster("1", mobId, world.nowMs);
    expect(moved(mobId)).toEqual(["benign monster-elsewhere"]);
    world.nowMs = 40_000;
    expect(moved(mobId)).toEqual(["reject monster-elsewhere"]);
    expect(kinds(world.send(3, { message: "aggro", value: { mobId, unknown: 0 } }))).toEqual([
      "reject monster-elsewhere",
    ]);
  });

  it("are gone when they die, and controlled when they appear", () => {
    const { mobId } = first();
    world.killMonster("1", mobId, world.nowMs);
    expect(world.takeEffects()).toMatchObject([
      { effect: "broadcast", message: { message: "removeMonster", value: { mobId } } },
    ]);
    const born = world.spawnMonster("1", 100_100, { x: 0, y: 200 }, world.nowMs);
    // 3 had twelve and lost one; 4 has none.
    expect(world.monsters("1").get(born)).toMatchObject({ controller: 4, y: 240 });
    expect(() => world.killMonster("1", mobId, world.nowMs)).toThrow(RangeError);
  });

  it("have limits of honest paths", () => {
    const { mobId, x, y } = first();
    expect(kinds(world.send(3, life(mobId, { x, y }, { x: x + 700, y })))).toEqual(["flag monster-speed"]);
    expect(kinds(world.send(3, life(mobId, { x, y }, { x: x + 30, y })))).toEqual(["flag monster-head"]);
    expect(kinds(world.send(3, life(mobId, { x: x + 30, y }, { x: x + 40, y }, { moveFlags: 0x10 })))).toEqual([
      "flag client-report",
    ]);
    expect(kinds(world.send(3, life(mobId, { x: x + 40, y }, { x: x + 50, y }, { fragments: [] })))).toEqual([
      "reject empty-path",
    ]);
  });

  it("have a box around their path", () => {
    const { mobId, x, y } = first();
    const box = { left: x, top: y, right: x + 900, bottom: y };
    const effects = world.send(3, life(mobId, { x, y }, { x: x + 50, y }, { box }));
    expect(verdicts(effects)).toMatchObject([{ kind: "flag", rule: "box", measured: 850, unit: "px" }]);
    expect(broadcasts(effects)).toHaveLength(1);
  });

  it("are flagged as a vacuum with ten in one place, and when all move to one side", () => {
    const found = [...world.monsters("1").values()].flatMap(({ mobId, x, y }) =>
      kinds(world.send(3, life(mobId, { x, y }, { x: 0, y: 240 }))),
    );
    expect(found.filter((kind) => kind === "benign vacuum-box")).toHaveLength(4);
    expect(found.filter((kind) => kind === "flag vacuum-box")).toHaveLength(3);
    const { mobId } = first();
    const sides = Array.from({ length: 60 }, (_, step) =>
      kinds(world.send(3, life(mobId, { x: step * 500, y: 240 }, { x: (step + 1) * 500, y: 240 }))),
    ).flat();
    expect(sides).toContain("flag vacuum-side");
  });
});
