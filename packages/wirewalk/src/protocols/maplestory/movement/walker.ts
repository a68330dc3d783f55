/**
 * A body on a map: it walks, jumps, falls, climbs, drops through platforms, swims, flies, lies and sits, with the client's constants.
 * It is simulated in milliseconds, so that landings and changes of foothold are at whole ones, as durations on the wire
 * are. A flight is exact with any step.
 *
 * ```ts
 * const body = createWalker(map, { x: 0, y: 0 });
 * stepWalker(body, { right: true }, map, 30); // the moves of 30 ms, for a recorder
 * ```
 *
 * Source: docs/protocols/maplestory.md 5. Climbing is ours: its speed in the client is not known.
 */

import { type Foothold, heightAt, isFloor, isWall } from "../maps/foothold.ts";
import type { GroundBelow } from "../maps/foothold-index.ts";
import type { MapleMap } from "../maps/map.ts";
import { impactOf, touchedPortals, touches } from "../maps/portals.ts";
import { wallAfter, wholeWall } from "../maps/walls.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import { type WalkConstants, walkConstants } from "./walk-constants.ts";

export { type WalkConstants, walkConstants, walkConstantsOf } from "./walk-constants.ts";

/** Keys held during a step. */
export interface Keys {
  readonly left?: boolean;
  readonly right?: boolean;
  readonly up?: boolean;
  readonly down?: boolean;
  readonly jump?: boolean;
}

/** A body. `foothold`: 0 in the air, negative on ladder or rope. */
export interface Walker {
  x: number;
  y: number;
  vx: number;
  vy: number;
  foothold: number;
  left: boolean;
  isProne: boolean;
  isSitting: boolean;
  /** The foothold that a drop through a platform started on; 0 otherwise. */
  fallStart: number;
  /** The last foothold that it stood on: walls of the same piece keep it out in the air. 0: none yet. */
  stoodOn: number;
  /** The spring that it touches, and that has thrown it; -1: none. Undefined: none throws it, as portals act on players alone. */
  spring: number | undefined;
  readonly constants: WalkConstants;
}

/** A movement with a duration, or an instant one. Position and velocity are those at its end. */
export interface Move {
  readonly kind: "step" | "impulse" | "startFallDown" | "instant";
  /** Of an instant: the fragment's type. */
  readonly type: number;
  readonly durationMs: number;
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  readonly foothold: number;
  readonly fallStart: number;
  readonly state: number;
}

/** How near a ladder must be to be grabbed, pixels. */
const GRAB_PX = 10;
/** How far below a ladder's lower end it can be grabbed, pixels: from the ground. */
const GRAB_END_PX = 12;
/** How far the platform at a ladder's upper end is above and below it at most, pixels: counted in real maps. */
const TOP_ABOVE_PX = 8;
const TOP_BELOW_PX = 4;
/** The world ends so far inside of the outermost footholds, above the highest and below the lowest, pixels. Source: client. */
const SIDE_PX = 25;
const ABOVE_PX = 300;
const BELOW_PX = 100;
/** Walls that are beside the body so far above its feet keep it out, pixels. */
const BODY_PX = 50;
/** Two footholds that follow each other may be so far apart, pixels. */
const JOINT_PX = 2;
/** One drops through a platform when another is less than so far below it, pixels. Source: client. */
const MAX_DROP_PX = 600;
/** A slope with a greater sine than this is too steep to stand on. Source: client. */
const STEEP = 0.9;
/** What of a jump is left in water. */
const WATER_JUMP = 0.7;
/** Bits of a map's `fieldLimit`. */
const NO_JUMP = 0x1;
const NO_DROP = 0x20000;
/** How near a seat must be, pixels. */
const SEAT_PX = 14;
/** The type of the fragment for sitting down. */
export const SIT_TYPE = 11;
/** The type of the fragment for a push: of a spring, or of a hit. */
const PUSH_TYPE = 2;

/** Where a body begins. */
export interface WalkerPlace extends Point {
  /** The foothold that is named beside the place; 0: none. Default 0. */
  readonly foothold?: number;
}

/** A body at a position: on the ground if some is there, else in the air. */
export function createWalker(map: MapleMap, place: WalkerPlace, constants: WalkConstants = walkConstants): Walker {
  const ground = namedGround(map, place) ?? groundNear(map, place);
  return {
    x: place.x,
    y: ground?.y ?? place.y,
    vx: 0,
    vy: 0,
    foothold: ground?.foothold.id ?? 0,
    left: false,
    isProne: false,
    isSitting: false,
    fallStart: 0,
    stoodOn: ground?.foothold.id ?? 0,
    spring: -1,
    constants,
  };
}

/** The ground at a position. Positions on the wire are rounded: a pixel above or below a slope is on it. */
function groundNear(map: MapleMap, { x, y }: Point): GroundBelow | undefined {
  const ground = map.below(x, y - 1);
  return ground !== undefined && ground.y - y < 1 ? ground : undefined;
}

/** The foothold that is named beside a rounded position: on a steep one it may be more than a pixel above or below. */
function namedGround(map: MapleMap, { x, y, foothold: id = 0 }: WalkerPlace): GroundBelow | undefined {
  const foothold = id > 0 ? map.foothold(id) : undefined;
  if (foothold === undefined || !isFloor(foothold) || x < foothold.x1 || x > foothold.x2) return undefined;
  const height = heightAt(foothold, x);
  return Math.abs(height - y) <= 1 + Math.abs(slopeOf(foothold)) / 2 ? { foothold, y: height } : undefined;
}

/** Whether a body that has no ground swims or flies there. */
function floatsAt(map: MapleMap, { x, y }: Point): boolean {
  return map.flies || map.isWater(x, y);
}

/** Whether it has fallen out of the map: somebody has to put it back. */
export function isOut(body: Readonly<Walker>, map: MapleMap): boolean {
  return body.foothold === 0 && body.y >= map.bounds.bottom + BELOW_PX;
}

/** The state byte: the stance, and in the low bit whether it looks left. */
export function stateOf(body: Walker, map: MapleMap): number {
  const stance =
    body.foothold < 0
      ? map.ladder(-body.foothold)?.rope === true
        ? stances.rope
        : stances.ladder
      : body.isSitting
        ? stances.sit
        : body.foothold === 0
          ? floatsAt(map, body)
            ? stances.swim
            : stances.jump
          : body.isProne
            ? stances.prone
            : Math.abs(body.vx) > 0
              ? stances.walk
              : stances.stand;
  return (stance << 1) | (body.left ? 1 : 0);
}

/** Sits down: on a seat of the map that is near, else where it stands. Undefined when it does not stand. */
export function sitDown(body: Walker, map: MapleMap): Move | undefined {
  if (body.foothold <= 0 || body.isSitting) return undefined;
  const seat = map.seats.find(({ x, y }) => Math.hypot(x - body.x, y - body.y) <= SEAT_PX);
  if (seat !== undefined) {
    body.x = seat.x;
    body.y = seat.y;
    body.foothold = groundAt(map, seat)?.id ?? 0;
  }
  body.vx = 0;
  body.vy = 0;
  body.isProne = false;
  body.isSitting = true;
  return { ...moveOf(body, map, 0), kind: "instant", type: SIT_TYPE };
}

/** The foothold on which a rounded position is. */
function groundAt(map: MapleMap, { x, y }: Point): Foothold | undefined {
  const ground = map.below(x, y - 1);
  return ground !== undefined && Math.abs(ground.y - y) < 1 ? ground.foothold : undefined;
}

/** Moves at once: an instant of that type. */
export function leap(body: Walker, map: MapleMap, type: number, to: { readonly x: number; readonly y: number }): Move {
  body.x = to.x;
  body.y = to.y;
  body.vx = 0;
  body.vy = 0;
  body.foothold = groundAt(map, to)?.id ?? 0;
  body.stoodOn = body.foothold;
  body.fallStart = 0;
  body.spring = -1;
  body.isSitting = false;
  return { ...moveOf(body, map, 0), kind: "instant", type };
}

/** Plays `ms` milliseconds with the keys held. Jumps, grabs and springs happen at the start. */
export function stepWalker(body: Walker, keys: Keys, map: MapleMap, ms: number): readonly Move[] {
  const moves: Move[] = [];
  if (isIdle(body, keys, map)) return [moveOf(body, map, ms)];
  begin(body, keys, map, moves);
  let since = 0;
  for (let tick = 1; tick <= ms; tick++) {
    if (body.foothold > 0) tick += walkOn(body, keys, map, ms - tick + 1);
    // A flight is through open air as a whole or not.
    else if (body.foothold === 0 && tick === 1) tick += flyOn(body, keys, map, ms);
    if (tick > ms) break;
    const { foothold, x, y, vx, isSitting } = body;
    const passed =
      foothold < 0
        ? climb(body, keys, map)
        : foothold > 0
          ? walk(body, keys, map)
          : isSitting
            ? noneOther
            : fly(body, keys, map);
    if (body.foothold !== foothold) {
      const { fallStart } = body;
      const state = stateOf({ ...body, foothold, x, y, vx, isSitting }, map);
      // The client splits a step here: the movement up to here still has the old foothold.
      if (body.foothold !== 0) body.fallStart = 0;
      if (body.foothold > 0) body.stoodOn = body.foothold;
      moves.push({ ...moveOf(body, map, tick - since), fallStart, foothold, state, ...passed });
      since = tick;
    }
  }
  if (since < ms) moves.push(moveOf(body, map, ms - since));
  return moves;
}

function isIdle(body: Walker, keys: Keys, map: MapleMap): boolean {
  if (body.isSitting && body.foothold === 0) return !keys.left && !keys.right && !keys.up && !keys.jump;
  if (body.foothold > 0 && body.vx === 0) {
    const ground = map.foothold(body.foothold);
    if (ground === undefined || (ground.force ?? 0) !== 0 || isSteep(ground)) return false;
    return !keys.left && !keys.right && !keys.up && !keys.jump && (keys.down ?? false) === body.isProne;
  }
  return body.foothold < 0 && body.vy === 0 && !keys.up && !keys.down && !keys.jump;
}

function moveOf(body: Walker, map: MapleMap, durationMs: number): Move {
  const { x, y, vx, vy, foothold, fallStart } = body;
  return {
    kind: "step",
    type: fallStart === 0 || foothold !== 0 ? 0 : 15,
    durationMs,
    x,
    y,
    vx,
    vy,
    foothold,
    fallStart,
    state: stateOf(body, map),
  };
}

/** Starts what the keys request: a jump, a drop, a grab, a change of direction. */
function begin(body: Walker, keys: Keys, map: MapleMap, moves: Move[]): void {
  const { constants } = body;
  if (keys.left !== keys.right && body.foothold >= 0) body.left = keys.left ?? false;
  const moving = keys.left || keys.right || keys.jump || keys.up;
  if (body.isSitting && moving) body.isSitting = false;
  if (body.foothold > 0) body.isProne = (keys.down ?? false) && !keys.left && !keys.right && !keys.jump;
  if (sprung(body, map, moves) || grab(body, keys, map)) return;
  if (body.foothold > 0 && map.flies && keys.up) body.foothold = 0;
  if (!keys.jump) return;
  const isWater = !map.flies && map.isWater(body.x, body.y);
  if (body.foothold === 0) {
    // A stroke, once the last one is over.
    if (!isWater || body.isSitting || body.vy < -constants.swim) return;
    body.vy = -constants.jump * WATER_JUMP;
  } else if (body.foothold < 0) {
    if (!keys.left && !keys.right) return;
    body.left = keys.left ?? false;
    body.vx = keys.left ? -constants.walk : constants.walk;
    body.vy = -constants.jump / 2;
  } else if (keys.down && drop(body, map)) {
    moves.push({ ...moveOf(body, map, 0), kind: "startFallDown", type: 14 });
    return;
  } else if ((map.fieldLimit & NO_JUMP) !== 0) {
    return;
  } else {
    body.vy = -constants.jump * (isWater ? WATER_JUMP : 1);
  }
  body.foothold = 0;
  moves.push({ ...moveOf(body, map, 0), kind: "impulse", type: 1 });
}

/** Whether a spring throws it: it does once, when it is touched. */
function sprung(body: Walker, map: MapleMap, moves: Move[]): boolean {
  const { springs } = touchedPortals(map);
  if (body.spring === undefined || springs.length === 0 || body.foothold < 0) return false;
  const spring = springs.find((each) => touches(each, body));
  const isNew = spring !== undefined && spring.id !== body.spring;
  body.spring = spring?.id ?? -1;
  if (spring === undefined || !isNew) return false;
  const { vx, vy } = impactOf(spring);
  body.vx = vx === 0 ? body.vx : vx;
  body.vy = vy;
  body.foothold = 0;
  body.isProne = false;
  body.isSitting = false;
  body.fallStart = 0;
  moves.push({ ...moveOf(body, map, 0), kind: "impulse", type: PUSH_TYPE });
  return true;
}

/** Drops through the platform if there is another below it. */
function drop(body: Walker, map: MapleMap): boolean {
  if ((map.fieldLimit & NO_DROP) !== 0 || map.foothold(body.foothold)?.forbidsFall === true) return false;
  const under = map.below(body.x, body.y + 2);
  if (under === undefined || under.foothold.id === body.foothold || under.y - body.y >= MAX_DROP_PX) return false;
  body.fallStart = body.foothold;
  body.foothold = 0;
  body.isProne = false;
  body.vx = 0;
  body.vy = 0;
  return true;
}

function grab(body: Walker, keys: Keys, map: MapleMap): boolean {
  if (body.foothold < 0 || !(keys.up || keys.down) || keys.jump) return false;
  const ladder = map.ladders.find(({ x, top, bottom, closedTop }) => {
    if (Math.abs(body.x - x) > GRAB_PX) return false;
    // With up from anywhere along it, with down from the platform at its top.
    if (keys.up) return body.y > top + TOP_BELOW_PX && body.y <= bottom + GRAB_END_PX;
    return closedTop !== true && body.foothold > 0 && body.y > top - TOP_ABOVE_PX && body.y < top + TOP_BELOW_PX;
  });
  if (ladder === undefined) return false;
  body.x = ladder.x;
  body.y = Math.min(Math.max(body.y, ladder.top + 2), ladder.bottom);
  body.vx = 0;
  body.vy = 0;
  body.foothold = -ladder.id;
  body.isProne = false;
  body.isSitting = false;
  body.fallStart = 0;
  return true;
}

const TICK = 0.001;

/** Velocities of a move that differ from the body's after it: the captured landing has no speed left. */
type Passed = Partial<Pick<Move, "vx" | "vy">>;
const noneOther: Passed = {};

/** A velocity after it has come nearer to another by `by` at most. */
function towards(velocity: number, wish: number, by: number): number {
  return velocity < wish ? Math.min(wish, velocity + by) : Math.max(wish, velocity - by);
}

function directionOf(less: boolean | undefined, more: boolean | undefined): number {
  return (more ? 1 : 0) - (less ? 1 : 0);
}

function walk(body: Walker, keys: Keys, map: MapleMap): Passed {
  const ground = map.foothold(body.foothold);
  if (ground === undefined) return {};
  const before = body.vx;
  body.vx = walkingSpeed(body, keys, map, ground);
  const to = within(map, body.x, body.x + ((before + body.vx) / 2) * TICK);
  if (to !== undefined) {
    body.x = to;
    body.vx = 0;
  } else {
    body.x += ((before + body.vx) / 2) * TICK;
  }
  if (body.x < ground.x1 || body.x > ground.x2) return leave(body, map, ground);
  body.y = heightAt(ground, body.x);
  body.vy = body.vx * slopeOf(ground);
  return {};
}

/** The velocity sideways: the walk is along the slope. */
function walkingSpeed(body: Walker, keys: Keys, map: MapleMap, ground: Foothold): number {
  const { constants } = body;
  const share = shareOf(ground);
  const { force = 0 } = ground;
  const along = body.vx / share - force;
  if (isSteep(ground)) {
    const sine = sineOf(ground);
    return (towards(along, constants.slip * sine, constants.slipAcceleration * Math.abs(sine) * TICK) + force) * share;
  }
  const wish = walkWish(body, keys, map);
  const friction = Math.min(Math.max(map.friction, constants.minFriction), constants.maxFriction);
  const rate = (wish === 0 ? constants.walkDrag : constants.walkAcceleration) * friction;
  return (towards(along, wish, rate * TICK) + force) * share;
}

/** How fast the keys want it to walk. */
function walkWish(body: Walker, keys: Keys, map: MapleMap): number {
  if (body.isProne || body.isSitting) return 0;
  const { walk, waterWalk } = body.constants;
  return directionOf(keys.left, keys.right) * (walk * (map.isWater(body.x, body.y) ? waterWalk : 1));
}

/**
 * Plays the milliseconds in which it walks on as fast as the keys want it to, up to an end of its foothold or of the world: the same as
 * `walk` one by one, which takes four times as long. Returns how many they are.
 */
function walkOn(body: Walker, keys: Keys, map: MapleMap, ms: number): number {
  const ground = map.foothold(body.foothold);
  // At the edge of water the wish changes on the way.
  if (ground === undefined || map.waters.length > 0 || isSteep(ground)) return 0;
  const { vx } = body;
  if (vx !== (walkWish(body, keys, map) + (ground.force ?? 0)) * shareOf(ground)) return 0;
  const from = Math.max(ground.x1, map.bounds.left + SIDE_PX);
  const to = Math.min(ground.x2, map.bounds.right - SIDE_PX);
  let { x } = body;
  let played = 0;
  for (; played < ms; played++) {
    const next = x + vx * TICK;
    if (next < from || next > to) break;
    x = next;
  }
  if (played === 0) return 0;
  body.x = x;
  body.y = heightAt(ground, x);
  body.vy = vx * slopeOf(ground);
  return played;
}

/** Where a way ends that would lead over one of the world's ends; undefined for one that does not. */
function within({ bounds: { left, right } }: MapleMap, from: number, to: number): number | undefined {
  const end = to < from ? left + SIDE_PX : right - SIDE_PX;
  if (to < from ? from >= end && to < end : from <= end && to > end) return end;
  return to < left ? left : to > right ? right : undefined;
}

/** It has walked over an end of its foothold: onto the next one, against a wall, or into the air. */
function leave(body: Walker, map: MapleMap, ground: Foothold): Passed {
  const goesRight = body.x > ground.x2;
  const edge = goesRight ? ground.x2 : ground.x1;
  const edgeY = goesRight ? ground.y2 : ground.y1;
  const onward = map.foothold(goesRight ? ground.next : ground.previous);
  if (onward !== undefined && (isWall(onward) ? isBeside(onward, edgeY) : isTooSteep(onward, ground, goesRight))) {
    body.x = edge;
    body.y = edgeY;
    body.vx = 0;
    body.vy = 0;
    return {};
  }
  const passed = { vy: body.vx * slopeOf(ground) };
  if (onward !== undefined && isFloor(onward) && joins(onward, goesRight, edge, edgeY)) {
    // Uphill it is slower at once, downhill it is faster soon.
    const fastest = (Math.abs(body.vx) / shareOf(ground)) * shareOf(onward);
    body.foothold = onward.id;
    body.vx = Math.sign(body.vx) * Math.min(Math.abs(body.vx), fastest);
    body.y = heightAt(onward, body.x);
    body.vy = body.vx * slopeOf(onward);
    return passed;
  }
  body.foothold = 0;
  body.isSitting = false;
  body.y = edgeY;
  body.vy = 0;
  return passed;
}

/** Whether a foothold begins where another ended. */
function joins(onward: Foothold, goesRight: boolean, x: number, y: number): boolean {
  const [startX, startY] = goesRight ? [onward.x1, onward.y1] : [onward.x2, onward.y2];
  return Math.abs(startX - x) <= JOINT_PX && Math.abs(startY - y) <= JOINT_PX;
}

/**
 * Whether a foothold goes up too steeply to walk onto it from one that does not: it would slip back at once, and come and go each
 * millisecond while the key is held.
 */
function isTooSteep(onward: Foothold, ground: Foothold, goesRight: boolean): boolean {
  if (!isFloor(onward) || !isSteep(onward) || isSteep(ground)) return false;
  return goesRight ? onward.y2 < onward.y1 : onward.y1 < onward.y2;
}

/** Whether a wall is beside a body with its feet at y. */
function isBeside({ y1, y2 }: Foothold, y: number): boolean {
  return Math.min(y1, y2) <= y - 1 && Math.max(y1, y2) >= y - BODY_PX;
}

function slopeOf({ x1, y1, x2, y2 }: Foothold): number {
  return (y2 - y1) / (x2 - x1);
}

/** What of a way along a foothold is sideways. */
function shareOf({ x1, y1, x2, y2 }: Foothold): number {
  return y1 === y2 ? 1 : (x2 - x1) / Math.hypot(x2 - x1, y2 - y1);
}

function sineOf({ x1, y1, x2, y2 }: Foothold): number {
  return y1 === y2 ? 0 : (y2 - y1) / Math.hypot(x2 - x1, y2 - y1);
}

function isSteep(ground: Foothold): boolean {
  return Math.abs(sineOf(ground)) > STEEP;
}

/** So near to a way in the air nothing may be that could end it, pixels. */
const OPEN_PX = 2;

/**
 * Plays the milliseconds of a flight through open air: no ground, wall, water or end of the world is near its way. The same as `fly` one by
 * one, which looks for them in each. Returns how many they are: all or none.
 */
function flyOn(body: Walker, keys: Keys, map: MapleMap, ms: number): number {
  if (body.isSitting || map.flies || map.swims || map.waters.length > 0) return 0;
  const { gravity, air } = body.constants;
  const seconds = ms * TICK;
  const across = Math.max(Math.abs(body.vx), air) * seconds + OPEN_PX;
  const area = {
    left: body.x - across,
    right: body.x + across,
    top: body.y - Math.max(0, -body.vy) * seconds - OPEN_PX,
    bottom: body.y + (Math.max(0, body.vy) + gravity * seconds) * seconds + OPEN_PX,
  };
  const { left, top, right, bottom } = map.bounds;
  if (area.left < left + SIDE_PX || area.right > right - SIDE_PX) return 0;
  if (area.top < top - ABOVE_PX || area.bottom > bottom + BELOW_PX) return 0;
  // Of a wall more than what is in the area may count.
  if (map.wallsFrom(area.left, area.right).length > 0 || map.footholdsIn(area).length > 0) return 0;
  for (let played = 0; played < ms; played++) {
    const before = body.vy;
    fall(body, keys);
    body.y += ((before + body.vy) / 2) * TICK;
    body.x += body.vx * TICK;
  }
  return ms;
}

/** What a millisecond in the air makes of the velocity. */
function fall(body: Walker, keys: Keys): void {
  const { gravity, maxFall, air, airAcceleration } = body.constants;
  body.vy = Math.min(maxFall, body.vy + gravity * TICK);
  const turn = body.fallStart === 0 ? directionOf(keys.left, keys.right) : 0;
  if (turn * body.vx < air && turn !== 0) body.vx = towards(body.vx, turn * air, airAcceleration * TICK);
}

function fly(body: Walker, keys: Keys, map: MapleMap): Passed {
  const from = { x: body.x, y: body.y };
  const before = body.vy;
  if (floatsAt(map, from)) floatOn(body, keys, map);
  else fall(body, keys);
  const y = body.y + ((before + body.vy) / 2) * TICK;
  const { top, bottom } = map.bounds;
  body.y = Math.max(y, Math.min(body.y, top - ABOVE_PX));
  if (body.y > bottom + BELOW_PX) body.y = bottom + BELOW_PX;
  if (body.y !== y) body.vy = 0;
  if (body.vx !== 0) flyAcross(body, map, from);
  const ceiling = body.y < from.y ? map.ceiling(from, body) : undefined;
  if (ceiling !== undefined) {
    body.y = from.y;
    body.vy = 0;
  }
  const landing = map.landing(from, body, body.fallStart);
  if (landing === undefined) return {};
  const { foothold } = landing;
  body.y = landing.y;
  body.foothold = foothold.id;
  const fastest = Math.max(body.constants.walk, body.constants.swim) * shareOf(foothold);
  if (slopeOf(foothold) !== 0) body.vx = Math.sign(body.vx) * Math.min(Math.abs(body.vx), fastest);
  body.vy = body.vx * slopeOf(foothold);
  return { vy: 0 };
}

/** Sideways in the air, up to a wall of the piece that it has come from, or to the world's end. */
function flyAcross(body: Walker, map: MapleMap, from: Point): void {
  const to = from.x + body.vx * TICK;
  const end = within(map, from.x, to) ?? wallOnWay(body, map, from, to);
  body.x = end ?? to;
  if (end !== undefined) body.vx = 0;
}

/**
 * The x of a wall that keeps it out: one that ends the ground below it, or that belongs to the piece that it has come from. Walls have a
 * side: one that goes up keeps out what comes from the left, one that goes down what comes from the right. They count by the height from which the
 * body comes: where it comes down at the foot of a wall it lands there.
 */
function wallOnWay(body: Walker, map: MapleMap, { x, y }: Point, to: number): number | undefined {
  const walls = map.wallsFrom(Math.min(x, to), Math.max(x, to));
  if (walls.length === 0) return undefined;
  const goesRight = to > x;
  const piece = map.foothold(body.stoodOn);
  for (const wall of walls) {
    if (wall.y2 < wall.y1 !== goesRight || piece === undefined) continue;
    const isOfPiece = wall.group === piece.group && wall.layer === piece.layer;
    if (isOfPiece && y > Math.min(wall.y1, wall.y2) && y <= Math.max(wall.y1, wall.y2)) return wall.x1;
  }
  const under = map.below(x, y)?.foothold;
  for (const ground of under === piece ? [piece] : [under, piece]) {
    const wall = ground && wallAfter(map, ground, goesRight);
    if (wall !== undefined && walls.includes(wall) && isBeside(wholeWall(map, wall, goesRight), y)) return wall.x1;
  }
  return undefined;
}

/** Swims, or flies where players fly. */
function floatOn(body: Walker, keys: Keys, map: MapleMap): void {
  const { fly: flying, flyAcceleration, swim, swimAcceleration, floatDrag, sink } = body.constants;
  const [speed, rate] = map.flies ? [flying, flyAcceleration] : [swim, swimAcceleration];
  const across = directionOf(keys.left, keys.right) * speed;
  const upright = directionOf(keys.up, keys.down) * speed;
  body.vx = towards(body.vx, across, (across === 0 ? floatDrag : rate) * TICK);
  const wish = upright === 0 && !map.flies ? sink : upright;
  body.vy = towards(body.vy, wish, (upright === 0 ? floatDrag : rate) * TICK);
}

function climb(body: Walker, keys: Keys, map: MapleMap): Passed {
  const ladder = map.ladder(-body.foothold);
  if (ladder === undefined) return {};
  body.vy = directionOf(keys.up, keys.down) * body.constants.climb;
  body.y += body.vy * TICK;
  if (body.y <= ladder.top) {
    body.y = ladder.top;
    body.vy = 0;
    if (ladder.closedTop) return {};
    const ground = map.below(body.x, ladder.top - TOP_ABOVE_PX);
    const isThere = ground !== undefined && ground.y <= ladder.top + TOP_BELOW_PX;
    body.foothold = isThere ? ground.foothold.id : 0;
    if (isThere) body.y = ground.y;
  } else if (body.y >= ladder.bottom) {
    body.y = ladder.bottom;
    body.vy = 0;
    body.foothold = 0;
  }
  return {};
}
