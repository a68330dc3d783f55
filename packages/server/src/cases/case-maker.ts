/**
 * **Makes cases** of verdicts that a server gave, from what it has in memory or in the files of its recordings: one after the other, each in a
 * worker thread, so that the game's thread copies compressed bytes and does no more.
 */
import { extname } from "node:path";
import type { CaseAction } from "@wirewalk/recording";
import type { PlayerId } from "wirewalk/motion";
import type { Clock } from "wirewalk/net";
import type { WorldMaps } from "wirewalk/protocol";
import { casesFolder } from "../http/page-folder.ts";
import { TaskThreads } from "../runtime/task-threads.ts";
import type { CaseTask, FromCaseThread, ToCaseThread } from "./case-messages.ts";

export interface CaseRequest {
  readonly world: string;
  readonly player: PlayerId;
  /** Of the world's clock, in whole milliseconds. */
  readonly atMs: number;
  /** Where several rules found something in it. Default: the gravest. */
  readonly rule: string | undefined;
  readonly isForPage: boolean;
}

/** A case, or why there is none, with the HTTP status of that. */
export type CaseResult =
  | { readonly html: string; readonly id: string }
  | { readonly status: 404 | 422 | 503; readonly reason: string };

export interface CaseMakerOptions {
  readonly clock: Clock;
  /** The last seconds of a world; undefined for a world that is not recorded here. */
  readonly recent: (world: string) => Promise<readonly Uint8Array[] | undefined>;
  /** Paths of the files of a world, in order, for seconds that are longer ago; undefined where no files are written. */
  readonly filesOf: (world: string) => readonly string[] | undefined;
  readonly mapsOf: (world: string) => WorldMaps | undefined;
  /** What was done about a verdict of a world, as its file says it. Default: nothing. Throws what the store throws. */
  readonly actionsOf?: (world: string, id: string) => readonly CaseAction[];
}

/** Requests that wait for the one that is made. */
const MAX_WAITING = 4;
/** A case of a full room takes 2 s on a quiet machine. */
const MAX_WORK_MS = 30_000;
/** Seconds after the verdict that belong to a case: one that was just given waits for them. */
const AFTER_MS = 2_000;
/** Enough for 16 MiB of compressed chunks, opened one at a time, and two replays. */
const MEMORY_MB = 512;

export class CaseMaker {
  readonly #options: CaseMakerOptions;
  #working: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  readonly #threads: TaskThreads;

  constructor(options: CaseMakerOptions) {
    this.#options = options;
    this.#threads = new TaskThreads({ clock: options.clock, maxWorkMs: MAX_WORK_MS, memoryMb: MEMORY_MB });
  }

  /** Never rejects. With an aborted signal it is ended, and nobody reads the answer. */
  async make(request: CaseRequest, signal?: AbortSignal): Promise<CaseResult> {
    if (this.#waiting > MAX_WAITING) return { status: 503, reason: "Other verdicts are being written. Try again." };
    this.#waiting += 1;
    const made = this.#working.then(() => this.#make(request, signal));
    this.#working = made;
    try {
      return await made;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Ends what is being made. */
  close(): Promise<void> {
    return this.#threads.close();
  }

  async #make(
    { world, player, atMs, rule, isForPage }: CaseRequest,
    signal: AbortSignal | undefined,
  ): Promise<CaseResult> {
    const { clock, recent, filesOf } = this.#options;
    const waitMs = Math.min(AFTER_MS, atMs + AFTER_MS - clock.now());
    if (waitMs > 0) await new Promise<void>((resolve) => clock.after(waitMs, resolve));
    try {
      if (signal?.aborted === true) return { status: 503, reason: "Nobody waits for it any more." };
      const files = await recent(world);
      if (this.#threads.isClosed) return { status: 503, reason: "The server stops." };
      if (files === undefined) {
        return { status: 404, reason: "This server keeps no seconds of this world: start it with --data or --record." };
      }
      const task: CaseTask = {
        recent: files,
        files: filesOf(world),
        player,
        atMs,
        rule,
        isForPage,
        casesFolder: casesFolder(),
      };
      return await this.#inThread(world, task, signal);
    } catch (error) {
      return { status: 422, reason: `It cannot be written: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  #inThread(world: string, task: CaseTask, signal: AbortSignal | undefined): Promise<CaseResult> {
    return this.#threads.run<FromCaseThread, CaseResult>({
      module: new URL(`./case-thread${extname(import.meta.url)}`, import.meta.url),
      data: task,
      // Copies of their own.
      transfer: task.recent.map(({ buffer }) => buffer as ArrayBuffer),
      said: (message, reply) => {
        if (message.type === "made") return { html: message.html, id: message.id };
        if (message.type === "refused") return { status: message.status, reason: message.reason };
        reply(this.#known(world, message));
        return undefined;
      },
      signal,
    });
  }

  #known(world: string, { places, id }: { readonly places: readonly string[]; readonly id: string }): ToCaseThread {
    const { mapsOf, actionsOf } = this.#options;
    // Places that the world has used are read already.
    const excerpt = places.length === 0 ? undefined : mapsOf(world)?.excerpt?.(places);
    try {
      return { excerpt, actions: actionsOf?.(world, id) ?? [] };
    } catch {
      // A store that fails costs what was done, and not the case.
      return { excerpt, actions: [] };
    }
  }
}
