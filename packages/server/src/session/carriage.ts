/**
 * **Carriage**: how payloads of a world become what a carrier carries. What is the same for all recipients of a broadcast
 * is done once; what a cipher with memory needs for one recipient is done when it is written, in memory that is used again
 * for the next.
 */
import { type Framing, framePayloads, payloadFraming, ReusedBuffer } from "wirewalk/host";
import type { Channel, ProtocolWith } from "wirewalk/protocol";
import { frameBinary } from "../http/websocket-frames.ts";
import type { LinkKind } from "./links.ts";

/** One carrier of one world. */
export interface Carriage {
  /** How the world's delivery frames for all sessions of the carrier. */
  readonly framing: Framing;
  /**
   * Frames of that framing as the session's channel carries them: valid until the next call, unless `keep` is called. With
   * `isBehind` they are sure to be kept, and have memory of their own.
   */
  finish(channel: Channel, frames: Uint8Array, isBehind: boolean): Uint8Array;
  /** The bytes that `finish` gave last are in use: a socket has queued them. */
  keep(): void;
}

const nothing = (): void => {};

export function carriageOf(protocol: ProtocolWith<"openChannel">, dialect: string, kind: LinkKind): Carriage {
  const carrier = kind === "tcp" ? "stream" : "message";
  const shared = protocol.openChannel({ side: "server", dialect, carrier });
  const { sealing } = shared;
  if (shared.sharesFrames) {
    const frame = (payload: Uint8Array): Uint8Array => carried(kind, shared.frame(payload));
    return { framing: { frame }, finish: (_channel, frames) => frames, keep: nothing };
  }
  if (sealing !== undefined && kind === "tcp") {
    const memory = new ReusedBuffer();
    let isOwn = false;
    return {
      framing: { frame: (payload) => sealing.prepare(payload) },
      finish(channel, frames, isBehind) {
        isOwn = isBehind;
        const into = isBehind ? new Uint8Array(frames.length) : memory.take(frames.length);
        channel.sealing?.seal(frames, into);
        return into;
      },
      keep() {
        if (!isOwn) memory.giveAway();
      },
    };
  }
  return {
    framing: payloadFraming,
    finish: (channel, frames) => framePayloads(frames, (payload) => carried(kind, channel.frame(payload))),
    keep: nothing,
  };
}

/** A frame of a channel as its carrier carries it. */
export function carried(kind: LinkKind, frame: Uint8Array): Uint8Array {
  return kind === "websocket" ? frameBinary(frame) : frame;
}
