import { beforeEach, describe, expect, it } from "vitest";
import { demoMap } from "../maps/demo-maps.ts";
import { type MapleMap, portalKinds } from "../maps/map.ts";
import { footholdsAlong, writtenMap } from "../maps/testing/written-map.ts";
import { Character } from "../movement/character.ts";
import type { Keys, WalkConstants } from "../movement/walker.ts";
import { walkConstants } from "../movement/walker.ts";
import { anyMapleMap, kinds, messagesTo, start, TestWorld, walk } from "../testing/test-world.ts";
import { Fragment } from "../wire/fragment.ts";

let world: TestWorld;
beforeEach(() => {
  world = new TestWorld();
  world.logIn(3);
});

/** Plays for so many seconds, and gives what is found and when, in milliseconds; a correction ends it. */
function play(
  seconds: number,
  constants: Partial<WalkConstants>,
  keysOf: (step: number) => Keys,
): readonly (readonly [string, number])[] {
  const own = new Character({
    dialect: "v62",
    map: demoMap(1) as MapleMap,
    at: start,
    fieldKey: 1,
    constants: { ...walkConstants, ...constants },
  });
  const found: (readonly [string, number])[] = [];
  for (let step = 0; step < (seconds * 1000) / own.stepMs; step++) {
    world.nowMs += own.stepMs;
    const message = own.step(keysOf(step));
    if (message === undefined) continue;
    const effects = world.send(3, message);
    for (const kind of kinds(effects)) found.push([kind, world.nowMs]);
    if (messagesTo(effects, 3).some(({ message: sent }) => sent === "changeMap")) break;
  }
  return found;
}

/** A map with nothing above the ground. */
const flat = (swims: boolean): MapleMap =>
  writtenMap({
    mapId: 1,
    title: "Flat",
    footholds: footholdsAlong([
      [-600, 300],
      [600, 300],
    ]),
    portals: [{ id: 0, name: "a", kind: portalKinds.start, ...start }],
    swims,
  });

const right = (step: number): Keys => ({ right: step % 120 < 60, left: step % 120 >= 60 });

describe("a player in the air", () => {
  it.each<[string, (step: number) => Keys]>([
    ["jumps all the time", (step) => ({ ...right(step), jump: true })],
    ["runs over edges, and falls far", () => ({ right: true })],
    ["drops through platforms", (step) => ({ ...right(step >> 2), jump: step % 40 < 2, down: step % 40 < 2 })],
    ["climbs and jumps off", (step) => ({ ...right(step >> 1), up: true, jump: step % 25 === 0 })],
  ])("is not flagged when it %s", (_, keysOf) => {
    expect(play(120, {}, keysOf)).toEqual([]);
  });

  it("that falls half as fast is put back at the end of its first jump", () => {
    const found = play(10, { gravity: walkConstants.gravity / 2 }, (step) => ({ jump: step >= 17 }));
    expect(found[0]?.[0]).toBe("flag flight");
    expect(found.at(-1)?.[0]).toBe("correct gain");
    // It jumps after half a second, lasts twice as long as it may, and is judged half a second at a time.
    expect(found.at(-1)?.[1]).toBeLessThan(2500);
  });

  it("that stays there is put back within a second, however low it is", () => {
    // Up to 20 px above the ground.
    const found = play(10, { gravity: 1, jump: 20 }, (step) => ({ right: true, jump: step === 20 }));
    expect(found.map(([kind]) => kind)).toContain("correct gain");
    expect((found.at(-1)?.[1] ?? Infinity) - 20 * 30).toBeLessThan(1500);
  });

  it("that names a foothold which is not there is in the air", () => {
    const high = walk(start, 0, {
      fragments: [
        Fragment.of("absolute", { type: 0, x: -490, y: 240, foothold: 0, state: 6, durationMs: 300 }),
        Fragment.of("absolute", { type: 0, x: -480, y: 240, foothold: 1, state: 2, durationMs: 1000 }),
      ],
      keypad: new Array(43).fill(4),
    });
    world.nowMs = 2000;
    expect(kinds(world.send(3, high))).toContain("flag flight");
  });

  it("may be pushed three times, and once more each two seconds", () => {
    world = new TestWorld({ maps: anyMapleMap(flat(false)) });
    world.logIn(3);
    const pushed = (y: number) =>
      walk({ x: -500, y }, 0, {
        fragments: [
          Fragment.of("relative", { type: 1, vx: 0, vy: -555, state: 6 }),
          Fragment.of("absolute", { type: 0, x: -500, y: y - 60, vy: 45, state: 6, durationMs: 300 }),
        ],
        keypad: new Array(10).fill(4),
      });
    let y = start.y;
    const found: string[] = [];
    for (let count = 0; count < 5; count++, y -= 60) {
      world.nowMs += 310;
      found.push(kinds(world.send(3, pushed(y))).join());
    }
    // From the ground, and three hits; the next one is a jump in the air.
    expect(found).toEqual(["", "", "", "", "flag flight,correct gain"]);
  });

  it("swims in water, and may stand at any height of an unknown map", () => {
    const hover = { gravity: 1, jump: 20 };
    const keys = (step: number): Keys => ({ right: true, jump: step === 20 });
    const lake = flat(true);
    world = new TestWorld({ maps: anyMapleMap(lake) });
    world.logIn(3);
    expect(play(5, hover, keys)).toEqual([]);
    world = new TestWorld({ maps: anyMapleMap(undefined) });
    world.logIn(3);
    // Level through the air, once it is up there.
    expect(play(5, { gravity: 2000, jump: 555 }, (step) => ({ right: true, jump: step === 20 }))).toEqual([]);
    world = new TestWorld({ maps: anyMapleMap(undefined) });
    world.logIn(3);
    // Slower than a jump, and for longer than one.
    expect(play(5, { gravity: 60, jump: 90 }, keys).map(([kind]) => kind)).toContain("flag flight");
  });
});
