/**
 * Long fuzz runs: `npm run fuzz -- [--seed N] [--seconds N] [--only name]`. The time is shared out among the runs.
 * A failure prints the seed that shows it again at once, and the exit code is 1.
 */
import { protocols } from "wirewalk/protocols";
import { parseOptions, seedAndSeconds } from "../tools/options.ts";
import { FuzzFailure, type FuzzRun, runUntil } from "./fuzz-run.ts";
import { playerInfoRuns } from "./player-info.ts";
import { protocolRuns } from "./protocols.ts";

const usage = `npm run fuzz -- [--seed N] [--seconds N] [--only name]

Checks the rules of every protocol with random play and damaged bytes, each step from a seed of its own.

  --seed N     seed of each run's first step, default 1; every further step adds one
  --seconds N  time limit, shared out among the runs, default 60; 0 is one step of each
  --only name  the runs whose name contains this
  --help       prints this

It prints seed and time limit first. A failure prints the seed that shows it at once. The exit code is 1 after a failure,
2 for wrong usage.`;

const { values } = parseOptions(usage, {
  options: {
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "60" },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
const [seed, seconds] = seedAndSeconds(values);

const all: readonly FuzzRun[] = [...Object.values(protocols).flatMap(protocolRuns), ...playerInfoRuns];
const runs = all.filter(({ name }) => name.includes(values.only));
if (runs.length === 0) {
  console.error(`No run is named "${values.only}". There are:`);
  for (const { name } of all) console.error(`  ${name}`);
  process.exit(2);
}
console.log(`Fuzz: seed ${seed}, ${seconds} seconds at most for ${runs.length} runs`);
for (const run of runs) {
  try {
    const steps = await runUntil(run, seed, performance.now() + (seconds * 1000) / runs.length);
    console.log(`${run.name}: ${steps} steps from seed ${seed}`);
  } catch (error) {
    if (!(error instanceof FuzzFailure)) throw error;
    console.error(error);
    console.error(`Again: npm run fuzz -- --seed ${error.seed} --seconds 0 --only "${run.name}"`);
    process.exitCode = 1;
  }
}
