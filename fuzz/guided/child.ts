/** The process of one target: fuzzes it, and reports to the process that started it. */
import { writeSync } from "node:fs";
import { createRandom } from "../../packages/wirewalk/src/motion/random.ts";
import { readCorpus, writeCorpus } from "./corpus.ts";
import { type Finding, GuidedFuzzer } from "./fuzzer.ts";
import { instrument } from "./instrument.ts";
import { targets } from "./targets.ts";
import { WatchedInput } from "./watched-input.ts";

export interface Task {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  readonly save: boolean;
  /** Hex: only this input. */
  readonly input?: string;
}

export interface Report {
  readonly executions: number;
  /** Processor time of the inputs, without loading. */
  readonly cpuSeconds: number;
  readonly corpus: number;
  readonly finding?: { readonly hex: string; readonly error: string };
}

/** What is written while it runs, and at its end: lines of JSON. */
export type Line = { readonly progress: Progress } | { readonly report: Report };

/** Inputs since the line before; those of the committed corpus do not count. */
export interface Progress {
  readonly inputs: number;
  /** Processor time since the line before. */
  readonly cpuSeconds: number;
}

/** Steps between two looks at the clock. */
const BATCH = 200;
/** Between two lines about the progress. */
const PROGRESS_MS = 20_000;
/** No input may take longer, however busy the machine is. */
const MAX_INPUT_SECONDS = 20;

const task = JSON.parse(process.argv[2] ?? "{}") as Task;
const target = targets.find(({ name }) => name === task.target);
if (target === undefined) throw new RangeError(`There is no target ${task.target}`);
const coverage = instrument(target.cover);
const { run, check, checkEvery, seeds, words } = await target.open();
// What loading reaches is not an input's doing.
coverage.clear();
const committed = readCorpus(target.name);
const watched = new WatchedInput(MAX_INPUT_SECONDS);
const fuzzer = new GuidedFuzzer({
  run: (input) => {
    watched.begin(input);
    run(input);
  },
  check,
  checkEvery,
  coverage,
  random: createRandom(task.seed),
  maxBytes: target.maxBytes,
  ...(words === undefined ? {} : { words }),
});
const own = task.input === undefined ? undefined : Uint8Array.from(Buffer.from(task.input, "hex"));
const { stackTraceLimit } = Error;
// Most inputs are refused by an error, and its stack costs more than all the rest.
Error.stackTraceLimit = 0;
const start = process.cpuUsage();
let finding: Finding | undefined;
for (const input of own === undefined ? [...committed, ...seeds] : [own]) finding ??= fuzzer.try(input, true);
const begin = performance.now();
const end = begin + task.seconds * 1000;
let last = { executions: fuzzer.executions, cpu: process.cpuUsage(), at: begin };
while (finding === undefined && performance.now() < end) {
  for (let step = 0; step < BATCH && finding === undefined; step++) finding = fuzzer.step();
  if (performance.now() > last.at + PROGRESS_MS) writeProgress();
}
writeProgress();
const { user, system } = process.cpuUsage(start);
Error.stackTraceLimit = stackTraceLimit;

/** Written at once: a pipe is never full here, since the other process does nothing but read. */
function writeLine(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

function writeProgress(): void {
  const { user, system } = process.cpuUsage(last.cpu);
  const { executions } = fuzzer;
  writeLine({ progress: { inputs: executions - last.executions, cpuSeconds: (user + system) / 1e6 } });
  last = { executions, cpu: process.cpuUsage(), at: performance.now() };
}

/** The error of a finding, now with its stack. */
function errorOf({ input, error }: Finding): string {
  try {
    run(input);
    check?.(input);
  } catch (again) {
    return again instanceof Error ? (again.stack ?? String(again)) : String(again);
  }
  return `${error}, and not when it runs again`;
}

if (task.save && finding === undefined) writeCorpus(target.name, fuzzer.smallCorpus());
const report: Report = {
  executions: fuzzer.executions,
  cpuSeconds: (user + system) / 1e6,
  corpus: fuzzer.corpus.length,
  ...(finding === undefined
    ? {}
    : { finding: { hex: Buffer.from(finding.input).toString("hex"), error: errorOf(finding) } }),
};
watched.end();
writeLine({ report });
