/** What the texts of `.wz` files are scrambled with: a stream of bytes from AES-256, the same for all texts of a client. */
import { Aes256 } from "../wire/aes.ts";
import { aesKey } from "../wire/cipher.ts";

const BLOCK_BYTES = 16;

/** A stream of bytes, computed as far as it is asked for. */
export class WzKey {
  readonly name: string;
  readonly #iv: readonly number[];
  #stream: Uint8Array = new Uint8Array(0);

  /** Without the four bytes of an IV the stream is of zeros. */
  constructor(name: string, iv: readonly number[] = []) {
    this.name = name;
    this.#iv = iv;
  }

  /** At least the first `length` bytes. */
  stream(length: number): Uint8Array {
    if (this.#stream.length < length) this.#stream = this.#compute(Math.max(length, 2 * this.#stream.length, 256));
    return this.#stream;
  }

  /** Zeros in CBC: each block is the one before, encrypted. */
  #compute(length: number): Uint8Array {
    const stream = new Uint8Array(Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES);
    if (this.#iv.length === 0) return stream;
    const aes = new Aes256(aesKey);
    const block = Uint8Array.from({ length: BLOCK_BYTES }, (_, index) => this.#iv[index & 3] as number);
    for (let at = 0; at < stream.length; at += BLOCK_BYTES) {
      aes.encryptBlock(block);
      stream.set(block, at);
    }
    return stream;
  }
}

/** The streams of clients, in the order in which they are tried. */
export const wzKeys: readonly WzKey[] = [
  new WzKey("GMS", [0x4d, 0x23, 0xc7, 0x2b]),
  new WzKey("EMS and SEA", [0xb9, 0x7d, 0x63, 0xe9]),
  new WzKey("none"),
];
