/** One contestant in a process of its own: warms up, measures, reports. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { contestantTask, endWhenAsked, median, tell } from "../harness.ts";
import { createContestant } from "./contestants.ts";
import { createWorkload, firstOf, type Missing, type Report, type Run, type Task } from "./workload.ts";

endWhenAsked();
const { contestant: name, mix, measureMs } = contestantTask<Task>();
const workload = createWorkload(mix);

let run: Run | undefined;
try {
  run = await createContestant(name, workload);
} catch (error) {
  tell({ missing: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) } satisfies Missing);
}
if (run !== undefined) {
  let sum = 0;
  const runFor = (ms: number, contestant: Run): number => {
    const start = process.hrtime.bigint();
    const end = start + BigInt(Math.round(ms * 1e6));
    let rounds = 0;
    do {
      sum = contestant();
      rounds += 1;
    } while (process.hrtime.bigint() < end);
    return Number(process.hrtime.bigint() - start) / (rounds * workload.count);
  };
  runFor(measureMs / 2, run);
  const ns = runFor(measureMs, run);
  const some = firstOf(workload, 200);
  const few = await createContestant(name, some);
  // Warm, so that compiling is not counted.
  for (let round = 0; round < 200; round += 1) few();
  tell({ ns, bytes: allocated(few, some.count), sum } satisfies Report);
}

/** Bytes of the heap that a fragment or packet takes: the heap's growth over a few after a collection, too few to cause another. */
function allocated(work: Run, count: number): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const growth = (action: () => void): number =>
    median(
      Array.from({ length: 9 }, () => {
        collect();
        const before = process.memoryUsage().heapUsed;
        action();
        return process.memoryUsage().heapUsed - before;
      }),
    );
  // Asking for the heap's size takes some itself.
  const asking = growth(() => {});
  return Math.max((growth(work) - asking) / count, 0);
}
