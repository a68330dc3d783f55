/** Trails of the players controlled by this page, a point at a time. */
import type { PlayerId } from "wirewalk/motion";
import { TRAIL_MS, type TrailPoint } from "../feed/track-buffer.ts";

/** A trail gets a point this often. */
const TRAIL_EVERY_MS = 50;

interface PlayedPoint {
  readonly x: number;
  readonly y: number;
  readonly atMs: number;
}

export class PlayedTrails {
  readonly #points = new Map<PlayerId, PlayedPoint[]>();

  /** Somebody is drawn here now. Answers with the way there, oldest first. */
  add(player: PlayerId, { x, y }: { readonly x: number; readonly y: number }, nowMs: number): readonly TrailPoint[] {
    const points = this.#points.get(player) ?? [];
    this.#points.set(player, points);
    if (nowMs - (points.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= TRAIL_EVERY_MS) points.push({ x, y, atMs: nowMs });
    while (points[0] !== undefined && nowMs - points[0].atMs > TRAIL_MS) points.shift();
    return points.map((point) => ({ x: point.x, y: point.y, age: (nowMs - point.atMs) / TRAIL_MS }));
  }
}
