/** Frames of v62 and v83: a header that only the right IV can read, and a ciphered body (standard 2.3 to 2.6). */
import { applyAesOfb, decryptShanda, encryptShanda, IV_BYTES, rollIv } from "./cipher.ts";
import { ivBytes, KEYSTREAM_BYTES, KEYSTREAM_WORDS, type Keystreams } from "./keystreams.ts";

/** The sender of a direction. The server's headers have the version inverted. */
export type CipherSender = "client" | "server";

/** Bytes of a frame's header. */
export const HEADER_BYTES = 4;

/**
 * What a payload's frames have in common: the payload's length where the header will be, and the scrambled body, which
 * depends on no IV.
 */
export function prepareFrame(payload: Uint8Array): Uint8Array {
  const { length } = payload;
  const prepared = new Uint8Array(HEADER_BYTES + length);
  prepared[0] = length;
  prepared[1] = length >> 8;
  const body = prepared.subarray(HEADER_BYTES);
  body.set(payload);
  encryptShanda(body);
  return prepared;
}

/** One direction of one connection: its IV, which every packet rolls. */
export class PacketCipher {
  #iv: Uint8Array;
  readonly #version: number;

  constructor(sender: CipherSender, iv: Uint8Array, version: number) {
    if (iv.length !== IV_BYTES) throw new RangeError(`iv must have ${IV_BYTES} bytes, got ${iv.length}`);
    this.#iv = iv.slice();
    this.#version = sender === "client" ? version : 0xffff - version;
  }

  /** The IV of the next packet. */
  get iv(): Uint8Array {
    return this.#iv.slice();
  }

  /** The first half of the next header; the second is this XOR the length. */
  get mark(): number {
    return ((this.#iv[2] as number) | ((this.#iv[3] as number) << 8)) ^ this.#version;
  }

  /** A payload as a frame: header and ciphered body. Rolls the IV. */
  seal(payload: Uint8Array): Uint8Array {
    const frame = prepareFrame(payload);
    this.#finish(frame, 0, payload.length);
    return frame;
  }

  /**
   * Frames out of prepared ones in one piece, written to `into`; the IV rolls for each. The keystreams of a chain make it
   * fast while the IV is one of theirs and bodies are no longer than what it keeps.
   */
  sealPrepared(prepared: Uint8Array, into: Uint8Array, keystreams: Keystreams): void {
    const { length } = prepared;
    const from = new DataView(prepared.buffer, prepared.byteOffset, length);
    const to = new DataView(into.buffer, into.byteOffset, length);
    const { ivs, words } = keystreams;
    let place = keystreams.placeOf(this.#iv);
    for (let at = 0; at < length; ) {
      const bodyLength = from.getUint16(at, true);
      const start = at + HEADER_BYTES;
      const end = start + bodyLength;
      if (place === undefined || bodyLength > KEYSTREAM_BYTES) {
        if (place !== undefined) this.#iv = ivBytes(ivs[place] as number);
        into.set(prepared.subarray(at, end), at);
        this.#finish(into, at, bodyLength);
        place = place === undefined ? undefined : keystreams.next(place);
        at = end;
        continue;
      }
      keystreams.fill(place);
      const mark = ((ivs[place] as number) >>> 16) ^ this.#version;
      to.setInt32(at, mark | ((mark ^ bodyLength) << 16), true);
      let word = place * KEYSTREAM_WORDS;
      let index = start;
      // The last word may reach into the next frame, which is written after it.
      for (; index < end && index + 4 <= length; index += 4) {
        to.setInt32(index, from.getInt32(index, true) ^ (words[word++] as number), true);
      }
      for (let shift = 0; index < end; index++, shift += 8) {
        into[index] = (prepared[index] as number) ^ ((words[word] as number) >>> shift);
      }
      const next = keystreams.next(place);
      if (next === undefined) this.#iv = rollIv(ivBytes(ivs[place] as number));
      place = next;
      at = end;
    }
    if (place !== undefined) this.#iv = ivBytes(ivs[place] as number);
  }

  /** Deciphers a frame's body in place. Rolls the IV. */
  open(body: Uint8Array): void {
    applyAesOfb(body, this.#iv);
    decryptShanda(body);
    this.#iv = rollIv(this.#iv);
  }

  /** Turns a prepared frame into a frame, in place. Rolls the IV. */
  #finish(bytes: Uint8Array, at: number, length: number): void {
    const { mark } = this;
    const second = mark ^ length;
    bytes[at] = mark;
    bytes[at + 1] = mark >> 8;
    bytes[at + 2] = second;
    bytes[at + 3] = second >> 8;
    applyAesOfb(bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length), this.#iv);
    this.#iv = rollIv(this.#iv);
  }
}
