import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { simulate } from "../../../testing/simulation.ts";
import { mapleStory } from "../maplestory.ts";
import { makeMap, portalKinds } from "../maps/map.ts";
import { mapleMapsOf } from "../maps/maple-maps.ts";
import type { Point } from "../wire/messages.ts";
import { MapleBot } from "./bot.ts";
import { lieOf, MAP_CHEAT_WAYS, type MapleMapCheat, mapleMapCheats } from "./map-cheats.ts";

const line = (id: number, x1: number, y1: number, x2: number, y2: number, previous = 0, next = 0) => {
  return { id, x1, y1, x2, y2, previous, next };
};

/** A ground between two walls, the right one of a block; a platform of another piece before that; ground below all of it. */
const quarry = makeMap({
  mapId: 600,
  footholds: [
    line(12, -700, 100, -700, 300, 0, 1),
    line(1, -700, 300, 0, 300, 12, 2),
    line(2, 0, 300, 0, 150, 1, 3),
    line(3, 0, 150, 300, 150, 2, 4),
    line(4, 300, 150, 300, 300, 3, 5),
    line(5, 300, 300, 900, 300, 4, 6),
    line(6, 900, 300, 900, 100, 5, 0),
    { ...line(30, -150, 240, 0, 240), layer: 1, group: 2 },
    line(20, -1200, 700, 1400, 700),
  ],
  ladders: [{ id: 9, x: 500, top: 150, bottom: 290 }],
  portals: [
    { id: 1, name: "sp", kind: portalKinds.start, x: -400, y: 270 },
    { id: 2, name: "in", kind: portalKinds.invisible, x: 850, y: 300, target: { mapId: 600, portal: "out" } },
    { id: 3, name: "out", kind: portalKinds.invisible, x: 350, y: 300 },
  ],
});

/** Two grounds that meet below a wall. */
const seam = makeMap({
  mapId: 601,
  footholds: [
    line(1, -400, 100, 0, 100, 0, 2),
    line(2, 0, 100, 0, -80, 1, 0),
    line(3, 0, 100, 400, 100, 0, 0),
    line(4, -900, 300, 900, 300),
  ],
  portals: [
    { id: 0, name: "sp", kind: portalKinds.start, x: -200, y: 80 },
    { id: 1, name: "end", kind: portalKinds.visible, x: 380, y: 100, target: { mapId: 600, portal: "in" } },
  ],
});

const lake = makeMap({
  mapId: 602,
  swims: true,
  footholds: [line(1, -500, 900, 500, 900), line(2, 600, 500, 700, 500)],
  portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 800 }],
});

/** A town with nothing but level ground: most cheats find a place, and no honest player is near one. */
const plain = makeMap({
  mapId: 603,
  footholds: [line(1, -900, 100, 900, 100)],
  portals: [{ id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 60 }],
});

const maps = mapleMapsOf("test", [quarry, seam, lake, plain]);
const start = { x: -400, y: 270 };

/**
 * Plays one cheat on a map before an observer that stands. Gives the verdicts above benign, those of the first path that has any, what the
 * cheat had gained then, where it was put, and what of its gain the observer was sent at any time.
 */
function play(cheat: MapleMapCheat, room: number, way: number, dialect: string) {
  const bot = new MapleBot({ dialect, random: createRandom(way), number: way, cheat, maps, room });
  const observer = new MapleBot({ dialect, random: createRandom(99), number: 0, cheat: "none", maps, room });
  Object.assign(observer, { step: () => [] });
  const rules: string[] = [];
  const first: string[] = [];
  let putAt: Point | undefined;
  let seenPx = 0;
  let sent = 0;
  let firstMs: number | undefined;
  let gainedPx = 0;
  let flaggedPx = 0;
  simulate({
    protocol: mapleStory,
    world: { dialect, seed: 1, maps },
    seed: way,
    durationMs: cheat === "portal" ? 40_000 : 14_000,
    conditions: { latencyMs: { low: 20, high: 40 }, jitterMs: 0 },
    bots: [bot, observer].map((each, number) => {
      const joining = { account: `a${number}`, name: `a${number}`, room: String(room) };
      return { bot: each, joining, startMs: 0, listens: true };
    }),
    onVerdict: ({ kind, rule, player }, { world, nowMs }) => {
      if (kind === "benign" || kind === "accept") return;
      rules.push(`${kind} ${rule}`);
      firstMs ??= nowMs;
      if (nowMs !== firstMs) return;
      first.push(`${kind} ${rule}`);
      const position = world.tracks(nowMs).find((track) => track.player === player)?.position;
      if (position === undefined) return;
      flaggedPx = Math.max(flaggedPx, bot.gainPx(position));
      if (kind === "correct") putAt = position;
    },
    onReceived: ({ number, message }) => {
      if (number !== 1 || message.message !== "movePlayer" || !("fragments" in message.value)) return;
      const { fragments } = message.value;
      // A path without time is the server's: where it has put the cheat, which may be where that wanted to go.
      if (fragments.every(({ durationMs }) => durationMs === undefined || durationMs === 0)) return;
      sent += 1;
      for (const { x, y } of fragments) {
        if (x !== undefined && y !== undefined) seenPx = Math.max(seenPx, bot.gainPx({ x, y }));
      }
    },
    sample: {
      everyMs: 100,
      take: ({ world, nowMs, numbers }) => {
        if (firstMs !== undefined) return;
        for (const { player, position } of world.tracks(nowMs)) {
          if (numbers.get(player) === 0) gainedPx = Math.max(gainedPx, bot.gainPx(position));
        }
      },
    },
  });
  // What is flagged has happened; what is corrected has not, whatever else was found in that path.
  const isCorrected = first.some((each) => each.startsWith("correct"));
  const firstPx = firstMs === undefined ? undefined : isCorrected ? gainedPx : Math.max(gainedPx, flaggedPx);
  return { rules, first, firstPx, isCorrected, putAt, seenPx, sent };
}

/** Whether a place is that of a portal where a player may be put. */
function isAtPortal(room: number, at: Point | undefined): boolean {
  return maps.map(room)?.portals.some(({ x, y }) => x === at?.x && y === at.y) === true;
}

const ways = Array.from({ length: MAP_CHEAT_WAYS }, (_, way) => way);
/** Where each is played, what finds it, and what of its gain others see at most. */
const expected: Readonly<
  Record<MapleMapCheat, readonly [rooms: readonly number[], rules: RegExp, mostSeenPx: number]>
> = {
  wall: [[600, 601], /^(correct wall|flag flight)$/, 0],
  "air-stand": [[600, 603], /^(correct foothold|flag flight)$/, 50],
  foothold: [[600, 601], /^flag foothold$/, 0],
  ladder: [[600, 603], /^(correct (ladder|foothold)|flag flight)$/, 50],
  portal: [[600], /^correct (teleport|teleport-skill)$/, 0],
  water: [[602], /^correct (water|foothold)$/, 50],
};
/** What one path of a walk is long. */
const PATH_PX = 64;

describe.each(["v62", "v83", "v95"])("on given maps, in %s", (dialect) => {
  it.each(mapleMapCheats)("%s is found with its first path, in all ways", (cheat) => {
    const [rooms, rules, mostSeenPx] = expected[cheat];
    for (const room of rooms) {
      for (const way of ways) {
        const { first, firstPx, isCorrected, putAt, seenPx, sent } = play(cheat, room, way, dialect);
        expect([room, way, first]).toEqual([room, way, expect.arrayContaining([expect.stringMatching(rules)])]);
        expect(firstPx).toBeLessThanOrEqual(PATH_PX);
        expect(sent).toBeGreaterThan(0);
        expect([room, way, isAtPortal(room, putAt)]).toEqual([room, way, isCorrected]);
        expect(seenPx).toBeLessThanOrEqual(mostSeenPx);
      }
    }
  });

  it("who falls or jumps through a wall with another number, or none, is found by the wall", () => {
    for (const way of [1, 2]) expect(play("wall", 600, way, dialect).rules[0]).toBe("correct wall");
    expect(play("wall", 601, 1, dialect).rules[0]).toBe("correct wall");
  });
});

it("a map without what a cheat needs has no place for it", () => {
  expect(lieOf("wall", plain, { x: 0, y: 60 }, 0)).toBeUndefined();
  expect(lieOf("water", plain, { x: 0, y: 60 }, 0)).toBeUndefined();
  expect(lieOf("portal", plain, { x: 0, y: 60 }, 0)).toBeUndefined();
  expect(lieOf("air-stand", lake, { x: 0, y: 800 }, 0)).toBeUndefined();
  expect(lieOf("wall", quarry, { x: 5000, y: 0 }, 0)).toBeUndefined();
});

it("a cheat that gains nothing says so, and others measure from where the honest way ends", () => {
  expect(lieOf("foothold", quarry, start, 0)?.gainPx({ x: 9000, y: 0 }, 0)).toBe(0);
  const wall = lieOf("wall", quarry, start, 0);
  expect([-10, 0, 40].map((x) => wall?.gainPx({ x, y: 300 }, 0))).toEqual([0, 0, 40]);
  expect(lieOf("ladder", quarry, start, 0)?.gainPx({ x: -400, y: 250 }, 0)).toBe(0);
});
