/**
 * Movement fragments of MapleStory: ours against Kaitai's compiled JavaScript, binary-parser and compiled protodef, on
 * paths with every kind as often and on paths as captured, 97 % absolute; and whole packets by the codec. "Definition" is
 * the layout made again from its description alone, without what is read and written by hand. Every contestant is a process
 * of its own; they take turns.
 */
import { type Benchmark, Contestant, interleaved, median, printPromise, printTable } from "../harness.ts";
import {
  type ContestantName,
  createWorkload,
  fragmentContestants,
  type Missing,
  type Mix,
  packetContestants,
  type Report,
  type Task,
} from "./workload.ts";

/** Less than this is what reading the heap's size itself costs, spread over the fragments. */
const NOTHING_BYTES = 0.5;
const PROMISED = { objects: 4, rows: 5, encode: 5 };

async function measure(contestant: ContestantName, mix: Mix, measureMs: number): Promise<Report | Missing> {
  const task: Task = { contestant, mix, measureMs };
  const process = new Contestant(new URL("./contestant.ts", import.meta.url), task);
  try {
    return await process.next<Report | Missing>();
  } finally {
    await process.end();
  }
}

/** Lets them take turns. */
function race<N extends ContestantName>(
  names: readonly N[],
  mix: Mix,
  quick: boolean,
): Promise<ReadonlyMap<N, readonly (Report | Missing)[]>> {
  return interleaved(names, quick ? 1 : 7, (name) => measure(name, mix, quick ? 100 : 500));
}

async function runPackets(quick: boolean): Promise<void> {
  console.log("a captured player's packet, whole: 3 fragments, 17 keys, the box");
  const rows = [["", "ns per packet", "bytes allocated per packet"]];
  for (const [name, reports] of await race(packetContestants, "packet", quick)) {
    const good = reports as readonly Report[];
    rows.push([name, median(good.map(({ ns }) => ns)).toFixed(0), median(good.map(({ bytes }) => bytes)).toFixed(0)]);
  }
  printTable(rows);
}

async function runMix(mix: Mix, quick: boolean): Promise<void> {
  const { payloads, count } = createWorkload(mix);
  console.log(`${mix === "mixed" ? "mixed" : "97 % absolute"}: ${count} fragments in ${payloads.length} paths`);
  const results = await race(fragmentContestants, mix, quick);
  const ns = new Map<ContestantName, number>();
  const sums = { decode: new Set<number>(), encode: new Set<number>() };
  let rowBytes = Number.NaN;
  const rows = [["", "ns per fragment", "bytes allocated per fragment"]];
  for (const [name, reports] of results) {
    const missing = reports.find((report) => "missing" in report);
    if (missing !== undefined) {
      rows.push([name, "-", missing.missing]);
      continue;
    }
    const good = reports as readonly Report[];
    const time = median(good.map(({ ns: each }) => each));
    const bytes = median(good.map(({ bytes: each }) => each));
    ns.set(name, time);
    if (name === "decode: wirewalk, reused rows") rowBytes = bytes;
    for (const { sum } of good) sums[name.startsWith("decode") ? "decode" : "encode"].add(sum);
    rows.push([name, time.toFixed(1), bytes < NOTHING_BYTES ? "0" : bytes.toFixed(1)]);
  }
  printTable(rows);
  const agree = sums.decode.size <= 1 && sums.encode.size <= 1;
  if (!agree) console.log("The contestants do not agree on what they read or wrote: the numbers mean nothing.");
  const others = (["decode: kaitai, compiled", "decode: binary-parser", "decode: protodef, compiled"] as const).flatMap(
    (name) => ns.get(name) ?? [],
  );
  const protodef = ns.get("encode: protodef, compiled");
  if (others.length < 3 || protodef === undefined) {
    console.log("The promises are about Kaitai, binary-parser and protodef: install them to see whether they hold.");
    return;
  }
  const fastest = Math.min(...others);
  const ratio = (other: number, name: ContestantName): number => other / (ns.get(name) ?? Number.POSITIVE_INFINITY);
  const objects = ratio(fastest, "decode: wirewalk, objects");
  const reused = ratio(fastest, "decode: wirewalk, reused rows");
  const encoded = ratio(protodef, "encode: wirewalk");
  printPromise(
    `objects >= ${PROMISED.objects} x the fastest of the others`,
    `${objects.toFixed(1)} x`,
    agree && objects >= PROMISED.objects,
  );
  printPromise(
    `reused rows >= ${PROMISED.rows} x, 0 bytes allocated`,
    `${reused.toFixed(1)} x, ${rowBytes < NOTHING_BYTES ? "0" : rowBytes.toFixed(1)} bytes`,
    agree && reused >= PROMISED.rows && rowBytes < NOTHING_BYTES,
  );
  printPromise(
    `encode >= ${PROMISED.encode} x protodef`,
    `${encoded.toFixed(1)} x`,
    agree && encoded >= PROMISED.encode,
  );
}

export const maplestory: Benchmark = {
  summary: "reading and writing movement fragments of MapleStory, against Kaitai, binary-parser and protodef",
  async run(quick) {
    for (const mix of ["mixed", "absolute"] as const) await runMix(mix, quick);
    await runPackets(quick);
  },
};
