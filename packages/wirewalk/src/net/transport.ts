/**
 * A **transport** as a port: one connection that carries bytes. TCP, WebSocket and the in-memory pair are transports, and
 * every transport passes `testing/transport-suite.ts`.
 *
 * No event is emitted while a call to `listen`, `send` or `close` is running.
 */
import type { Carrier } from "../wire/index.ts";

/** Handlers of a transport's events; set before the first byte can arrive. */
export interface TransportEvents {
  /** Bytes that arrived: a part of the stream, or one whole message. The receiver may keep them. */
  bytes(bytes: Uint8Array): void;
  /** The connection is over; called once. */
  closed(reason: string): void;
}

export interface Transport {
  /** Whether bytes arrive as a stream or message by message. */
  readonly carrier: Carrier;
  /** Bytes given to `send` that have not left yet. */
  readonly queuedBytes: number;
  /** Starts the events; what arrived before is kept until then. Throws `Error` when called again. */
  listen(events: TransportEvents): void;
  /**
   * Sends, in order. The bytes may be shared with other transports: neither end may change them afterwards.
   * Nothing happens after `close` or once the connection is over.
   */
  send(bytes: Uint8Array): void;
  /** Ends the connection once everything sent has left. No more `bytes` follow; `closed` follows, with this reason. */
  close(reason?: string): void;
}
