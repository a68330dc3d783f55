/**
 * What every transport does with its events: keeps what arrives before somebody listens, says `closed` once, and says
 * nothing after it. For those who write a transport of their own.
 *
 * ```ts
 * import { Inbox } from "wirewalk/net";
 *
 * const later = [];
 * const inbox = new Inbox((call) => later.push(call));
 * inbox.bytes(new Uint8Array([1, 2]));
 * const told = [];
 * inbox.listen({ bytes: (bytes) => told.push(bytes.length), closed: (reason) => told.push(reason) });
 * told; // => []
 * later.forEach((call) => call());
 * inbox.closed("gone");
 * inbox.closed("twice");
 * told; // => [2, "gone"]
 * ```
 *
 * @module
 */
import type { TransportEvents } from "./transport.ts";

/** The receiving half of a transport: bytes and the end go in, a listener's events come out. */
export class Inbox {
  readonly #defer: (call: () => void) => void;
  #events: TransportEvents | undefined;
  /** Undefined once the events flow. */
  #early: Uint8Array[] | undefined = [];
  #earlyBytes = 0;
  #muted = false;
  #reason: string | undefined;

  /** `defer` makes a call later, in a turn of its own; a microtask unless said. */
  constructor(defer: (call: () => void) => void = (call) => queueMicrotask(call)) {
    this.#defer = defer;
  }

  /** Bytes kept because nobody listens yet. */
  get earlyBytes(): number {
    return this.#earlyBytes;
  }

  /** Bytes arrived. Forgotten after `mute` and after `closed`. */
  bytes(bytes: Uint8Array): void {
    if (this.#muted || this.#reason !== undefined) return;
    if (this.#early === undefined) {
      this.#events?.bytes(bytes);
    } else {
      this.#early.push(bytes);
      this.#earlyBytes += bytes.length;
    }
  }

  /** The connection is over; only the first reason counts. */
  closed(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    if (this.#early === undefined) this.#events?.closed(reason);
  }

  /** Our own side has closed: it hears no bytes any more, only the end. */
  mute(): void {
    this.#muted = true;
    if (this.#early !== undefined) this.#early = [];
    this.#earlyBytes = 0;
  }

  /** Starts the flow, in a turn of its own. Throws `Error` when called again. */
  listen(events: TransportEvents): void {
    if (this.#events !== undefined) throw new Error("Cannot listen: somebody listens already");
    this.#events = events;
    this.#defer(() => this.#flow(events));
  }

  #flow(events: TransportEvents): void {
    for (const bytes of this.#early ?? []) if (!this.#muted) events.bytes(bytes);
    this.#early = undefined;
    this.#earlyBytes = 0;
    if (this.#reason !== undefined) events.closed(this.#reason);
  }
}
