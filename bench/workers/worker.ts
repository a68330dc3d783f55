/** A worker thread of the benchmark's server. */
import { parentPort, workerData } from "node:worker_threads";
import { runWorker, type WorkerSetup } from "@wirewalk/server";
import { relay } from "../broadcast/relay.ts";
import { threadUs } from "./task.ts";

const READING_MS = 20;

interface Given {
  readonly setup: WorkerSetup;
  readonly data: { readonly sockets: number; readonly usedUs: Float64Array };
}

if (parentPort !== null) {
  const { setup, data } = workerData as Given;
  const { sockets, usedUs } = data;
  setInterval(() => {
    usedUs[setup.index - 1] = threadUs();
  }, READING_MS);
  await runWorker(parentPort, setup, {
    listeners: [
      { protocol: relay(), port: 0 },
      { protocol: relay(), port: 0 },
    ],
    budgets: { sessionsPerAddress: 2 * sockets, sessions: 20_000 },
  });
}
