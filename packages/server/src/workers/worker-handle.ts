/** A worker thread, as the main thread knows it. */
import { Worker } from "node:worker_threads";
import type { ServedWorld } from "../feed/feed.ts";
import type { RunningListener } from "../server-options.ts";
import type { FromWorker, ToWorker, WorkerSetup, WorkerStatus } from "./messages.ts";

export interface WorkerHandleOptions {
  /** The module that it runs: it calls `runWorker`. */
  readonly module: URL;
  readonly setup: WorkerSetup;
  /** For the module. */
  readonly data: unknown;
  readonly execArgv: readonly string[];
  readonly received: (worker: WorkerHandle, message: FromWorker) => void;
  /** It listened and then ended by itself: a bug. */
  readonly failed: (error: Error) => void;
}

export class WorkerHandle {
  readonly setup: WorkerSetup;
  listeners: readonly RunningListener[] = [];
  served: readonly ServedWorld[] = [];
  status: WorkerStatus | undefined;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #isListening = false;
  #isClosing = false;

  /** Resolves when it listens; rejects with its `Error` when it cannot. */
  readonly ready: Promise<void>;

  constructor({ module, setup, data, execArgv, received, failed }: WorkerHandleOptions) {
    this.setup = setup;
    this.#worker = new Worker(module, { workerData: { setup, data }, execArgv: [...execArgv] });
    let listening: () => void = () => {};
    let notListening: (error: Error) => void = () => {};
    this.ready = new Promise((resolve, reject) => {
      listening = resolve;
      notListening = reject;
    });
    this.#worker.on("message", (message: FromWorker) => {
      if (message.type === "listening") {
        this.listeners = message.listeners;
        this.served = message.served;
        this.#isListening = true;
        listening();
      } else if (message.type === "failed") notListening(new Error(message.message));
      else if (message.type === "status") this.status = message.status;
      else received(this, message);
    });
    this.#worker.on("error", (error) => {
      const shown = error instanceof Error ? error : new Error(String(error));
      notListening(shown);
      if (this.#isListening) failed(shown);
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once("exit", (code) => {
        notListening(new Error(`a worker ended with code ${code}`));
        if (this.#isListening && !this.#isClosing) failed(new Error(`a worker ended with code ${code}`));
        resolve();
      });
    });
    // Whoever starts it waits for it; without this a late failure would end the process.
    this.ready.catch(() => {});
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Resolves when it has ended, after its sessions; later than `withinMs` it is stopped. */
  async close(graceMs: number, withinMs: number): Promise<void> {
    this.#isClosing = true;
    this.post({ type: "close", graceMs });
    const timer = setTimeout(() => void this.#worker.terminate(), withinMs);
    await this.#ended;
    clearTimeout(timer);
  }
}
