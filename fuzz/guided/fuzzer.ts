/**
 * Inputs that reach something new are kept and changed further. What counts as new is a place in the code, or a place reached
 * so many more times.
 */
import type { Random } from "wirewalk/motion";
import type { Coverage } from "./instrument.ts";
import { Mutator } from "./mutator.ts";
import type { Run } from "./target.ts";

/** An input that broke a rule, as small as it could be made. */
export interface Finding {
  readonly input: Uint8Array;
  readonly error: unknown;
}

/** One in so many inputs that reach nothing new is checked by the slower rule, unless the target says otherwise. */
const CHECK_EVERY = 64;
/** Attempts to make a finding smaller. */
const SHRINK_RUNS = 4_000;
/** Inputs kept last: they are changed more often than others. */
const RECENT = 16;

export class GuidedFuzzer {
  readonly corpus: Uint8Array[] = [];
  executions = 0;
  readonly #run: Run;
  readonly #check: Run | undefined;
  readonly #checkEvery: number;
  readonly #coverage: Coverage;
  readonly #random: Random;
  readonly #mutator: Mutator;
  /** By counter: a bit for each range of counts that was seen. */
  readonly #seen: Uint8Array;

  constructor(options: {
    readonly run: Run;
    readonly check?: Run | undefined;
    readonly checkEvery?: number | undefined;
    readonly coverage: Coverage;
    readonly random: Random;
    readonly maxBytes: number;
    readonly words?: readonly Uint8Array[];
  }) {
    this.#run = options.run;
    this.#check = options.check;
    this.#checkEvery = options.checkEvery ?? CHECK_EVERY;
    this.#coverage = options.coverage;
    this.#random = options.random;
    this.#mutator = new Mutator(options.random, options.maxBytes, options.words ?? []);
    this.#seen = new Uint8Array(options.coverage.hits.length);
  }

  /** Runs an input and keeps a copy if it reaches something new. Returns what it breaks. The slower rule is checked if `isSeed`. */
  try(input: Uint8Array, isSeed = false): Finding | undefined {
    this.executions++;
    try {
      this.#run(input);
      let isNew = this.#coverage.takeInto(this.#seen);
      if (this.#check !== undefined && (isNew || isSeed || this.executions % this.#checkEvery === 0)) {
        this.#check(input);
        // What only the slower rule reaches counts too.
        if (this.#coverage.takeInto(this.#seen)) isNew = true;
      }
      if (isNew) this.corpus.push(input.slice());
    } catch (error) {
      return this.#shrunk({ input: input.slice(), error });
    }
    return undefined;
  }

  /** One more input, made from those that are kept. */
  step(): Finding | undefined {
    const { corpus } = this;
    const random = this.#random;
    const recent = corpus.length > RECENT && random.chance(0.3) ? corpus.length - RECENT : 0;
    const base = corpus[random.integer(recent, corpus.length - 1)] ?? new Uint8Array();
    return this.try(this.#mutator.changed(base, corpus));
  }

  /** Inputs that alone reach every place that was reached, the shortest first. How often they reach it does not count. */
  smallCorpus(): readonly Uint8Array[] {
    const reached = new Uint8Array(this.#seen.length);
    this.#coverage.clear();
    return this.corpus
      .toSorted((a, b) => a.length - b.length)
      .filter((input) => {
        this.#run(input);
        this.#check?.(input);
        return this.#coverage.takeReached(reached);
      });
  }

  /** The finding with as few bytes as still cause an error of the same message. */
  #shrunk(finding: Finding): Finding {
    const message = textOf(finding.error);
    let best = finding;
    let runs = 0;
    const fails = (input: Uint8Array): boolean => {
      if (++runs > SHRINK_RUNS) return false;
      try {
        this.#run(input);
        this.#check?.(input);
      } catch (error) {
        if (textOf(error) !== message) return false;
        best = { input, error };
        return true;
      }
      return false;
    };
    for (let size = best.input.length >> 1; size > 0; size >>= 1) {
      for (let at = 0; at + size <= best.input.length; ) {
        const { input } = best;
        const shorter = Uint8Array.of(...input.subarray(0, at), ...input.subarray(at + size));
        if (!fails(shorter)) at += size;
      }
    }
    for (let at = 0; at < best.input.length; at++) {
      if (best.input[at] === 0) continue;
      const zeroed = best.input.slice();
      zeroed[at] = 0;
      fails(zeroed);
    }
    return best;
  }
}

/** Errors of the same cause differ in numbers. */
function textOf(error: unknown): string {
  return String(error).replaceAll(/\d+/g, "0").slice(0, 80);
}
