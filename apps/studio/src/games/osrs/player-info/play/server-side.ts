/** The watched room in the server's last snapshot, by player info index. Pure. */
import type { PlayerId, Track } from "wirewalk/motion";
import type { TrackBuffer } from "../../../../feed/track-buffer.ts";
import { indexOf, tileOf } from "./agreement.ts";
import { Steps } from "./steps.ts";

export class ServerSide {
  readonly steps = new Steps();
  #tracks: ReadonlyMap<PlayerId, Track> | undefined;
  #byIndex: ReadonlyMap<number, Track> = new Map();
  #atMs = Number.NEGATIVE_INFINITY;

  get byIndex(): ReadonlyMap<number, Track> {
    return this.#byIndex;
  }

  /** On the server's clock. */
  get atMs(): number {
    return this.#atMs;
  }

  /** Takes the newest snapshot. True when it is another one than the last time. `nowMs` is the page's time. */
  take({ latest: tracks, latestMs }: Pick<TrackBuffer, "latest" | "latestMs">, nowMs: number): boolean {
    this.steps.prune(nowMs);
    const before = this.#tracks;
    const isNew = latestMs !== undefined && latestMs !== this.#atMs;
    this.#atMs = latestMs ?? this.#atMs;
    if (tracks === before || (tracks.size === 0 && this.#byIndex.size === 0)) return isNew;
    const byIndex = new Map<number, Track>();
    for (const track of tracks.values()) {
      const index = indexOf(track);
      if (index === undefined) continue;
      byIndex.set(index, track);
      const last = before?.get(track.player);
      if (last === undefined) continue;
      const [from, to] = [tileOf(last), tileOf(track)];
      if (from.x === to.x && from.z === to.z) continue;
      this.steps.add({ fromX: from.x, fromZ: from.z, ...to, atMs: nowMs });
    }
    this.#tracks = tracks;
    this.#byIndex = byIndex;
    return true;
  }
}
