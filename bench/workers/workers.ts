/**
 * Worker threads: two worlds with the same load each, on the main thread or in workers. A thread that is busy all the time carries no
 * more, so what a server carries is what it delivers in a second of its busiest thread: other processes do not change that number.
 */
import type { LoadReport, LoadTask } from "../broadcast/workload.ts";
import { type Benchmark, Contestant, interleaved } from "../harness.ts";
import { median, type Report } from "../report.ts";
import type { ThreadReading, WorkersReady, WorkersTask } from "./task.ts";

const WORLDS = 2;
/** Of each world: both together are about 70 % of a core in one thread. */
const SOCKETS = 220;
const ROUNDS = 3;

interface Scene {
  readonly title: string;
  readonly workers: number;
  readonly carrier: LoadTask["carrier"];
}

interface Result {
  readonly deliveredPerSecond: number;
  readonly deliveredShare: number;
  /** Delivered in a second of the busiest thread. */
  readonly carried: number;
  /** Of the busiest thread, in cores. */
  readonly busiest: number;
  /** Of the main thread. */
  readonly main: number;
  readonly all: number;
  readonly p99Ms: number;
}

const none: Scene = { title: "TCP, no workers", workers: 0, carrier: "tcp" };
const one: Scene = { title: "TCP, 1 worker", workers: 1, carrier: "tcp" };
const two: Scene = { title: "TCP, 2 workers, which accept", workers: 2, carrier: "tcp" };
const noneWeb: Scene = { title: "WebSocket, no workers", workers: 0, carrier: "websocket" };
const twoWeb: Scene = { title: "WebSocket, 2 workers, the main thread accepts", workers: 2, carrier: "websocket" };

async function measure({ workers: count, carrier }: Scene, windowMs: number): Promise<Result> {
  const server = new Contestant(new URL("./server.ts", import.meta.url), {
    workers: count,
    sockets: SOCKETS,
  } satisfies WorkersTask);
  const loads: Contestant[] = [];
  try {
    const ready = await server.next<WorkersReady>();
    for (let world = 0; world < WORLDS; world += 1) {
      loads.push(
        new Contestant(new URL("../broadcast/load.ts", import.meta.url), {
          port: (carrier === "tcp" ? ready.tcpPorts[world] : ready.webSocketPort) ?? 0,
          carrier,
          path: ready.paths[world] ?? "",
          messages: "relay",
          sockets: SOCKETS,
          warmupMs: 2_000,
          windows: 1,
          windowMs,
        } satisfies LoadTask),
      );
    }
    await Promise.all(loads.map((load) => load.next<"connected">()));
    const reports = await Promise.all(loads.map((load) => load.next<LoadReport>()));
    return resultOf(reports, server.takeAll<ThreadReading>());
  } finally {
    for (const load of loads) await load.end();
    await server.end();
  }
}

function resultOf(reports: readonly LoadReport[], readings: readonly ThreadReading[]): Result {
  const fromMs = Math.max(...reports.map((report) => report.fromMs));
  const toMs = Math.min(...reports.map((report) => report.toMs));
  const inside = readings.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || first === last) throw new Error("The server sent no processor time");
  const cores = last.threadsUs.map(
    (us, thread) => (us - (first.threadsUs[thread] ?? 0)) / 1000 / (last.atMs - first.atMs),
  );
  const sum = (pick: (report: LoadReport) => number): number => reports.reduce((total, each) => total + pick(each), 0);
  const deliveredPerSecond = sum(({ delivered, fromMs: from, toMs: to }) => (delivered / (to - from)) * 1000);
  const busiest = Math.max(...cores);
  return {
    deliveredPerSecond,
    deliveredShare: sum(({ delivered }) => delivered) / (sum(({ sent }) => sent) * (SOCKETS - 1)),
    carried: deliveredPerSecond / busiest,
    busiest,
    main: cores[0] ?? Number.NaN,
    all: cores.reduce((total, each) => total + each, 0),
    p99Ms: Math.max(...reports.map(({ p99Ms }) => p99Ms ?? Number.NaN)),
  };
}

async function run(quick: boolean): Promise<Report> {
  const scenes = [none, one, two, noneWeb, twoWeb];
  const results = await interleaved(scenes, quick ? 1 : ROUNDS, (scene) => measure(scene, quick ? 1_500 : 4_000));
  const values = (scene: Scene, field: keyof Result): readonly number[] =>
    (results.get(scene) ?? []).map((result) => result[field]);
  const carried = (scene: Scene): number => median(values(scene, "carried"));
  const more = carried(two) / carried(none);
  const moreWeb = carried(twoWeb) / carried(noneWeb);
  const forwarding = median(values(twoWeb, "all")) / median(values(noneWeb, "all"));
  const scale: Partial<Record<keyof Result, number>> = {
    deliveredPerSecond: 1 / 1000,
    deliveredShare: 100,
    carried: 1e-6,
  };
  const keys: readonly (keyof Result)[] = [
    "deliveredPerSecond",
    "deliveredShare",
    "carried",
    "busiest",
    "main",
    "all",
    "p99Ms",
  ];
  return {
    method: `${WORLDS} worlds of ${SOCKETS} sockets, 10 messages/s each, everyone to everyone in a world; each thread measures its own CPU time. "Carried" is what is delivered in a second of the busiest thread.`,
    tables: [
      {
        id: "threads",
        title: `${WORLDS} worlds of ${SOCKETS} sockets`,
        rowTitle: "server",
        columns: [
          { key: "deliveredPerSecond", title: "delivered/s", suffix: " k", digits: 0 },
          { key: "deliveredShare", title: "delivered", suffix: " %", better: "more" },
          { key: "carried", title: "carried/s", suffix: " M", digits: 2, better: "more" },
          { key: "busiest", title: "busiest thread, cores", digits: 2, better: "less" },
          { key: "main", title: "main thread, cores", digits: 2 },
          { key: "all", title: "all threads, cores", digits: 2, better: "less" },
          { key: "p99Ms", title: "p99 ms" },
        ],
        rows: scenes.map((scene) => ({
          name: scene.title,
          isOurs: true,
          cells: Object.fromEntries(
            keys.map((key) => [key, values(scene, key).map((value) => value * (scale[key] ?? 1))]),
          ),
        })),
      },
    ],
    promises: [
      {
        promise: "Two workers carry at least 1.8 times the clients of a server without workers (TCP)",
        measured: `${more.toFixed(2)} times`,
        held: more >= 1.8,
      },
    ],
    charts: [],
    contenders: [
      {
        name: "wirewalk",
        version: "this workspace",
        does: "relays in two worlds through sessions with budgets, on the main thread or in workers",
        doesNot: "judge anything",
      },
    ],
    notes: [
      `Node cannot give an accepted socket to a worker thread: either the worker listens itself, as for TCP, or the main thread accepts and forwards bytes, as for WebSockets, which all come to one port. Forwarded, two workers carry ${moreWeb.toFixed(2)} times as much for ${forwarding.toFixed(2)} times the processor time. So workers listen wherever a world has a port of its own.`,
    ],
  };
}

export const workers: Benchmark = {
  summary: "two worlds on the main thread, in one and in two worker threads",
  run,
};
