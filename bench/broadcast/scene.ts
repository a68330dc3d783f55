/**
 * One measurement: a server and a load client, each a process of its own, and what the clients received. A server measures
 * its own CPU time.
 */
import { Contestant, interleaved } from "../harness.ts";
import type { Column, Row } from "../report.ts";
import {
  type CpuReading,
  cpuShare,
  type LoadReport,
  type LoadTask,
  MESSAGES_PER_SECOND,
  type ServerReady,
  type ServerTask,
} from "./workload.ts";

export interface Scene {
  readonly title: string;
  readonly server: URL;
  readonly carrier: LoadTask["carrier"];
  readonly messages: LoadTask["messages"];
  readonly sockets: number;
  /** Players of a room; all in one without it. */
  readonly roomSize?: number;
  /** The server has a core of its own, which it shares with that many busy neighbours; the load client has another. */
  readonly neighbours?: number;
  /** The server's young generation has no limit: what that costs, and saves. */
  readonly growsFreely?: boolean;
}

export interface Result {
  readonly deliveredPerSecond: number;
  /** Of the messages that were sent in the measured time, the share that reached all others. */
  readonly deliveredShare: number;
  readonly cpuNsPerDelivery: number;
  /** CPU time of the server, in cores. */
  readonly cores: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the pace that was asked for, the share that the load client kept. */
  readonly paceShare: number;
  readonly closed: number;
  /** The most memory of the server, in MiB. */
  readonly rssMib: number;
}

const SERVER_CORE = 0;
const LOAD_CORE = 1;

/** How long a scene is measured. */
export interface Effort {
  /** Processes for each scene, by turns. */
  readonly rounds: number;
  readonly warmupMs: number;
  /** Measured one after the other in each process. */
  readonly windows: number;
  readonly windowMs: number;
}

/** Measures scenes by turns: a result for each window of each round. */
export async function measureScenes(
  scenes: readonly Scene[],
  effort: Effort,
): Promise<ReadonlyMap<Scene, readonly Result[]>> {
  const results = await interleaved(scenes, effort.rounds, (scene) => measureScene(scene, effort));
  return new Map(Array.from(results, ([scene, rounds]) => [scene, rounds.flat()]));
}

export const sceneColumns: readonly Column[] = [
  { key: "deliveredPerSecond", title: "delivered/s", suffix: " k", digits: 0 },
  { key: "deliveredShare", title: "delivered", suffix: " %", better: "more" },
  { key: "cpuNsPerDelivery", title: "CPU ns per delivery", digits: 0, better: "less" },
  { key: "cores", title: "cores", digits: 2 },
  { key: "p50Ms", title: "p50 ms" },
  { key: "p99Ms", title: "p99 ms", better: "less" },
  { key: "paceShare", title: "pace kept", suffix: " %" },
  { key: "closed", title: "closed", digits: 0 },
  { key: "rssMib", title: "MiB", digits: 0 },
];

/** A scene as a row of {@link sceneColumns}. */
export function sceneRow({ title }: Scene, results: readonly Result[], isOurs: boolean): Row {
  const scale: Partial<Record<string, number>> = { deliveredPerSecond: 1 / 1000, deliveredShare: 100, paceShare: 100 };
  const cells = sceneColumns.map(({ key }): [string, readonly number[]] => [
    key,
    results.map((result) => result[key as keyof Result] * (scale[key] ?? 1)),
  ]);
  return { name: title, isOurs, cells: Object.fromEntries(cells) };
}

async function measureScene(scene: Scene, { warmupMs, windows, windowMs }: Effort): Promise<readonly Result[]> {
  const { sockets, roomSize, messages, neighbours, growsFreely = false } = scene;
  const room = roomSize === undefined ? {} : { roomSize };
  const pinned = neighbours !== undefined;
  const server = new Contestant(scene.server, {
    messages,
    sockets,
    ...room,
    growsFreely,
    ...(pinned ? { core: SERVER_CORE } : {}),
  } satisfies ServerTask);
  let load: Contestant | undefined;
  const busy: Contestant[] = [];
  try {
    const ready = await server.next<ServerReady>();
    const port = scene.carrier === "tcp" ? ready.tcpPort : ready.webSocketPort;
    if (port === null) throw new Error(`${scene.title} does not listen for ${scene.carrier}`);
    load = new Contestant(new URL(messages === "maplestory" ? "./maplestory-load.ts" : "./load.ts", import.meta.url), {
      port,
      carrier: scene.carrier,
      path: ready.path,
      messages,
      sockets,
      warmupMs,
      windows,
      windowMs,
      ...(pinned ? { core: LOAD_CORE } : {}),
    } satisfies LoadTask);
    // They begin when all clients are connected: how a server takes so many at once is not measured here.
    await load.next<"connected">();
    for (let count = 0; count < (neighbours ?? 0); count += 1) {
      busy.push(new Contestant(new URL("./neighbour.ts", import.meta.url), { core: SERVER_CORE }));
    }
    const reports: LoadReport[] = [];
    while (reports.length < windows) reports.push(await load.next<LoadReport>());
    const readings = server.takeAll<CpuReading>();
    const closed = Math.max(...reports.map((report) => report.closed));
    if (closed > 0) {
      // Before the load client ends: from then on every socket is closed, by its peer.
      const reasons = Object.entries(await server.ask<Readonly<Record<string, number>>>("disconnects"));
      const named = reasons.map(([reason, count]) => `${count} ${reason}`).join(", ");
      console.log(`${scene.title}: ${closed} sockets were closed; the server's reasons: ${named || "none"}`);
    }
    return reports.map((report) => resultOf(scene, report, readings));
  } finally {
    for (const each of busy) await each.end();
    await load?.end();
    await server.end();
  }
}

function resultOf({ sockets, roomSize }: Scene, report: LoadReport, readings: readonly CpuReading[]): Result {
  const measuredMs = report.toMs - report.fromMs;
  const cores = cpuShare(readings, report.fromMs, report.toMs);
  const others = (roomSize ?? sockets) - 1;
  return {
    deliveredPerSecond: (report.delivered / measuredMs) * 1000,
    deliveredShare: report.delivered / (report.sent * others),
    cpuNsPerDelivery: (cores * measuredMs * 1e6) / report.delivered,
    cores,
    p50Ms: report.p50Ms ?? Number.NaN,
    p99Ms: report.p99Ms ?? Number.NaN,
    paceShare: ((report.sent / measuredMs) * 1000) / (sockets * MESSAGES_PER_SECOND),
    closed: report.closed,
    rssMib: Math.max(...readings.map(({ rssBytes }) => rssBytes)) / 2 ** 20,
  };
}
