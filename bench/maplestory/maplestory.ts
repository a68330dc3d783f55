/**
 * MapleStory: `codec.read` and `codec.write` as exported, on a captured player's packet, against Kaitai's compiled
 * JavaScript, binary-parser and compiled protodef with the same tail and checks; refusals; and the inner loop over
 * fragments alone. "Codec alone" is `wirewalk/maplestory/codec`; the interpreter, which makes traces, has a table of its own.
 */
import { codecContenders } from "../codec/packages.ts";
import {
  allocatedBytes,
  chartOf,
  disagreements,
  lanesOf,
  nsOf,
  type Race,
  race,
  tableOf,
  withGroup,
} from "../codec/race.ts";
import { type Benchmark, ROUNDS } from "../harness.ts";
import { leastOf, median, type Promised, promiseAtLeast, type Report, ratios } from "../report.ts";
import { CAPTURED, damages, mixes, packetSizes } from "./workload.ts";

const sizes = packetSizes.map(String);
const captured = String(CAPTURED);
const refused = Object.keys(damages);

const readers = ["kaitai, compiled", "binary-parser", "protodef, compiled"];
const packetLanes = [
  ...lanesOf("read", sizes, ["wirewalk", "wirewalk, codec alone"], readers),
  ...lanesOf("write", sizes, ["wirewalk", "wirewalk, codec alone"], ["protodef, compiled"]),
];
const refusalLanes = lanesOf("refuse", refused, ["wirewalk, codec alone"], readers);
const interpreterLanes = [
  ...["read", "write"].flatMap((work) => lanesOf("interpret", [captured], [work], [])),
  ...lanesOf("interpret", mixes, ["decode"], []),
];
const fragmentLanes = [
  ...lanesOf("decode", mixes, ["wirewalk, objects", "wirewalk, reused rows"], readers),
  ...lanesOf("encode", mixes, ["wirewalk"], ["protodef, compiled"]),
];

/** What the docs name. */
const OURS = { read: "read: wirewalk, codec alone", write: "write: wirewalk, codec alone" };

/** What must hold in nine of ten runs, in multiples of the fastest other contestant. */
const PROMISED = { kaitai: 3, read: 2.4, write: 3, objects: 3, rows: 4, encode: 4 };

function packetPromises(results: Race): readonly Promised[] {
  const others = leastOf(readers.map((name) => nsOf(results, `read: ${name}`, captured)));
  return [
    promiseAtLeast(
      `codec.read of the captured packet >= ${PROMISED.kaitai} x Kaitai`,
      PROMISED.kaitai,
      ratios(nsOf(results, "read: kaitai, compiled", captured), nsOf(results, OURS.read, captured)),
    ),
    promiseAtLeast(
      `codec.read of the captured packet >= ${PROMISED.read} x the fastest of the others`,
      PROMISED.read,
      ratios(others, nsOf(results, OURS.read, captured)),
    ),
    promiseAtLeast(
      `codec.write >= ${PROMISED.write} x protodef`,
      PROMISED.write,
      ratios(nsOf(results, "write: protodef, compiled", captured), nsOf(results, OURS.write, captured)),
    ),
  ];
}

function fragmentPromises(results: Race): readonly Promised[] {
  const rowBytes = Array.from(results).flatMap(([{ contestant }, measured]) =>
    contestant === "decode: wirewalk, reused rows" ? [allocatedBytes(measured, "mixed")] : [],
  );
  const isFree = median(rowBytes) === 0;
  return mixes.flatMap((mix) => {
    const others = leastOf(readers.map((name) => nsOf(results, `decode: ${name}`, mix)));
    const ns = (name: string): readonly number[] => nsOf(results, name, mix);
    return [
      promiseAtLeast(
        `${mix}: objects >= ${PROMISED.objects} x the fastest of the others`,
        PROMISED.objects,
        ratios(others, ns("decode: wirewalk, objects")),
      ),
      promiseAtLeast(
        `${mix}: reused rows >= ${PROMISED.rows} x, 0 bytes allocated`,
        PROMISED.rows,
        ratios(others, ns("decode: wirewalk, reused rows")),
        isFree,
      ),
      promiseAtLeast(
        `${mix}: encode >= ${PROMISED.encode} x protodef`,
        PROMISED.encode,
        ratios(ns("encode: protodef, compiled"), ns("encode: wirewalk")),
      ),
    ];
  });
}

async function run(quick: boolean): Promise<Report> {
  const effort = {
    ...(quick ? { rounds: 1, measureMs: 20 } : { rounds: ROUNDS, measureMs: 60 }),
    counted: [captured, "mixed"],
  };
  const module = new URL("./contestants.ts", import.meta.url);
  const packets = await race(module, packetLanes, effort);
  const refusals = await race(module, refusalLanes, effort);
  const fragments = await race(module, fragmentLanes, effort);
  const interpreter = await race(module, interpreterLanes, effort);
  const chart = {
    xTitle: "fragments in the packet (3 is the captured one)",
    yTitle: "ns per packet",
  };
  const works = packetSizes.map((size) => ({ work: String(size), size }));
  return {
    method: `${effort.rounds} rounds, each kind of work ${effort.measureMs} ms in each, after half of that to warm up. A captured player's packet has 3 fragments, 17 keys and the box; for other sizes its fragments and keys are repeated.`,
    tables: [
      tableOf(
        packets,
        { id: "packets", title: "codec.read and codec.write of a whole packet", rowTitle: "contestant" },
        [
          { work: captured, title: "captured packet", bytes: true, digits: 0 },
          { work: "30", title: "packet of 30 fragments", digits: 0 },
        ],
      ),
      tableOf(
        refusals,
        { id: "refusals", title: "packets that are refused", rowTitle: "contestant" },
        refused.map((work) => ({ work, title: work, digits: 0 })),
      ),
      tableOf(fragments, { id: "fragments", title: "the inner loop: fragments alone", rowTitle: "contestant" }, [
        { work: "mixed", title: "fragment, every kind as often", bytes: true },
        { work: "absolute", title: "fragment, 97 % absolute" },
      ]),
      tableOf(interpreter, { id: "interpreter", title: "the interpreter, which makes traces", rowTitle: "work" }, [
        { work: captured, title: "captured packet", bytes: true, digits: 0 },
        { work: "mixed", title: "fragment, every kind as often", bytes: true, digits: 0 },
      ]),
    ],
    promises: [...packetPromises(packets), ...fragmentPromises(fragments)],
    charts: [
      chartOf(withGroup(packets, "read"), { id: "read", title: "MapleStory: reading a packet", ...chart }, works),
      chartOf(withGroup(packets, "write"), { id: "write", title: "MapleStory: writing a packet", ...chart }, works),
    ],
    contenders: codecContenders("all of a packet, opcode, types of fragments, key halves, end"),
    notes: [...disagreements(packets), ...disagreements(refusals), ...disagreements(fragments)],
  };
}

export const maplestory: Benchmark = {
  summary: "reading and writing packets of MapleStory, against Kaitai, binary-parser and protodef",
  run,
};
