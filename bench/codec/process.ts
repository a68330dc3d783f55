/** One contestant in a process of its own: warms up, measures, reports. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { contestantTask, endWhenAsked, tell, threadNs } from "../harness.ts";
import { median } from "../report.ts";
import type { CodecReport, CodecTask, ContestantModule, Run, Work, WorkReport } from "./work.ts";

/** Packets of a run: more than a branch predictor learns by heart, few enough for a short measurement. */
const PACKETS = 1_000;
/** Too few to cause a collection. */
const FEW_PACKETS = 400;

endWhenAsked();
const { module, contestant, works, measureMs, counted } = contestantTask<CodecTask>();

/** What the runs add up, kept where no compiler can see that nobody reads it. */
export let sum = 0;

/** Works for so long by the processor's time: on a busy machine as much is compiled and measured as on a quiet one. */
function nsOf({ run, count }: Work, ms: number): number {
  const start = threadNs();
  let now = start;
  let rounds = 0;
  do {
    sum = run();
    rounds += 1;
    now = threadNs();
  } while (now - start < ms * 1e6);
  return (now - start) / (rounds * count);
}

/** Bytes of the heap that a packet takes: the growth after a collection, over so few that there is no other. */
function allocated(run: Run, count: number): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const growth = (action: () => unknown): number =>
    median(
      Array.from({ length: 5 }, () => {
        collect();
        const before = process.memoryUsage().heapUsed;
        action();
        return process.memoryUsage().heapUsed - before;
      }),
    );
  // Asking for the heap's size takes some itself.
  const asking = growth(() => 0);
  return Math.max((growth(run) - asking) / count, 0);
}

const createWork: ContestantModule["createWork"] = async (...args) =>
  await ((await import(module)) as ContestantModule).createWork(...args);

async function bytesOf(work: string): Promise<number> {
  const { run, count } = await createWork(contestant, work, FEW_PACKETS);
  // Warm, so that compiling is not counted.
  for (let round = 0; round < 10; round += 1) run();
  return allocated(run, count);
}

try {
  const reports: WorkReport[] = [];
  for (const work of works) {
    const all = await createWork(contestant, work, PACKETS);
    nsOf(all, measureMs / 2);
    const ns = nsOf(all, measureMs);
    const total = sum;
    reports.push({ ns, bytes: counted.includes(work) ? await bytesOf(work) : Number.NaN, sum: total });
  }
  tell({ works: reports } satisfies CodecReport);
} catch (error) {
  const missing = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  tell({ missing } satisfies CodecReport);
}
