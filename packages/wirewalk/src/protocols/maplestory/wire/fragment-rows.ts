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
import { on, refusal } from "../../../wire/compiled/index.ts";
import type { WireError } from "../../../wire/index.ts";
import { MAX_FRAGMENTS } from "./fragment-io.ts";
import type { FragmentTable } from "./fragment-table.ts";

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
  read(bytes: Uint8Array, at: number, { compiled }: FragmentTable): number {
    const { length } = bytes;
    const count = compiled.rows.fragments(bytes, at < length ? at : length, length, this.#words);
    if (count === undefined) throw this.#refused();
    this.#count = count;
    return compiled.rowsEnd();
  }

  #refused(): WireError {
    on("fragments");
    const error = refusal();
    const [, row = "0"] = /^fragments\[(\d+)\]/.exec(error.path) ?? [];
    this.#count = Number(row);
    return error;
  }
}

function low(word: number): number {
  return (word << 16) >> 16;
}

function high(word: number): number {
  return word >> 16;
}
