/**
 * Rows of numbers in one array, the oldest row first. A world of 2,000 sessions remembers 200,000 points and 30,000 strokes
 * after half a minute of play: restoring them as objects took 100 ms to 350 ms; rows are copied like bytes.
 */
export class RowLog {
  /** Numbers of a row. */
  readonly width: number;
  #values: Float64Array<ArrayBuffer> = new Float64Array();
  #length = 0;

  constructor(width: number) {
    this.width = width;
  }

  /** The numbers of all rows, one row after the other, and room for more. A later {@link push} may replace it. */
  get values(): Float64Array {
    return this.#values;
  }

  /** How many rows there are. */
  get length(): number {
    return this.#length;
  }

  /** Adds a row, whose numbers the caller fills in. Returns the place of its first number in {@link values}. */
  push(): number {
    const at = this.#length * this.width;
    if (at === this.#values.length) {
      const larger = new Float64Array(Math.max(this.#length * 2, LEAST_ROWS) * this.width);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#length += 1;
    return at;
  }

  /** Forgets the oldest rows beyond a number. */
  keep(most: number): void {
    if (this.#length <= most) return;
    this.#values.copyWithin(0, (this.#length - most) * this.width, this.#length * this.width);
    this.#length = most;
  }

  /** A copy of all rows. */
  save(): Float64Array {
    return this.#values.slice(0, this.#length * this.width);
  }

  /** Replaces all rows by a copy of these. Throws `TypeError` unless they are at most `most` whole rows. */
  restore(rows: unknown, most: number, where: string): void {
    if (!(rows instanceof Float64Array) || rows.length % this.width !== 0 || rows.length > most * this.width) {
      throw new TypeError(`Cannot restore: ${where} must be at most ${most} rows of ${this.width} doubles`);
    }
    this.#values = rows.slice();
    this.#length = rows.length / this.width;
  }
}

/** Room for so many rows is taken at first. */
const LEAST_ROWS = 8;
