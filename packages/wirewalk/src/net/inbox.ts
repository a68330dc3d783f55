/**
 * The event handling of every transport: keeps what arrives before `listen`, calls `closed` once, and makes no call after
 * it. For implementations of transports.
 *
 * ```ts
 * import { Inbox } from "wirewalk/net";
 *
 * const later = [];
 * const inbox = new Inbox((call) => later.push(call));
 * inbox.bytes(new Uint8Array([1, 2]));
 * const events = [];
 * inbox.listen({ bytes: (bytes) => events.push(bytes.length), closed: (reason) => events.push(reason) });
 * events; // => []
 * later.forEach((call) => call());
 * inbox.closed("gone");
 * inbox.closed("twice");
 * events; // => [2, "gone"]
 * ```
 *
 * @module
 */
import type { TransportEvents } from "./transport.ts";

/** The receiving half of a transport: takes bytes and the end of the connection, makes the listener's calls. */
export class Inbox {
  readonly #defer: (call: () => void) => void;
  #events: TransportEvents | undefined;
  /** Undefined once calls are made directly. */
  #early: Uint8Array[] | undefined = [];
  #earlyBytes = 0;
  #muted = false;
  #reason: string | undefined;

  /** `defer` makes a call later, outside the current one. Default: a microtask. */
  constructor(defer: (call: () => void) => void = (call) => queueMicrotask(call)) {
    this.#defer = defer;
  }

  /** Bytes kept until `listen`. */
  get earlyBytes(): number {
    return this.#earlyBytes;
  }

  /** Takes bytes that arrived. They are dropped after `mute` and after `closed`. */
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

  /** This side has closed: from here on it receives no bytes, only `closed`. */
  mute(): void {
    this.#muted = true;
    if (this.#early !== undefined) this.#early = [];
    this.#earlyBytes = 0;
  }

  /** Starts the calls, outside the current one. Throws `Error` when called again. */
  listen(events: TransportEvents): void {
    if (this.#events !== undefined) throw new Error("Cannot listen: listen was called before");
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
