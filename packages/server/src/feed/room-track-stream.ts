/** The tracks of one room as a stream of snapshots: what has changed since the last call, and full ones. */
import { TrackWriter } from "wirewalk/motion";
import type { FeedWorld } from "./feed-world.ts";

/** A snapshot is sent this often even if nothing has changed: its readers learn the world's time from snapshots. */
const STILL_MS = 1_000;

export type TrackedWorld = Pick<FeedWorld, "name" | "tracks" | "tracksVersion">;

export class RoomTrackStream {
  readonly #world: TrackedWorld;
  readonly #room: string;
  readonly #nextStream: () => number;
  #writer: TrackWriter;
  #version: number | undefined;
  #sentMs = Number.NEGATIVE_INFINITY;

  constructor(world: TrackedWorld, room: string, nextStream: () => number) {
    this.#world = world;
    this.#room = room;
    this.#nextStream = nextStream;
    this.#writer = this.#newWriter();
  }

  /** Its number: another one when its reader needs a full snapshot first. */
  get stream(): number {
    return this.#writer.stream;
  }

  /** For readers that have all before; undefined when there is nothing to send. */
  advance(nowMs: number): Uint8Array | undefined {
    if (this.#writer.isFull) {
      this.#writer = this.#newWriter();
      this.#version = undefined;
    }
    const version = this.#world.tracksVersion(this.#room);
    const isSame = version !== undefined && version === this.#version;
    this.#version = version;
    if (isSame) this.#writer.hold(nowMs);
    const changes = isSame ? undefined : this.#writer.update(nowMs, this.#world.tracks(nowMs, this.#room));
    if (changes === undefined && nowMs - this.#sentMs < STILL_MS) return undefined;
    this.#sentMs = nowMs;
    return changes ?? this.#writer.still(nowMs);
  }

  /** For readers that have not all before: what the last `advance` has led to. */
  full(nowMs: number): Uint8Array {
    return this.#writer.full(nowMs);
  }

  #newWriter(): TrackWriter {
    const stream = this.#nextStream();
    return new TrackWriter({ stream, world: this.#world.name, room: this.#room });
  }
}
