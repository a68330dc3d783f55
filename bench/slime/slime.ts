/**
 * Slime Online 2: `codec.read` and `codec.write` as exported, on the standard's own packets and lines of chat, against Kaitai's
 * compiled JavaScript, binary-parser and compiled protodef with the same checks; and refusals.
 */
import { codecContenders } from "../codec/packages.ts";
import { chartOf, disagreements, lanesOf, nsOf, race, tableOf, withGroup } from "../codec/race.ts";
import { type Benchmark, ROUNDS } from "../harness.ts";
import { leastOf, promiseAtLeast, type Report, ratios } from "../report.ts";
import { chatLengths, damages, moves } from "./workload.ts";

const works = [...moves, ...chatLengths.map(String)];
const refused = Object.keys(damages);
const readers = ["kaitai, compiled", "binary-parser", "protodef, compiled"];
const lanes = [
  ...lanesOf("read", works, ["wirewalk", "wirewalk, codec alone"], readers),
  ...lanesOf("write", works, ["wirewalk", "wirewalk, codec alone"], ["protodef, compiled"]),
];
const refusalLanes = lanesOf("refuse", refused, ["wirewalk, codec alone"], readers);
const interpreterLanes = ["read", "write"].flatMap((work) => lanesOf("interpret", works, [work], []));

/** In multiples of the fastest other contestant. */
const PROMISED = { read: 2, write: 2 };

async function run(quick: boolean): Promise<Report> {
  const effort = {
    ...(quick ? { rounds: 1, measureMs: 20 } : { rounds: ROUNDS, measureMs: 60 }),
    counted: moves.slice(0, 1),
  };
  const module = new URL("./contestants.ts", import.meta.url);
  const results = await race(module, lanes, effort);
  const refusals = await race(module, refusalLanes, effort);
  const interpreter = await race(module, interpreterLanes, effort);
  const [press = ""] = moves;
  const others = leastOf(readers.map((name) => nsOf(results, `read: ${name}`, press)));
  const chart = { xTitle: "characters of a line of chat", yTitle: "ns per message" };
  const sizes = chatLengths.map((size) => ({ work: String(size), size }));
  return {
    method: `${effort.rounds} rounds, each kind of work ${effort.measureMs} ms in each, after half of that to warm up. Dialect v0106.`,
    tables: [
      tableOf(results, { id: "packets", title: "codec.read and codec.write of a message", rowTitle: "contestant" }, [
        { work: press, title: "right press (7 bytes)", bytes: true, digits: 0 },
        { work: moves[1] ?? "", title: "left press in air (3 bytes)", digits: 0 },
        { work: "100", title: "chat of 100 characters", digits: 0 },
      ]),
      tableOf(
        refusals,
        { id: "refusals", title: "messages that are refused", rowTitle: "contestant" },
        refused.map((work) => ({ work, title: work, digits: 0 })),
      ),
      tableOf(interpreter, { id: "interpreter", title: "the interpreter, which makes traces", rowTitle: "work" }, [
        { work: press, title: "right press (7 bytes)", bytes: true, digits: 0 },
        { work: "100", title: "chat of 100 characters", digits: 0 },
      ]),
    ],
    promises: [
      promiseAtLeast(
        `codec.read of a right press >= ${PROMISED.read} x the fastest of the others`,
        PROMISED.read,
        ratios(others, nsOf(results, "read: wirewalk, codec alone", press)),
      ),
      promiseAtLeast(
        `codec.write >= ${PROMISED.write} x protodef`,
        PROMISED.write,
        ratios(nsOf(results, "write: protodef, compiled", press), nsOf(results, "write: wirewalk, codec alone", press)),
      ),
    ],
    charts: [
      chartOf(withGroup(results, "read"), { id: "read", title: "Slime Online 2: reading chat", ...chart }, sizes),
      chartOf(withGroup(results, "write"), { id: "write", title: "Slime Online 2: writing chat", ...chart }, sizes),
    ],
    contenders: codecContenders("type, code of a move, end"),
    notes: [...disagreements(results), ...disagreements(refusals)],
  };
}

export const slime: Benchmark = {
  summary: "reading and writing messages of Slime Online 2, against Kaitai, binary-parser and protodef",
  run,
};
