/**
 * Snapshots of a room as the feed brings them, and the smooth motion between them: drawn a little in the past, so that
 * there is a snapshot on either side, and never faster than the server's own clock.
 */
import type { PlayerId, Track, TrackSnapshot } from "wirewalk/motion";

/** Up to twenty snapshots come per second: two of them, so that one late snapshot freezes nobody. */
export const PLAYBACK_DELAY_MS = 100;

/** How long a trail is; also how far back snapshots are kept. */
export const TRAIL_MS = 2_500;

/** A gap longer than this is a jump (a rejoin, a correction), not a movement to be drawn between. */
const GAP_MS = 500;

/** Snapshots kept at most: twenty a second for the length of a trail, with room for a burst after a stall. */
const MAX_SNAPSHOTS = 120;

interface Snapshot {
  readonly atMs: number;
  readonly tracks: ReadonlyMap<PlayerId, Track>;
}

/** A place of a trail. */
export interface TrailPoint {
  readonly x: number;
  readonly y: number;
  readonly z?: number;
  /** 0 is now, 1 is a trail's end. */
  readonly age: number;
}

/** The last seconds of one room. Times given to it are the page's, times in it are the server's. */
export class TrackBuffer {
  readonly #snapshots: Snapshot[] = [];
  /** Page time less server time, of the fastest snapshot: what waited in a queue on the way says nothing of the clocks. */
  #offsetMs: number | undefined;
  #rate = 1;
  /** The rate has changed: the offset is that of the next snapshot. */
  #isOffsetOld = false;

  /** Tracks of the newest snapshot. */
  get latest(): ReadonlyMap<PlayerId, Track> {
    return this.#snapshots.at(-1)?.tracks ?? new Map();
  }

  /** The server's time of the newest snapshot; undefined before the first. */
  get latestMs(): number | undefined {
    return this.#snapshots.at(-1)?.atMs;
  }

  /**
   * Milliseconds of the given time in a millisecond: of a recording that is played fast, snapshots are further apart. At 0 the
   * newest snapshot is shown.
   */
  setRate(rate: number): void {
    this.#rate = rate;
    this.#isOffsetOld = true;
  }

  push({ atMs, heldMs, isFull, tracks }: Omit<TrackSnapshot, "world" | "room">, nowMs: number): void {
    const last = this.#snapshots.at(-1);
    // A clock that ran backwards is another server's: what was known belongs to its predecessor.
    if (last !== undefined && atMs < last.atMs) this.clear();
    // Nothing changed until then: what changed since is drawn from there on. A full snapshot says nothing of the time before.
    else if (last !== undefined && !isFull && heldMs > last.atMs) {
      this.#snapshots.push({ atMs: Math.min(heldMs, atMs), tracks: last.tracks });
    }
    const offset = nowMs - atMs;
    // The fastest snapshot counts, forgotten slowly (1 ms per snapshot) since two clocks drift.
    const isFirst = this.#offsetMs === undefined || this.#isOffsetOld;
    this.#offsetMs = isFirst ? offset : Math.min(offset, (this.#offsetMs ?? 0) + this.#rate);
    this.#isOffsetOld = false;
    this.#snapshots.push({ atMs, tracks });
    while (
      this.#snapshots.length > MAX_SNAPSHOTS ||
      (this.#snapshots.length > 2 && (this.#snapshots[0]?.atMs ?? 0) < atMs - TRAIL_MS - this.#delayMs)
    ) {
      this.#snapshots.shift();
    }
  }

  clear(): void {
    this.#snapshots.length = 0;
    this.#offsetMs = undefined;
  }

  /** What the server's clock says now, as far as its snapshots tell; undefined before the first. */
  serverTime(nowMs: number): number | undefined {
    if (this.#rate === 0) return this.latestMs;
    return this.#offsetMs === undefined ? undefined : nowMs - this.#offsetMs;
  }

  /** Every player of the newest snapshot, where it is drawn now. */
  sample(nowMs: number): readonly Track[] {
    const at = this.#playbackTime(nowMs);
    if (at === undefined) return [];
    let after = this.#snapshots.length - 1;
    while (after > 0 && (this.#snapshots[after - 1]?.atMs ?? 0) >= at) after -= 1;
    const to = this.#snapshots[after];
    const from = this.#snapshots[after - 1];
    if (to === undefined) return [];
    const sampled: Track[] = [];
    for (const player of this.latest.keys()) {
      const end = to.tracks.get(player);
      const start = from?.tracks.get(player);
      if (end === undefined) continue;
      sampled.push(
        start === undefined || from === undefined ? end : between(start, end, from.atMs, to.atMs, at, this.#gapMs),
      );
    }
    return sampled;
  }

  /** Where the player was, oldest first. */
  trail(player: PlayerId, nowMs: number): readonly TrailPoint[] {
    const at = this.#playbackTime(nowMs);
    if (at === undefined) return [];
    const points: TrailPoint[] = [];
    for (const snapshot of this.#snapshots) {
      const age = (at - snapshot.atMs) / TRAIL_MS;
      const track = snapshot.tracks.get(player);
      if (track === undefined || age < 0 || age > 1) continue;
      points.push({ ...track.position, age });
    }
    return points;
  }

  #playbackTime(nowMs: number): number | undefined {
    const serverMs = this.serverTime(nowMs);
    return serverMs === undefined ? undefined : serverMs - this.#delayMs;
  }

  get #delayMs(): number {
    return PLAYBACK_DELAY_MS * this.#rate;
  }

  get #gapMs(): number {
    return GAP_MS * Math.max(1, this.#rate);
  }
}

function between(start: Track, end: Track, startMs: number, endMs: number, atMs: number, gapMs: number): Track {
  if (endMs - startMs > gapMs || endMs <= startMs) return end;
  const part = Math.min(1, Math.max(0, (atMs - startMs) / (endMs - startMs)));
  const mix = (a: number, b: number): number => a + (b - a) * part;
  const { z: startZ } = start.position;
  const { z: endZ } = end.position;
  return {
    ...end,
    atMs,
    position: {
      ...end.position,
      x: mix(start.position.x, end.position.x),
      y: mix(start.position.y, end.position.y),
      ...(startZ !== undefined && endZ !== undefined ? { z: mix(startZ, endZ) } : {}),
    },
  };
}
