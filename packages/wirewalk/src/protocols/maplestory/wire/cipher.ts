/**
 * The cipher of v62 and v83: Shanda, the game's own scrambling, then AES-256 in output feedback with an IV of four bytes. Each
 * direction has an IV, which is rolled after each packet. The keys are in every client: the cipher hides nothing, it only
 * shows whether both ends have counted the same packets.
 *
 * Source: docs/protocols/maplestory.md 2.3 to 2.5; `vectors/maplestory-v62-carrier.json`.
 */
import { parseHex } from "../../../wire/index.ts";
import { Aes256 } from "./aes.ts";

/** Bytes of an IV. */
export const IV_BYTES = 4;

/** Each byte is followed by three zeros. */
export const aesKey: Uint8Array = Uint8Array.from(
  [0x13, 0x08, 0x06, 0xb4, 0x1b, 0x0f, 0x33, 0x52].flatMap((byte) => [byte, 0, 0, 0]),
);
const aes = new Aes256(aesKey);

/** The table of the IV roll. */
export const ivTable: Uint8Array = parseHex(
  "ec3f77a445d071bfb79820fc4be9b3e15c22f70c441b81bd638dd4c3f21019e0fba16e66eaaed6ce06184eeb7895dbbab6427a2a830b54676de865e72f07f3aa" +
    "277b85b026fd8ba9fabea8d7cbcc92daf993602dddd2a29b395f82214c69f83187ee8ead8c6abcb56b5913f10400f65a3579488f15cd9757123e37ff9d4f51f5" +
    "a370bb1475c2b872c0ed7d68c92e0d624617114d6cc47e53c125c79a1c88582c89dc026440015d38a5e2af55d5ef1a7ca75ba66f869f73e60ade2b994a479cdf" +
    "09769e300ee4b294a03b341d280f36e323b403d890c83cfe5e3224501f3a438a964174ac5233f0d92980b116d3ab91b9847f611ecfc5d1563dcaf405c6e50849",
);

const rol = (byte: number, bits: number): number => ((byte << bits) | (byte >> (8 - bits))) & 0xff;
const ror = (byte: number, bits: number): number => ((byte >> bits) | (byte << (8 - bits))) & 0xff;

/** Pairs of passes, one forwards and one backwards. */
export const SHANDA_ROUNDS = 3;

/** Scrambles in place. */
export function encryptShanda(data: Uint8Array): void {
  for (let round = 0; round < SHANDA_ROUNDS; round++) {
    let previous = 0;
    let length = data.length & 0xff;
    for (let at = 0; at < data.length; at++) {
      previous ^= (rol(data[at] as number, 3) + length) & 0xff;
      data[at] = ~ror(previous, length & 7) + 0x48;
      length = (length - 1) & 0xff;
    }
    previous = 0;
    length = data.length & 0xff;
    for (let at = data.length - 1; at >= 0; at--) {
      previous ^= (rol(data[at] as number, 4) + length) & 0xff;
      data[at] = ror(previous ^ 0x13, 3);
      length = (length - 1) & 0xff;
    }
  }
}

/** The reverse of {@link encryptShanda}, in place. */
export function decryptShanda(data: Uint8Array): void {
  for (let round = 0; round < SHANDA_ROUNDS; round++) {
    let previous = 0;
    let length = data.length & 0xff;
    for (let at = data.length - 1; at >= 0; at--) {
      const scrambled = rol(data[at] as number, 3) ^ 0x13;
      data[at] = ror(((scrambled ^ previous) - length) & 0xff, 4);
      previous = scrambled;
      length = (length - 1) & 0xff;
    }
    previous = 0;
    length = data.length & 0xff;
    for (let at = 0; at < data.length; at++) {
      const scrambled = rol(~((data[at] as number) - 0x48) & 0xff, length & 7);
      data[at] = ror(((scrambled ^ previous) - length) & 0xff, 3);
      previous = scrambled;
      length = (length - 1) & 0xff;
    }
  }
}

/** The feedback restarts after this many bytes, the first time earlier: the client counts the header of four bytes too. */
export const FIRST_STRETCH_BYTES = 1456;
export const STRETCH_BYTES = 1460;

/** Output feedback over `data` in place, from an IV of four bytes; the same call decrypts. */
export function applyAesOfb(data: Uint8Array, iv: Uint8Array): void {
  const block = new Uint8Array(16);
  let stretch = FIRST_STRETCH_BYTES;
  for (let start = 0; start < data.length; ) {
    const end = Math.min(start + stretch, data.length);
    for (let index = 0; index < 16; index++) block[index] = iv[index & 3] as number;
    for (let at = start; at < end; at++) {
      const within = (at - start) & 15;
      if (within === 0) aes.encryptBlock(block);
      data[at] = (data[at] as number) ^ (block[within] as number);
    }
    start = end;
    stretch = STRETCH_BYTES;
  }
}

/** The IV after a packet. */
export function rollIv(iv: Uint8Array): Uint8Array {
  const [first, second, third, fourth] = [iv[0] as number, iv[1] as number, iv[2] as number, iv[3] as number];
  const word = rollWord(first | (second << 8) | (third << 16) | (fourth << 24));
  return Uint8Array.of(word, word >> 8, word >> 16, word >> 24);
}

/** The same with the IV as a number, its first byte the lowest: 65,536 of them are tried in a search. */
export function rollWord(iv: number): number {
  let [n0, n1, n2, n3] = [0xf2, 0x53, 0x50, 0xc6];
  for (let shift = 0; shift < 32; shift += 8) {
    const a = (iv >>> shift) & 0xff;
    const ta = ivTable[a] as number;
    const first = (n0 + (ivTable[n1] as number) - a) & 0xff;
    const second = (n1 - (n2 ^ ta)) & 0xff;
    const third = (n2 ^ ((ivTable[n3] as number) + a)) & 0xff;
    const fourth = (n3 - first + ta) & 0xff;
    const word = first | (second << 8) | (third << 16) | (fourth << 24);
    const rolled = (word << 3) | (word >>> 29);
    n0 = rolled & 0xff;
    n1 = (rolled >>> 8) & 0xff;
    n2 = (rolled >>> 16) & 0xff;
    n3 = (rolled >>> 24) & 0xff;
  }
  return n0 | (n1 << 8) | (n2 << 16) | (n3 << 24);
}
