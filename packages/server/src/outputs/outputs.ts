/**
 * **Outputs**: verdicts, penalties and actions of operators are told to other programs. The game's thread only counts and hands over; other
 * threads send: one for all sockets, and one for each file, since writing may stand still. Each target has at most {@link MAX_WAITING} events that are on their way: more are dropped and counted.
 */
import { Worker } from "node:worker_threads";
import type { RemoteStore } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import type { LogSink } from "../runtime/log-budget.ts";
import type { OutputEvent } from "./output-events.ts";
import type { OutputTarget } from "./output-targets.ts";
import type { OutputBatch, OutputReport, OutputsData } from "./outputs-thread.ts";

/** Events of one target on their way: half a megabyte. */
const MAX_WAITING = 1_000;
/** At the end what is on its way has this long. */
const CLOSE_WITHIN_MS = 2_000;

/** The sources in the workspace, before any build, else the build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));

/** What became of the events for a target. */
export interface OutputCounts {
  readonly target: string;
  readonly told: number;
  readonly failed: number;
  /** Too many were on their way. */
  readonly dropped: number;
  readonly waiting: number;
}

interface Line {
  readonly target: OutputTarget;
  told: number;
  failed: number;
  dropped: number;
  waiting: number;
  /** Since the last flush. */
  readonly fresh: OutputEvent[];
  /** Rows are on their way. */
  isWriting: boolean;
  isFailing: boolean;
}

export interface OutputsOptions {
  readonly targets: readonly OutputTarget[];
  /** For rows: a store that is a database. */
  readonly store?: { readonly remote?: RemoteStore | undefined } | undefined;
  readonly log: LogSink;
}

export class Outputs {
  readonly #lines: readonly Line[];
  readonly #store: OutputsOptions["store"];
  readonly #log: LogSink;
  /** By the number of the target; one for all that are sockets. */
  readonly #workers = new Map<number, Worker>();
  #isPlanned = false;
  #emptied: () => void = () => {};

  /** Throws `RangeError` for rows where the store is no database that takes them. */
  constructor({ targets, store, log }: OutputsOptions) {
    this.#store = store;
    this.#log = log;
    this.#lines = targets.map((target) => {
      return { target, told: 0, failed: 0, dropped: 0, waiting: 0, fresh: [], isWriting: false, isFailing: false };
    });
    if (targets.some(({ kind }) => kind === "store") && store?.remote?.addRows === undefined) {
      throw new RangeError("Rows of verdicts need a store that is a database, see wirewalk serve --store");
    }
    const numbered = targets.map((target, number) => [number, target] as const);
    const isLines = ([, { kind }]: (typeof numbered)[number]): boolean => kind === "file" || kind === "stdout";
    const sockets = numbered.filter((each) => !isLines(each) && each[1].kind !== "store");
    for (const own of [sockets, ...numbered.filter(isLines).map((each) => [each])]) this.#startWorker(new Map(own));
  }

  #startWorker(targets: ReadonlyMap<number, OutputTarget>): void {
    if (targets.size === 0) return;
    const workerData: OutputsData = { targets };
    const worker = new Worker(new URL(`./outputs-thread${extension}`, import.meta.url), { workerData, execArgv: [] });
    for (const number of targets.keys()) this.#workers.set(number, worker);
    worker.unref();
    worker.on("message", ({ target, problem }: OutputReport) => this.#reported(target, problem));
    // A bug: what is on its way is lost, and so is what comes.
    worker.on("error", (error) => {
      this.#log.error({ err: error }, "the thread of outputs has ended");
      for (const number of targets.keys()) {
        const line = this.#lines[number];
        if (line !== undefined) line.waiting = MAX_WAITING;
      }
    });
  }

  /** Whether any output is told of single verdicts. */
  get takesVerdicts(): boolean {
    return this.#lines.some(({ target }) => target.what === "all");
  }

  get counts(): readonly OutputCounts[] {
    return this.#lines.map(({ target, told, failed, dropped, waiting }) => {
      return { target: target.name, told, failed, dropped, waiting };
    });
  }

  /** Never waits and never throws. */
  tell(event: OutputEvent): void {
    for (const line of this.#lines) {
      if (line.target.what === "penalties" && event.event === "verdict") continue;
      if (line.waiting >= MAX_WAITING) {
        line.dropped += 1;
        continue;
      }
      line.waiting += 1;
      line.fresh.push(event);
      if (this.#isPlanned) continue;
      this.#isPlanned = true;
      setImmediate(() => this.#flush());
    }
  }

  /** Gives what is on its way a moment, and ends. */
  async close(): Promise<void> {
    this.#flush();
    if (this.#lines.some(({ waiting }) => waiting > 0)) {
      await within(CLOSE_WITHIN_MS, (resolve) => {
        this.#emptied = resolve;
      });
    }
    // A thread that stands still in the system ends with the process.
    await within(CLOSE_WITHIN_MS, (resolve) => {
      void Promise.all(Array.from(new Set(this.#workers.values()), (worker) => worker.terminate())).then(resolve);
    });
  }

  #flush(): void {
    this.#isPlanned = false;
    for (const [target, line] of this.#lines.entries()) {
      if (line.fresh.length === 0) continue;
      if (line.target.kind === "store") this.#addRows(target, line);
      else this.#workers.get(target)?.postMessage({ target, events: line.fresh.splice(0) } satisfies OutputBatch);
    }
  }

  /** All that is there in one insert, and one insert at a time. */
  #addRows(target: number, line: Line): void {
    if (line.isWriting) return;
    const events = line.fresh.splice(0);
    line.isWriting = true;
    const done = (problem: string | undefined): void => {
      line.isWriting = false;
      for (const _ of events) this.#reported(target, problem);
      if (line.fresh.length > 0) this.#addRows(target, line);
    };
    const added = this.#store?.remote?.addRows?.(events as unknown as readonly JsonObject[]) ?? Promise.resolve();
    added.then(
      () => done(undefined),
      (error: unknown) => done(error instanceof Error ? error.message : String(error)),
    );
  }

  #reported(target: number, problem: string | undefined): void {
    const line = this.#lines[target];
    if (line === undefined) return;
    line.waiting -= 1;
    if (problem === undefined) line.told += 1;
    else line.failed += 1;
    const isFailing = problem !== undefined;
    if (isFailing !== line.isFailing) {
      line.isFailing = isFailing;
      const { told, failed, dropped, target: of } = line;
      if (isFailing) this.#log.warn({ output: of.name, problem, failed, dropped }, "an output fails");
      else this.#log.info({ output: of.name, told }, "an output works again");
    }
    if (this.#lines.every(({ waiting }) => waiting === 0)) this.#emptied();
  }
}

/** Resolves when it is done, and no later than this. */
function within(ms: number, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
