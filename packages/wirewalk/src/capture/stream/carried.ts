/** One direction of a connection, without what carries its payloads: frames of the game, or of WebSocket. */
import type { ProtocolWith, Received, SavedChannel, Side, Tap, Tapped } from "../../protocols/index.ts";
import { WebSocketReader } from "./websocket-reader.ts";

/** How payloads are carried: by the game's own frames over TCP, or as messages of WebSocket. */
export type CarrierKind = "tcp" | "websocket";

/** Bytes in, payloads out. Throws `WireError` when the stream cannot go on. */
export interface Carried {
  push(bytes: Uint8Array): void;
  next(): Tapped | undefined;
  readonly pendingBytes: number;
  /** For games whose frames depend on those before: what `Tapping.resume` needs to know after a gap. */
  save?(): SavedChannel | undefined;
}

export function peerOf(side: Side): Side {
  return side === "client" ? "server" : "client";
}

/** A direction of a tap. */
export function tapped(tap: Tap, sender: Side): Carried {
  return {
    push: (bytes) => tap.push(sender, bytes),
    next: () => tap.next(sender),
    save: () => tap.save(sender),
    get pendingBytes() {
      return tap.pendingBytes(sender);
    },
  };
}

/** A direction of a WebSocket connection. */
export interface CarriedByWebSocket extends Carried {
  /** The HTTP head, once it is complete. */
  readonly head: Uint8Array | undefined;
}

/** WebSocket, whose messages are payloads. `inFrames` as for {@link WebSocketReader}. */
export function overWebSocket(
  protocol: ProtocolWith<"openChannel">,
  dialect: string,
  sender: Side,
  inFrames: boolean,
): CarriedByWebSocket {
  const reader = new WebSocketReader(sender, inFrames);
  // The type of the channel has the messages of both sides.
  const channel = protocol.openChannel({ side: peerOf(sender) as "client", dialect, carrier: "message" });
  const ready: Received[] = [];
  return {
    push: (bytes) => reader.push(bytes),
    next() {
      const waiting = ready.shift();
      if (waiting !== undefined) return waiting;
      const message = reader.next();
      if (message === undefined) return undefined;
      if (message.error !== undefined) return { payload: message.payload, error: message.error };
      channel.push(message.payload);
      for (let next = channel.next(); next !== undefined; next = channel.next()) ready.push(next);
      return ready.shift();
    },
    get pendingBytes() {
      return reader.pendingBytes;
    },
    get head() {
      return reader.head;
    },
  };
}

/** A direction that begins at a frame; undefined where frames depend on those before. */
export function freshCarried(
  protocol: ProtocolWith<"openChannel">,
  choice: { readonly dialect: string; readonly carrier: CarrierKind },
  sender: Side,
): Carried | undefined {
  const { dialect, carrier } = choice;
  if (carrier === "websocket") return overWebSocket(protocol, dialect, sender, true);
  const channel = protocol.openChannel({ side: peerOf(sender) as "client", dialect, carrier: "stream" });
  return channel.handshake === undefined ? channel : undefined;
}
