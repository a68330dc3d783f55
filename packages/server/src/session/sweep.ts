/** A **sweep** looks at many things in turn, a part of them at a time, so that no look at all of them holds up everything else. */

/** Looked at in one step at least: a small server looks at everything in every step. */
const LEAST = 500;
/** Steps in which everything is looked at once. */
const STEPS = 10;

export class Sweep<T> {
  readonly #all: ReadonlySet<T>;
  readonly #look: (each: T) => void;
  #next: Iterator<T>;

  /** The set may change at any time. */
  constructor(all: ReadonlySet<T>, look: (each: T) => void) {
    this.#all = all;
    this.#look = look;
    this.#next = all.values();
  }

  /** Looks at the next ones. */
  step(): void {
    for (let left = Math.max(LEAST, Math.ceil(this.#all.size / STEPS)); left > 0; left -= 1) {
      const { done, value } = this.#next.next();
      if (done === true) {
        // From the start again with the next step: in a small server nothing is looked at twice.
        this.#next = this.#all.values();
        return;
      }
      this.#look(value);
    }
  }
}
