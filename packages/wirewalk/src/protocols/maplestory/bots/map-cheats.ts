/**
 * Cheats that abuse a map: the client's files are changed. Its walls are gone, it has a floor in the air or on the water, a rope where none
 * is; or it writes other numbers than those of the ground that it is on. Each has some ways to write that.
 */
import { type Foothold, isFloor, isWall } from "../maps/foothold.ts";
import { type Ladder, type MapleMap, makeMap, type Portal } from "../maps/map.ts";
import { isPlainPortal, isSpring, isUsedByTouch, touches } from "../maps/portals.ts";
import { wallAfter, wholeWall } from "../maps/walls.ts";
import { type Keys, type Walker, walkConstants } from "../movement/walker.ts";
import type { Point } from "../wire/messages.ts";

/**
 * The values of `--cheat` that need a map with what they abuse. `wall` goes through the wall at the end of its ground, `air-stand` walks on a floor in
 * the air, `foothold` writes other footholds than those that it is on, `ladder` climbs where no ladder is, `portal` goes through a portal of the map
 * from afar, `water` walks on a floor in the water.
 */
export const mapleMapCheats = ["wall", "air-stand", "foothold", "ladder", "portal", "water"] as const;
/** So many ways to write each of them, at most: bots take them in turn. */
export const MAP_CHEAT_WAYS = 5;
export type MapleMapCheat = (typeof mapleMapCheats)[number];

export function isMapCheat(cheat: string): cheat is MapleMapCheat {
  return mapleMapCheats.some((each) => each === cheat);
}

/** What a cheating client does on one map. */
export interface MapLie {
  /** The map as its files have it. */
  readonly map: MapleMap;
  /** What it writes for a foothold or a ladder, as on the wire. */
  named(foothold: number): number;
  /** The keys of the next step; undefined where it goes about as honest players do. */
  keys(body: Readonly<Walker>): Keys | undefined;
  /** Where it leaps to, now and then; undefined for all but `portal`. */
  leapTo?(body: Readonly<Walker>, atMs: number): Point | undefined;
  /** Whether the leap is no part of the path: the next one begins there. */
  readonly leapsUnseen?: true;
  /** How far a place is beyond where it could be without the cheat, pixels, at a time of the bot. */
  gainPx(at: Point, atMs: number): number;
}

/** Where it cheats: a ground on which it can walk from where it came in. */
interface Site {
  readonly map: MapleMap;
  readonly at: Point;
  readonly ground: Foothold;
  /** As far as it can walk there. */
  readonly left: number;
  readonly right: number;
  /** The last footholds of that way. */
  readonly leftmost: Foothold;
  readonly rightmost: Foothold;
  /** Which of the ways to write it. */
  readonly way: number;
  /** A number that no foothold and no ladder of the map has. */
  readonly unused: number;
}

/** How far it walks to where it cheats, pixels. */
const MOST_WALK_PX = 1500;
/** The client's body is stopped so far from the outermost footholds, pixels. */
const WORLD_END_PX = 25;
/** A floor in the air is so wide, and so high above the ground: within the height of a jump, pixels. */
const FLOOR_PX = 160;
const FLOOR_HEIGHT_PX = 55;
/** The same in the water, where a jump is lower. */
const WATER_HEIGHT_PX = 120;
/** How level the ground below it is, pixels. */
const LEVEL_PX = 12;
/** How far a floor, a rope or a portal is from those that are there, pixels: well beyond every tolerance. */
const CLEAR_PX = 25;
const LADDER_CLEAR_PX = 60;
const FAR_PX = 400;
/** So near its own way an observer sees it there: its places are rounded, and extrapolated, pixels. */
const WAY_PX = 50;
/** So far it walks until others see it, pixels: for half a second, and a network. */
const LATE_PX = 3 * WAY_PX;
/** How far from a portal it does not stand at it, pixels: well beyond its reach. */
const PORTAL_CLEAR_PX = 300;
const ROPE_PX = 300;
/** How high a jump leads, pixels. */
const JUMP_PX = walkConstants.jump ** 2 / (2 * walkConstants.gravity);
/** How high a wall is at least, and how far it goes behind it, pixels. */
const WALL_PX = 60;
/** The same of one through which it jumps: higher than that. */
const JUMPED_WALL_PX = 120;
const BEHIND_PX = 150;

/** What a cheat does on a map, for one that comes in at a place. Undefined where the map has nothing for it near there. */
export function lieOf(cheat: MapleMapCheat, map: MapleMap, at: Point, way: number): MapLie | undefined {
  const site = siteOf(map, at, way);
  return site === undefined ? undefined : lies[cheat](site);
}

const lies: Readonly<Record<MapleMapCheat, (site: Site) => MapLie | undefined>> = {
  wall: throughWall,
  "air-stand": (site) => onFloor(site, false),
  water: (site) => onFloor(site, true),
  foothold: elsewhere,
  ladder: onRope,
  portal: fromAfar,
};

function siteOf(map: MapleMap, at: Point, way: number): Site | undefined {
  const ground = map.below(at.x, at.y - 1)?.foothold;
  if (ground === undefined) return undefined;
  const [left, leftmost] = walkable(map, ground, at.x, false);
  const [right, rightmost] = walkable(map, ground, at.x, true);
  const ids = [...map.footholds, ...map.ladders].map(({ id }) => id);
  const unused = Math.max(...ids) + 1;
  // Numbers on the wire are below it.
  if (unused + 2 > 0x7fff) return undefined;
  return { map, at, ground, left, right, leftmost, rightmost, way, unused };
}

/** How far one can walk from a place, and the last foothold of that way. Portals that act by a touch end it. */
function walkable(map: MapleMap, from: Foothold, x: number, goesRight: boolean): readonly [number, Foothold] {
  const { bounds } = map;
  const worldEnd = goesRight ? bounds.right - WORLD_END_PX : bounds.left + WORLD_END_PX;
  const farthest = goesRight ? Math.min(worldEnd, x + MOST_WALK_PX) : Math.max(worldEnd, x - MOST_WALK_PX);
  let at = from;
  for (let count = 0; count < map.footholds.length; count++) {
    const edge = goesRight ? at.x2 : at.x1;
    if (goesRight ? edge >= farthest : edge <= farthest) break;
    const onward = map.foothold(goesRight ? at.next : at.previous);
    if (onward === undefined || !isFloor(onward) || Math.abs(slopeOf(onward)) > 1 || (onward.force ?? 0) !== 0) break;
    const [startX, startY] = goesRight ? [onward.x1, onward.y1] : [onward.x2, onward.y2];
    if (startX !== edge || startY !== (goesRight ? at.y2 : at.y1)) break;
    at = onward;
  }
  const edge = goesRight ? Math.min(at.x2, farthest) : Math.max(at.x1, farthest);
  return [edge, at];
}

function slopeOf({ x1, y1, x2, y2 }: Foothold): number {
  return (y2 - y1) / (x2 - x1);
}

/** Whether nothing on the way moves a body by itself. */
function isCalm({ map, at, ground }: Site, to: number): boolean {
  const [left, right] = [Math.min(at.x, to), Math.max(at.x, to)];
  const acts = (portal: Portal): boolean => isSpring(portal) || isUsedByTouch(portal);
  if ((ground.force ?? 0) !== 0) return false;
  return !map.portals.some(
    (portal) => acts(portal) && touches(portal, { x: Math.min(Math.max(portal.x, left), right), y: portal.y }),
  );
}

function changed(map: MapleMap, footholds: readonly Foothold[], ladders: readonly Ladder[] = map.ladders): MapleMap {
  const { linkedTo: _, ...parts } = map;
  return makeMap({ ...parts, footholds, ladders });
}

const towards = (from: number, to: number): Keys => (to > from ? { right: true } : { left: true });

// --- Through a wall ----------------------------------------------------------------------------------------------------

/**
 * Ways: the ground goes on behind the wall, with the number of the ground before it; walls are gone, and it falls; the same with a jump into
 * the wall; the ground goes on, with the number of some other ground behind the wall; it goes on, and all are written as the air.
 */
function throughWall(site: Site): MapLie | undefined {
  const { map, at, left, right, leftmost, rightmost, way, unused } = site;
  for (const goesRight of way % 2 === 0 ? [true, false] : [false, true]) {
    const last = goesRight ? rightmost : leftmost;
    const wall = wallAfter(map, last, goesRight);
    if (wall === undefined || wall.id !== (goesRight ? last.next : last.previous)) continue;
    const { x1: wallX } = wall;
    const whole = wholeWall(map, wall, goesRight);
    const edgeY = goesRight ? last.y2 : last.y1;
    const end = goesRight ? right : left;
    const jumps = way % 5 === 2;
    // In the air the client lets bodies pass walls of other pieces.
    if (jumps && (wall.layer !== last.layer || wall.group !== last.group)) continue;
    if (
      edgeY - whole.y2 < (jumps ? JUMPED_WALL_PX : WALL_PX) ||
      Math.abs(wallX - at.x) > MOST_WALK_PX ||
      !isCalm(site, end)
    )
      continue;
    const sign = goesRight ? 1 : -1;
    const keepsGround = way % 5 === 0 || way % 5 >= 3;
    const beyond = {
      id: unused,
      x1: wallX,
      y1: edgeY,
      x2: wallX + 2 * BEHIND_PX * sign,
      y2: edgeY,
      previous: 0,
      next: 0,
    };
    const floor = goesRight
      ? { ...beyond, previous: last.id }
      : { ...beyond, x1: beyond.x2, x2: beyond.x1, next: last.id };
    const open = map.footholds.filter((each) => !isWall(each));
    const joined = open.map((each) => (each !== last ? each : { ...each, [goesRight ? "next" : "previous"]: unused }));
    const lying = changed(map, withRoom(map, keepsGround ? [...joined, floor] : open, unused + 1));
    const behind = map.below(wallX + 40 * sign, -Infinity)?.foothold ?? last;
    const other = way % 5 === 3 ? behind.id : last.id;
    let isBack = false;
    return {
      map: lying,
      named: (foothold) => (way % 5 === 4 && foothold > 0 ? 0 : foothold === unused ? other : foothold),
      gainPx: ({ x }) => Math.max(0, (x - wallX) * sign),
      keys: ({ x, foothold }) => {
        const beyondPx = (x - wallX) * sign;
        if (beyondPx > BEHIND_PX) isBack = true;
        if (beyondPx < -BEHIND_PX) isBack = false;
        const jump = jumps && foothold > 0 && !isBack && beyondPx > -40 && beyondPx < 0;
        return { ...(goesRight !== isBack ? { right: true } : { left: true }), jump };
      },
    };
  }
  return undefined;
}

/** Footholds far out and below: a changed client does not stop at the world's end. */
function withRoom({ bounds }: MapleMap, footholds: readonly Foothold[], id: number): readonly Foothold[] {
  const { left, right, bottom } = bounds;
  const line = (number: number, x: number): Foothold => {
    return { id: number, x1: x, y1: bottom, x2: x + 1, y2: bottom, previous: 0, next: 0 };
  };
  return [...footholds, line(id, left - 4 * BEHIND_PX), line(id + 1, right + 4 * BEHIND_PX)];
}

// --- On a floor, or a rope, that is not there --------------------------------------------------------------------------

/** Ways: the floor has the number of the ground below, one that no foothold has, that of another ground, or none: it is written as the air. */
function onFloor(site: Site, inWater: boolean): MapLie | undefined {
  const { map, unused, way, ground } = site;
  if (map.flies) return undefined;
  const heightPx = inWater ? WATER_HEIGHT_PX : FLOOR_HEIGHT_PX;
  const place = freePlace(
    site,
    (x, y) => {
      return map.isWater(x, y) === inWater && map.isWater(x, y - 30) === inWater && !map.isNearGround(x, y, CLEAR_PX);
    },
    heightPx,
  );
  if (place === undefined) return undefined;
  const { left, right, y } = place;
  const floor: Foothold = { id: unused, x1: left, y1: y, x2: right, y2: y, previous: 0, next: 0 };
  const numbers = [ground.id, unused, farFrom(map, ground).id, 0];
  let goesRight = true;
  let rises = false;
  // Since it last stepped on the floor. What others see is late, and may be its way there.
  let isOn = false;
  let walked: { readonly from: number; left: number; right: number } | undefined;
  return {
    map: changed(map, [...map.footholds, floor]),
    named: (foothold) => (foothold === unused ? (numbers[way % numbers.length] as number) : foothold),
    gainPx: (at) => {
      if (walked === undefined || Math.abs(at.y - y) > 1 || at.x < walked.left || at.x > walked.right) return 0;
      return Math.abs(at.x - walked.from);
    },
    keys: (body) => {
      const { x, foothold } = body;
      if (foothold === unused) {
        if (!isOn || walked === undefined) walked = { from: x, left: x, right: x };
        isOn = true;
        walked.left = Math.min(walked.left, x);
        walked.right = Math.max(walked.right, x);
        if (x > right - 15) goesRight = false;
        if (x < left + 15) goesRight = true;
        return goesRight ? { right: true } : { left: true };
      }
      isOn = false;
      const middle = (left + right) / 2;
      if (foothold === 0 && inWater) {
        const across = Math.abs(x - middle) > FLOOR_PX / 4 ? towards(x, middle) : {};
        // Above the floor it sinks onto it.
        if (body.y > y + 5) rises = true;
        if (body.y < y - 15) rises = false;
        return { ...across, up: rises };
      }
      if (foothold === 0) return {};
      if (Math.abs(x - middle) > FLOOR_PX / 4) return towards(x, middle);
      return inWater && map.isWater(x, body.y) ? { up: true, jump: true } : { jump: true };
    },
  };
}

/** Ways: a number that no ladder has, that of another ladder, none, or that of the ground. */
function onRope(site: Site): MapLie | undefined {
  const { map, unused, way, ground } = site;
  const place = freePlace(
    site,
    (x, y) =>
      !map.ladders.some((each) => {
        return Math.abs(each.x - x) < LADDER_CLEAR_PX && each.bottom > y - ROPE_PX && each.top < y + FLOOR_HEIGHT_PX;
      }),
    FLOOR_HEIGHT_PX,
  );
  if (place === undefined) return undefined;
  const x = Math.round((place.left + place.right) / 2);
  // Of the ground that it walks on: a platform may be close above that.
  const [feet = place.y] = groundHeights(site, x, x) ?? [];
  const rope: Ladder = {
    id: unused,
    x,
    top: Math.round(feet) - ROPE_PX,
    bottom: Math.round(feet) - 5,
    closedTop: true,
  };
  const numbers = [-unused, -(map.ladders[0]?.id ?? unused), 0, ground.id];
  let goesUp = true;
  return {
    map: changed(map, map.footholds, [...map.ladders, rope]),
    named: (foothold) => (foothold === -unused ? (numbers[way % numbers.length] as number) : foothold),
    // A jump leads as high as that, too.
    gainPx: (at) => (Math.abs(at.x - x) > 1 ? 0 : Math.max(0, feet - JUMP_PX - at.y)),
    keys: (body) => {
      if (body.foothold === -unused) {
        if (body.y < rope.top + 20) goesUp = false;
        if (body.y > rope.bottom - 60) goesUp = true;
        return goesUp ? { up: true } : { down: true };
      }
      return Math.abs(body.x - x) < 8 ? { up: true } : towards(body.x, x);
    },
  };
}

interface Place {
  readonly left: number;
  readonly right: number;
  /** So far above the ground. */
  readonly y: number;
}

/** A level piece of the ground that it can walk to, above which all is free. */
function freePlace(site: Site, isFree: (x: number, y: number) => boolean, heightPx: number): Place | undefined {
  const { map, at, left, right } = site;
  const middles: number[] = [];
  // One that comes in above the ground is no gain yet.
  for (let away = LADDER_CLEAR_PX; away < MOST_WALK_PX; away += 40) middles.push(at.x + away, at.x - away);
  for (const middle of middles) {
    const [from, to] = [Math.round(middle - FLOOR_PX / 2), Math.round(middle + FLOOR_PX / 2)];
    if (from < left || to > right || !isCalm(site, middle)) continue;
    const heights = groundHeights(site, from, to);
    if (heights === undefined) continue;
    const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
    const y = Math.round(top) - heightPx;
    if (bottom - top > LEVEL_PX) continue;
    let isAllFree = true;
    for (let x = from; x <= to; x += 10)
      isAllFree &&= isFree(x, y) && map.ceiling({ x, y: top }, { x, y }) === undefined;
    if (isAllFree) return { left: from, right: to, y };
  }
  return undefined;
}

/** How high the ground is along a stretch. Undefined where the stretch has a gap. */
function groundHeights({ map, ground, leftmost, rightmost }: Site, from: number, to: number): number[] | undefined {
  const heights: number[] = [];
  let at: Foothold | undefined = leftmost;
  for (let count = 0; at !== undefined && count < map.footholds.length; count++) {
    const { x1, y1, x2 } = at;
    const slope = slopeOf(at);
    for (const x of [Math.max(x1, from), Math.min(x2, to)]) {
      if (x >= x1 && x <= x2 && x >= from && x <= to) heights.push(y1 + slope * (x - x1));
    }
    if (at === rightmost) break;
    at = map.foothold(at.next);
  }
  return heights.length === 0 || ground === undefined ? undefined : heights;
}

// --- Other numbers ---------------------------------------------------------------------------------------------------------

/** Ways: the number of a ground far away, one that no foothold has, that of a wall. It walks as honest players do, and gains nothing. */
function elsewhere({ map, ground, way, unused }: Site): MapLie {
  const numbers = [farFrom(map, ground).id, unused, map.footholds.find(isWall)?.id ?? unused];
  const number = numbers[way % numbers.length] as number;
  return {
    map,
    named: (foothold) => (foothold > 0 ? number : foothold),
    gainPx: () => 0,
    keys: () => undefined,
  };
}

/** The floor that is farthest from another. */
function farFrom(map: MapleMap, { x1, y1 }: Foothold): Foothold {
  const away = (each: Foothold): number => Math.hypot(each.x1 - x1, each.y1 - y1);
  return map.footholds.filter(isFloor).reduce((far, each) => (away(each) > away(far) ? each : far));
}

// --- From afar -------------------------------------------------------------------------------------------------------------

/** Ways: an instant to where a portal of the map leads, the same without an instant, and both to a portal that nothing leads to. */
function fromAfar({ map, at, way }: Site): MapLie | undefined {
  const { mapId, portals } = map;
  const inner = portals.filter(({ target }) => target?.mapId === mapId);
  const ends = portals.filter(({ name }) => inner.some(({ target }) => target?.portal === name));
  const places = way % 4 < 2 && ends.length > 0 ? ends : portals.filter(isPlainPortal);
  const isFar = (a: Point, b: Point): boolean => Math.hypot(a.x - b.x, a.y - b.y) >= FAR_PX;
  if (!places.some((place) => isFar(place, at))) return undefined;
  const isNear = (a: Point, b: Point, px = WAY_PX): boolean => Math.hypot(a.x - b.x, a.y - b.y) <= px;
  // Where it was. What others see is late: after a leap they see it on its way before. And they may see another place than it has.
  const before: Point[] = [];
  const since: Point[] = [];
  let last: Point | undefined;
  let seenBefore: (Point & { readonly atMs: number }) | undefined;
  return {
    map,
    named: (foothold) => foothold,
    gainPx: (seen, atMs) => {
      last = seen;
      const from = seenBefore;
      if (from === undefined || before.some((each) => isNear(each, seen))) return 0;
      // It could have walked, climbed and jumped there, or fallen.
      const seconds = (atMs - from.atMs) / 1000;
      const walkedPx = walkConstants.walk * seconds;
      const across = Math.max(0, Math.abs(seen.x - from.x) - walkedPx);
      const up = Math.max(0, from.y - seen.y - walkedPx - JUMP_PX, seen.y - from.y - walkConstants.maxFall * seconds);
      return Math.hypot(across, up);
    },
    keys: ({ x, y }) => {
      const was = since.at(-1);
      if (was === undefined || Math.hypot(x - was.x, y - was.y) > WAY_PX / 4) since.push({ x, y });
      return undefined;
    },
    ...(way % 2 === 1 ? { leapsUnseen: true } : {}),
    leapTo: (body, atMs) => {
      if (body.foothold <= 0 && !map.isWater(body.x, body.y)) return undefined;
      // Not where a portal leads that it stands at.
      const near = inner.filter((portal) => Math.hypot(portal.x - body.x, portal.y - body.y) < PORTAL_CLEAR_PX);
      const isLed = (place: Point): boolean => {
        const leads = portals.filter(({ name }) => near.some(({ target }) => target?.portal === name));
        return leads.some((end) => !isFar(end, place));
      };
      const to = places.find((place) => isFar(place, body) && !isLed(place));
      if (to === undefined) return undefined;
      const from = { x: body.x, y: body.y };
      before.push(...since.splice(0), from);
      // Where it is not believed it stands for others since an earlier leap.
      const seen = last ?? from;
      if (seenBefore === undefined || !isNear(seenBefore, seen, LATE_PX)) seenBefore = { ...seen, atMs };
      return to;
    },
  };
}
