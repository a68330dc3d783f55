/**
 * A body on a map: it walks, jumps, falls, climbs, drops through platforms, lies and sits, with the client's constants.
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

import { type Foothold, heightAt } from "../maps/foothold.ts";
import type { MapleMap } from "../maps/map.ts";
import { stances } from "../wire/fragment.ts";

/** Pixels, seconds. */
export interface WalkConstants {
  readonly walk: number;
  readonly walkAcceleration: number;
  readonly walkDrag: number;
  readonly jump: number;
  readonly gravity: number;
  readonly maxFall: number;
  readonly climb: number;
}

export const walkConstants: WalkConstants = {
  walk: 125,
  walkAcceleration: 1400,
  walkDrag: 800,
  jump: 555,
  gravity: 2000,
  maxFall: 670,
  climb: 100,
};

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
/** How far above and below a ladder's ends it can be grabbed, pixels: from the platform at its top, from the ground. */
const GRAB_END_PX = 12;
/** The type of the fragment for sitting down. */
export const SIT_TYPE = 11;

/** A body at a position: on the ground if some is there, else in the air. */
export function createWalker(
  map: MapleMap,
  place: { readonly x: number; readonly y: number },
  constants: WalkConstants = walkConstants,
): Walker {
  // Positions on the wire are rounded: a pixel above or below a slope is on it.
  const ground = map.below(place.x, place.y - 1);
  const stands = ground !== undefined && ground.y - place.y < 1;
  return {
    x: place.x,
    y: stands ? ground.y : place.y,
    vx: 0,
    vy: 0,
    foothold: stands ? ground.foothold.id : 0,
    left: false,
    isProne: false,
    isSitting: false,
    fallStart: 0,
    constants,
  };
}

/** The state byte: the stance, and in the low bit whether it looks left. */
export function stateOf(body: Walker, map: MapleMap): number {
  const stance =
    body.foothold < 0
      ? map.ladder(-body.foothold)?.rope === true
        ? stances.rope
        : stances.ladder
      : body.foothold === 0
        ? stances.jump
        : body.isSitting
          ? stances.sit
          : body.isProne
            ? stances.prone
            : Math.abs(body.vx) > 0
              ? stances.walk
              : stances.stand;
  return (stance << 1) | (body.left ? 1 : 0);
}

/** Sits down where it stands. Undefined when it does not stand. */
export function sitDown(body: Walker, map: MapleMap): Move | undefined {
  if (body.foothold <= 0 || body.isSitting) return undefined;
  body.vx = 0;
  body.isProne = false;
  body.isSitting = true;
  return { ...moveOf(body, map, 0), kind: "instant", type: SIT_TYPE };
}

/** Moves at once: an instant of that type. */
export function leap(body: Walker, map: MapleMap, type: number, to: { readonly x: number; readonly y: number }): Move {
  const ground = map.below(to.x, to.y - 1);
  body.x = to.x;
  body.y = to.y;
  body.vx = 0;
  body.vy = 0;
  body.foothold = ground !== undefined && Math.abs(ground.y - to.y) < 1 ? ground.foothold.id : 0;
  return { ...moveOf(body, map, 0), kind: "instant", type };
}

/** Plays `ms` milliseconds with the keys held. Jumps and grabs happen at the start. */
export function stepWalker(body: Walker, keys: Keys, map: MapleMap, ms: number): readonly Move[] {
  const moves: Move[] = [];
  if (isIdle(body, keys)) return [moveOf(body, map, ms)];
  begin(body, keys, map, moves);
  let since = 0;
  for (let tick = 1; tick <= ms; tick++) {
    const before = { foothold: body.foothold, state: stateOf(body, map) };
    const passed =
      body.foothold < 0 ? climb(body, keys, map) : body.foothold > 0 ? walk(body, keys, map) : fly(body, map);
    const { fallStart } = body;
    if (body.foothold !== before.foothold) {
      // The client splits a step here: the movement up to here still has the old foothold.
      if (body.foothold !== 0) body.fallStart = 0;
      moves.push({
        ...moveOf(body, map, tick - since),
        fallStart,
        foothold: before.foothold,
        state: before.state,
        ...passed,
      });
      since = tick;
    }
  }
  if (since < ms) moves.push(moveOf(body, map, ms - since));
  return moves;
}

function isIdle(body: Walker, keys: Keys): boolean {
  if (body.foothold > 0 && body.vx === 0) {
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
  if (grab(body, keys, map)) return;
  if (!keys.jump || body.foothold === 0) return;
  if (body.foothold < 0) {
    if (!keys.left && !keys.right) return;
    body.left = keys.left ?? false;
    body.vx = keys.left ? -constants.walk : constants.walk;
    body.vy = -constants.jump / 2;
  } else if (keys.down && drop(body, map)) {
    moves.push({ ...moveOf(body, map, 0), kind: "startFallDown", type: 14 });
    return;
  } else {
    body.vy = -constants.jump;
  }
  body.foothold = 0;
  moves.push({ ...moveOf(body, map, 0), kind: "impulse", type: 1 });
}

/** Drops through the platform if there is another below it. */
function drop(body: Walker, map: MapleMap): boolean {
  const under = map.below(body.x, body.y + 2);
  if (under === undefined || under.foothold.id === body.foothold) return false;
  body.fallStart = body.foothold;
  body.foothold = 0;
  body.isProne = false;
  body.vx = 0;
  body.vy = 0;
  return true;
}

function grab(body: Walker, keys: Keys, map: MapleMap): boolean {
  if (body.foothold < 0 || !(keys.up || keys.down) || keys.jump) return false;
  const ladder = map.ladders.find(({ x, top, bottom }) => {
    if (Math.abs(body.x - x) > GRAB_PX) return false;
    // With up from anywhere along it, with down from the platform at its top.
    return keys.up ? body.y > top + 1 && body.y <= bottom + GRAB_END_PX : Math.abs(body.y - top) < 1;
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

function walk(body: Walker, keys: Keys, map: MapleMap): Passed {
  const { constants } = body;
  const wish = body.isProne ? 0 : ((keys.right ? 1 : 0) - (keys.left ? 1 : 0)) * constants.walk;
  const rate = (wish === 0 ? constants.walkDrag : constants.walkAcceleration) * TICK;
  const before = body.vx;
  body.vx = before < wish ? Math.min(wish, before + rate) : Math.max(wish, before - rate);
  body.x += ((before + body.vx) / 2) * TICK;
  if (body.x < map.left || body.x > map.right) {
    body.x = Math.min(Math.max(body.x, map.left), map.right);
    body.vx = 0;
  }
  const ground = map.foothold(body.foothold);
  if (ground === undefined) return {};
  if (body.x < ground.x1 || body.x > ground.x2) {
    const onward = map.foothold(body.x < ground.x1 ? ground.previous : ground.next);
    const passed = { vy: body.vx * slopeOf(ground) };
    body.foothold = onward?.id ?? 0;
    body.vy = 0;
    if (onward === undefined) return passed;
    body.y = heightAt(onward, body.x);
    body.vy = body.vx * slopeOf(onward);
    return passed;
  }
  body.y = heightAt(ground, body.x);
  body.vy = body.vx * slopeOf(ground);
  return {};
}

function slopeOf({ x1, y1, x2, y2 }: Foothold): number {
  return (y2 - y1) / (x2 - x1);
}

function fly(body: Walker, map: MapleMap): Passed {
  const { gravity, maxFall } = body.constants;
  const fromY = body.y;
  const before = body.vy;
  body.vy = Math.min(maxFall, before + gravity * TICK);
  body.y += ((before + body.vy) / 2) * TICK;
  body.x += body.vx * TICK;
  if (body.x < map.left || body.x > map.right) {
    body.x = Math.min(Math.max(body.x, map.left), map.right);
    body.vx = 0;
  }
  if (body.vy <= 0) return {};
  for (const foothold of map.footholds) {
    if (body.x < foothold.x1 || body.x > foothold.x2 || foothold.id === body.fallStart) continue;
    const height = heightAt(foothold, body.x);
    // A slope rises by less than a pixel in a millisecond: a body that was at most a pixel below it has landed.
    if (fromY > height + 1 || body.y < height) continue;
    body.y = height;
    body.foothold = foothold.id;
    body.vy = body.vx * slopeOf(foothold);
    return { vy: 0 };
  }
  return {};
}

function climb(body: Walker, keys: Keys, map: MapleMap): Passed {
  const ladder = map.ladder(-body.foothold);
  if (ladder === undefined) return {};
  body.vy = ((keys.down ? 1 : 0) - (keys.up ? 1 : 0)) * body.constants.climb;
  body.y += body.vy * TICK;
  if (body.y <= ladder.top) {
    body.y = ladder.top;
    body.vy = 0;
    body.foothold = map.below(body.x, ladder.top - 1)?.foothold.id ?? 0;
  } else if (body.y >= ladder.bottom) {
    body.y = ladder.bottom;
    body.vy = 0;
    body.foothold = 0;
  }
  return {};
}
