/** A worker thread of `wirewalk serve --workers`: reads the command line again and runs its worlds. */
import { parentPort, workerData } from "node:worker_threads";
import { runWorker, type WorkerSetup } from "@wirewalk/server";
import { pino } from "pino";
import type { ServeConfig } from "../config/read-config.ts";
import type { CommandContext, OutsideFiles } from "../context.ts";
import { loadProtocols } from "../input/load-protocols.ts";
import { openStore } from "../process/open-store.ts";
import { type RecordingFlags, recordingOptions } from "./recording-flags.ts";
import { chooseListeners, type ListenerFlags } from "./serve-listeners.ts";
import { type ServerFlags, serverOptions } from "./serve-options.ts";

/** What the command gives its workers. */
export interface ServeWorkerData {
  readonly flags: ServerFlags & ListenerFlags & RecordingFlags & { readonly logLevel: string };
  readonly config: ServeConfig;
  /** Of `--protocol`. */
  readonly files: OutsideFiles;
  /** The store, which the main thread has open too. */
  readonly place: string;
  readonly isKept: boolean;
  readonly dismissed?: string | undefined;
  readonly sessionsPerAddress: number;
}

if (parentPort !== null) {
  const port = parentPort;
  const { setup, data } = workerData as { readonly setup: WorkerSetup; readonly data: ServeWorkerData };
  const { flags, config, files, place, isKept, dismissed, sessionsPerAddress } = data;
  const context: CommandContext = {
    protocols: await loadProtocols(undefined, files),
    version: "",
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signals: process,
    exit: (code) => process.exit(code),
  };
  const listeners = chooseListeners(context, flags, config);
  const recordings = recordingOptions(flags);
  const options = serverOptions(flags, { listeners, web: {}, recordings, sessionsPerAddress, isKept, dismissed });
  const log = { write: (line: string): void => port.postMessage({ type: "log", line }) };
  await runWorker(port, setup, {
    ...options,
    store: await openStore(place, { shared: true }),
    logger: pino({ level: flags.logLevel }, log),
  });
}
