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
import { WireError } from "../../wire/index.ts";
import { type FragmentTable, shapes, type TypeRow } from "./fragment.ts";
import { MAX_FRAGMENTS, refuse } from "./fragment-io.ts";

/** Words of 16 bits in a row: 16 bytes hold any fragment. */
const ROW_WORDS = 8;
const TYPE_AND_STATE = 0;
const X = 1;
const Y = 2;
const VX = 3;
const VY = 4;
const FOOTHOLD = 5;
/** `fallStart`, `unknown` or `data`: no fragment has two of them. */
const EXTRA = 6;
const DURATION = 7;

/** The fragments of one packet at a time. Fields that a fragment does not have are 0. */
export class FragmentRows {
  readonly #words = new Int16Array(MAX_FRAGMENTS * ROW_WORDS);
  #count = 0;

  /** How many fragments were read. */
  get count(): number {
    return this.#count;
  }

  type(row: number): number {
    return (this.#words[row * ROW_WORDS + TYPE_AND_STATE] as number) & 0xff;
  }

  state(row: number): number {
    return ((this.#words[row * ROW_WORDS + TYPE_AND_STATE] as number) >> 8) & 0xff;
  }

  x(row: number): number {
    return this.#words[row * ROW_WORDS + X] as number;
  }

  y(row: number): number {
    return this.#words[row * ROW_WORDS + Y] as number;
  }

  vx(row: number): number {
    return this.#words[row * ROW_WORDS + VX] as number;
  }

  vy(row: number): number {
    return this.#words[row * ROW_WORDS + VY] as number;
  }

  /** Signed, as in `v62`; the foothold of a `documented` jump down is unsigned there. */
  foothold(row: number): number {
    return this.#words[row * ROW_WORDS + FOOTHOLD] as number;
  }

  /** `fallStart`, `unknown` (signed here) or `data`, whichever the fragment has. */
  extra(row: number): number {
    return this.#words[row * ROW_WORDS + EXTRA] as number;
  }

  durationMs(row: number): number {
    return (this.#words[row * ROW_WORDS + DURATION] as number) & 0xffff;
  }

  /**
   * Reads a count and its fragments from `at` on, and gives the offset after them. Throws `WireError` with a path that
   * starts at `fragments`; the rows are then those before the one that was refused.
   */
  read(bytes: Uint8Array, at: number, table: FragmentTable): number {
    const { types } = table;
    const length = bytes.length;
    const words = this.#words;
    this.#count = 0;
    if (at >= length) throw missingCount(length);
    const count = bytes[at++] as number;
    for (let index = 0, row = 0; index < count; index++, row += ROW_WORDS) {
      const type = at < length ? (bytes[at] as number) : 0;
      const { size, shape } = types[type] as TypeRow;
      // A type that there is not has size 0.
      if (size === 0 || at + size > length) this.#refuse(bytes, at, index, table);
      let x = 0;
      let y = 0;
      let vx = 0;
      let vy = 0;
      let foothold = 0;
      let extra = 0;
      let state = 0;
      let durationMs = 0;
      switch (shape) {
        case shapes.absolute:
          // Written out: nearly all fragments are absolute, and calls are only inlined up to a limit.
          x = (bytes[at + 1] as number) | ((bytes[at + 2] as number) << 8);
          y = (bytes[at + 3] as number) | ((bytes[at + 4] as number) << 8);
          vx = (bytes[at + 5] as number) | ((bytes[at + 6] as number) << 8);
          vy = (bytes[at + 7] as number) | ((bytes[at + 8] as number) << 8);
          foothold = (bytes[at + 9] as number) | ((bytes[at + 10] as number) << 8);
          state = bytes[at + 11] as number;
          durationMs = (bytes[at + 12] as number) | ((bytes[at + 13] as number) << 8);
          break;
        case shapes.fallDown:
          x = word(bytes, at + 1);
          y = word(bytes, at + 3);
          vx = word(bytes, at + 5);
          vy = word(bytes, at + 7);
          foothold = word(bytes, at + 9);
          extra = word(bytes, at + 11);
          state = bytes[at + 13] as number;
          durationMs = word(bytes, at + 14);
          break;
        case shapes.relative:
          vx = word(bytes, at + 1);
          vy = word(bytes, at + 3);
          state = bytes[at + 5] as number;
          durationMs = word(bytes, at + 6);
          break;
        case shapes.instant:
          x = word(bytes, at + 1);
          y = word(bytes, at + 3);
          foothold = word(bytes, at + 5);
          state = bytes[at + 7] as number;
          durationMs = word(bytes, at + 8);
          break;
        case shapes.startFallDown:
          vx = word(bytes, at + 1);
          vy = word(bytes, at + 3);
          extra = word(bytes, at + 5);
          state = bytes[at + 7] as number;
          durationMs = word(bytes, at + 8);
          break;
        case shapes.equipment:
          extra = bytes[at + 1] as number;
          break;
        default:
          // What only `documented` has is read elsewhere: with more in this loop less of it is inlined.
          this.#readDocumented(bytes, at, row, type, shape);
          at += size;
          continue;
      }
      // One place that stores, whatever was read: stores in every case cost 3 ns more per fragment.
      words[row + TYPE_AND_STATE] = type | (state << 8);
      words[row + X] = x;
      words[row + Y] = y;
      words[row + VX] = vx;
      words[row + VY] = vy;
      words[row + FOOTHOLD] = foothold;
      words[row + EXTRA] = extra;
      words[row + DURATION] = durationMs;
      at += size;
    }
    this.#count = count;
    return at;
  }

  #readDocumented(bytes: Uint8Array, at: number, row: number, type: number, shape: number): void {
    const words = this.#words;
    const isInstant = shape === shapes.documentedInstant;
    const isJumpDown = shape === shapes.documentedJumpDown;
    const tail = at + (isInstant ? 9 : isJumpDown ? 13 : 11);
    words[row + TYPE_AND_STATE] = type | ((bytes[tail] as number) << 8);
    words[row + X] = word(bytes, at + 1);
    words[row + Y] = word(bytes, at + 3);
    words[row + VX] = word(bytes, at + 5);
    words[row + VY] = word(bytes, at + 7);
    words[row + FOOTHOLD] = isJumpDown ? word(bytes, at + 11) : 0;
    words[row + EXTRA] = isInstant ? 0 : word(bytes, at + 9);
    words[row + DURATION] = isInstant ? 0 : word(bytes, tail + 1);
  }

  #refuse(bytes: Uint8Array, at: number, index: number, table: FragmentTable): never {
    this.#count = index;
    try {
      refuse(bytes, at, index, table);
    } catch (error) {
      throw error instanceof WireError ? error.within("fragments") : error;
    }
  }
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

function missingCount(at: number): WireError {
  const why = `1 byte needed, 0 left at byte ${at}`;
  return new WireError("truncated", `Cannot read fragments.count: ${why}`, at * 8, "fragments.count");
}
