/** The tracks of one room for the pages that watch it: written once for all of them, and only when they have changed. */
import { RoomTrackStream, type TrackedWorld } from "./room-track-stream.ts";

/** A page as its tracks are sent. */
export interface TrackedPage {
  /** True when the page reads too slowly for tracks. */
  readonly isBehind: boolean;
  /** The stream of tracks of which the page has every snapshot so far. */
  stream: number | undefined;
  sendTracks(bytes: Uint8Array): void;
}

/** One room while pages watch it. */
export class RoomTracks {
  readonly #tracks: RoomTrackStream;
  readonly #carry: (snapshot: Uint8Array) => Uint8Array;

  /** `carry` makes of a snapshot what all pages are sent. */
  constructor(
    world: TrackedWorld,
    room: string,
    { nextStream, carry }: { nextStream: () => number; carry: (snapshot: Uint8Array) => Uint8Array },
  ) {
    this.#carry = carry;
    this.#tracks = new RoomTrackStream(world, room, nextStream);
  }

  /**
   * Sends the pages what has changed since the last call. A page that does not have all before, as a new one, is sent a full
   * snapshot. One that reads too slowly is sent nothing, and a full snapshot when it has caught up.
   */
  send(pages: readonly TrackedPage[], nowMs: number): void {
    const changes = this.#tracks.advance(nowMs);
    const delta = changes === undefined ? undefined : this.#carry(changes);
    const { stream } = this.#tracks;
    let full: Uint8Array | undefined;
    for (const page of pages) {
      if (page.stream === stream && delta === undefined) continue;
      if (page.isBehind) page.stream = undefined;
      else if (page.stream === stream && delta !== undefined) page.sendTracks(delta);
      else {
        full ??= this.#carry(this.#tracks.full(nowMs));
        page.stream = stream;
        page.sendTracks(full);
      }
    }
  }
}
