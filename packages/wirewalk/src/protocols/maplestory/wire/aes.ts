/**
 * AES-256, encryption of one block, which is all that output feedback needs. Own code: browsers do not offer the bare block
 * cipher, and Node's OpenSSL does not offer OFB with MapleStory's restarts.
 *
 * Source: FIPS 197. The round transformation is four table look-ups per column, as its authors propose.
 */

const BLOCK_BYTES = 16;
const KEY_BYTES = 32;
const ROUNDS = 14;

/** Multiplies by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. */
function xtime(byte: number): number {
  return ((byte << 1) ^ ((byte & 0x80) !== 0 ? 0x11b : 0)) & 0xff;
}

const sbox = new Uint8Array(256);
/** SubBytes and MixColumns of a byte in the first row, as a column, first row in the high byte; others are its rotations. */
const mixed = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)] as const;

function fillTables(): void {
  // Walking through the field by the generator 3 and, with it, by its inverse pairs each byte with its reciprocal.
  let p = 1;
  let q = 1;
  do {
    p = p ^ xtime(p);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 0xff;
    if ((q & 0x80) !== 0) q ^= 0x09;
    const spread = q | (q << 8);
    sbox[p] = (q ^ (spread >> 7) ^ (spread >> 6) ^ (spread >> 5) ^ (spread >> 4) ^ 0x63) & 0xff;
  } while (p !== 1);
  sbox[0] = 0x63;
  for (let byte = 0; byte < 256; byte++) {
    const s = sbox[byte] as number;
    const twice = xtime(s);
    let column = ((twice << 24) | (s << 16) | (s << 8) | (twice ^ s)) >>> 0;
    for (const table of mixed) {
      table[byte] = column;
      column = ((column >>> 8) | (column << 24)) >>> 0;
    }
  }
}
fillTables();

function subWord(word: number): number {
  return (
    ((sbox[word >>> 24] as number) << 24) |
    ((sbox[(word >>> 16) & 0xff] as number) << 16) |
    ((sbox[(word >>> 8) & 0xff] as number) << 8) |
    (sbox[word & 0xff] as number)
  );
}

/** A key ready to encrypt blocks. */
export class Aes256 {
  readonly #round = new Uint32Array(4 * (ROUNDS + 1));

  /** Throws `RangeError` unless the key has 32 bytes. */
  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES) throw new RangeError(`key must have ${KEY_BYTES} bytes, got ${key.length}`);
    const words = this.#round;
    for (let index = 0; index < 8; index++) words[index] = readWord(key, index * 4);
    let constant = 1;
    for (let index = 8; index < words.length; index++) {
      let word = words[index - 1] as number;
      if (index % 8 === 0) {
        word = subWord((word << 8) | (word >>> 24)) ^ (constant << 24);
        constant = xtime(constant);
      } else if (index % 8 === 4) {
        word = subWord(word);
      }
      words[index] = (words[index - 8] as number) ^ word;
    }
  }

  /** Encrypts the 16 bytes of `block` in place. Throws `RangeError` for another length. */
  encryptBlock(block: Uint8Array): void {
    if (block.length !== BLOCK_BYTES) throw new RangeError(`block must have ${BLOCK_BYTES} bytes, got ${block.length}`);
    const key = this.#round;
    const [t0, t1, t2, t3] = mixed;
    let a = readWord(block, 0) ^ (key[0] as number);
    let b = readWord(block, 4) ^ (key[1] as number);
    let c = readWord(block, 8) ^ (key[2] as number);
    let d = readWord(block, 12) ^ (key[3] as number);
    const column = (w: number, x: number, y: number, z: number, round: number): number =>
      (t0[w >>> 24] as number) ^
      (t1[(x >>> 16) & 0xff] as number) ^
      (t2[(y >>> 8) & 0xff] as number) ^
      (t3[z & 0xff] as number) ^
      (key[round] as number);
    for (let round = 4; round < 4 * ROUNDS; round += 4) {
      const nextA = column(a, b, c, d, round);
      const nextB = column(b, c, d, a, round + 1);
      const nextC = column(c, d, a, b, round + 2);
      d = column(d, a, b, c, round + 3);
      a = nextA;
      b = nextB;
      c = nextC;
    }
    const last = (w: number, x: number, y: number, z: number, at: number): void => {
      const word = subWord((w & 0xff000000) | (x & 0xff0000) | (y & 0xff00) | (z & 0xff));
      writeWord(block, at, word ^ (key[4 * ROUNDS + (at >> 2)] as number));
    };
    last(a, b, c, d, 0);
    last(b, c, d, a, 4);
    last(c, d, a, b, 8);
    last(d, a, b, c, 12);
  }
}

function readWord(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}
