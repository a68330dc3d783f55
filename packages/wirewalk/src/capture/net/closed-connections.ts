/** Connections that have ended: their last segments, sent again, begin no new ones. Bounded, the oldest are forgotten. */
import type { StreamAssembler, StreamPlace } from "./stream-assembler.ts";
import type { TcpSegment } from "./tcp-segment.ts";

/** Each takes about 200 bytes. */
const MAX_REMEMBERED = 16_384;
/** A segment at most this far before the end of a connection was sent again. */
const NEAR_BYTES = 1024 * 1024;

export class ClosedConnections {
  readonly #places = new Map<string, readonly (StreamPlace | undefined)[]>();

  add(key: string, streams: readonly StreamAssembler[]): void {
    this.#places.delete(key);
    const [oldest] = this.#places.keys();
    if (this.#places.size >= MAX_REMEMBERED && oldest !== undefined) this.#places.delete(oldest);
    this.#places.set(
      key,
      streams.map(({ place }) => place),
    );
  }

  /** A new connection has the addresses and ports. */
  delete(key: string): void {
    this.#places.delete(key);
  }

  /** Whether an end that has closed sent the segment before. */
  has(key: string, from: 0 | 1, { syn, sequence, length }: TcpSegment): boolean {
    const places = this.#places.get(key);
    if (places === undefined) return false;
    const place = places[from];
    if (syn) return place !== undefined && place.first === (sequence + 1) >>> 0;
    if (length === 0) return true;
    if (place === undefined) return false;
    const distance = (sequence - place.next) | 0;
    return distance < 0 && distance >= -NEAR_BYTES;
  }
}
