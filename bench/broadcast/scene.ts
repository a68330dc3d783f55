/**
 * One measurement: a server and a load client, each a process of its own, and what the clients received. A server measures
 * its own CPU time.
 */
import { Contestant } from "../harness.ts";
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

export async function measureScene(scene: Scene, warmupMs: number, measureMs: number): Promise<Result> {
  const { sockets, roomSize, messages, neighbours } = scene;
  const room = roomSize === undefined ? {} : { roomSize };
  const pinned = neighbours !== undefined;
  const server = new Contestant(scene.server, {
    messages,
    sockets,
    ...room,
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
      measureMs,
      ...(pinned ? { core: LOAD_CORE } : {}),
    } satisfies LoadTask);
    // They begin when all clients are connected: how a server takes so many at once is not measured here.
    await load.next<"connected">();
    for (let count = 0; count < (neighbours ?? 0); count += 1) {
      busy.push(new Contestant(new URL("./neighbour.ts", import.meta.url), { core: SERVER_CORE }));
    }
    const report = await load.next<LoadReport>();
    const measuredMs = report.toMs - report.fromMs;
    const readings = server.takeAll<CpuReading>();
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
  } finally {
    for (const each of busy) await each.end();
    await load?.end();
    await server.end();
  }
}
