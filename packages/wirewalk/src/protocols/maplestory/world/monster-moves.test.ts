import { beforeEach, describe, expect, it } from "vitest";
import type { Verdict } from "../../../motion/index.ts";
import { demoMaps } from "../maps/demo-maps.ts";
import { portalKinds } from "../maps/map.ts";
import { footholdsAlong, writtenMap } from "../maps/testing/written-map.ts";
import { anyMapleMap, broadcasts, kinds, messagesTo, TestWorld, verdicts } from "../testing/test-world.ts";
import { type MapleClientMessage, mapleCodec } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";
import { boxOf, type Point } from "../wire/messages.ts";

let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
});

describe("monsters", () => {
  const life = (mobId: number, from: Point, to: Point, change: object = {}): MapleClientMessage => {
    const foothold = demoMaps()[0]?.below(to.x, to.y - 1)?.foothold.id ?? 0;
    const fragments = [Fragment.of("absolute", { type: 0, ...to, foothold, state: 2, durationMs: 1080 })];
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

  it("have more mana than an answer can hold, as bosses do: every answer has as much as it can", () => {
    const footholds = footholdsAlong([
      [-800, 300],
      [800, 300],
    ]);
    const monsters = [{ template: 1, x: 100, y: 300, speed: 100, mp: 100_000 }];
    const portals = [{ id: 0, name: "sp", kind: portalKinds.start, x: -500, y: 300 }];
    world = new TestWorld({ maps: anyMapleMap(writtenMap({ mapId: 1, footholds, monsters, portals })), demo: false });
    world.logIn(3);
    world.logIn(4);
    world.takeEffects();
    const { mobId, x, y } = first();
    const codec = mapleCodec("v62");
    // Also to who does not control it.
    for (const player of [3, 4]) {
      const answers = messagesTo(world.send(player, life(mobId, { x, y }, { x: x + 20, y })), player);
      expect(answers).toMatchObject([{ message: "moveMonsterResponse", value: { mobId, mp: 65_535 } }]);
      for (const answer of answers) expect(codec.read("server", codec.write("server", answer))).toEqual(answer);
    }
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
    // 4 has entered at (260, 300), beside the third monster.
    const mobId = thirdMob();
    world.send(4, { message: "aggro", value: { mobId, unknown: 0 } });
    expect(world.monsters("1").get(mobId)?.controller).toBe(4);
    world.send(3, { message: "aggro", value: { mobId, unknown: 0 } });
    expect(world.monsters("1").get(mobId)?.controller).toBe(4);
  });

  const thirdMob = (): number => [...world.monsters("1").keys()][2] ?? 0;
  const drivenBy = (player: number): number =>
    [...world.monsters("1").values()].filter(({ controller }) => controller === player).length;

  it("do not notice a player who is far away: a few times that is lag, then it is refused", () => {
    const { mobId } = first();
    const notice = (): readonly Verdict[] =>
      verdicts(world.send(4, { message: "aggro", value: { mobId, unknown: 0 } }));
    expect(notice()).toMatchObject([{ kind: "benign", rule: "aggro-far", allowed: 300, unit: "px" }]);
    for (let count = 1; count < 5; count++) expect(notice()).toMatchObject([{ kind: "benign" }]);
    expect(notice()).toMatchObject([{ kind: "reject", rule: "aggro-far" }]);
    expect(drivenBy(4)).toBe(0);
    // One in fifteen seconds is still lag.
    world.nowMs = 15_000;
    expect([...notice(), ...notice()]).toMatchObject([{ kind: "benign" }, { kind: "reject" }]);
  });

  it("notice a player once a second at most, in the long run", () => {
    const notice = (mobId: number): string[] =>
      kinds(world.send(4, { message: "aggro", value: { mobId, unknown: 0 } }));
    for (let count = 0; count < 20; count++) expect(notice(thirdMob())).toEqual([]);
    expect(notice(thirdMob())).toEqual(["reject aggro-rate"]);
    world.nowMs = 1000;
    expect([...notice(thirdMob()), ...notice(thirdMob())]).toEqual(["reject aggro-rate"]);
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

  const answerPing = (): void => {
    world.nowMs += 5000;
    world.tick(world.nowMs);
    world.takeEffects();
    for (const player of [3, 4]) world.send(player, { message: "pong", value: {} });
    world.nowMs += 1;
  };

  it("are given to another when their controller does not move them, without a fault", () => {
    const drivers = (): (number | undefined)[] => [...world.monsters("1").values()].map(({ controller }) => controller);
    const tick = (ms: number): ReturnType<TestWorld["takeEffects"]> => {
      world.nowMs += ms;
      world.tick(world.nowMs);
      return world.takeEffects();
    };
    const before = drivers();
    expect(before).toContain(3);
    tick(14_000);
    expect(drivers()).toEqual(before);
    const { mobId, x, y } = first();
    expect(kinds(world.send(3, life(mobId, { x, y }, { x: x + 50, y })))).toEqual([]);
    const effects = tick(2000);
    // The one that was moved stays; the others are told to stop and to begin.
    expect(drivers()).toEqual(before.map((_, index) => (index === 0 ? 3 : 4)));
    expect(verdicts(effects)).toEqual([]);
    expect(messagesTo(effects, 3).every(({ message }) => message === "controlMonster" || message === "ping")).toBe(
      true,
    );
    // Who has moved nothing is named.
    tick(13_000);
    expect(kinds(tick(3000))).toEqual(expect.arrayContaining(["benign monster-idle"]));
    // What was under way is late and not wrong.
    const [late = first()] = [...world.monsters("1").values()].filter(({ controller }) => controller === 3);
    expect(kinds(world.send(4, life(late.mobId, late, { x: late.x + 20, y: late.y })))).toEqual([
      "benign monster-control",
    ]);
  });

  it("stay with the only player of a room, and where their kind does not move", () => {
    world = new TestWorld({ limits: { idleMonsterMs: 1000 } });
    world.logIn(3);
    for (let ms = 0; ms < 60_000; ms += 1000) world.tick(ms);
    expect([...world.monsters("1").values()].every(({ controller }) => controller === 3)).toBe(true);
  });

  it("come nearer no faster than their kind, however right their footholds are", () => {
    const { mobId, x, y } = first();
    const speed = demoMaps()[0]?.monsters[0]?.speed ?? 0;
    const side = x > -500 ? -1 : 1;
    const go = (px: number): string[] => {
      world.nowMs += 1080;
      const at = first();
      return kinds(world.send(3, life(mobId, at, { x: Math.round(at.x + px), y })));
    };
    for (let count = 0; count < 20; count++) expect(go((count % 2 === 0 ? 1 : -1) * side * (speed / 2))).toEqual([]);
    const found: string[] = [];
    // Away from the player it may have been hit.
    for (let count = 0; count < 4; count++) found.push(...go(-side * 250), ...go(side * 250));
    expect(found).toContain("flag vacuum-pull");
  });

  it("on another map are refused, unless the player has just left it or the monster has just died", () => {
    const { mobId, x, y } = first();
    world.spawnMonster("2", 100_100, { x: 0, y: 200 }, world.nowMs);
    const [elsewhere = 0] = world.monsters("2").keys();
    const moved = (id: number): string[] => kinds(world.send(3, life(id, { x, y }, { x, y })));
    expect(moved(elsewhere)).toEqual(["benign monster-elsewhere"]);
    answerPing();
    expect([moved(elsewhere), moved(5)].flat()).toEqual(["reject monster-elsewhere", "reject monster-elsewhere"]);
    world.killMonster("1", mobId, world.nowMs);
    // However late it is: until the client has answered a later ping it does not know.
    world.nowMs += 50_000;
    expect(moved(mobId)).toEqual(["benign monster-elsewhere"]);
    answerPing();
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
    const quick = [Fragment.of("absolute", { type: 0, x: x - 165, y, foothold: 5, state: 2, durationMs: 30 })];
    const box = boxOf({ x, y }, quick);
    expect(kinds(world.send(3, life(mobId, { x, y }, { x, y }, { fragments: quick, box })))).toEqual([
      "flag vacuum-pull",
    ]);
    expect(kinds(world.send(3, life(mobId, { x: x + 10, y }, { x: x + 30, y })))).toEqual(["flag monster-head"]);
    expect(kinds(world.send(3, life(mobId, { x: x + 30, y }, { x: x + 40, y }, { moveFlags: 0x10 })))).toEqual([
      "flag client-report",
    ]);
    expect(kinds(world.send(3, life(mobId, { x: x + 40, y }, { x: x + 50, y }, { fragments: [] })))).toEqual([
      "reject empty-path",
    ]);
  });

  it("fall to the ground as fast as anything, but not through it, nor sideways", () => {
    const { mobId, x, y } = first();
    const at = (from: { x: number; y: number }, change: object): string[] => {
      Object.assign(world.monsters("1").get(mobId) ?? {}, from);
      const fields = { type: 0, x, y, foothold: 5, state: 2, durationMs: 300, ...change };
      const fragments = [Fragment.of("absolute", fields)];
      return kinds(world.send(3, life(mobId, from, fields, { fragments, box: boxOf(from, fragments) })));
    };
    // A cheat has left it in the air.
    expect(at({ x, y: y - 200 }, {})).toEqual([]);
    expect(at({ x, y: y - 600 }, {})).toContain("flag vacuum-pull");
    expect(at({ x: x - 250, y: y - 100 }, {})).toContain("flag vacuum-pull");
    expect(at({ x, y }, { y: y + 250, foothold: 0, state: 6 })).toContain("flag vacuum-pull");
  });

  it("walk on the footholds that they name, and do not hang in the air", () => {
    const { mobId, x, y } = first();
    const at = (change: object): string[] => {
      const fields = { type: 0, x: x + 20, y, foothold: 5, state: 2, durationMs: 1080, ...change };
      const fragments = [Fragment.of("absolute", fields)];
      return kinds(world.send(3, life(mobId, { x, y }, fields, { fragments, box: boxOf({ x, y }, fragments) })));
    };
    expect(at({})).toEqual([]);
    // Rounded, and one step past the edge.
    expect(at({ x: x + 52, y: y - 1 })).toEqual([]);
    expect(at({ y: y - 40 })).toEqual(["flag monster-ground"]);
    expect(at({ foothold: 999 })).toEqual(["flag monster-ground"]);
    expect(at({ foothold: -1 })).toEqual(["flag monster-ground"]);
    expect(at({ y: y - 40, foothold: 0, state: 6 })).toEqual(["flag monster-ground"]);
  });

  it("fly where their map says so", () => {
    const footholds = footholdsAlong([
      [0, 300],
      [900, 300],
    ]);
    const bat = { template: 5, x: 100, y: 300, speed: 100, flies: true };
    world = new TestWorld({ maps: anyMapleMap(writtenMap({ mapId: 1, title: "Sky", footholds, monsters: [bat] })) });
    world.logIn(3);
    const { mobId, x, y } = first();
    const fragments = [Fragment.of("absolute", { type: 0, x, y: y - 100, foothold: 0, state: 12, durationMs: 1080 })];
    const flight = life(mobId, { x, y }, { x, y }, { fragments, box: boxOf({ x, y }, fragments) });
    expect(kinds(world.send(3, flight))).toEqual([]);
  });

  it("are pulled where they are faster than honest ones time and again, all of a controller's together", () => {
    // At 400 px/s each is still slower than the limit for one.
    const found = [...world.monsters("1").values()].flatMap(({ mobId, x, y }) => {
      // Those that are hit are thrown.
      world.attack(3, mobId, world.nowMs);
      const fragments = [Fragment.of("absolute", { type: 0, x: x + 40, y, foothold: 0, state: 2, durationMs: 100 })];
      const pull = life(mobId, { x, y }, { x, y }, { fragments, box: boxOf({ x, y }, fragments) });
      return verdicts(world.send(3, pull)).filter(({ rule }) => rule !== "monster-ground");
    });
    // 11.7 px beyond each time: twelve are 140 px, and the allowance is 150.
    expect(found).toEqual([]);
    const { mobId, x, y } = first();
    const fragments = [Fragment.of("absolute", { type: 0, x: x - 40, y, foothold: 5, state: 2, durationMs: 100 })];
    const once = life(mobId, { x, y }, { x, y }, { fragments, box: boxOf({ x, y }, fragments) });
    expect(verdicts(world.send(3, once))).toMatchObject([{ kind: "flag", rule: "vacuum-pull", unit: "px" }]);
    world.nowMs = 10_000;
    expect(kinds(world.send(3, life(mobId, { x: x - 40, y }, { x, y })))).toEqual([]);
  });

  it("of a quick kind are as fast as their map says, and conveyors carry them", () => {
    const footholds = footholdsAlong([
      [-5000, 300],
      [9000, 300],
    ]).map((foothold) => ({ ...foothold, force: 100 }));
    const quick = { template: 5, x: 100, y: 300, speed: 650 };
    const slow = { template: 6, x: 100, y: 300, speed: 60 };
    world = new TestWorld({ maps: anyMapleMap(writtenMap({ mapId: 1, footholds, monsters: [quick, slow] })) });
    world.logIn(3);
    const run = (template: number, px: number): string[] => {
      const monster = [...world.monsters("1").values()].find((each) => each.template === template);
      const { mobId, x, y } = monster ?? first();
      world.nowMs += 1000;
      return kinds(world.send(3, life(mobId, { x, y }, { x: x + px, y })));
    };
    // 1,080 ms each: 750 px/s are 810 px.
    for (let count = 0; count < 20; count++) expect(run(5, count % 2 === 0 ? 808 : -808)).toEqual([]);
    expect(run(5, 900)).toEqual([]);
    expect(run(5, -1100)).toEqual(["flag vacuum-pull"]);
    expect(run(6, 700)).toEqual(["flag vacuum-pull"]);
  });

  it("fall out of the map where no ground is below them", () => {
    const footholds = footholdsAlong([
      [0, 300],
      [900, 300],
    ]);
    const monsters = [{ template: 5, x: 100, y: 300, speed: 60 }];
    world = new TestWorld({ maps: anyMapleMap(writtenMap({ mapId: 1, footholds, monsters })) });
    world.logIn(3);
    const { mobId, x } = first();
    const from = { x: 910, y: 200 };
    Object.assign(world.monsters("1").get(mobId) ?? {}, from);
    const fall = (to: Point): string[] => {
      const fragments = [Fragment.of("absolute", { type: 0, ...to, foothold: 0, state: 6, durationMs: 300 })];
      return kinds(world.send(3, life(mobId, from, to, { fragments, box: boxOf(from, fragments) })));
    };
    // Where it ends has no ground either.
    expect(fall({ x: 910, y: 400 })).toEqual(["flag monster-ground"]);
    Object.assign(world.monsters("1").get(mobId) ?? {}, from);
    expect(fall({ x: 910, y: -200 })).toContain("flag vacuum-pull");
    Object.assign(world.monsters("1").get(mobId) ?? {}, from);
    expect(fall({ x: x + 1200, y: 400 })).toContain("flag vacuum-pull");
  });

  it("start where they were given, however late paths from before have moved them", () => {
    // 3 drives a monster on the ground, loses it, gets it back, and does not know of either yet.
    const { mobId, x, y } = [...world.monsters("1").values()][6] ?? first();
    world.send(3, life(mobId, { x, y }, { x: x + 50, y }));
    world.attack(4, mobId, world.nowMs);
    world.attack(3, mobId, world.nowMs);
    world.takeEffects();
    for (let step = 1; step <= 3; step++) {
      world.nowMs += 1080;
      const from = { x: x - 10 + step * 60, y };
      expect(kinds(world.send(3, life(mobId, from, { x: from.x + 60, y })))).toEqual([]);
    }
    answerPing();
    // Now it knows, and starts from the place that it was sent.
    expect(kinds(world.send(3, life(mobId, { x: x + 50, y }, { x: x + 60, y })))).toEqual([]);
    world.nowMs += 60_000;
    expect(kinds(world.send(3, life(mobId, { x: x + 230, y }, { x: x + 240, y })))).toEqual(["flag monster-head"]);
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

  it("that a vacuum has left in one place do not count against their next controller", () => {
    for (const { mobId, x, y } of world.monsters("1").values()) world.send(3, life(mobId, { x, y }, { x: 0, y: 240 }));
    world.leave(3, world.nowMs);
    const left = [...world.monsters("1").values()];
    expect(left.filter(({ controller, x, y }) => controller === 4 && x === 0 && y === 240).length).toBeGreaterThan(10);
    world.nowMs += 1080;
    const found = left.flatMap(({ mobId }) =>
      verdicts(world.send(4, life(mobId, { x: 0, y: 240 }, { x: 20, y: 240 }))),
    );
    expect(found.filter(({ rule }) => rule === "vacuum-box")).toEqual([]);
  });
});
