/** **Threads for one task each**: work that would stop the game for long. A thread is given its task, says what it found, and ends. */
import { type TransferListItem, Worker } from "node:worker_threads";
import type { Clock } from "wirewalk/net";

/** In the workspace sources run as they are, and find each other by this condition. */
const SOURCE_FLAGS = ["-C", "wirewalk-source"];

export interface ThreadTask<M, T> {
  /** The thread's module, beside the caller's. */
  readonly module: URL;
  /** What it begins with. */
  readonly data: unknown;
  /** Buffers that it takes over: nobody else uses them. */
  readonly transfer: readonly TransferListItem[];
  /** Receives what it says, and gives the result, or undefined where it goes on. `reply` answers it. */
  readonly said: (message: M, reply: (answer: unknown) => void) => T | undefined;
  /** Aborted: nobody waits for the result any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface TaskThreadsOptions {
  readonly clock: Clock;
  /** A task that takes longer is ended. */
  readonly maxWorkMs: number;
  readonly memoryMb: number;
}

export class TaskThreads {
  readonly #options: TaskThreadsOptions;
  readonly #threads = new Set<Worker>();
  #isClosed = false;

  constructor(options: TaskThreadsOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The result of a task. Rejects with what its thread throws, when it takes too long, and when it is ended. */
  run<M, T>({ module, data, transfer, said, signal }: ThreadTask<M, T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error("the server stops"));
    const { clock, maxWorkMs, memoryMb } = this.#options;
    const thread = new Worker(module, {
      workerData: data,
      transferList: [...transfer],
      execArgv: module.pathname.endsWith(".ts") ? SOURCE_FLAGS : [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    this.#threads.add(thread);
    return new Promise<T>((resolve, reject) => {
      const cancel = clock.after(maxWorkMs, () => reject(new Error("it takes too long")));
      thread.on("message", (message: M) => {
        const result = said(message, (answer) => thread.postMessage(answer));
        if (result !== undefined) resolve(result);
      });
      thread.once("error", reject);
      thread.once("exit", () => reject(new Error("its thread has ended")));
      thread.once("exit", cancel);
      signal?.addEventListener("abort", () => reject(new Error("nobody waits for it any more")), { once: true });
    }).finally(() => {
      this.#threads.delete(thread);
      void thread.terminate();
    });
  }

  /** Ends what is at work. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#threads, (thread) => thread.terminate()));
  }
}
