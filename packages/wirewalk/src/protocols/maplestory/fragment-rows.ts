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
import { type FragmentTable, shapes } from "./fragment.ts";
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
    const { shapeOf, sizeOf } = table;
    const length = bytes.length;
    const words = this.#words;
    this.#count = 0;
    if (at >= length) throw missingCount(length);
    const count = bytes[at++] as number;
    let row = 0;
    for (let index = 0; index < count; index++, row += ROW_WORDS) {
      const type = at < length ? (bytes[at] as number) : 0;
      const size = sizeOf[type] as number;
      if (size === 0 || at + size > length) this.#refuse(bytes, at, index, table);
      // A row is written whole, whatever was in it before.
      switch (shapeOf[type]) {
        case shapes.absolute:
          words[row + X] = word(bytes, at + 1);
          words[row + Y] = word(bytes, at + 3);
          words[row + VX] = word(bytes, at + 5);
          words[row + VY] = word(bytes, at + 7);
          words[row + FOOTHOLD] = word(bytes, at + 9);
          words[row + EXTRA] = 0;
          words[row] = type | ((bytes[at + 11] as number) << 8);
          words[row + DURATION] = word(bytes, at + 12);
          break;
        case shapes.fallDown:
          words[row + X] = word(bytes, at + 1);
          words[row + Y] = word(bytes, at + 3);
          words[row + VX] = word(bytes, at + 5);
          words[row + VY] = word(bytes, at + 7);
          words[row + FOOTHOLD] = word(bytes, at + 9);
          words[row + EXTRA] = word(bytes, at + 11);
          words[row] = type | ((bytes[at + 13] as number) << 8);
          words[row + DURATION] = word(bytes, at + 14);
          break;
        case shapes.relative:
          words[row + X] = 0;
          words[row + Y] = 0;
          words[row + VX] = word(bytes, at + 1);
          words[row + VY] = word(bytes, at + 3);
          words[row + FOOTHOLD] = 0;
          words[row + EXTRA] = 0;
          words[row] = type | ((bytes[at + 5] as number) << 8);
          words[row + DURATION] = word(bytes, at + 6);
          break;
        case shapes.instant:
          words[row + X] = word(bytes, at + 1);
          words[row + Y] = word(bytes, at + 3);
          words[row + VX] = 0;
          words[row + VY] = 0;
          words[row + FOOTHOLD] = word(bytes, at + 5);
          words[row + EXTRA] = 0;
          words[row] = type | ((bytes[at + 7] as number) << 8);
          words[row + DURATION] = word(bytes, at + 8);
          break;
        case shapes.startFallDown:
          words[row + X] = 0;
          words[row + Y] = 0;
          words[row + VX] = word(bytes, at + 1);
          words[row + VY] = word(bytes, at + 3);
          words[row + FOOTHOLD] = 0;
          words[row + EXTRA] = word(bytes, at + 5);
          words[row] = type | ((bytes[at + 7] as number) << 8);
          words[row + DURATION] = word(bytes, at + 8);
          break;
        case shapes.equipment:
          words.fill(0, row, row + ROW_WORDS);
          words[row] = type;
          words[row + EXTRA] = bytes[at + 1] as number;
          break;
        default:
          this.#readDocumented(bytes, at, row, type, shapeOf[type] as number);
      }
      at += size;
    }
    this.#count = count;
    return at;
  }

  #readDocumented(bytes: Uint8Array, at: number, row: number, type: number, shape: number): void {
    const words = this.#words;
    const isInstant = shape === shapes.documentedInstant;
    const isJumpDown = shape === shapes.documentedJumpDown;
    words[row + X] = word(bytes, at + 1);
    words[row + Y] = word(bytes, at + 3);
    words[row + VX] = word(bytes, at + 5);
    words[row + VY] = word(bytes, at + 7);
    words[row + EXTRA] = isInstant ? 0 : word(bytes, at + 9);
    words[row + FOOTHOLD] = isJumpDown ? word(bytes, at + 11) : 0;
    const state = at + (isInstant ? 9 : isJumpDown ? 13 : 11);
    words[row] = type | ((bytes[state] as number) << 8);
    words[row + DURATION] = isInstant ? 0 : word(bytes, state + 1);
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
