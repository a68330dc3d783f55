/** The networks and server stalls that fairness is measured on. */
import type { NetworkConditions, StallConditions } from "../../packages/wirewalk/src/net/index.ts";
import type { ProcessStall } from "../../packages/wirewalk/src/testing/simulation.ts";

export interface FairnessNetwork {
  readonly summary: string;
  readonly conditions: NetworkConditions;
  /** The whole server stands: nothing is read, then everything at once. */
  readonly serverStall?: ProcessStall;
  /** Clients that play so rarely, ms, and connections that end so often, ms: see the simulation. */
  readonly clientStepMs?: number;
  readonly reconnectEveryMs?: number;
}

const latencyMs = { low: 20, high: 80 };
const clean: NetworkConditions = { latencyMs, jitterMs: 0 };
/** 5 s of silence from every 28 to 33 s. */
const stall: StallConditions = { everyMs: 25_000, durationMs: 5000, regular: true };
/** 5 % of the packets, three in a row on average. A link forgets a burst within 150 ms, sooner than TCP sends again. */
const loss = { rate: 0.05, burst: 3, memoryMs: 150 };
const line = { bytesPerSecond: 8000 };
const serverStall: StallConditions = { everyMs: 55_000, durationMs: 5000, regular: true };
const starved: ProcessStall = { everyMs: 630, durationMs: 50, longestMs: 5000 };

/** By name; `--network` takes them. */
export const networks: Readonly<Record<string, FairnessNetwork>> = {
  clean: { summary: "20-80 ms one way", conditions: clean },
  jitter: { summary: "up to 500 ms of jitter", conditions: { latencyMs, jitterMs: 500 } },
  stall: { summary: "5 s stalls every 30 s", conditions: { ...clean, stall } },
  loss: { summary: "5 % loss in bursts of 3, over TCP", conditions: { ...clean, loss } },
  line: { summary: "64 kbit/s", conditions: { ...clean, ...line } },
  "server-1s": {
    summary: "the server stands for 1 s every 30 s",
    conditions: clean,
    serverStall: { everyMs: 29_000, durationMs: 1000, regular: true },
  },
  "server-5s": { summary: "the server stands for 5 s every 60 s", conditions: clean, serverStall },
  all: {
    summary: "500 ms jitter, 5 s stalls, 5 % loss, 64 kbit/s and 5 s server stalls together",
    conditions: { latencyMs, jitterMs: 500, stall, loss, ...line },
    serverStall,
  },
};

/**
 * Not among the goals; `--network NAME` plays them. `satellite`: a long way that differs. `loss-long`: bursts that outlast the waiting of TCP, so that what is sent again is
 * lost as well; one packet in 600 holds up its stream for 51 s. `overloaded` and `starved`: a server that is late most of the time.
 * `starved-bots`: the players live in its process, and are late as well. `stall-minute`, `cells` and `slow-client`: odd lines, and odd machines.
 */
export const harsherNetworks: Readonly<Record<string, FairnessNetwork>> = {
  satellite: {
    summary: "600 ms one way, up to 300 ms of jitter",
    conditions: { latencyMs: { low: 590, high: 610 }, jitterMs: 300 },
  },
  "loss-long": {
    summary: "5 % loss in bursts of 3 that also hit what is sent again",
    conditions: { ...clean, loss: { rate: 0.05, burst: 3 } },
  },
  overloaded: {
    summary: "the server stands for 2.5 s every 3.5 s",
    conditions: clean,
    serverStall: { everyMs: 1000, durationMs: 2500, regular: true },
  },
  starved: {
    summary: "the server stands for 0.05 to 5 s at a time, in all for four fifths of the time",
    conditions: clean,
    serverStall: starved,
  },
  "stall-minute": {
    summary: "5 s stalls every 60 s",
    conditions: { ...clean, stall: { everyMs: 55_000, durationMs: 5000, regular: true } },
  },
  cells: {
    summary: "every 30 s on average another connection, of 30 to 300 ms one way and up to 100 ms of jitter",
    conditions: { latencyMs: { low: 30, high: 300 }, jitterMs: 100 },
    reconnectEveryMs: 30_000,
  },
  "slow-client": { summary: "clients at 10 frames a second", conditions: clean, clientStepMs: 100 },
  "starved-bots": {
    summary: "the same, with players in its process",
    conditions: { latencyMs: { low: 0, high: 5 }, jitterMs: 0 },
    serverStall: { ...starved, withBots: true },
  },
};
