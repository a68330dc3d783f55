/**
 * Reading mouse packets: ours against Kaitai's compiled JavaScript, binary-parser and the document's own code. Every
 * reader is a process of its own; they take turns.
 */
import { type Benchmark, Contestant, interleaved, median, printPromise, printTable } from "../harness.ts";
import {
  createWorkload,
  type ReaderMissing,
  type ReaderName,
  type ReaderReport,
  type ReaderTask,
  readerNames,
} from "./workload.ts";

/** Less than this is what reading the heap's size itself costs, spread over the records. */
const NOTHING_BYTES = 0.5;
const PROMISED_RATIO = 4.5;
async function measure(reader: ReaderName, measureMs: number): Promise<ReaderReport | ReaderMissing> {
  const task: ReaderTask = { reader, measureMs };
  const contestant = new Contestant(new URL("./contestant.ts", import.meta.url), task);
  try {
    return await contestant.next<ReaderReport | ReaderMissing>();
  } finally {
    await contestant.end();
  }
}

export const mouse: Benchmark = {
  summary: "reading mouse packets of Old School RuneScape, against Kaitai and the document's code",
  async run(quick) {
    const { payloads, records } = createWorkload();
    const bytes = payloads.reduce((sum, payload) => sum + payload.length, 0);
    console.log(`${records} records in ${payloads.length} packets, ${(bytes / records).toFixed(2)} bytes a record`);
    const results = await interleaved(readerNames, quick ? 1 : 7, (reader) => measure(reader, quick ? 100 : 600));
    const found = new Map<ReaderName, { ns: number; bytes: number }>();
    const sums = new Set<number>();
    const rows = [["reader", "ns per record", "bytes allocated per record"]];
    for (const [name, reports] of results) {
      const missing = reports.find((report) => "missing" in report);
      if (missing !== undefined) {
        rows.push([name, "-", missing.missing]);
        continue;
      }
      const good = reports as readonly ReaderReport[];
      const ns = median(good.map(({ nsPerRecord }) => nsPerRecord));
      const allocatedBytes = median(good.map(({ bytesPerRecord }) => bytesPerRecord));
      found.set(name, { ns, bytes: allocatedBytes });
      // The tracker adds up positions, and the document misreads: their sums are their own.
      if (name !== "wirewalk, tracker" && name !== "the document's code") for (const { sum } of good) sums.add(sum);
      rows.push([name, ns.toFixed(1), allocatedBytes < NOTHING_BYTES ? "0" : allocatedBytes.toFixed(1)]);
    }
    printTable(rows);
    if (sums.size > 1) console.log("The readers do not agree on what they read: the numbers mean nothing.");
    const ours = found.get("wirewalk, streaming");
    const kaitai = found.get("kaitai");
    if (ours === undefined || kaitai === undefined) {
      console.log("The promise is about Kaitai: install kaitai-struct and kaitai-struct-compiler to see it.");
      return;
    }
    const ratio = kaitai.ns / ours.ns;
    const isFree = ours.bytes < NOTHING_BYTES;
    printPromise(
      `streaming >= ${PROMISED_RATIO} x Kaitai, 0 bytes allocated`,
      `${ratio.toFixed(1)} x, ${isFree ? "0" : ours.bytes.toFixed(1)} bytes`,
      ratio >= PROMISED_RATIO && isFree && sums.size === 1,
    );
  },
};
