/**
 * A **transport** as a port: one connection that carries bytes. TCP, WebSocket and the in-memory pair are all this, and
 * `testing/transport-suite.ts` is what every one of them passes.
 *
 * Events never come while a call to `listen`, `send` or `close` is running: whoever calls may finish first.
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
  /** Starts the flow of events; what arrived before is kept until then. Throws `Error` when called again. */
  listen(events: TransportEvents): void;
  /**
   * Sends, in order. The bytes may go to others too and must not be changed afterwards, by either end's caller.
   * Nothing happens after `close` or once the connection is over.
   */
  send(bytes: Uint8Array): void;
  /** Ends the connection once what was sent has left; no `bytes` come any more, `closed` follows, with this reason. */
  close(reason?: string): void;
}
