/** The tracks of one room for the pages that watch it: written once for all of them, and only when they have changed. */
import { TrackWriter } from "wirewalk/motion";
import type { FeedSession } from "./feed-session.ts";
import type { FeedWorld } from "./feed-world.ts";
import { frameBinary } from "./websocket-frames.ts";

/** A snapshot is sent this often even if nothing has changed: pages learn the server's time from snapshots. */
const STILL_MS = 1_000;

/** One room while pages watch it. */
export class RoomTracks {
  readonly #world: FeedWorld;
  readonly #room: string;
  readonly #nextStream: () => number;
  #writer: TrackWriter;
  #version: number | undefined;
  #sentMs = Number.NEGATIVE_INFINITY;

  constructor(world: FeedWorld, room: string, nextStream: () => number) {
    this.#world = world;
    this.#room = room;
    this.#nextStream = nextStream;
    this.#writer = this.#newWriter();
  }

  /**
   * Sends the pages what has changed since the last call. A page that does not have all before, as a new one, is sent a full
   * snapshot. One that reads too slowly is sent nothing, and a full snapshot when it has caught up.
   */
  send(sessions: readonly FeedSession[], nowMs: number): void {
    const delta = this.#advance(nowMs);
    const { stream } = this.#writer;
    let full: Uint8Array | undefined;
    for (const session of sessions) {
      if (session.stream === stream && delta === undefined) continue;
      if (session.isBehind) session.stream = undefined;
      else if (session.stream === stream && delta !== undefined) session.sendFrame(delta);
      else {
        full ??= frameBinary(this.#writer.full(nowMs));
        session.stream = stream;
        session.sendFrame(full);
      }
    }
  }

  /** The frame for pages that have all before; undefined when there is nothing to send. */
  #advance(nowMs: number): Uint8Array | undefined {
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
    return frameBinary(changes ?? this.#writer.still(nowMs));
  }

  #newWriter(): TrackWriter {
    const stream = this.#nextStream();
    return new TrackWriter({ stream, world: this.#world.name, room: this.#room });
  }
}
