/**
 * Inputs that reach something new are kept and changed further. What counts as new is a place in the code, or a place reached
 * so many more times.
 */
import type { Random } from "wirewalk/motion";
import type { Coverage } from "./instrument.ts";
import type { Run } from "./target.ts";

/** An input that broke a rule, as small as it could be made. */
export interface Finding {
  readonly input: Uint8Array;
  readonly error: unknown;
}

/** Numbers that readers compare with. */
const edges = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 129, 192, 254, 255] as const;
const MAX_CHANGES = 6;
/** One in so many inputs that reach nothing new is checked by the dearer rule. */
const CHECK_EVERY = 64;
/** Attempts to make a finding smaller. */
const SHRINK_RUNS = 4_000;

export class GuidedFuzzer {
  readonly corpus: Uint8Array[] = [];
  executions = 0;
  readonly #run: Run;
  readonly #check: Run | undefined;
  readonly #coverage: Coverage;
  readonly #random: Random;
  readonly #maxBytes: number;
  readonly #words: readonly Uint8Array[];
  /** By counter: a bit for each range of counts that was seen. */
  readonly #seen: Uint8Array;

  constructor(options: {
    readonly run: Run;
    readonly check?: Run | undefined;
    readonly coverage: Coverage;
    readonly random: Random;
    readonly maxBytes: number;
    readonly words?: readonly Uint8Array[];
  }) {
    this.#run = options.run;
    this.#check = options.check;
    this.#coverage = options.coverage;
    this.#random = options.random;
    this.#maxBytes = options.maxBytes;
    this.#words = options.words ?? [];
    this.#seen = new Uint8Array(options.coverage.hits.length);
  }

  /** Runs an input and keeps it if it reaches something new. Returns what it breaks. */
  try(input: Uint8Array): Finding | undefined {
    this.executions++;
    this.#coverage.clear();
    try {
      this.#run(input);
      const isNew = this.#isNew();
      if (this.#check !== undefined && (isNew || this.executions % CHECK_EVERY === 0)) {
        this.#check(input);
        // What only the dearer rule reaches counts too.
        if (this.#isNew() || isNew) this.corpus.push(input);
      } else if (isNew) {
        this.corpus.push(input);
      }
    } catch (error) {
      return this.#shrunk({ input, error });
    }
    return undefined;
  }

  /** One more input, made from those that are kept. */
  step(): Finding | undefined {
    const { corpus } = this;
    const random = this.#random;
    // The newest inputs lead furthest.
    const recent = corpus.length > 16 && random.chance(0.3) ? corpus.length - 16 : 0;
    const base = corpus[random.integer(recent, corpus.length - 1)] ?? new Uint8Array();
    return this.try(this.#changed(base));
  }

  /** The inputs that alone reach everything that was reached, the shortest first. */
  smallCorpus(): readonly Uint8Array[] {
    const best = new Map<number, Uint8Array>();
    for (const input of this.corpus.toSorted((a, b) => a.length - b.length)) {
      this.#coverage.clear();
      this.#run(input);
      this.#check?.(input);
      this.#coverage.forEach((counter, hits) => {
        const place = counter * 8 + rangeOf(hits);
        if (!best.has(place)) best.set(place, input);
      });
    }
    return [...new Set(best.values())].sort((a, b) => a.length - b.length);
  }

  /** Counters that any input reached. */
  reached(): ReadonlySet<number> {
    const reached = new Set<number>();
    this.#seen.forEach((ranges, counter) => {
      if (ranges !== 0) reached.add(counter);
    });
    return reached;
  }

  #isNew(): boolean {
    let isNew = false;
    const seen = this.#seen;
    this.#coverage.forEach((counter, hits) => {
      const range = 1 << rangeOf(hits);
      if (((seen[counter] as number) & range) !== 0) return;
      seen[counter] = (seen[counter] as number) | range;
      isNew = true;
    });
    return isNew;
  }

  #changed(base: Uint8Array): Uint8Array {
    const random = this.#random;
    let bytes = base.slice();
    for (let count = random.integer(1, MAX_CHANGES); count > 0; count--) bytes = this.#change(bytes);
    return bytes.length > this.#maxBytes ? bytes.slice(0, this.#maxBytes) : bytes;
  }

  #change(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const random = this.#random;
    const at = bytes.length === 0 ? 0 : random.integer(0, bytes.length - 1);
    const kind = random.integer(0, bytes.length === 0 ? 2 : 9);
    switch (kind) {
      case 0:
        return spliced(
          bytes,
          at,
          0,
          Uint8Array.from({ length: random.integer(1, 6) }, () => this.#byte()),
        );
      case 1: {
        if (this.#words.length === 0) return spliced(bytes, at, 0, Uint8Array.of(this.#byte()));
        const word = random.pick(this.#words);
        return spliced(bytes, at, random.chance(0.5) ? word.length : 0, word);
      }
      case 2: {
        const other = this.corpus.length === 0 ? bytes : random.pick(this.corpus);
        const from = random.integer(0, other.length);
        return spliced(bytes, at, bytes.length - at, other.subarray(from));
      }
      case 3:
        bytes[at] = (bytes[at] as number) ^ (1 << random.integer(0, 7));
        return bytes;
      case 4:
        bytes[at] = this.#byte();
        return bytes;
      case 5:
        bytes[at] = ((bytes[at] as number) + random.integer(-4, 4)) & 0xff;
        return bytes;
      case 6:
        return spliced(bytes, at, random.integer(1, 8), new Uint8Array());
      case 7:
        // Some bytes come twice.
        return spliced(bytes, at, 0, bytes.slice(at, at + random.integer(1, 16)));
      case 8:
        return bytes.slice(0, at);
      default: {
        // A length, in two bytes of either order.
        const length = random.chance(0.5) ? bytes.length - at - 2 : random.pick(edges) * 64;
        const pair = [length & 0xff, (length >> 8) & 0xff];
        bytes.set(
          random.chance(0.5) ? pair.slice(0, bytes.length - at) : pair.reverse().slice(0, bytes.length - at),
          at,
        );
        return bytes;
      }
    }
  }

  #byte(): number {
    return this.#random.chance(0.5) ? this.#random.pick(edges) : this.#random.integer(0, 255);
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
        if (!fails(spliced(best.input, at, size, new Uint8Array()))) at += size;
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

/** Counts that differ by less than a doubling say the same. */
function rangeOf(hits: number): number {
  if (hits < 4) return hits - 1;
  if (hits < 8) return 3;
  if (hits < 16) return 4;
  if (hits < 32) return 5;
  return hits < 128 ? 6 : 7;
}

function spliced(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array<ArrayBuffer> {
  const rest = bytes.subarray(Math.min(bytes.length, at + removed));
  const result = new Uint8Array(at + added.length + rest.length);
  result.set(bytes.subarray(0, at));
  result.set(added, at);
  result.set(rest, at + added.length);
  return result;
}
