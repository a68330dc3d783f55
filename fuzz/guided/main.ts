/**
 * Fuzzing that is guided by the branches that inputs take: `npm run fuzz:guided`. Every target runs in a process of its own.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseOptions, seedAndSeconds } from "../../tools/options.ts";
import type { Report, Task } from "./child.ts";
import type { CoverageReport } from "./coverage.ts";
import { compareGaps, readGaps } from "./coverage-gaps.ts";
import { targets } from "./targets.ts";

const usage = `npm run fuzz:guided -- [--only name] [--seconds N] [--seed N] [--save] [--coverage] [--input HEX]

Changes inputs at random and keeps those that reach something new, one target after the other.

  --only name  the targets whose name contains this; without it all
  --seconds N  time of each target, default 10
  --seed N     default 1; with the same corpus and the same number of steps a run is the same
  --save       adds what reached something new to fuzz/corpus, the smallest inputs that do
  --coverage   runs the committed inputs of all targets and nothing else, and prints the branches of the decoders that they
               do not reach and fuzz/coverage-gaps.txt does not explain
  --input HEX  runs one input of the target that --only names
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
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [seed, seconds] = seedAndSeconds(values);
const chosen = targets.filter(({ name }) =>
  values.input === undefined ? name.includes(values.only) : name === values.only,
);
if (chosen.length === 0 || values.list) {
  if (!values.list) console.error(`No target is named "${values.only}". There are:`);
  for (const { name, summary } of targets) console.log(`${name}: ${summary}`);
  process.exit(values.list ? 0 : 2);
}

/** What a module of this folder prints, run in a process of its own. */
function runModule<Output>(name: string, ...args: readonly string[]): Promise<Output> {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, ["--no-warnings", "-C", "wirewalk-source", file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(text) as Output);
      else reject(new Error(`${name} ${args.join(" ")} ended with ${code}`));
    });
  });
}

if (values.coverage) {
  const { files, setUp, missed, targets: ran } = await runModule<CoverageReport>("coverage.ts");
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
  console.log(`${setUp} more branches run only while sources are loaded and codecs made`);
  process.exit(unexplained.length + needless.length > 0 ? 1 : 0);
}

let executions = 0;
for (const { name } of chosen) {
  const task: Task = {
    target: name,
    seed,
    seconds: values.input !== undefined ? 0 : seconds,
    save: values.save,
    ...(values.input === undefined ? {} : { input: values.input }),
  };
  const report = await runModule<Report>("child.ts", JSON.stringify(task));
  executions += report.executions;
  const rate = Math.round(report.executions / report.cpuSeconds);
  console.log(`${name}: ${report.executions} inputs, ${rate} per second of processor time, ${report.corpus} kept`);
  if (report.finding === undefined) continue;
  process.exitCode = 1;
  console.error(`${name} breaks a rule:\n${report.finding.error}`);
  console.error(`Again: npm run fuzz:guided -- --only "${name}" --input ${report.finding.hex || '""'}`);
}
console.log(`${executions} inputs in all`);
