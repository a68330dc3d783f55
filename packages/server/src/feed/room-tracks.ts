/** The tracks of one room for the pages that watch it: written once for all of them, and only when they have changed. */

import { frameBinary } from "../http/websocket-frames.ts";
import type { FeedSession } from "./feed-session.ts";
import { RoomTrackStream, type TrackedWorld } from "./room-track-stream.ts";

/** One room while pages watch it. */
export class RoomTracks {
  readonly #tracks: RoomTrackStream;

  constructor(world: TrackedWorld, room: string, nextStream: () => number) {
    this.#tracks = new RoomTrackStream(world, room, nextStream);
  }

  /**
   * Sends the pages what has changed since the last call. A page that does not have all before, as a new one, is sent a full
   * snapshot. One that reads too slowly is sent nothing, and a full snapshot when it has caught up.
   */
  send(sessions: readonly FeedSession[], nowMs: number): void {
    const changes = this.#tracks.advance(nowMs);
    const delta = changes === undefined ? undefined : frameBinary(changes);
    const { stream } = this.#tracks;
    let full: Uint8Array | undefined;
    for (const session of sessions) {
      if (session.stream === stream && delta === undefined) continue;
      if (session.isBehind) session.stream = undefined;
      else if (session.stream === stream && delta !== undefined) session.sendFrame(delta);
      else {
        full ??= frameBinary(this.#tracks.full(nowMs));
        session.stream = stream;
        session.sendFrame(full);
      }
    }
  }
}
