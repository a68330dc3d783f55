/**
 * The cost of recording: the broadcast benchmark's sockets in the world of Slime Online 2, with and without, by turns. A server
 * measures the CPU time of its whole process, so compression on other threads is in it.
 */
import { type Benchmark, ROUNDS } from "../harness.ts";
import { median, type Report, ratios } from "../report.ts";
import { measureScenes, type Result, type Scene, sceneColumns, sceneRow } from "./scene.ts";
import { MESSAGES_PER_SECOND, SOCKETS } from "./workload.ts";

const plain: Scene = {
  title: "Slime Online 2",
  server: new URL("./wirewalk-server.ts", import.meta.url),
  carrier: "websocket",
  messages: "slime",
  sockets: SOCKETS,
};
const recorded: Scene = { ...plain, title: "Slime Online 2, recorded", records: true };

async function run(quick: boolean): Promise<Report> {
  // A window holds two key frames.
  const effort = { rounds: quick ? 1 : ROUNDS, warmupMs: 2_000, windows: 1, windowMs: 10_000 };
  const entries = [plain, recorded];
  const results = await measureScenes(entries, effort);
  const values = (entry: Scene, field: keyof Result): readonly number[] =>
    (results.get(entry) ?? []).map((result) => result[field]);
  const ratio = median(ratios(values(recorded, "cpuNsPerDelivery"), values(plain, "cpuNsPerDelivery")));
  const messages = SOCKETS * MESSAGES_PER_SECOND;
  const extraCores = median(values(recorded, "cores")) - median(values(plain, "cores"));
  return {
    method: `${SOCKETS} sockets in one room, ${MESSAGES_PER_SECOND} messages/s each, with key frames every 5 s and tracks twice a second. ${effort.rounds} rounds of ${effort.windowMs / 1000} s.`,
    tables: [
      {
        id: "servers",
        title: `${SOCKETS} sockets in one room`,
        rowTitle: "server",
        columns: sceneColumns,
        rows: entries.map((entry) => sceneRow(entry, results.get(entry) ?? [], true)),
      },
    ],
    promises: [
      {
        promise: "recording takes <= 10 % more CPU",
        measured: `${((ratio - 1) * 100).toFixed(1)} %, ${((extraCores * 1e6) / messages).toFixed(1)} µs for each message of a client`,
        held: ratio <= 1.1,
      },
    ],
    charts: [],
    contenders: [],
    notes: ["Messages of clients are the unit of a recording: a broadcast to all others is one hash of four bytes."],
  };
}

export const recording: Benchmark = {
  summary: "what recording adds to a broadcast to 500 sockets",
  run,
};
