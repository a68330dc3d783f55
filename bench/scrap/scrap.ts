/**
 * LZ4 of small packets: Scrap Mechanic's movement is eight bytes in a block, forty times a second for each player. Ours
 * against lz4js, lz4-napi and lz4-wasm, every contestant in a process of its own; they take turns.
 */
import { type Benchmark, Contestant, interleaved, median, printPromise, printTable } from "../harness.ts";
import {
  type ContestantMissing,
  type ContestantName,
  type ContestantReport,
  type ContestantTask,
  contestantNames,
  type JobName,
  jobNames,
} from "./workload.ts";

/** Eight bytes with their struct against the faster addon, which does the block alone. */
const PROMISED_FUSED = 14;
/** The same against the JavaScript package, which has no block of eight bytes to write. */
const PROMISED_FUSED_LZ4JS = 3;
/** The block codec into memory of the caller against the faster addon. */
const PROMISED_BLOCK = 4;

const addons: readonly ContestantName[] = ["lz4-napi", "lz4-wasm"];

async function measure(contestant: ContestantName, measureMs: number): Promise<ContestantReport | ContestantMissing> {
  const task: ContestantTask = { contestant, measureMs };
  const process = new Contestant(new URL("./contestant.ts", import.meta.url), task);
  try {
    return await process.next<ContestantReport | ContestantMissing>();
  } finally {
    await process.end();
  }
}

export const scrap: Benchmark = {
  summary: "LZ4 of Scrap Mechanic's small packets, against lz4js, lz4-napi and lz4-wasm",
  async run(quick) {
    const results = await interleaved(contestantNames, quick ? 1 : 7, (name) => measure(name, quick ? 50 : 300));
    const rows = [["ns per packet", ...jobNames]];
    const found = new Map<ContestantName, ReadonlyMap<JobName, number>>();
    for (const [name, reports] of results) {
      const missing = reports.find((report) => "missing" in report);
      if (missing !== undefined) {
        rows.push([name, ...jobNames.map(() => "-")]);
        console.log(`${name}: ${missing.missing}`);
        continue;
      }
      const good = reports as readonly ContestantReport[];
      const medians = new Map<JobName, number>();
      for (const job of jobNames) {
        const values = good.flatMap(({ ns }) => ns[job] ?? []);
        if (values.length > 0) medians.set(job, median(values));
      }
      found.set(name, medians);
      rows.push([name, ...jobNames.map((job) => medians.get(job)?.toFixed(1) ?? "-")]);
    }
    printTable(rows);
    const nsOf = (name: ContestantName, job: JobName): number => found.get(name)?.get(job) ?? Number.NaN;
    if (!found.has("lz4js") || addons.some((name) => !found.has(name))) {
      console.log("The promise is about lz4js, lz4-napi and lz4-wasm: install them to see it.");
      return;
    }
    const promise = (
      name: ContestantName,
      promised: number,
      others: readonly ContestantName[],
      jobs: readonly JobName[],
    ) => {
      const ratios = jobs.map((job) => Math.min(...others.map((other) => nsOf(other, job))) / nsOf(name, job));
      printPromise(
        `${name}: >= ${promised} x ${others.join(" and ")}, ${jobs.join(" and ")}`,
        ratios.map((ratio) => `${ratio.toFixed(1)} x`).join(" and "),
        ratios.every((ratio) => ratio >= promised),
      );
    };
    promise("wirewalk, fused", PROMISED_FUSED, addons, ["decode 8 bytes", "encode 8 bytes"]);
    promise("wirewalk, fused", PROMISED_FUSED_LZ4JS, ["lz4js"], ["decode 8 bytes"]);
    const block = "wirewalk, block codec into reused memory";
    promise(block, PROMISED_BLOCK, addons, ["decode 8 bytes", "encode 8 bytes"]);
  },
};
