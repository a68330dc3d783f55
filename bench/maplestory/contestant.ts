/** One contestant in a process of its own: warms up, measures, and says what it found. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { contestantTask, endWhenTold, median, tell } from "../harness.ts";
import { createContestant } from "./contestants.ts";
import { countOf, createWorkload, type Missing, type Report, type Run, type Task, type Workload } from "./workload.ts";

/** The time measured is cut into as many, of which the middle one counts. */
const SLICES = 10;

endWhenTold();
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
  // The processor's time, collecting garbage included: what else runs on the machine counts as little as can be.
  const runFor = (ms: number, contestant: Run): number => {
    const start = process.cpuUsage();
    const end = process.hrtime.bigint() + BigInt(Math.round(ms * 1e6));
    let rounds = 0;
    do {
      sum = contestant();
      rounds += 1;
    } while (process.hrtime.bigint() < end);
    const { user, system } = process.cpuUsage(start);
    return ((user + system) * 1000) / (rounds * workload.fragments);
  };
  // Long enough for the compiler also where it has to share a core.
  runFor(measureMs, run);
  const nsPerFragment = median(Array.from({ length: SLICES }, () => runFor(measureMs / SLICES, run)));
  const some: Workload = {
    payloads: workload.payloads.slice(0, 200),
    paths: workload.paths.slice(0, 200),
    fragments: countOf(workload.paths.slice(0, 200)),
  };
  const few = await createContestant(name, some);
  // Warm, so that compiling is not counted.
  for (let round = 0; round < 200; round += 1) few();
  tell({ nsPerFragment, bytesPerFragment: allocated(few, some.fragments), sum } satisfies Report);
}

/** Bytes of the heap that a fragment takes: the heap's growth over a few paths after a collection, too few to cause another. */
function allocated(work: Run, fragments: number): number {
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
  return Math.max((growth(work) - asking) / fragments, 0);
}
