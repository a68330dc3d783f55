/** The tests at full size: `npm run soak`. What the sizes are, and why they are smaller in `npm test`: `scale.ts`. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseOptions } from "./options.ts";

const usage = `npm run soak -- [--scale N] [--seed N] [--minutes N] [file ...]

Runs the tests of npm test at full size: simulations of hundreds of bots, hundreds of thousands of random cases,
10,000 sockets. Files are named by any part of their path; without one, all run.

  --scale N    share of the full size, default 1; 0.03 is what npm test plays
  --seed N     seed of the random cases, default 1
  --minutes N  ends the run as failed after so long, default 60
  --help       prints this

It prints seed and time limit first. A failure is shown again by the same seed and file. The exit code is that of
the tests, 2 for wrong usage.`;

const { values, positionals } = parseOptions(usage, {
  allowPositionals: true,
  options: {
    scale: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "60" },
    help: { type: "boolean", default: false },
  },
});
const [scale, minutes, seed] = [Number(values.scale), Number(values.minutes), Number(values.seed)];
if (!(scale > 0 && minutes > 0 && Number.isSafeInteger(seed) && seed > 0)) {
  console.error("--scale and --minutes take a number over 0, --seed a whole number over 0");
  process.exit(2);
}

const again = ["npm run soak --", `--scale ${scale}`, `--seed ${seed}`, ...positionals].join(" ");
console.log(`Soak: ${scale} of the full size, seed ${seed}, ${minutes} minutes at most. The same again: ${again}`);

const tests = spawn("vitest", ["run", ...positionals], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  stdio: "inherit",
  env: { ...process.env, WIREWALK_SCALE: String(scale), WIREWALK_SEED: String(seed) },
});
// An interrupt of the terminal reaches the tests as well: they end first.
process.on("SIGINT", () => {});
const limit = setTimeout(() => {
  console.error(`Soak: not done within ${minutes} minutes`);
  tests.kill("SIGTERM");
}, minutes * 60_000);
tests.on("error", (error) => {
  clearTimeout(limit);
  console.error(`Cannot run the tests: ${error.message}`);
  process.exitCode = 1;
});
tests.on("exit", (code) => {
  clearTimeout(limit);
  process.exitCode = code ?? 1;
});
