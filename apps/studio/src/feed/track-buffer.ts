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

/** How far back the time line reaches. */
export const KEPT_MS = 60_000;

/** Snapshots kept at most: twenty a second, with room for a burst after a stall. */
const MAX_SNAPSHOTS = 1_300;

/** Tracks kept at most, of all snapshots together: a room of 2,000 players is kept for 3 s. */
const MAX_TRACKS = 120_000;

interface Snapshot {
  readonly atMs: number;
  readonly tracks: ReadonlyMap<PlayerId, Track>;
}

const noTracks: ReadonlyMap<PlayerId, Track> = new Map();

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
  #tracksKept = 0;
  /** The page's time that is looked at; undefined: now. What came later is not shown then. */
  viewMs: number | undefined;

  /** Tracks of the newest snapshot. */
  get latest(): ReadonlyMap<PlayerId, Track> {
    return this.#newest?.tracks ?? noTracks;
  }

  /** The server's time of the newest snapshot; undefined before the first. */
  get latestMs(): number | undefined {
    return this.#newest?.atMs;
  }

  /** The page's time of the oldest snapshot; undefined before the first. */
  get oldestMs(): number | undefined {
    const [oldest] = this.#snapshots;
    return oldest === undefined ? undefined : this.pageTime(oldest.atMs);
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
      this.#add({ atMs: Math.min(heldMs, atMs), tracks: last.tracks });
    }
    const offset = nowMs - atMs;
    // The fastest snapshot counts, forgotten slowly (1 ms per snapshot) since two clocks drift.
    const isFirst = this.#offsetMs === undefined || this.#isOffsetOld;
    // While an earlier time is looked at it stays: what is held would creep.
    if (isFirst) this.#offsetMs = offset;
    else if (this.viewMs === undefined) this.#offsetMs = Math.min(offset, (this.#offsetMs ?? 0) + this.#rate);
    this.#isOffsetOld = false;
    this.#add({ atMs, tracks });
    while (this.#isTooMuch(atMs)) this.#tracksKept -= this.#snapshots.shift()?.tracks.size ?? 0;
  }

  clear(): void {
    this.#snapshots.length = 0;
    this.#tracksKept = 0;
    this.#offsetMs = undefined;
    this.viewMs = undefined;
  }

  /** The page's time of a time of the server; undefined before the first snapshot. */
  pageTime(serverMs: number): number | undefined {
    return this.#offsetMs === undefined ? undefined : serverMs + this.#offsetMs;
  }

  /** What the server's clock says now, as far as its snapshots tell; undefined before the first. */
  serverTime(nowMs: number): number | undefined {
    if (this.#rate === 0) return this.latestMs;
    return this.#offsetMs === undefined ? undefined : nowMs - this.#offsetMs;
  }

  /** The server's time that is drawn now: a little in the past. Undefined before the first snapshot. */
  shownTime(nowMs: number): number | undefined {
    return this.#playbackTime(nowMs);
  }

  /** Every player of the newest snapshot, where it is drawn now. */
  sample(nowMs: number): readonly Track[] {
    const at = this.#playbackTime(nowMs);
    if (at === undefined) return [];
    const after = Math.max(0, Math.min(this.#firstAt(at), this.#snapshots.length - 1));
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
    for (let index = this.#firstAt(at - TRAIL_MS); index < this.#snapshots.length; index++) {
      const snapshot = this.#snapshots[index];
      if (snapshot === undefined || snapshot.atMs > at) break;
      const track = snapshot.tracks.get(player);
      if (track !== undefined) points.push({ ...track.position, age: (at - snapshot.atMs) / TRAIL_MS });
    }
    return points;
  }

  /** The newest snapshot, or the newest one of the time that is looked at. */
  get #newest(): Snapshot | undefined {
    if (this.viewMs === undefined) return this.#snapshots.at(-1);
    const serverMs = this.serverTime(this.viewMs) ?? 0;
    return this.#snapshots[Math.max(0, this.#firstAt(serverMs + 0.001) - 1)];
  }

  /** The place of the first snapshot of this time of the server or later: the number of snapshots where there is no such. */
  #firstAt(atMs: number): number {
    let [low, high] = [0, this.#snapshots.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#snapshots[middle]?.atMs ?? 0) < atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #add(snapshot: Snapshot): void {
    this.#snapshots.push(snapshot);
    this.#tracksKept += snapshot.tracks.size;
  }

  #isTooMuch(atMs: number): boolean {
    const { length } = this.#snapshots;
    if (length <= 2) return false;
    const spanMs = atMs - (this.#snapshots[0]?.atMs ?? 0);
    if (length > MAX_SNAPSHOTS || spanMs > KEPT_MS) return true;
    return this.#tracksKept > MAX_TRACKS && spanMs > TRAIL_MS + PLAYBACK_DELAY_MS;
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
