/**
 * Counts the branches that an input takes. Sources are instrumented as they are loaded, with counters in one flat array: the
 * objects of the instrumenter's own counters would cost more than what is counted.
 */
import { readFileSync } from "node:fs";
import { createRequire, registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

/** As much of istanbul-lib-instrument as is used here: it has no types of its own. */
interface Instrumenter {
  instrumentSync(code: string, file: string): string;
  lastFileCoverage(): {
    readonly branchMap: Readonly<
      Record<
        string,
        {
          readonly type: string;
          readonly locations: readonly { readonly start: { readonly line?: number } }[];
          readonly line: number;
        }
      >
    >;
    readonly fnMap: Readonly<Record<string, { readonly name: string; readonly line: number }>>;
  };
}

const { createInstrumenter } = createRequire(import.meta.url)("istanbul-lib-instrument") as {
  createInstrumenter(options: { esModules: boolean; compact: boolean }): Instrumenter;
};

const HITS = "__wirewalkHits";
const MAX_COUNTERS = 1 << 16;

/** A branch or a function of a file. */
export interface CountedPlace {
  readonly file: string;
  readonly line: number;
  /** `if`, `cond-expr`, `switch`, ..., or `function`. */
  readonly kind: string;
  /** Which of the branches that part there. */
  readonly branch: number;
}

/** By count: the bit of its range. Counts that differ by less than a doubling say the same. */
const rangeBits = Uint8Array.from({ length: 256 }, (_, hits) => {
  if (hits === 0) return 0;
  if (hits < 4) return 1 << (hits - 1);
  if (hits < 8) return 8;
  if (hits < 16) return 16;
  if (hits < 32) return 32;
  return hits < 128 ? 64 : 128;
});

/** The counters of everything that is instrumented. */
export class Coverage {
  /** How often each place was reached since the last `clear`, modulo 256. */
  readonly hits: Uint8Array = new Uint8Array(MAX_COUNTERS);
  readonly #words = new Uint32Array(this.hits.buffer);
  /** By counter. */
  readonly places: CountedPlace[] = [];

  clear(): void {
    this.#words.fill(0, 0, this.#usedWords);
  }

  get #usedWords(): number {
    return (this.places.length + 3) >> 2;
  }

  /** Adds the ranges of the counts to `seen`, one byte for each counter, and clears the counts. True if any range is new. */
  takeInto(seen: Uint8Array): boolean {
    const { hits } = this;
    const words = this.#words;
    const used = this.#usedWords;
    let isNew = false;
    for (let word = 0; word < used; word++) {
      if (words[word] === 0) continue;
      for (let counter = word * 4; counter < word * 4 + 4; counter++) {
        const before = seen[counter] as number;
        const after = before | (rangeBits[hits[counter] as number] as number);
        if (after === before) continue;
        seen[counter] = after;
        isNew = true;
      }
      words[word] = 0;
    }
    return isNew;
  }

  /** Marks the places that were reached in `reached`, and clears the counts. True if any is new. */
  takeReached(reached: Uint8Array): boolean {
    let isNew = false;
    for (let counter = 0; counter < this.places.length; counter++) {
      if (this.hits[counter] === 0 || reached[counter] === 1) continue;
      reached[counter] = 1;
      isNew = true;
    }
    this.clear();
    return isNew;
  }
}

/** Instruments every source whose path matches `cover`, from now on as they are loaded. */
export function instrument(cover: RegExp): Coverage {
  const coverage = new Coverage();
  (globalThis as Record<string, unknown>)[HITS] = coverage.hits;
  const instrumenter = createInstrumenter({ esModules: true, compact: false });
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith("file:")) return next(url, context);
      const file = fileURLToPath(url);
      if (!cover.test(file) || !file.endsWith(".ts")) return next(url, context);
      const code = instrumenter.instrumentSync(stripTypeScriptTypes(readFileSync(file, "utf8")), file);
      return { format: "module", source: flattened(code, file, instrumenter, coverage), shortCircuit: true };
    },
  });
  return coverage;
}

/** The instrumented code with the counters of `coverage`. Statements are not counted: branches and functions say it all. */
function flattened(code: string, file: string, instrumenter: Instrumenter, coverage: Coverage): string {
  const { branchMap, fnMap } = instrumenter.lastFileCoverage();
  const counters = new Map<string, number>();
  const add = (key: string, place: CountedPlace): void => {
    if (coverage.places.length === MAX_COUNTERS) throw new RangeError(`More than ${MAX_COUNTERS} branches`);
    counters.set(key, coverage.places.length);
    coverage.places.push(place);
  };
  for (const [id, { line }] of Object.entries(fnMap)) add(`f${id}`, { file, line, kind: "function", branch: 0 });
  for (const [id, { type, line, locations }] of Object.entries(branchMap)) {
    locations.forEach(({ start }, at) => {
      add(`b${id}.${at}`, { file, line: start.line ?? line, kind: type, branch: at });
    });
  }
  const [name] = /cov_\w+/.exec(code) ?? [];
  if (name === undefined) return code;
  // The instrumenter's own counters are a function in front, which it calls once.
  const body = code.slice(code.indexOf(`\n${name}();`) + name.length + 4);
  const counted = body.replaceAll(
    new RegExp(`${name}\\(\\)\\.([sfb])\\[(\\d+)\\](?:\\[(\\d+)\\])?\\+\\+`, "g"),
    (_, kind: string, id: string, at: string | undefined) => {
      if (kind === "s") return "0";
      return `hits_[${counters.get(kind === "f" ? `f${id}` : `b${id}.${at}`)}]++`;
    },
  );
  return `const hits_ = globalThis.${HITS};\n${counted}`;
}
