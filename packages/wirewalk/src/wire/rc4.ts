/**
 * The RC4 stream cipher. Old game protocols use it; browsers lack it and OpenSSL refuses it. It keeps no secrets today.
 *
 * ```ts
 * import { encodeLatin1, formatHex, Rc4Key, rc4 } from "wirewalk/wire";
 *
 * formatHex(rc4(encodeLatin1("Key"), encodeLatin1("Plaintext"))); // => "bb f3 16 e8 d9 40 af 0a d3"
 * const key = new Rc4Key(encodeLatin1("Key"));
 * key.apply(key.apply(new Uint8Array([1, 2, 3]))); // => new Uint8Array([1, 2, 3])
 * ```
 *
 * @module
 */

/** Encrypts or decrypts (the same thing) one whole message. Throws RangeError unless the key has 1..256 bytes. */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Rc4Key(key).apply(data);
}

/** Bytes of the key stream that are made at first. */
const FIRST_BYTES = 256;

/**
 * A key made ready once for many messages, each keyed afresh: all of them have the same key stream, which is made once, as far as
 * the longest message so far needs it.
 */
export class Rc4Key {
  readonly #state: Uint8Array;
  #i = 0;
  #j = 0;
  #stream = new Uint8Array(0);

  /** Throws RangeError unless the key has 1..256 bytes. */
  constructor(key: Uint8Array) {
    if (key.length < 1 || key.length > 256) {
      throw new RangeError(`key must have 1..256 bytes, got ${key.length}`);
    }
    const state = new Uint8Array(256);
    for (let i = 0; i < 256; i++) state[i] = i;
    let j = 0;
    for (let i = 0; i < 256; i++) {
      const a = state[i] as number;
      j = (j + a + (key[i % key.length] as number)) & 0xff;
      state[i] = state[j] as number;
      state[j] = a;
    }
    this.#state = state;
  }

  /** Encrypts or decrypts one whole message, from the start of the key stream; `data` stays as it is. */
  apply(data: Uint8Array): Uint8Array<ArrayBuffer> {
    const { length } = data;
    if (length > this.#stream.length) this.#extend(length);
    const stream = this.#stream;
    const result = new Uint8Array(length);
    for (let at = 0; at < length; at++) result[at] = (data[at] as number) ^ (stream[at] as number);
    return result;
  }

  /** Makes the key stream at least so long. */
  #extend(length: number): void {
    const known = this.#stream.length;
    const stream = new Uint8Array(Math.max(length, 2 * known, FIRST_BYTES));
    stream.set(this.#stream);
    const state = this.#state;
    let [i, j] = [this.#i, this.#j];
    for (let at = known; at < stream.length; at++) {
      i = (i + 1) & 0xff;
      const a = state[i] as number;
      j = (j + a) & 0xff;
      const b = state[j] as number;
      state[i] = b;
      state[j] = a;
      stream[at] = state[(a + b) & 0xff] as number;
    }
    this.#i = i;
    this.#j = j;
    this.#stream = stream;
  }
}
