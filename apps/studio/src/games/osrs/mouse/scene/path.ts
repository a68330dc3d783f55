/** A session's path as it is drawn at one time: lines, rests, ends of packets, and the pointer. Pure. */
import type { PathPoint } from "wirewalk/osrs/mouse";
import type { SeenSession } from "../play/sessions.ts";

/** A pointer that has not moved for this long rests. The server has the same limit: after it a speed is 0. */
export const REST_MS = 250;

/** A position with its age: 0 is now, 1 is about to be forgotten. */
interface Aged {
  readonly x: number;
  readonly y: number;
  readonly age: number;
}

export interface PathLine extends Aged {
  readonly fromX: number;
  readonly fromY: number;
  /** Pixels per second; 0 where it is not known. */
  readonly speed: number;
}

export interface PathRest extends Aged {
  readonly ms: number;
}

export interface PacketEnd extends Aged {
  /** A button sent the packet. */
  readonly early: boolean;
  /** Across the path. */
  readonly turnRadians: number;
}

/** What a pointer does. */
export type PointerStance = "moving" | "resting" | "outside" | "unknown";

export interface Pointer {
  /** Outside: the last position inside. No meaning while `unknown`. */
  readonly x: number;
  readonly y: number;
  readonly stance: PointerStance;
}

export interface DrawnPath {
  readonly lines: readonly PathLine[];
  readonly rests: readonly PathRest[];
  readonly ends: readonly PacketEnd[];
  /** Where it left the window. */
  readonly exits: readonly Aged[];
  /** Undefined before the session's first point. */
  readonly pointer: Pointer | undefined;
}

/** The path of the last `spanMs` before `shownMs`. Points after `shownMs` are not drawn yet. */
export function drawnPath({ points, packets }: SeenSession, shownMs: number, spanMs: number): DrawnPath {
  const clicks = new Set(packets.filter(({ early }) => early).map(({ packet }) => packet));
  const lines: PathLine[] = [];
  const rests: PathRest[] = [];
  const ends: PacketEnd[] = [];
  const exits: Aged[] = [];
  /** 0 also for a rest that is not over. */
  const ageOf = (atMs: number): number => Math.max(0, (shownMs - atMs) / spanMs);
  let inside: PathPoint | undefined;
  let pointer: Pointer | undefined;
  for (const [index, point] of points.entries()) {
    if (point.atMs > shownMs) break;
    const next = points[index + 1];
    const age = ageOf(point.atMs);
    if (!isPlace(point)) {
      if (point.outside && inside !== undefined && age <= 1) exits.push({ x: inside.x, y: inside.y, age });
      pointer = { x: inside?.x ?? -1, y: inside?.y ?? -1, stance: point.known ? "outside" : "unknown" };
      // Positions before the pointer's position became unknown do not place it.
      if (!point.known) inside = undefined;
      continue;
    }
    const { x, y, packet } = point;
    const moves = next !== undefined && isPlace(next) && next.speed > 0;
    const untilMs = Math.min(next?.atMs ?? shownMs, shownMs);
    if (!moves && untilMs - point.atMs >= REST_MS && ageOf(untilMs) <= 1) {
      rests.push({ x, y, ms: untilMs - point.atMs, age: ageOf(untilMs) });
    }
    const share = next === undefined ? 0 : shareAt(point, next, shownMs);
    pointer = { x, y, stance: moves && share < 1 ? "moving" : "resting" };
    if (next !== undefined && isPlace(next) && share > 0) {
      pointer = { ...pointer, x: x + (next.x - x) * share, y: y + (next.y - y) * share };
      const lineAge = ageOf(next.atMs);
      const to = { x: pointer.x, y: pointer.y };
      if (lineAge <= 1) lines.push({ fromX: x, fromY: y, ...to, speed: next.speed, age: lineAge });
    }
    // Points come a packet at a time: the last point so far ends its packet.
    if (next?.packet !== packet && age <= 1) {
      ends.push({ x, y, age, early: clicks.has(packet), turnRadians: turnAt(inside, point) });
    }
    inside = point;
  }
  return { lines, rests, ends, exits, pointer };
}

function isPlace({ known, outside }: PathPoint): boolean {
  return known && !outside;
}

/** A point of the speed profile. */
export interface SpeedSample {
  readonly atMs: number;
  /** Pixels per second. */
  readonly speed: number;
}

/** Speeds of the last `spanMs` before `shownMs`, at 0 wherever the pointer rests. Right even where places are unknown. */
export function speedProfile(
  { points }: Pick<SeenSession, "points">,
  shownMs: number,
  spanMs: number,
): readonly SpeedSample[] {
  const samples: SpeedSample[] = [];
  let lastMs = shownMs - spanMs;
  for (const { atMs, speed } of points) {
    if (atMs < shownMs - spanMs) continue;
    if (atMs > shownMs) break;
    if (atMs - lastMs >= REST_MS) samples.push({ atMs: lastMs, speed: 0 }, { atMs: atMs - 1, speed: 0 });
    samples.push({ atMs, speed });
    lastMs = atMs;
  }
  if (shownMs - lastMs >= REST_MS) samples.push({ atMs: lastMs, speed: 0 }, { atMs: shownMs, speed: 0 });
  return samples;
}

/** Share of the way from one point to the next. A movement without a known speed has no known begin: it shows at its end. */
function shareAt(from: PathPoint, to: PathPoint, atMs: number): number {
  if (to.atMs <= atMs) return 1;
  return to.speed > 0 ? (atMs - from.atMs) / (to.atMs - from.atMs) : 0;
}

function turnAt(from: PathPoint | undefined, to: PathPoint): number {
  return from === undefined ? 0 : Math.atan2(to.y - from.y, to.x - from.x) + Math.PI / 2;
}
