/**
 * Fragments as rows of one typed array: for relays and rules that look at a packet and keep nothing of it. A reused
 * `FragmentRows` reads packets without allocating anything.
 *
 * ```ts
 * const rows = new FragmentRows();
 * rows.read(path, 4, v62Fragments); // start position, then count and fragments
 * rows.count; // 3
 * rows.durationMs(0); // 120
 * ```
 */
import { readAt, WireError } from "../../../wire/index.ts";
import * as fragmentBytes from "./fragment-bytes.ts";
import { MAX_FRAGMENTS } from "./fragment-io.ts";
import type { FragmentTable, TypeRow } from "./fragment-table.ts";

// As in `fragment-io.ts`, which says why.
const { ABSOLUTE_BYTES, i32, MAX_OFFSET, NO_TYPE, readDescribed, fragmentRefusal, u16, u24 } = fragmentBytes;

/** Words of 32 bits in a row: 16 bytes hold any fragment but for the offsets of `v95`, which no rule reads. The first field of a word is in its low bits. */
const ROW_WORDS = 4;
/** Type, state, duration. */
const HEAD = 0;
/** x and y. */
const POSITION = 1;
/** vx and vy. */
const VELOCITY = 2;
/** The foothold and `fallStart`, `unknown` or `data`: no fragment has two of these. */
const FOOTHOLDS = 3;

/** The fragments of one packet at a time. Fields that a fragment does not have are 0. */
export class FragmentRows {
  readonly #words = new Int32Array(MAX_FRAGMENTS * ROW_WORDS);
  #count = 0;

  /** How many fragments were read. */
  get count(): number {
    return this.#count;
  }

  type(row: number): number {
    return (this.#words[row * ROW_WORDS + HEAD] as number) & 0xff;
  }

  state(row: number): number {
    return ((this.#words[row * ROW_WORDS + HEAD] as number) >> 8) & 0xff;
  }

  durationMs(row: number): number {
    return (this.#words[row * ROW_WORDS + HEAD] as number) >>> 16;
  }

  x(row: number): number {
    return low(this.#words[row * ROW_WORDS + POSITION] as number);
  }

  y(row: number): number {
    return high(this.#words[row * ROW_WORDS + POSITION] as number);
  }

  vx(row: number): number {
    return low(this.#words[row * ROW_WORDS + VELOCITY] as number);
  }

  vy(row: number): number {
    return high(this.#words[row * ROW_WORDS + VELOCITY] as number);
  }

  /** Signed, as in `v62`; the foothold of a `documented` jump down is unsigned there. */
  foothold(row: number): number {
    return low(this.#words[row * ROW_WORDS + FOOTHOLDS] as number);
  }

  /** `fallStart`, `unknown` (signed here) or `data`, whichever the fragment has. */
  extra(row: number): number {
    return high(this.#words[row * ROW_WORDS + FOOTHOLDS] as number);
  }

  /**
   * Reads a count and its fragments from `at` on, and gives the offset after them. Throws `WireError` with a path that
   * starts at `fragments`; the rows are then those before the one that was refused.
   */
  read(bytes: Uint8Array, at: number, table: FragmentTable): number {
    const { absoluteTypes } = table;
    const words = this.#words;
    const length = Math.min(bytes.length, MAX_OFFSET);
    this.#count = 0;
    if (at >= length) throw missingCount(bytes.length);
    const count = bytes[at++] as number;
    let index = 0;
    for (; index < count && at + ABSOLUTE_BYTES <= length; index++) {
      const from = at & MAX_OFFSET;
      const type = bytes[from] as number;
      const isAbsolute = type < 32 && ((absoluteTypes >>> type) & 1) === 1;
      if (!isAbsolute) break;
      const row = index * ROW_WORDS;
      words[row + HEAD] = type | (u24(bytes, from + 11) << 8);
      words[row + POSITION] = i32(bytes, from + 1);
      words[row + VELOCITY] = i32(bytes, from + 5);
      words[row + FOOTHOLDS] = u16(bytes, from + 9);
      at += ABSOLUTE_BYTES;
    }
    if (index < count) return this.#readRest(bytes, at, index, count, table);
    this.#count = count;
    return at;
  }

  /** Reads what is left from `index` on, of any kind. */
  #readRest(bytes: Uint8Array, at: number, index: number, count: number, table: FragmentTable): number {
    const { types } = table;
    const words = this.#words;
    const length = Math.min(bytes.length, MAX_OFFSET);
    for (; index < count; index++) {
      const from = at & MAX_OFFSET;
      const type = at < length ? (bytes[from] as number) : NO_TYPE;
      const { size, shape } = types[type] as TypeRow;
      // An unknown type has size 0.
      if (size === 0 || at + size > length) this.#refuse(bytes, at, index, table);
      let position = 0;
      let velocity = 0;
      let footholds = 0;
      let tail = 0;
      switch (shape) {
        case "absolute":
          position = i32(bytes, from + 1);
          velocity = i32(bytes, from + 5);
          footholds = u16(bytes, from + 9);
          tail = u24(bytes, from + 11);
          break;
        case "fallDown":
          position = i32(bytes, from + 1);
          velocity = i32(bytes, from + 5);
          footholds = i32(bytes, from + 9);
          tail = u24(bytes, from + 13);
          break;
        case "relative":
          velocity = i32(bytes, from + 1);
          tail = u24(bytes, from + 5);
          break;
        case "instant":
          position = i32(bytes, from + 1);
          footholds = u16(bytes, from + 5);
          tail = u24(bytes, from + 7);
          break;
        case "startFallDown":
          velocity = i32(bytes, from + 1);
          footholds = u16(bytes, from + 5) << 16;
          tail = u24(bytes, from + 7);
          break;
        case "equipment":
          footholds = (bytes[from + 1] as number) << 16;
          break;
        default: {
          const { x, y, vx, vy, foothold, fallStart, unknown, data, state, durationMs } = readDescribed(
            bytes,
            at,
            index,
            table,
          );
          position = pair(x, y);
          velocity = pair(vx, vy);
          footholds = pair(foothold, fallStart | unknown | data);
          tail = state | (durationMs << 8);
        }
      }
      // One place that stores, whatever was read: stores in every case cost 3 ns more per fragment.
      const row = index * ROW_WORDS;
      words[row + HEAD] = type | (tail << 8);
      words[row + POSITION] = position;
      words[row + VELOCITY] = velocity;
      words[row + FOOTHOLDS] = footholds;
      at += size;
    }
    this.#count = count;
    return at;
  }

  #refuse(bytes: Uint8Array, at: number, index: number, table: FragmentTable): never {
    this.#count = index;
    throw readAt("fragments", () => fragmentRefusal(bytes, at, index, table));
  }
}

/** Two fields of 16 bits as one word. */
function pair(low: number, high: number): number {
  return (low & 0xffff) | (high << 16);
}

function low(word: number): number {
  return (word << 16) >> 16;
}

function high(word: number): number {
  return word >> 16;
}

function missingCount(at: number): WireError {
  const why = `1 byte needed, 0 left at byte ${at}`;
  return new WireError("truncated", `Cannot read fragments.count: ${why}`, at * 8, "fragments.count");
}
