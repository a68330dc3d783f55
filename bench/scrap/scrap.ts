/**
 * Scrap Mechanic: `codec.read` and `codec.write` of a movement as exported, against Kaitai's compiled JavaScript, binary-parser
 * and compiled protodef, whose specs have the block of eight literals written out; and LZ4 of small packets against lz4js,
 * lz4-napi and lz4-wasm. A movement is eight bytes in a block, forty times a second for each player.
 */
import { codecContenders } from "../codec/packages.ts";
import { chartOf, disagreements, lanesOf, nsOf, race, tableOf, withGroup } from "../codec/race.ts";
import { type Benchmark, ROUNDS, versionOf } from "../harness.ts";
import { leastOf, type Promised, promiseAtLeast, type Report, ratios } from "../report.ts";
import { bodyBytes, characterCounts, damages, MOVEMENT, updateWork } from "./workload.ts";

const PACKET = "movement";
const refused = Object.keys(damages);
const readers = ["kaitai, compiled", "binary-parser", "protodef, compiled"];
const packetLanes = [
  ...lanesOf("read", [PACKET], ["wirewalk", "wirewalk, codec alone"], readers),
  ...lanesOf("write", [PACKET], ["wirewalk", "wirewalk, codec alone"], ["protodef, compiled"]),
];
const refusalLanes = lanesOf("refuse", refused, ["wirewalk, codec alone"], readers);

const updates = characterCounts.map(updateWork);
const REUSED = "wirewalk, block codec into reused memory";
const addons = ["lz4-napi", "lz4-wasm"];
/** lz4js writes no block of eight bytes, so it has a lane of its own there. */
const blockLanes = ["unpack", "pack"].flatMap((group) => {
  const all = [MOVEMENT, ...updates];
  return [
    ...lanesOf(group, [MOVEMENT], ["wirewalk, fused"], []),
    ...lanesOf(group, all, [REUSED, "wirewalk, block codec"], addons),
    ...lanesOf(group, group === "unpack" ? all : updates, [], ["lz4js"]),
  ];
});

/** In multiples of the fastest other contestant, of the faster addon, and of lz4js. */
const PROMISED = { read: 4, write: 2.5, fused: 14, fusedLz4Js: 3, block: 4 };

async function run(quick: boolean): Promise<Report> {
  const effort = {
    ...(quick ? { rounds: 1, measureMs: 20 } : { rounds: ROUNDS, measureMs: 60 }),
    counted: [PACKET, MOVEMENT],
  };
  const module = new URL("./contestants.ts", import.meta.url);
  const packets = await race(module, packetLanes, effort);
  const refusals = await race(module, refusalLanes, effort);
  const blocks = await race(module, blockLanes, effort);
  const last = updates.at(-1) ?? "";
  const blockPromises = ["unpack", "pack"].flatMap((group): Promised[] => {
    const addon = leastOf(addons.map((name) => nsOf(blocks, `${group}: ${name}`, MOVEMENT)));
    return [
      promiseAtLeast(
        `${group}, fused with the struct >= ${PROMISED.fused} x the faster addon, 8 bytes`,
        PROMISED.fused,
        ratios(addon, nsOf(blocks, `${group}: wirewalk, fused`, MOVEMENT)),
      ),
      promiseAtLeast(
        `${group}, block codec into reused memory >= ${PROMISED.block} x the faster addon, 8 bytes`,
        PROMISED.block,
        ratios(addon, nsOf(blocks, `${group}: ${REUSED}`, MOVEMENT)),
      ),
    ];
  });
  const chart = { xTitle: "bytes of the body", yTitle: "ns per block" };
  const sizes = [MOVEMENT, ...updates].map((work) => ({ work, size: bodyBytes(work) }));
  return {
    method: `${effort.rounds} rounds, each kind of work ${effort.measureMs} ms in each, after half of that to warm up.`,
    tables: [
      tableOf(packets, { id: "packets", title: "codec.read and codec.write of a movement", rowTitle: "contestant" }, [
        { work: PACKET, title: "movement of the vectors", bytes: true },
      ]),
      tableOf(
        refusals,
        { id: "refusals", title: "movements that are refused", rowTitle: "contestant" },
        refused.map((work) => ({ work, title: work, digits: 0 })),
      ),
      tableOf(blocks, { id: "blocks", title: "LZ4 blocks", rowTitle: "contestant" }, [
        { work: MOVEMENT, title: "block of 8 bytes", bytes: true },
        { work: last, title: `block of ${bodyBytes(last)} bytes`, digits: 0 },
      ]),
    ],
    promises: [
      promiseAtLeast(
        `codec.read of a movement >= ${PROMISED.read} x the fastest of the others`,
        PROMISED.read,
        ratios(
          leastOf(readers.map((name) => nsOf(packets, `read: ${name}`, PACKET))),
          nsOf(packets, "read: wirewalk, codec alone", PACKET),
        ),
      ),
      promiseAtLeast(
        `codec.write >= ${PROMISED.write} x protodef`,
        PROMISED.write,
        ratios(
          nsOf(packets, "write: protodef, compiled", PACKET),
          nsOf(packets, "write: wirewalk, codec alone", PACKET),
        ),
      ),
      ...blockPromises,
      promiseAtLeast(
        `unpack, fused with the struct >= ${PROMISED.fusedLz4Js} x lz4js, 8 bytes`,
        PROMISED.fusedLz4Js,
        ratios(nsOf(blocks, "unpack: lz4js", MOVEMENT), nsOf(blocks, "unpack: wirewalk, fused", MOVEMENT)),
      ),
    ],
    charts: [
      chartOf(withGroup(blocks, "unpack"), { id: "unpack", title: "LZ4: unpacking a small block", ...chart }, sizes),
      chartOf(withGroup(blocks, "pack"), { id: "pack", title: "LZ4: packing a small block", ...chart }, sizes),
    ],
    contenders: [
      ...codecContenders("id, token of the block, keys, end"),
      {
        name: "lz4js",
        version: versionOf("lz4js"),
        does: "packs and unpacks blocks in JavaScript, into memory of the caller",
        doesNot: "write a block where it finds no match; check what it reads",
      },
      {
        name: "lz4-napi",
        version: versionOf("lz4-napi"),
        does: "packs and unpacks natively",
        doesNot: "write plain blocks: the size stands before them",
      },
      {
        name: "lz4-wasm",
        version: versionOf("lz4-wasm"),
        does: "packs and unpacks in WebAssembly",
        doesNot: "write plain blocks: the size stands before them",
      },
    ],
    notes: [
      ...disagreements(packets),
      ...disagreements(refusals),
      "`fused` reads and writes the movement itself, the block codecs leave bytes: it does more.",
    ],
  };
}

export const scrap: Benchmark = {
  summary:
    "movements of Scrap Mechanic against Kaitai, binary-parser and protodef; LZ4 of small packets against addons",
  run,
};
