/**
 * Memory of the server per client: thousands of clients in a process of their own, silent and then with 10 messages a second
 * each, and what is left when all have gone.
 */
import type { LoadReport, LoadTask, Memory, ServerReady, ServerTask } from "../broadcast/workload.ts";
import { type Benchmark, Contestant, interleaved } from "../harness.ts";
import { type Column, median, type Report } from "../report.ts";

const server = new URL("../broadcast/wirewalk-server.ts", import.meta.url);
const relayLoad = new URL("../broadcast/load.ts", import.meta.url);
const mapleLoad = new URL("../broadcast/maplestory-load.ts", import.meta.url);

const KIB = 1024;
const MIB = 1024 * KIB;

/** RSS per active client, and what may be more after all have left than at the start. */
const MAX_CLIENT_BYTES = 40 * KIB;
const MAX_LEFT_SHARE = 0.2;
/** Fewer clients share what the first ones cost: compiled code, and 30 MiB by which the heap grows before it is collected. */
const CROWD = 2_000;

/** Between two readings of RSS while clients are active: its highest and lowest value differ by the garbage of a second. */
const READING_MS = 250;
/** A scene takes 50 s: more rounds would make this the longest of all benchmarks. */
const ROUNDS = 1;
/** How long a scene is measured. */
interface Effort {
  /** Clients send for so long before memory is read: until queues, code and heap have the size that they keep. */
  readonly warmupMs: number;
  readonly measureMs: number;
  /** After the last client has left: the server gives memory back ten seconds later. */
  readonly idleMs: number;
}
const full: Effort = { warmupMs: 10_000, measureMs: 8_000, idleMs: 13_000 };
const short: Effort = { warmupMs: 2_000, measureMs: 2_000, idleMs: 13_000 };

interface Scene {
  readonly title: string;
  readonly carrier: LoadTask["carrier"];
  readonly messages: LoadTask["messages"];
  readonly clients: number;
  readonly roomSize?: number;
}

const scenes: readonly Scene[] = [
  { title: "2,000 over TCP in rooms of 50", carrier: "tcp", messages: "relay", clients: 2_000, roomSize: 50 },
  {
    title: "2,000 over WebSocket in rooms of 50",
    carrier: "websocket",
    messages: "relay",
    clients: 2_000,
    roomSize: 50,
  },
  { title: "5,000 over TCP in rooms of 10", carrier: "tcp", messages: "relay", clients: 5_000, roomSize: 10 },
  { title: "300 of MapleStory v62 on one map, TCP", carrier: "tcp", messages: "maplestory", clients: 300 },
];

/** All in bytes. */
interface Result {
  readonly startRss: number;
  /** Per client, garbage included: connected and silent, and the median while they are active. */
  readonly silentRss: number;
  readonly activeRss: number;
  /** Per client after a full collection: objects and buffers that are in use. */
  readonly activeHeap: number;
  readonly activeExternal: number;
  /** Of the whole process: some seconds after the last client has left, and after a full collection. */
  readonly leftRss: number;
  readonly collectedRss: number;
  readonly collectedHeap: number;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(
  { carrier, messages, clients, roomSize }: Scene,
  { warmupMs, measureMs, idleMs }: Effort,
): Promise<Result> {
  const room = roomSize === undefined ? {} : { roomSize };
  const serving = new Contestant(server, { messages, sockets: clients, ...room } satisfies ServerTask);
  let load: Contestant | undefined;
  try {
    const { tcpPort, webSocketPort, path } = await serving.next<ServerReady>();
    const start = await serving.ask<Memory>("collected");
    load = new Contestant(messages === "maplestory" ? mapleLoad : relayLoad, {
      port: carrier === "tcp" ? (tcpPort ?? 0) : webSocketPort,
      carrier,
      path,
      messages,
      sockets: clients,
      warmupMs,
      windows: 1,
      windowMs: measureMs,
    } satisfies LoadTask);
    await load.next<"connected">();
    const silent = await serving.ask<Memory>("memory");
    await sleep(warmupMs);
    const readings: number[] = [];
    const endMs = performance.now() + measureMs - 2 * READING_MS;
    while (performance.now() < endMs) {
      readings.push((await serving.ask<Memory>("memory")).rss);
      await sleep(READING_MS);
    }
    const active = await serving.ask<Memory>("collected");
    const { closed } = await load.next<LoadReport>();
    if (closed > 0 || active.sessions !== clients) throw new Error(`${closed} of ${clients} clients were disconnected`);
    await load.end();
    await sleep(idleMs);
    const left = await serving.ask<Memory>("memory");
    const collected = await serving.ask<Memory>("collected");
    if (left.sessions > 0) throw new Error(`${left.sessions} sessions are left over`);
    const each = (bytes: number): number => bytes / clients;
    return {
      startRss: start.rss,
      silentRss: each(silent.rss - start.rss),
      activeRss: each(median(readings) - start.rss),
      activeHeap: each(active.heapUsed - start.heapUsed),
      activeExternal: each(active.external - start.external),
      leftRss: left.rss,
      collectedRss: collected.rss,
      collectedHeap: collected.heapUsed - start.heapUsed,
    };
  } finally {
    await load?.end();
    await serving.end();
  }
}

async function run(quick: boolean): Promise<Report> {
  const effort = quick ? short : full;
  const rounds = quick ? 1 : ROUNDS;
  const chosen = quick ? scenes.slice(0, 1) : scenes;
  const results = await interleaved(chosen, rounds, (scene) => measure(scene, effort));
  const values = (scene: Scene, field: keyof Result, unit: number): readonly number[] =>
    (results.get(scene) ?? []).map((result) => result[field] / unit);
  const table = (id: string, title: string, unit: number, columns: readonly (Column & { key: keyof Result })[]) => ({
    id,
    title,
    rowTitle: "clients",
    columns,
    rows: chosen.map((scene) => ({
      name: scene.title,
      isOurs: true,
      cells: Object.fromEntries(columns.map(({ key }) => [key, values(scene, key, unit)])),
    })),
  });
  return {
    method: `10 messages/s of each client; ${rounds} processes for each scene, by turns.`,
    tables: [
      table("clients", "KiB per client", KIB, [
        { key: "silentRss", title: "RSS silent" },
        { key: "activeRss", title: "RSS active", better: "less" },
        { key: "activeHeap", title: "heap in use" },
        { key: "activeExternal", title: "external in use" },
      ]),
      table("process", "MiB of the process", MIB, [
        { key: "startRss", title: "RSS at the start", digits: 0 },
        { key: "leftRss", title: `${effort.idleMs / 1000} s after all left`, digits: 0 },
        { key: "collectedRss", title: "and collected", digits: 0, better: "less" },
        { key: "collectedHeap", title: "heap more than before" },
      ]),
    ],
    promises: chosen.flatMap((scene) => {
      const active = median(values(scene, "activeRss", KIB));
      const more = median(values(scene, "collectedRss", 1)) / median(values(scene, "startRss", 1)) - 1;
      const perClient = {
        promise: `${scene.title}: <= ${MAX_CLIENT_BYTES / KIB} KiB of RSS per active client`,
        measured: `${active.toFixed(1)} KiB`,
        held: active <= MAX_CLIENT_BYTES / KIB,
      };
      return [
        ...(scene.clients >= CROWD ? [perClient] : []),
        {
          promise: `${scene.title}: RSS at most ${MAX_LEFT_SHARE * 100} % above the start when all have left`,
          measured: `${(more * 100).toFixed(0)} %`,
          held: more <= MAX_LEFT_SHARE,
        },
      ];
    }),
    charts: [],
    contenders: [],
    notes: [],
  };
}

export const memory: Benchmark = {
  summary: "memory of the server per client, and what is left when all have gone",
  run,
};
