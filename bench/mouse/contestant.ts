/** One reader in a process of its own: warms up, measures, and says what it found. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readMousePacket } from "wirewalk/osrs/mouse";
import { contestantTask, endWhenAsked, median, tell } from "../harness.ts";
import { createReader } from "./readers.ts";
import { createWorkload, type Reader, type ReaderMissing, type ReaderReport, type ReaderTask } from "./workload.ts";

endWhenAsked();
const { reader: name, measureMs } = contestantTask<ReaderTask>();
const { payloads, records } = createWorkload();

let reader: Reader | undefined;
try {
  reader = await createReader(name);
} catch (error) {
  tell({
    missing: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error),
  } satisfies ReaderMissing);
}
if (reader !== undefined) {
  let sum = 0;
  const readFor = (ms: number): number => {
    const start = process.hrtime.bigint();
    const end = start + BigInt(Math.round(ms * 1e6));
    let rounds = 0;
    do {
      sum = reader(payloads);
      rounds += 1;
    } while (process.hrtime.bigint() < end);
    return Number(process.hrtime.bigint() - start) / (rounds * records);
  };
  readFor(measureMs / 2);
  const nsPerRecord = readFor(measureMs);
  tell({ nsPerRecord, bytesPerRecord: allocated(reader), sum } satisfies ReaderReport);
}

/**
 * Bytes of the heap that a record takes: the heap's growth over a few packets after a collection, too few to cause
 * another.
 */
function allocated(read: Reader): number {
  const some = payloads.slice(0, 100);
  const count = some.reduce((sum, payload) => sum + readMousePacket("client", payload).records.length, 0);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const growth = (work: () => void): number =>
    median(
      Array.from({ length: 9 }, () => {
        collect();
        const before = process.memoryUsage().heapUsed;
        work();
        return process.memoryUsage().heapUsed - before;
      }),
    );
  // Asking for the heap's size takes some itself.
  const asking = growth(() => {});
  return Math.max((growth(() => read(some)) - asking) / count, 0);
}
