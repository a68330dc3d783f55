/** The tables of Zstandard: finite state entropy (RFC 8878, section 4.1) and Huffman codes (4.2). */
import { type BackwardBits, BackwardBits as Bits, ForwardBits, highestBit } from "./bit-readers.ts";

/** A table of finite state entropy: what each state stands for, and how the next one is found. */
export interface FseTable {
  readonly accuracy: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** A table and the bytes that described it. */
export interface ReadTable<T> {
  readonly table: T;
  readonly bytes: number;
}

/** A table that has one symbol. */
export function singleSymbol(symbol: number): FseTable {
  return { accuracy: 0, symbols: Uint8Array.of(symbol), bits: Uint8Array.of(0), bases: Uint16Array.of(0) };
}

/** From counts of symbols, of which -1 is less than one (4.1.1). */
export function fseTable(counts: readonly number[], accuracy: number): FseTable {
  const size = 1 << accuracy;
  const symbols = new Uint8Array(size);
  const next = counts.map((count) => Math.abs(count));
  let high = size;
  for (const [symbol, count] of counts.entries()) {
    if (count !== -1) continue;
    high -= 1;
    symbols[high] = symbol;
  }
  const step = (size >> 1) + (size >> 3) + 3;
  let place = 0;
  for (const [symbol, count] of counts.entries()) {
    for (let index = 0; index < count; index++) {
      symbols[place] = symbol;
      do place = (place + step) & (size - 1);
      while (place >= high);
    }
  }
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] as number;
    const count = next[symbol] as number;
    next[symbol] = count + 1;
    const width = accuracy - highestBit(count);
    bits[state] = width;
    bases[state] = (count << width) - size;
  }
  return { accuracy, symbols, bits, bases };
}

/** The description of a table. Throws `RangeError` for one that cannot be. */
export function readFseTable(bytes: Uint8Array, maxAccuracy: number, maxSymbols: number): ReadTable<FseTable> {
  const input = new ForwardBits(bytes);
  const accuracy = 5 + input.read(4);
  if (accuracy > maxAccuracy) throw new RangeError(`a table of zstd has an accuracy of ${accuracy} bits`);
  const counts: number[] = [];
  let remaining = 1 << accuracy;
  while (remaining > 0) {
    const width = highestBit(remaining + 1) + 1;
    const lowMask = (1 << (width - 1)) - 1;
    const threshold = (1 << width) - 2 - remaining;
    let value = input.read(width);
    if ((value & lowMask) < threshold) {
      input.unread();
      value &= lowMask;
    } else if (value > lowMask) value -= threshold;
    const count = value - 1;
    remaining -= Math.abs(count);
    counts.push(count);
    for (let repeat = count === 0 ? 3 : 0; repeat === 3; ) {
      repeat = input.read(2);
      for (let index = 0; index < repeat; index++) counts.push(0);
    }
    if (counts.length > maxSymbols) throw new RangeError("a table of zstd has too many symbols");
  }
  if (remaining < 0) throw new RangeError("the counts of a table of zstd are more than its states");
  return { table: fseTable(counts, accuracy), bytes: input.usedBytes };
}

/** A state that walks through a table. */
export class FseState {
  readonly #table: FseTable;
  readonly #input: BackwardBits;
  #state: number;

  constructor(table: FseTable, input: BackwardBits) {
    this.#table = table;
    this.#input = input;
    this.#state = input.read(table.accuracy);
  }

  get symbol(): number {
    return this.#table.symbols[this.#state] as number;
  }

  advance(): void {
    const { bases, bits } = this.#table;
    this.#state = (bases[this.#state] as number) + this.#input.read(bits[this.#state] as number);
  }
}

/** Codes by their bits: each place has a symbol and its length. */
export interface HuffmanTable {
  readonly bits: number;
  readonly symbols: Uint8Array;
  readonly lengths: Uint8Array;
}

const MAX_HUFFMAN_BITS = 11;
const MAX_WEIGHTS_ACCURACY = 6;
/** Headers from here on have plain weights, 4 bits each. */
const PLAIN_WEIGHTS = 128;

/** The description of a Huffman tree (4.2.1). Throws `RangeError` for one that cannot be. */
export function readHuffmanTable(bytes: Uint8Array): ReadTable<HuffmanTable> {
  const header = bytes[0] ?? 0;
  if (header >= PLAIN_WEIGHTS) {
    const count = header - PLAIN_WEIGHTS + 1;
    const weights = Array.from({ length: count }, (_, index) => {
      const pair = bytes[1 + (index >> 1)] ?? 0;
      return index % 2 === 0 ? pair >> 4 : pair & 0xf;
    });
    return { table: huffmanTable(weights), bytes: 1 + ((count + 1) >> 1) };
  }
  const end = 1 + header;
  const { table, bytes: used } = readFseTable(bytes.subarray(1, end), MAX_WEIGHTS_ACCURACY, 256);
  return { table: huffmanTable(readWeights(table, new Bits(bytes.subarray(1 + used, end)))), bytes: end };
}

/** Two states take turns until the bits are used up. */
function readWeights(table: FseTable, input: BackwardBits): readonly number[] {
  const weights: number[] = [];
  let state = new FseState(table, input);
  let other = new FseState(table, input);
  while (weights.length < 256) {
    weights.push(state.symbol);
    state.advance();
    if (input.left < 0) {
      weights.push(other.symbol);
      return weights;
    }
    [state, other] = [other, state];
  }
  throw new RangeError("a Huffman tree of zstd has too many weights");
}

/** The weight of the last symbol is what is left of a power of two. */
function huffmanTable(weights: readonly number[]): HuffmanTable {
  const sum = weights.reduce((total, weight) => total + (weight === 0 ? 0 : 1 << (weight - 1)), 0);
  if (sum === 0) throw new RangeError("a Huffman tree of zstd has no symbol");
  const bits = highestBit(sum) + 1;
  const left = (1 << bits) - sum;
  if (bits > MAX_HUFFMAN_BITS || (left & (left - 1)) !== 0)
    throw new RangeError("a Huffman tree of zstd has no whole weights");
  const all = [...weights, highestBit(left) + 1];
  const symbols = new Uint8Array(1 << bits);
  const lengths = new Uint8Array(1 << bits);
  let place = 0;
  for (let weight = 1; weight <= bits; weight++) {
    for (const [symbol, each] of all.entries()) {
      if (each !== weight) continue;
      const end = place + (1 << (weight - 1));
      symbols.fill(symbol, place, end);
      lengths.fill(bits + 1 - weight, place, end);
      place = end;
    }
  }
  return { bits, symbols, lengths };
}

/** Fills `out` with the symbols of a stream. Throws `RangeError` when it has not exactly so many. */
export function readHuffmanStream({ bits, symbols, lengths }: HuffmanTable, stream: Uint8Array, out: Uint8Array): void {
  const input = new Bits(stream);
  for (let at = 0; at < out.length; at++) {
    const code = input.peek(bits);
    out[at] = symbols[code] as number;
    input.left -= lengths[code] as number;
  }
  if (input.left !== 0) throw new RangeError("a Huffman stream of zstd does not end with its last symbol");
}
