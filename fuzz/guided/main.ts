/**
 * Fuzzing that is guided by the branches that inputs take: `npm run fuzz:guided`. Every target runs in a process of its own.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { LedgerEntry } from "../../tools/ledger.ts";
import { parseOptions, seedAndSeconds } from "../../tools/options.ts";
import type { Line, Progress, Report, Task } from "./child.ts";
import type { CoverageReport } from "./coverage.ts";
import { compareGaps, readGaps } from "./coverage-gaps.ts";
import { targets } from "./targets.ts";

const usage = `npm run fuzz:guided -- [--only name] [--seconds N] [--seed N] [--save] [--coverage] [--input HEX] [--ledger FILE]

Changes inputs at random and keeps those that reach something new, one target after the other.

  --only name  the targets whose name contains this; without it all
  --seconds N  time of each target, default 10
  --seed N     default 1; with the same corpus and the same number of steps a run is the same
  --save       adds what reached something new to fuzz/corpus, the smallest inputs that do
  --coverage   runs the committed inputs of all targets and nothing else, and prints the branches of the decoders that they
               do not reach and fuzz/coverage-gaps.txt does not explain
  --input HEX  runs one input of the target that --only names
  --ledger FILE  writes how many inputs were run into FILE every 20 seconds, with a seed that no earlier run of FILE had
  --list       prints the targets

A finding is printed with the line that repeats it. The exit code is 1 after a finding, 2 for wrong usage.`;

const { values } = parseOptions(usage, {
  options: {
    only: { type: "string", default: "" },
    seconds: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    save: { type: "boolean", default: false },
    coverage: { type: "boolean", default: false },
    input: { type: "string" },
    ledger: { type: "string" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [givenSeed, seconds] = seedAndSeconds(values);
const chosen = targets.filter(({ name }) =>
  values.input === undefined ? name.includes(values.only) : name === values.only,
);
if (chosen.length === 0 || values.list) {
  if (!values.list) console.error(`No target is named "${values.only}". There are:`);
  for (const { name, summary } of targets) console.log(`${name}: ${summary}`);
  process.exit(values.list ? 0 : 2);
}

/** The lines of JSON that a module of this folder prints, run in a process of its own. */
async function* runModule<Output>(name: string, ...args: readonly string[]): AsyncGenerator<Output> {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, ["--no-warnings", "-C", "wirewalk-source", file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as Output;
  const code = await ended;
  if (code !== 0) throw new Error(`${name} ${args.join(" ")} ended with ${code}`);
}

async function lastOf<Output>(outputs: AsyncIterable<Output>): Promise<Output> {
  let last: Output | undefined;
  for await (const output of outputs) last = output;
  if (last === undefined) throw new Error("A process has printed nothing");
  return last;
}

if (values.coverage) {
  const { files, setUp, missed, targets: ran } = await lastOf(runModule<CoverageReport>("coverage.ts"));
  let reached = 0;
  let branches = 0;
  for (const entry of files) {
    reached += entry.reached;
    branches += entry.branches;
    console.log(`${entry.file}: ${entry.reached} of ${entry.branches}`);
  }
  const { unexplained, needless } = compareGaps(missed, readGaps());
  for (const { file, line, place } of unexplained) console.log(`Not reached: ${file}:${line} ${place}`);
  for (const { file, place } of needless) console.log(`Explained and reached, or gone: ${file} ${place}`);
  const inputs = ran.reduce((sum, each) => sum + each.inputs, 0);
  const share = ((reached / branches) * 100).toFixed(1);
  console.log(`${inputs} inputs reach ${reached} of ${branches} branches of the decoders: ${share} %`);
  console.log(`${missed.length - unexplained.length} of the others are explained, ${unexplained.length} are not`);
  console.log(`${setUp} more branches run only while sources are loaded, and tables and codecs made`);
  process.exit(unexplained.length + needless.length > 0 ? 1 : 0);
}

const ledger =
  values.ledger === undefined ? undefined : new LedgerEntry(values.ledger, "fuzz:guided", process.argv.slice(2));
const seed = ledger?.firstSeed ?? givenSeed;
let executions = 0;
let cpuSeconds = 0;
for (const { name } of chosen) {
  const task: Task = {
    target: name,
    seed,
    seconds: values.input !== undefined ? 0 : seconds,
    save: values.save,
    ...(values.input === undefined ? {} : { input: values.input }),
  };
  const report = await runTarget(task).catch((error: unknown) => {
    ledger?.played({ subject: name, amount: 0, seconds: cpuSeconds, findings: [`${name}: ${error}`] });
    throw error;
  });
  executions += report.executions;
  const rate = Math.round(report.executions / report.cpuSeconds);
  console.log(`${name}: ${report.executions} inputs, ${rate} per second of processor time, ${report.corpus} kept`);
  if (report.finding === undefined) continue;
  process.exitCode = 1;
  console.error(`${name} breaks a rule:\n${report.finding.error}`);
  console.error(`Again: npm run fuzz:guided -- --only "${name}" --input ${report.finding.hex || '""'}`);
  const findings = [`${name}: ${report.finding.error.split("\n")[0]}, input ${report.finding.hex}`];
  ledger?.played({ subject: name, amount: 0, seconds: cpuSeconds, findings });
}
ledger?.end();
console.log(`${executions} inputs in all`);

async function runTarget(task: Task): Promise<Report> {
  let report: Report | undefined;
  for await (const line of runModule<Line>("child.ts", JSON.stringify(task))) {
    if ("report" in line) report = line.report;
    else addProgress(task.target, line.progress);
  }
  if (report === undefined) throw new Error(`${task.target} ended without a report`);
  return report;
}

function addProgress(subject: string, { inputs, cpuSeconds: seconds }: Progress): void {
  cpuSeconds += seconds;
  ledger?.played({ subject, amount: inputs, seconds: cpuSeconds });
}
