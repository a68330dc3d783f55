/**
 * A **transport** as a port: one connection that carries bytes. TCP, WebSocket and the in-memory pair are all this.
 */
import type { Carrier } from "../wire/index.ts";

/** What a transport tells; set before the first byte can arrive. */
export interface TransportEvents {
  /** Bytes that arrived: a part of the stream, or one whole message. They are the receiver's to keep. */
  bytes(bytes: Uint8Array): void;
  /** The connection is over, for whatever reason; called once. */
  closed(reason: string): void;
}

export interface Transport {
  /** Whether bytes come as a stream or message by message. */
  readonly carrier: Carrier;
  /** Bytes given to `send` that have not left yet. */
  readonly queuedBytes: number;
  /** Starts the flow of events. What arrived before is kept until then. */
  listen(events: TransportEvents): void;
  /** Sends, in order. Nothing happens after the connection is over. */
  send(bytes: Uint8Array): void;
  /** Ends the connection; `closed` follows. */
  close(reason?: string): void;
}
