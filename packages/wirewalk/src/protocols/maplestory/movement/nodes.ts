/**
 * The points of a path: its fragments as positions in order, each with the velocity on arrival, in all dialects. Rules,
 * playback and drawing use these.
 */

import { dialectRules } from "../wire/dialect.ts";
import { type FragmentFields, stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import { extrapolate, isFlying } from "./document-recorder.ts";
import type { PlaybackNode, PlaybackPath } from "./playback-queue.ts";
import { walkConstants } from "./walker.ts";

/** A point of a path. */
export interface PathNode extends PlaybackNode {
  readonly foothold: number;
  /** Whether the foothold is found by its place, where another that does not go on in it is as near. Default false. */
  readonly isVague?: boolean;
  /** Whether the path does not name this place: a body comes by it. Default false. */
  readonly isBetween?: boolean;
  /** The fragment's type. */
  readonly type: number;
  /** True when only the velocity was set, at once. */
  readonly impulse: boolean;
  /** True while it falls through the floor that it stood on, and where that is not known. */
  readonly drops: boolean;
}

/** A path as points. */
export interface NodePath extends PlaybackPath {
  readonly start: Point;
  readonly nodes: readonly PathNode[];
}

/** The points of fragments. Without a start (`documented`) the path starts at the first position in them, else at `before`. */
export function nodesOf(
  fragments: readonly FragmentFields[],
  dialect: string,
  start: Point | undefined,
  before: Point = { x: 0, y: 0 },
): NodePath {
  return dialectRules(dialect).placesAt === "start"
    ? documentedNodes(fragments, before)
    : clientNodes(fragments, start ?? before, dialect);
}

/** The sum of a path's durations, milliseconds. */
export function durationOf(fragments: readonly FragmentFields[]): number {
  let sum = 0;
  for (const { durationMs = 0 } of fragments) sum += durationMs;
  return sum;
}

function clientNodes(fragments: readonly FragmentFields[], start: Point, dialect: string): NodePath {
  const { fragments: table } = dialectRules(dialect);
  const nodes: PathNode[] = [];
  let { x, y } = start;
  let foothold = 0;
  /** The time of bare fragments, which have no place: the next one arrives that much later. */
  let bareMs = 0;
  let drops = false;
  for (const fragment of fragments) {
    const { type, state = 0, vx = 0, vy = 0 } = fragment;
    const durationMs = bareMs + (fragment.durationMs ?? 0);
    const kind = table.kindOf(type);
    if (kind === "equipment" || kind === undefined) continue;
    if (kind === "bare") {
      bareMs = durationMs;
      continue;
    }
    bareMs = 0;
    drops = kind === "fallDown" || kind === "startFallDown" || (drops && fragment.foothold === 0);
    const isImpulse = kind === "relative" || kind === "startFallDown";
    if (!isImpulse) {
      x = fragment.x ?? x;
      y = fragment.y ?? y;
      foothold = fragment.foothold ?? 0;
    } else {
      foothold = 0;
    }
    const isFalling = foothold === 0 && state >> 1 === stances.jump;
    nodes.push({
      x,
      y,
      vx,
      vy,
      durationMs,
      jump: kind === "instant",
      gravity: isFalling ? walkConstants.gravity : 0,
      state,
      foothold,
      type,
      impulse: isImpulse,
      drops,
    });
  }
  // The path ends with bare ones: it stays where it is for so long.
  const last = nodes.at(-1);
  if (bareMs > 0) {
    const { state = 0, type = 0 } = fragments.at(-1) ?? {};
    const held = { x, y, vx: 0, vy: 0, durationMs: bareMs, jump: false, gravity: 0, impulse: false, drops };
    nodes.push({ ...held, state: last?.state ?? state, foothold, type });
  }
  return { start, nodes };
}

/** A fragment ends where the next one starts, or where its velocity leads. */
function documentedNodes(fragments: readonly FragmentFields[], before: Point): NodePath {
  const { fragments: table } = dialectRules("documented");
  const moving = fragments.filter(({ type }) => table.kindOf(type) !== "equipment");
  const isPlaced = ({ type }: FragmentFields): boolean => table.kindOf(type) !== "relative";
  const isInstant = ({ type }: FragmentFields): boolean => table.kindOf(type) === "instant";
  const placeOf = ({ x = 0, y = 0 }: FragmentFields): Point => ({ x, y });

  /** Where the next fragment begins; velocities before it that last no time apply there. */
  const placeAfter = (index: number): Point | undefined => {
    for (let at = index + 1; at < moving.length; at++) {
      const next = moving[at] as FragmentFields;
      if (isPlaced(next)) return isInstant(next) ? undefined : placeOf(next);
      if ((next.durationMs ?? 0) > 0) return undefined;
    }
    return undefined;
  };

  const first = moving.find(isPlaced);
  const start = first === undefined || isInstant(first) ? before : placeOf(first);
  const nodes: PathNode[] = [];
  let { x, y } = start;
  for (const [index, fragment] of moving.entries()) {
    const { type, vx = 0, vy = 0, state = 0, durationMs = 0 } = fragment;
    const gravity = isFlying(state) ? walkConstants.gravity : 0;
    const isOfPlace = isPlaced(fragment);
    if (isOfPlace) ({ x = 0, y = 0 } = fragment);
    const common = { type, state, foothold: 0, gravity, drops: false };
    // Position and velocity of the fragment's start apply at once.
    nodes.push({ x, y, vx, vy, ...common, durationMs: 0, jump: isInstant(fragment), impulse: !isOfPlace });
    if (durationMs === 0) continue;
    const led = extrapolate({ x, y, vx, vy, state }, durationMs);
    ({ x, y } = placeAfter(index) ?? led);
    nodes.push({ x, y, vx: led.vx, vy: led.vy, ...common, durationMs, jump: false, impulse: false });
  }
  return { start, nodes };
}
