/** What a conversion leaves out, counted by reason. */

export interface Loss {
  readonly what: string;
  readonly count: number;
  /** Where the first of them is: a record, a line. */
  readonly first: string;
}

/** Reasons that are named one by one. */
const MAX_REASONS = 50;

export class Losses {
  readonly #counts = new Map<string, { count: number; readonly first: string }>();
  #others = 0;

  add(what: string, where: string): void {
    const known = this.#counts.get(what);
    if (known !== undefined) known.count += 1;
    else if (this.#counts.size < MAX_REASONS) this.#counts.set(what, { count: 1, first: where });
    else this.#others += 1;
  }

  get all(): readonly Loss[] {
    const losses = [...this.#counts].map(([what, { count, first }]) => ({ what, count, first }));
    return this.#others === 0 ? losses : [...losses, { what: "for other reasons", count: this.#others, first: "" }];
  }
}
