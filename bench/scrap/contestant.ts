/** One contestant in a process of its own: warms up, measures, and says what it found. */
import { contestantTask, endWhenAsked, tell } from "../harness.ts";
import { createJobs } from "./contestants.ts";
import {
  type ContestantMissing,
  type ContestantReport,
  type ContestantTask,
  createWorkload,
  type JobName,
  jobNames,
} from "./workload.ts";

endWhenAsked();
const { contestant, measureMs } = contestantTask<ContestantTask>();
const workload = createWorkload();

/** What the jobs add up, kept where no compiler can tell that nobody looks. */
export let sum = 0;

function nsPerPacket(job: () => number, packets: number, ms: number): number {
  const start = process.hrtime.bigint();
  const end = start + BigInt(Math.round(ms * 1e6));
  let rounds = 0;
  do {
    sum += job();
    rounds += 1;
  } while (process.hrtime.bigint() < end);
  return Number(process.hrtime.bigint() - start) / (rounds * packets);
}

try {
  const jobs = await createJobs(contestant, workload);
  const ns: Partial<Record<JobName, number>> = {};
  for (const name of jobNames) {
    const job = jobs[name];
    if (job === undefined) continue;
    const packets = name.endsWith("8 bytes") ? workload.movementBodies.length : workload.updateBodies.length;
    nsPerPacket(job, packets, measureMs / 2);
    ns[name] = nsPerPacket(job, packets, measureMs);
  }
  tell({ ns } satisfies ContestantReport);
} catch (error) {
  const missing = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  tell({ missing } satisfies ContestantMissing);
}
