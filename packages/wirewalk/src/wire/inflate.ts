/**
 * Raw DEFLATE: what the entries of a zip archive are packed with. Only reading.
 *
 * ```ts
 * import { inflateRaw, parseHex } from "wirewalk/wire";
 *
 * inflateRaw(parseHex("63 67 27 0e 00 00"), { limit: 64 }).length; // => 40
 * inflateRaw(parseHex("63 67 27 0e 00 00"), { limit: 39 }); // throws limit: Cannot read block: more than 39 bytes come out at byte 5
 * inflateRaw(parseHex("63 67"), { limit: 64 }); // throws truncated: Cannot read block: it ends early at byte 2
 * ```
 *
 * Source: RFC 1951.
 *
 * @module
 */
import { WireError } from "./wire-error.ts";

/** How a block is read. */
export interface InflateOptions {
  /** The most bytes that may come out. A block that would give more is refused (`limit`) before it gives them. */
  readonly limit: number;
}

/** The longest code, in bits. */
const MAX_BITS = 15;
/** Codes of up to so many bits are found by one look in a table. Longer ones are seldom. */
const TABLE_BITS = 10;
const FIRST_OUTPUT_BYTES = 16 * 1024;
/** No input byte gives more: a code of 1 bit for a match of 258 bytes and one of 1 bit for its distance. */
const MAX_RATIO = 1032;

const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
].concat([195, 227, 258]);
const lengthExtras = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceExtras = Array.from({ length: 30 }, (_, code) => Math.max(0, (code >> 1) - 1));
const distanceBases = distanceExtras.map((extra, code) => (code < 2 ? 1 + code : 1 + ((2 + (code & 1)) << extra)));
/** The order of the lengths of the codes of code lengths. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A code of Huffman, as a reader needs it. */
interface HuffmanCode {
  /** By the next {@link TABLE_BITS} bits: symbol << 4 | length. 0: a longer code, or none. */
  readonly table: Uint16Array;
  /** How many codes have each length. */
  readonly counts: Uint16Array;
  /** In the order of their codes. */
  readonly symbols: Uint16Array;
}

let fixedCodes: { readonly literals: HuffmanCode; readonly distances: HuffmanCode } | undefined;

/** The bytes of a whole block. Throws {@link WireError}: `truncated`, `limit`, `bad-value`, `trailing` for bytes after its end. */
export function inflateRaw(block: Uint8Array, { limit }: InflateOptions): Uint8Array<ArrayBuffer> {
  if (!(Number.isInteger(limit) && limit >= 0)) throw new RangeError(`limit must be a whole number, got ${limit}`);
  return new Inflater(block, limit).run();
}

class Inflater {
  readonly #block: Uint8Array;
  readonly #limit: number;
  #output: Uint8Array<ArrayBuffer>;
  #out = 0;
  #at = 0;
  /** Bits that are read and not used, the lowest first. */
  #bits = 0;
  #bitCount = 0;

  constructor(block: Uint8Array, limit: number) {
    this.#block = block;
    this.#limit = limit;
    this.#output = new Uint8Array(Math.min(limit, FIRST_OUTPUT_BYTES, block.length * MAX_RATIO));
  }

  run(): Uint8Array<ArrayBuffer> {
    for (let isLast = false; !isLast; ) {
      isLast = this.#take(1) === 1;
      const kind = this.#take(2);
      if (kind === 0) this.#stored();
      else if (kind === 1) {
        fixedCodes ??= makeFixedCodes();
        this.#packed(fixedCodes.literals, fixedCodes.distances);
      } else if (kind === 2) this.#ownCodes();
      else this.#refuse("bad-value", "kind 3 of a block");
    }
    const end = this.#at - (this.#bitCount >> 3);
    if (end < this.#block.length) this.#refuse("trailing", "bytes after its end");
    return this.#output.length === this.#out ? this.#output : this.#output.slice(0, this.#out);
  }

  #stored(): void {
    // From the next whole byte on.
    this.#at -= this.#bitCount >> 3;
    this.#bits = 0;
    this.#bitCount = 0;
    const block = this.#block;
    if (block.length - this.#at < 4) this.#refuse("truncated", "it ends early");
    const length = (block[this.#at] as number) | ((block[this.#at + 1] as number) << 8);
    const check = (block[this.#at + 2] as number) | ((block[this.#at + 3] as number) << 8);
    if ((length ^ check) !== 0xffff) this.#refuse("bad-value", `length ${length} and its complement ${check}`);
    this.#at += 4;
    if (block.length - this.#at < length) this.#refuse("truncated", "it ends early");
    this.#need(length);
    this.#output.set(block.subarray(this.#at, this.#at + length), this.#out);
    this.#at += length;
    this.#out += length;
  }

  /** A block that brings its codes along. */
  #ownCodes(): void {
    const literalCount = this.#take(5) + 257;
    const distanceCount = this.#take(5) + 1;
    const lengthCount = this.#take(4) + 4;
    if (literalCount > 286 || distanceCount > 30) {
      this.#refuse("bad-value", `${literalCount} codes of literals and ${distanceCount} of distances`);
    }
    const lengths = new Uint8Array(320);
    for (let i = 0; i < lengthCount; i++) lengths[lengthOrder[i] as number] = this.#take(3);
    const code = this.#codeOf(lengths.subarray(0, 19), false);
    lengths.fill(0);
    const total = literalCount + distanceCount;
    for (let i = 0; i < total; ) {
      const symbol = this.#symbol(code);
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) this.#refuse("bad-value", "a repeated length with none before it");
      const value = symbol === 16 ? (lengths[i - 1] as number) : 0;
      const times = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (i + times > total) this.#refuse("bad-value", "more lengths of codes than codes");
      lengths.fill(value, i, i + times);
      i += times;
    }
    if (lengths[256] === 0) this.#refuse("bad-value", "no code for its end");
    const literals = this.#codeOf(lengths.subarray(0, literalCount), true);
    this.#packed(literals, this.#codeOf(lengths.subarray(literalCount, total), true));
  }

  #packed(literals: HuffmanCode, distances: HuffmanCode): void {
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol < 256) {
        if (this.#out === this.#output.length) this.#need(1);
        this.#output[this.#out++] = symbol;
        continue;
      }
      if (symbol === 256) return;
      const lengthCode = symbol - 257;
      const length = (lengthBases[lengthCode] ?? 0) + this.#take(lengthExtras[lengthCode] ?? 0);
      if (lengthCode >= lengthBases.length) this.#refuse("bad-value", `symbol ${symbol}`);
      const distanceCode = this.#symbol(distances);
      if (distanceCode >= distanceBases.length) this.#refuse("bad-value", `distance code ${distanceCode}`);
      const distance = (distanceBases[distanceCode] as number) + this.#take(distanceExtras[distanceCode] as number);
      if (distance > this.#out) this.#refuse("bad-value", `a match ${distance} bytes back, ${this.#out} are there`);
      this.#need(length);
      const output = this.#output;
      let out = this.#out;
      for (const end = out + length; out < end; out++) output[out] = output[out - distance] as number;
      this.#out = out;
    }
  }

  /** Room for so many more bytes. */
  #need(count: number): void {
    const needed = this.#out + count;
    if (needed <= this.#output.length) return;
    if (needed > this.#limit) this.#refuse("limit", `more than ${this.#limit} bytes come out`);
    const larger = new Uint8Array(Math.min(this.#limit, Math.max(needed, this.#output.length * 2)));
    larger.set(this.#output.subarray(0, this.#out));
    this.#output = larger;
  }

  #take(count: number): number {
    while (this.#bitCount < count) {
      if (this.#at === this.#block.length) this.#refuse("truncated", "it ends early");
      this.#bits |= (this.#block[this.#at++] as number) << this.#bitCount;
      this.#bitCount += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  #symbol(code: HuffmanCode): number {
    while (this.#bitCount < MAX_BITS && this.#at < this.#block.length) {
      this.#bits |= (this.#block[this.#at++] as number) << this.#bitCount;
      this.#bitCount += 8;
    }
    const entry = code.table[this.#bits & ((1 << TABLE_BITS) - 1)] as number;
    const length = entry & 15;
    if (length === 0) return this.#longSymbol(code);
    if (length > this.#bitCount) this.#refuse("truncated", "it ends early");
    this.#bits >>>= length;
    this.#bitCount -= length;
    return entry >> 4;
  }

  /** Bit by bit: codes of one length are consecutive numbers. */
  #longSymbol({ counts, symbols }: HuffmanCode): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_BITS; length++) {
      code |= this.#take(1);
      const count = counts[length] as number;
      if (code - count < first) return symbols[index + code - first] as number;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return this.#refuse("bad-value", "bits that are no code");
  }

  /** A code that leaves bits without meaning is refused as zlib does: only one with a single symbol of one bit may. */
  #codeOf(lengths: Uint8Array, maySingle: boolean): HuffmanCode {
    const code = makeCode(lengths);
    let left = 1;
    for (let length = 1; length <= MAX_BITS; length++) {
      left = left * 2 - (code.counts[length] as number);
      if (left < 0) this.#refuse("bad-value", "more codes than bits allow");
    }
    const isShort = maySingle && code.symbols.length <= 1 && (code.symbols.length === 0 || code.counts[1] === 1);
    if (left > 0 && !isShort) this.#refuse("bad-value", "an incomplete code");
    return code;
  }

  #refuse(code: "truncated" | "limit" | "bad-value" | "trailing", why: string): never {
    const at = this.#at - (this.#bitCount >> 3);
    throw new WireError(code, `Cannot read block: ${why} at byte ${at}`, at * 8);
  }
}

/** The code with these lengths, by symbol; 0: the symbol has none. */
function makeCode(lengths: Uint8Array): HuffmanCode {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] as number) + 1;
  const offsets = new Uint16Array(MAX_BITS + 2);
  const codes = new Uint16Array(MAX_BITS + 2);
  for (let length = 1; length <= MAX_BITS; length++) {
    offsets[length + 1] = (offsets[length] as number) + (counts[length] as number);
    codes[length + 1] = ((codes[length] as number) + (counts[length] as number)) << 1;
  }
  const symbols = new Uint16Array(offsets[MAX_BITS + 1] as number);
  const table = new Uint16Array(1 << TABLE_BITS);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length === 0) continue;
    symbols[offsets[length] as number] = symbol;
    offsets[length] = (offsets[length] as number) + 1;
    const code = codes[length] as number;
    codes[length] = code + 1;
    if (length > TABLE_BITS) continue;
    // In the stream a code stands with its highest bit first.
    let reversed = 0;
    for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
    for (let at = reversed; at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
  }
  return { table, counts, symbols };
}

function makeFixedCodes() {
  const literals = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return { literals: makeCode(literals), distances: makeCode(new Uint8Array(32).fill(5)) };
}
