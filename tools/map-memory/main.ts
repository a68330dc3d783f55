/**
 * Measures what hostile map files cost: `npm run maps:memory`. Each file is written into a temporary folder and read by a process of its
 * own. Prints its size, the peak of the process's memory over what it has before, the time, and what the reader says. Ends with 1 where
 * a file takes more than three times its size and 64 MiB, or where something else than an error of maps is thrown.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseOptions } from "../options.ts";
import { hostileFiles } from "./hostile-files.ts";
import type { ReadCost } from "./read.ts";

const usage = `npm run maps:memory -- [--only TEXT]

Reads hostile map files of all games, each in a process of its own, and prints what they cost.`;
const { only } = parseOptions(usage, {
  options: { help: { type: "boolean", default: false }, only: { type: "string", default: "" } },
}).values;

const MIB = 2 ** 20;
const FREE_BYTES = 64 * MIB;
/** A reader that takes longer has no bound: on a quiet machine each takes seconds. */
const MAX_MS = 600_000;

const child = fileURLToPath(new URL("read.ts", import.meta.url));
let failed = 0;
console.log("file MB   peak MB   limit      ms  what, and the result");
for (const { game, what, make } of hostileFiles) {
  if (!`${game} ${what}`.includes(String(only))) continue;
  const folder = mkdtempSync(join(tmpdir(), "hostile-maps-"));
  try {
    let size = 0;
    for (const [path, bytes] of make()) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      size += bytes.length;
    }
    const options = ["--no-warnings", "--expose-gc", "-C", "wirewalk-source", child, game, folder];
    const { stdout, stderr, signal } = spawnSync(process.execPath, options, { encoding: "utf8", timeout: MAX_MS });
    const cost = stdout === "" ? undefined : (JSON.parse(stdout) as ReadCost);
    const limit = 3 * size + FREE_BYTES;
    const isGood = cost?.isExpected === true && cost.peakBytes <= limit;
    if (!isGood) failed += 1;
    const numbers = [size / MIB, (cost?.peakBytes ?? 0) / MIB, limit / MIB].map((each) => each.toFixed(1).padStart(8));
    const result = cost === undefined ? `no answer: ${signal ?? ""} ${stderr.slice(-300)}` : cost.result.slice(0, 150);
    console.log(
      `${numbers.join(" ")} ${(cost?.ms ?? 0).toFixed(0).padStart(7)}  ${isGood ? "" : "FAILED "}${game}, ${what}: ${result}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
process.exitCode = failed === 0 ? 0 : 1;
