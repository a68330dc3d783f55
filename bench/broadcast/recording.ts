/**
 * The cost of recording: the broadcast benchmark's sockets in the world of Slime Online 2, with and without, by turns in **one
 * server process**. Two processes differ by more than recording costs: in what V8 has compiled, and in what else the machine
 * does meanwhile. What is compared are neighbours in time, and the median of their ratios is the answer. The server measures the
 * processor time of its whole process, so compression on other threads is in it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Benchmark, Contestant } from "../harness.ts";
import { median, type Report } from "../report.ts";
import { measureParts } from "./recording-parts.ts";
import type { RecordingReading } from "./recording-server.ts";
import { type LoadReport, type LoadTask, MESSAGES_PER_SECOND, type ServerReady, SOCKETS } from "./workload.ts";

/** After each change: the recording writes its first key frame, or its last chunk. */
const SETTLE_MS = 2_000;
/** Two key frames. */
const MEASURE_MS = 10_000;
const PAIRS = 9;
const WARMUP_MS = 5_000;
const BLOCKS = 7;

interface Turn {
  readonly cpuNsPerDelivery: number;
  readonly cores: number;
  /** Of the files, for each message of a client. */
  readonly bytesPerMessage: number;
}

interface Measured {
  readonly plain: readonly Turn[];
  readonly recorded: readonly Turn[];
  readonly report: LoadReport;
}

const kinds = ["plain", "recorded"] as const;

async function measure(pairs: number): Promise<Measured> {
  const server = new Contestant(new URL("./recording-server.ts", import.meta.url), { sockets: SOCKETS });
  let load: Contestant | undefined;
  try {
    const { webSocketPort: port, path } = await server.next<ServerReady>();
    const windowMs = 2 * pairs * (SETTLE_MS + MEASURE_MS);
    load = new Contestant(new URL("./load.ts", import.meta.url), {
      port,
      carrier: "websocket",
      path,
      messages: "slime",
      sockets: SOCKETS,
      warmupMs: WARMUP_MS,
      windows: 1,
      windowMs,
    } satisfies LoadTask);
    await load.next<"connected">();
    await sleep(WARMUP_MS);
    const turns: Record<(typeof kinds)[number], Turn[]> = { plain: [], recorded: [] };
    for (let pair = 0; pair < pairs; pair += 1) {
      for (const kind of pair % 2 === 0 ? kinds : kinds.toReversed()) turns[kind].push(await measureTurn(server, kind));
    }
    return { ...turns, report: await load.next<LoadReport>() };
  } finally {
    await load?.end();
    await server.end();
  }
}

async function measureTurn(server: Contestant, kind: (typeof kinds)[number]): Promise<Turn> {
  await server.ask<RecordingReading>(kind === "plain" ? "stop" : "record");
  await sleep(SETTLE_MS);
  const before = await server.ask<RecordingReading>("reading");
  const startMs = performance.now();
  await sleep(MEASURE_MS);
  const after = await server.ask<RecordingReading>("reading");
  const measuredMs = performance.now() - startMs;
  if (after.lost > 0) throw new Error(`The recording lost ${after.lost} records: the disk is too slow`);
  const cpuUs = after.cpuUs - before.cpuUs;
  return {
    cpuNsPerDelivery: (cpuUs * 1000) / (after.deliveries - before.deliveries),
    cores: cpuUs / 1000 / measuredMs,
    bytesPerMessage: (after.bytes - before.bytes) / ((SOCKETS * MESSAGES_PER_SECOND * measuredMs) / 1000),
  };
}

async function run(quick: boolean): Promise<Report> {
  const pairs = quick ? 1 : PAIRS;
  const { plain, recorded, report } = await measure(pairs);
  const parts = await measureParts(quick ? 1 : BLOCKS);
  const ratio = median(recorded.map((turn, pair) => turn.cpuNsPerDelivery / (plain[pair]?.cpuNsPerDelivery ?? 0)));
  const extraCores = median(recorded.map((turn, pair) => turn.cores - (plain[pair]?.cores ?? 0)));
  const messages = SOCKETS * MESSAGES_PER_SECOND;
  const pace = report.sent / ((messages * (report.toMs - report.fromMs)) / 1000);
  const row = (name: string, turns: readonly Turn[]) => ({
    name,
    isOurs: true,
    cells: {
      cpuNsPerDelivery: turns.map(({ cpuNsPerDelivery }) => cpuNsPerDelivery),
      cores: turns.map(({ cores }) => cores),
      bytesPerMessage: turns.map(({ bytesPerMessage }) => bytesPerMessage),
    },
  });
  return {
    method: `${SOCKETS} sockets in one room of one server, ${MESSAGES_PER_SECOND} messages/s each; recording begins and ends by turns, with key frames every 5 s and tracks twice a second. ${pairs} pairs of ${MEASURE_MS / 1000} s each; the ratio is the median of those of the pairs.`,
    tables: [
      {
        id: "servers",
        title: `${SOCKETS} sockets in one room`,
        rowTitle: "server",
        columns: [
          { key: "cpuNsPerDelivery", title: "CPU ns per delivery", digits: 0, better: "less" },
          { key: "cores", title: "cores", digits: 2 },
          { key: "bytesPerMessage", title: "file bytes per message of a client", digits: 0 },
        ],
        rows: [row("Slime Online 2", plain), row("Slime Online 2, recorded", recorded)],
      },
      {
        id: "parts",
        title: "What it consists of: a host without sockets, in virtual time",
        rowTitle: "recorded",
        columns: [{ key: "cpuUsPerMessage", title: "CPU µs per message of a client", digits: 1, better: "less" }],
        rows: parts.map(({ name, cpuUsPerMessage }) => ({ name, isOurs: true, cells: { cpuUsPerMessage } })),
      },
    ],
    promises: [
      {
        promise: "recording takes <= 10 % more CPU",
        measured: `${((ratio - 1) * 100).toFixed(1)} %, ${((extraCores * 1e6) / messages).toFixed(1)} µs for each message of a client; ${(pace * 100).toFixed(0)} % of the pace kept`,
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
