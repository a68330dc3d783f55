/** Steps within bits, and around parts of a message: see `run.ts`. */
import { FAILED } from "./plan.ts";
import { type Cursor, type Field, readField, Step } from "./run.ts";

/** A code of variable length, to its index. */
export class CodeStep extends Step {
  /** How many codes there are. */
  readonly count: number;
  readonly #longest: number;
  /** By the next bits, as many as the longest code has: the index of the code, or -1. */
  readonly #index: Int8Array;
  readonly #widths: Uint8Array;

  constructor(codes: readonly string[]) {
    super(false);
    this.count = codes.length;
    this.#longest = Math.max(...codes.map((code) => code.length));
    this.#widths = Uint8Array.from(codes, (code) => code.length);
    this.#index = Int8Array.from({ length: 1 << this.#longest }, (_, bits) => {
      const text = bits.toString(2).padStart(this.#longest, "0");
      return codes.findIndex((code) => text.startsWith(code));
    });
  }

  read(cursor: Cursor): unknown {
    const { bytes, at: bit } = cursor;
    const at = bit >>> 3;
    const next = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
    const found = this.#index[((next << (8 + (bit & 7))) >>> (32 - this.#longest)) as number] as number;
    if (found < 0) return FAILED;
    cursor.at = bit + (this.#widths[found] as number);
    return cursor.at > cursor.end ? FAILED : found;
  }
}

/** What is left of the last byte of bits. */
export class PaddingStep extends Step {
  readonly #isLowFirst: boolean;
  readonly #isZero: boolean;

  constructor(isLowFirst: boolean, isZero: boolean) {
    super(false);
    this.#isLowFirst = isLowFirst;
    this.#isZero = isZero;
  }

  read(cursor: Cursor): unknown {
    const used = cursor.at & 7;
    if (used === 0) return 0;
    const byte = cursor.bytes[cursor.at >>> 3] as number;
    cursor.at += 8 - used;
    const rest = this.#isLowFirst ? byte >>> used : byte & (0xff >>> used);
    return rest === 0 || !this.#isZero ? rest : FAILED;
  }
}

/** Gives up where more than so many bytes are left. */
export class LeftStep extends Step {
  readonly #limit: number;

  constructor(limit: number) {
    super(false);
    this.#limit = limit;
  }

  read({ at, end }: Cursor): unknown {
    return (end - at) >> 3 > this.#limit ? FAILED : 0;
  }
}

/** One thing after another, of which the last but one is the value; the others are checks. */
export class AroundStep extends Step {
  readonly #before: Field | undefined;
  readonly #of: Field;
  readonly #after: Field | undefined;

  constructor(before: Field | undefined, of: Field, after: Field | undefined) {
    super(of.step?.isTracked === true);
    this.#before = before;
    this.#of = of;
    this.#after = after;
  }

  read(cursor: Cursor): unknown {
    if (this.#before !== undefined && readField(this.#before, cursor) === FAILED) return FAILED;
    const value = readField(this.#of, cursor);
    if (value === FAILED) return FAILED;
    return this.#after !== undefined && readField(this.#after, cursor) === FAILED ? FAILED : value;
  }
}

/** A size in bytes, then content that fills it. */
export class SizedStep extends Step {
  readonly #size: Field;
  readonly #of: Field;
  readonly #extra: number;
  readonly #least: number;

  constructor(size: Field, of: Field, extra: number, least: number) {
    super(false);
    this.#size = size;
    this.#of = of;
    this.#extra = extra;
    this.#least = least;
  }

  read(cursor: Cursor): unknown {
    const size = readField(this.#size, cursor);
    if (size === FAILED || (size as number) < this.#least) return FAILED;
    const { end, claimedEnd } = cursor;
    const claimed = cursor.at + ((size as number) - this.#extra) * 8;
    if (claimed > end) return FAILED;
    cursor.end = claimed;
    cursor.claimedEnd = claimed;
    const value = readField(this.#of, cursor);
    cursor.end = end;
    cursor.claimedEnd = claimedEnd;
    return cursor.at === claimed ? value : FAILED;
  }
}
