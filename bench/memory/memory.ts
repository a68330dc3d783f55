/**
 * Memory of the server per client: thousands of clients in a process of their own, silent and then with 10 messages a second
 * each, and what is left when all have gone.
 */
import type { LoadReport, LoadTask, Memory, ServerReady, ServerTask } from "../broadcast/workload.ts";
import { type Benchmark, Contestant, interleaved, median, printPromise, printTable } from "../harness.ts";

const server = new URL("../broadcast/wirewalk-server.ts", import.meta.url);
const relayLoad = new URL("../broadcast/load.ts", import.meta.url);
const mapleLoad = new URL("../broadcast/maplestory-load.ts", import.meta.url);

const KIB = 1024;
const MIB = 1024 * KIB;

/** RSS per active client, and what may be more after all have left than at the start. */
const MAX_CLIENT_BYTES = 40 * KIB;
const MAX_LEFT_SHARE = 0.2;

/** Between two readings of RSS while clients are active: its highest and lowest value differ by the garbage of a second. */
const READING_MS = 250;
/** Clients send for so long before memory is read: until queues, code and heap have the size that they keep. */
const WARMUP_MS = 10_000;
/** After the last client has left: the collector shrinks the heap of an idle process only after some seconds. */
const IDLE_MS = 15_000;

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

async function measure({ carrier, messages, clients, roomSize }: Scene, measureMs: number): Promise<Result> {
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
      warmupMs: WARMUP_MS,
      measureMs,
    } satisfies LoadTask);
    await load.next<"connected">();
    const silent = await serving.ask<Memory>("memory");
    await sleep(WARMUP_MS);
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
    await sleep(IDLE_MS);
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

const kib = (bytes: number): string => (bytes / KIB).toFixed(1);
const mib = (bytes: number): string => (bytes / MIB).toFixed(0);

async function run(quick: boolean): Promise<void> {
  const [rounds, measureMs] = quick ? [1, 3_000] : [3, 10_000];
  const chosen = quick ? scenes.slice(0, 2) : scenes;
  console.log(`10 messages/s of each client; medians of ${rounds} interleaved rounds`);
  const results = await interleaved(chosen, rounds, (scene) => measure(scene, measureMs));
  const middle = (scene: Scene, field: keyof Result): number =>
    median((results.get(scene) ?? []).map((result) => result[field]));
  printTable([
    ["KiB per client", "RSS silent", "RSS active", "heap in use", "external in use"],
    ...chosen.map((scene) => [
      scene.title,
      kib(middle(scene, "silentRss")),
      kib(middle(scene, "activeRss")),
      kib(middle(scene, "activeHeap")),
      kib(middle(scene, "activeExternal")),
    ]),
  ]);
  printTable([
    [
      "MiB of the process",
      "RSS at the start",
      `${IDLE_MS / 1000} s after all left`,
      "and collected",
      "heap more than before",
    ],
    ...chosen.map((scene) => [
      scene.title,
      mib(middle(scene, "startRss")),
      mib(middle(scene, "leftRss")),
      mib(middle(scene, "collectedRss")),
      (middle(scene, "collectedHeap") / MIB).toFixed(1),
    ]),
  ]);
  for (const scene of chosen) {
    const active = middle(scene, "activeRss");
    const more = middle(scene, "collectedRss") / middle(scene, "startRss") - 1;
    printPromise(
      `${scene.title}: <= ${MAX_CLIENT_BYTES / KIB} KiB of RSS per active client`,
      `${kib(active)} KiB`,
      active <= MAX_CLIENT_BYTES,
    );
    printPromise(
      `${scene.title}: RSS at most ${MAX_LEFT_SHARE * 100} % above the start when all have left`,
      `${(more * 100).toFixed(0)} %`,
      more <= MAX_LEFT_SHARE,
    );
  }
}

export const memory: Benchmark = {
  summary: "memory of the server per client, and what is left when all have gone",
  run,
};
