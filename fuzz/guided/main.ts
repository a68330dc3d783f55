/**
 * Fuzzing that is guided by the branches that inputs take: `npm run fuzz:guided`. Every target runs in a process of its own.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseOptions, seedAndSeconds } from "../../tools/options.ts";
import type { Report, Task } from "./child.ts";
import { decoders, targets } from "./targets.ts";

const usage = `npm run fuzz:guided -- [--only name] [--seconds N] [--seed N] [--save] [--coverage] [--input HEX]

Changes inputs at random and keeps those that reach something new, one target after the other.

  --only name  the targets whose name contains this; without it all
  --seconds N  time of each target, default 10
  --seed N     default 1; with the same corpus and the same number of steps a run is the same
  --save       adds what reached something new to fuzz/corpus, the smallest inputs that do
  --coverage   runs the committed inputs alone and prints the branches of the decoders that they do not reach
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

function runTask(task: Task): Promise<Report> {
  const child = spawn(
    process.execPath,
    [
      "--no-warnings",
      "-C",
      "wirewalk-source",
      fileURLToPath(new URL("child.ts", import.meta.url)),
      JSON.stringify(task),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(text) as Report);
      else reject(new Error(`The process of ${task.target} ended with ${code}`));
    });
  });
}

/** By file: its branches, and which of them any target's inputs reach. */
const branches = new Map<string, { readonly lines: readonly number[]; readonly reached: boolean[] }>();
let executions = 0;
for (const { name } of chosen) {
  const report = await runTask({
    target: name,
    seed,
    seconds: values.coverage || values.input !== undefined ? 0 : seconds,
    save: values.save,
    ...(values.input === undefined ? {} : { input: values.input }),
  });
  executions += report.executions;
  const rate = Math.round(report.executions / report.seconds);
  console.log(`${name}: ${report.executions} inputs, ${rate} a second, ${report.corpus} kept`);
  for (const { file, lines, reached } of report.files) {
    const entry = branches.get(file) ?? { lines, reached: lines.map(() => false) };
    branches.set(file, entry);
    reached.forEach((is, at) => {
      if (is) entry.reached[at] = true;
    });
  }
  if (report.finding === undefined) continue;
  process.exitCode = 1;
  console.error(`${name} breaks a rule:\n${report.finding.error}`);
  console.error(`Again: npm run fuzz:guided -- --only "${name}" --input ${report.finding.hex || '""'}`);
}
console.log(`${executions} inputs in all`);
if (values.coverage) {
  let total = 0;
  let all = 0;
  for (const [file, { lines, reached }] of [...branches].sort()) {
    if (!decoders.test(file)) continue;
    const count = reached.filter(Boolean).length;
    total += count;
    all += lines.length;
    const missed = new Set(lines.filter((_, at) => reached[at] !== true));
    console.log(`${file}: ${count} of ${lines.length}${missed.size === 0 ? "" : `; not: ${[...missed].join(" ")}`}`);
  }
  console.log(`${total} of ${all} branches of the decoders: ${((total / all) * 100).toFixed(1)} %`);
}
