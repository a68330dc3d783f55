/**
 * Two transports that are connected to each other, without a network: for simulations and tests. With a `VirtualClock` a
 * run is determined by its seeds.
 *
 * ```ts
 * import { memoryPair, VirtualClock } from "wirewalk/net";
 *
 * const clock = new VirtualClock();
 * const [near, far] = memoryPair({ clock, carrier: "message" });
 * const events = [];
 * far.listen({ bytes: (bytes) => events.push([...bytes]), closed: (reason) => events.push(reason) });
 * near.send(new Uint8Array([1, 2, 3]));
 * near.close("done");
 * events; // => []
 * clock.advanceBy(0);
 * events; // => [[1, 2, 3], "done"]
 * ```
 *
 * @module
 */
import { type Carrier, joinBytes } from "../wire/index.ts";
import type { Clock } from "./clock.ts";
import { Inbox } from "./inbox.ts";
import { type Delivery, type NetworkConditions, NetworkLink, type RandomSource } from "./network-conditions.ts";
import type { Transport } from "./transport.ts";

/** Options of a pair. */
export interface MemoryPairOptions {
  readonly clock: Clock;
  readonly carrier: Carrier;
  /** Default: everything arrives at once, outside the current call. */
  readonly network?: MemoryNetwork;
  /**
   * Splits and joins a stream's bytes at places drawn from here; bytes may then take a few milliseconds longer.
   * Default: every send arrives as it was sent.
   */
  readonly cuts?: RandomSource;
}

/** The network between the two ends. */
export interface MemoryNetwork {
  readonly conditions: NetworkConditions;
  /** Each direction draws from its own fork. */
  readonly random: RandomSource;
  /** Default `ordered`; a stream must be `ordered`. */
  readonly delivery?: Delivery;
}

/** A cut stream is read again after at most this long: enough to join what was sent within a few milliseconds. */
const READ_PAUSE_MS = 3;

/**
 * Two connected transports. `queuedBytes` counts what has not arrived yet. Over a message carrier the peer receives the
 * reason of a close, as with WebSocket; over a stream the reason is `closed by peer`.
 * Throws `RangeError` for datagrams over a stream, for cuts over messages, and for impossible conditions.
 */
export function memoryPair({ clock, carrier, network, cuts }: MemoryPairOptions): readonly [Transport, Transport] {
  if (carrier === "stream" && network?.delivery === "datagram") throw new RangeError("A stream has no datagrams");
  if (carrier === "message" && cuts !== undefined) throw new RangeError("Messages are not cut");
  const end = (): End => {
    const link =
      network &&
      new NetworkLink({
        conditions: network.conditions,
        delivery: network.delivery ?? "ordered",
        random: network.random.fork(),
      });
    return new End(clock, carrier, link, cuts?.fork());
  };
  const near = end();
  const far = end();
  near.connect(far);
  far.connect(near);
  return [near, far];
}

class End implements Transport {
  readonly carrier: Carrier;
  readonly #clock: Clock;
  readonly #link: NetworkLink | undefined;
  readonly #cuts: RandomSource | undefined;
  readonly #inbox: Inbox;
  #other: End | undefined;
  #over = false;
  #queuedBytes = 0;
  /** The close arrives after all bytes. */
  #lastArrivalMs = Number.NEGATIVE_INFINITY;
  /** Bytes of a cut stream that have arrived and are not read yet. */
  #unread: Uint8Array[] = [];
  #reading = false;
  /** The reason of the peer's close, once it has arrived. */
  #closeReason: string | undefined;

  constructor(clock: Clock, carrier: Carrier, link: NetworkLink | undefined, cuts: RandomSource | undefined) {
    this.carrier = carrier;
    this.#clock = clock;
    this.#link = link;
    this.#cuts = cuts;
    this.#inbox = new Inbox((call) => clock.after(0, call));
  }

  get queuedBytes(): number {
    return this.#over ? 0 : this.#queuedBytes;
  }

  connect(other: End): void {
    this.#other = other;
  }

  listen(events: Parameters<Transport["listen"]>[0]): void {
    this.#inbox.listen(events);
  }

  send(bytes: Uint8Array): void {
    const other = this.#other;
    if (this.#over || other === undefined) return;
    const nowMs = this.#clock.now();
    const arrivals = this.#link?.send(nowMs) ?? [nowMs];
    for (const [index, arrivesMs] of arrivals.entries()) {
      this.#lastArrivalMs = Math.max(this.#lastArrivalMs, arrivesMs);
      if (index === 0) this.#queuedBytes += bytes.length;
      // A copy, as a network makes one: the receiver may keep and change it.
      const copy = bytes.slice();
      this.#clock.after(arrivesMs - nowMs, () => {
        if (index === 0) this.#queuedBytes -= copy.length;
        other.#arrive(copy);
      });
    }
  }

  close(reason = "closed"): void {
    const other = this.#other;
    if (this.#over || other === undefined) return;
    this.#over = true;
    this.#inbox.mute();
    this.#clock.after(0, () => this.#inbox.closed(reason));
    const nowMs = this.#clock.now();
    const arrivesMs = Math.max(this.#lastArrivalMs, this.#link?.send(nowMs)[0] ?? nowMs);
    const reasonThere = this.carrier === "message" ? reason : "closed by peer";
    this.#clock.after(arrivesMs - nowMs, () => other.#arriveClose(reasonThere));
  }

  #arrive(bytes: Uint8Array): void {
    if (this.#over) return;
    if (this.#cuts === undefined) {
      this.#inbox.bytes(bytes);
      return;
    }
    if (bytes.length === 0) return;
    this.#unread.push(bytes);
    this.#readLater(this.#cuts);
  }

  #arriveClose(reason: string): void {
    if (this.#over) return;
    this.#closeReason = reason;
    if (!this.#reading) this.#end(reason);
  }

  #end(reason: string): void {
    this.#over = true;
    this.#inbox.closed(reason);
  }

  #readLater(cuts: RandomSource): void {
    if (this.#reading) return;
    this.#reading = true;
    this.#clock.after(cuts.next() * READ_PAUSE_MS, () => {
      this.#reading = false;
      const [first = new Uint8Array(0)] = this.#unread;
      const bytes = this.#unread.length > 1 ? joinBytes(this.#unread) : first;
      const cut = 1 + Math.floor(cuts.next() * bytes.length);
      this.#unread = cut < bytes.length ? [bytes.subarray(cut)] : [];
      this.#inbox.bytes(bytes.subarray(0, cut));
      if (this.#unread.length > 0) this.#readLater(cuts);
      else if (this.#closeReason !== undefined) this.#end(this.#closeReason);
    });
  }
}
