/** The process of one target: fuzzes it, and reports to the process that started it. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom } from "../../packages/wirewalk/src/motion/random.ts";
import { readCorpus, writeCorpus } from "./corpus.ts";
import { type Finding, GuidedFuzzer } from "./fuzzer.ts";
import { instrument } from "./instrument.ts";
import { targets } from "./targets.ts";

export interface Task {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  readonly save: boolean;
  /** Hex: only this input. */
  readonly input?: string;
}

/** The branches of a file, in their order: the line of each, and whether an input reached it. */
export interface FileCoverage {
  readonly file: string;
  readonly lines: readonly number[];
  readonly reached: readonly boolean[];
}

export interface Report {
  readonly executions: number;
  readonly seconds: number;
  readonly corpus: number;
  readonly files: readonly FileCoverage[];
  readonly finding?: { readonly hex: string; readonly error: string };
}

/** Steps between two looks at the clock. */
const BATCH = 200;

const task = JSON.parse(process.argv[2] ?? "{}") as Task;
const target = targets.find(({ name }) => name === task.target);
if (target === undefined) throw new RangeError(`There is no target ${task.target}`);
const coverage = instrument(target.cover);
const { run, check, seeds, words } = await target.open();
// What loading reaches is not an input's doing.
coverage.clear();
const committed = readCorpus(target.name);
const fuzzer = new GuidedFuzzer({
  run,
  check,
  coverage,
  random: createRandom(task.seed),
  maxBytes: target.maxBytes,
  ...(words === undefined ? {} : { words }),
});
const start = performance.now();
const own = task.input === undefined ? undefined : Uint8Array.from(Buffer.from(task.input, "hex"));
let finding: Finding | undefined;
for (const input of own === undefined ? [...committed, ...(task.seconds > 0 ? seeds : [])] : [own]) {
  finding ??= fuzzer.try(input);
}
const end = start + task.seconds * 1000;
while (finding === undefined && performance.now() < end) {
  for (let step = 0; step < BATCH && finding === undefined; step++) finding = fuzzer.step();
}
const seconds = (performance.now() - start) / 1000;

const reached = fuzzer.reached();
const root = fileURLToPath(new URL("../../", import.meta.url));
const byFile = new Map<string, { lines: number[]; reached: boolean[] }>();
coverage.places.forEach(({ file, line, kind }, counter) => {
  if (kind === "function") return;
  const entry = byFile.get(file) ?? { lines: [], reached: [] };
  byFile.set(file, entry);
  entry.lines.push(line);
  entry.reached.push(reached.has(counter));
});
if (task.save && finding === undefined) {
  const small = fuzzer.smallCorpus();
  const hex = (input: Uint8Array): string => Buffer.from(input).toString("hex");
  const known = new Set(small.map(hex));
  writeCorpus(target.name, [...small, ...committed.filter((input) => !known.has(hex(input)))]);
}
const report: Report = {
  executions: fuzzer.executions,
  seconds,
  corpus: fuzzer.corpus.length,
  files: [...byFile].map(([file, entry]) => ({ file: relative(root, file), ...entry })),
  ...(finding === undefined
    ? {}
    : {
        finding: {
          hex: Buffer.from(finding.input).toString("hex"),
          error:
            finding.error instanceof Error ? (finding.error.stack ?? String(finding.error)) : String(finding.error),
        },
      }),
};
process.stdout.write(JSON.stringify(report));
