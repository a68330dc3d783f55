/**
 * The workload of the broadcast benchmark and the messages of its relay: as long as Slime Online 2's RightPress (7
 * bytes in, 9 bytes out), but with the time of sending in place of a position, which a game's rules would refuse.
 *
 * - client to server: type u16 BE, zero u8, sent u32 LE (microseconds, round after 71 minutes)
 * - server to the others: type u16 BE, player u16 LE, zero u8, sent u32 LE
 */

import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { tell } from "../harness.ts";

export const SOCKETS = 500;
export const MESSAGES_PER_SECOND = 10;

export const RELAY_TYPE = 8;
export const CLIENT_PAYLOAD = 7;
export const SERVER_PAYLOAD = 9;

/** The payload that the others get. */
export function relayed(player: number, payload: Uint8Array): Uint8Array {
  const out = new Uint8Array(SERVER_PAYLOAD);
  out[1] = RELAY_TYPE;
  out[2] = player & 0xff;
  out[3] = player >> 8;
  out.set(payload.subarray(2), 4);
  return out;
}

/**
 * `relay` carries times of sending; `slime` alternates RightPress and RightRelease; `maplestory` are v62's movements over TCP,
 * all on one map.
 */
export type Messages = "relay" | "slime" | "maplestory";

export interface LoadTask {
  readonly port: number;
  readonly carrier: "tcp" | "websocket";
  /** Path of the WebSocket. */
  readonly path: string;
  readonly messages: Messages;
  readonly sockets: number;
  readonly warmupMs: number;
  /** Measured one after the other. */
  readonly windows: number;
  readonly windowMs: number;
  /** The one core to run on. */
  readonly core?: number;
}

/** What the load client says when the measured time is over. */
export interface LoadReport {
  /** On the clock that all processes share. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly sent: number;
  readonly delivered: number;
  /** Null without times in the messages. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Sockets that the server closed. */
  readonly closed: number;
}

export interface ServerTask {
  readonly messages: Messages;
  readonly sockets: number;
  /** Players of each room of the relay; all in one without it. */
  readonly roomSize?: number;
  /** The one core to run on. */
  readonly core?: number;
  /** Without the limit on V8's young generation that `limitMemory` sets. */
  readonly growsFreely?: boolean;
}

/** What a server says once it listens. */
export interface ServerReady {
  readonly webSocketPort: number;
  readonly tcpPort: number | null;
  readonly path: string;
}

/** What a server says of itself while it runs. */
export interface CpuReading {
  /** User and system time of the whole process, in microseconds. */
  readonly cpuUs: number;
  /** Milliseconds of the clock that all processes share. */
  readonly atMs: number;
  /** Resident memory. */
  readonly rssBytes: number;
}

/** What a server answers about its memory, in bytes. */
export interface Memory {
  readonly rss: number;
  /** Objects of JavaScript that are in use. */
  readonly heapUsed: number;
  /** Memory outside of it, buffers included. */
  readonly external: number;
  readonly sessions: number;
}

export function memoryNow(sessions: number): Memory {
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heapUsed, external, sessions };
}

/** Keeps this process with all its threads on one core. Throws where there is no `taskset`, as on other systems than Linux. */
export function runOn(core: number | undefined): void {
  if (core !== undefined) execFileSync("taskset", ["-acp", `${core}`, `${process.pid}`], { stdio: "ignore" });
}

/** The clock that all processes share, in milliseconds. */
export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** What a load client has counted. */
export interface LoadCounts extends Pick<LoadReport, "sent" | "delivered" | "closed"> {
  readonly latenciesMs: readonly number[];
}

/**
 * After the warm-up measures windows one after the other: `begin` starts to count, `end` gives what was counted and forgets
 * it. Calls `stop` after the last.
 */
export async function tellLoad(
  { warmupMs, windows, windowMs }: LoadTask,
  { begin, end, stop }: { readonly begin: () => void; readonly end: () => LoadCounts; readonly stop: () => void },
): Promise<void> {
  await sleep(warmupMs);
  const reports: LoadReport[] = [];
  while (reports.length < windows) {
    begin();
    const fromMs = sharedNowMs();
    await sleep(windowMs);
    const toMs = sharedNowMs();
    const { sent, delivered, closed, latenciesMs } = end();
    const sorted = Float64Array.from(latenciesMs).sort();
    const quantile = (part: number): number | null => sorted[Math.floor(part * (sorted.length - 1))] ?? null;
    reports.push({ fromMs, toMs, sent, delivered, p50Ms: quantile(0.5), p99Ms: quantile(0.99), closed });
  }
  stop();
  // The last readings of the server's CPU time are on their way.
  await sleep(2 * CPU_READING_MS);
  for (const report of reports) tell(report);
}

const CPU_READING_MS = 50;

/**
 * Tells the CPU time every 50 ms. A server that is so far behind that its timers starve calls the returned function
 * while it works.
 */
export function tellCpu(): () => void {
  let lastMs = 0;
  const reading = (): void => {
    const atMs = sharedNowMs();
    if (atMs - lastMs < CPU_READING_MS) return;
    lastMs = atMs;
    const { user, system } = process.cpuUsage();
    tell({ cpuUs: user + system, atMs, rssBytes: process.memoryUsage.rss() } satisfies CpuReading);
  };
  setInterval(reading, CPU_READING_MS);
  return reading;
}

/** CPU time per time between two moments, out of the readings next to them. */
export function cpuShare(readings: readonly CpuReading[], fromMs: number, toMs: number): number {
  const inside = readings.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || first === last) return Number.NaN;
  return (last.cpuUs - first.cpuUs) / 1000 / (last.atMs - first.atMs);
}
