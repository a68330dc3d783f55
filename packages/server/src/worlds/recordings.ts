/**
 * **Recordings** of a server's worlds: one file after the other in a folder, which one server at a time uses, and the last
 * seconds in memory as evidence for bans. A disk that fails or is slow costs recording, which is logged and counted, and never play.
 */
import { extname } from "node:path";
import {
  type HostRecording,
  RecentFiles,
  type RecordHostOptions,
  RecordingFolder,
  recordHost,
} from "@wirewalk/recording/node";
import type { Clock } from "wirewalk/net";
import { Pseudonyms } from "../admission/pseudonyms.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { TaskThreads } from "../runtime/task-threads.ts";
import { lockFolder } from "../store/folder-lock.ts";
import { makeFolder } from "../store/make-folder.ts";
import type { HostedWorld } from "./hosted-world.ts";
import type { OwnedRecording, UnrecordedWorlds } from "./owned-records.ts";
import { RecordedFiles } from "./recorded-files.ts";
import type { FromSliceThread, SliceRequest, SliceTask } from "./slice-messages.ts";

export interface RecordingOptions {
  /** Created when it does not exist. */
  readonly folder: string;
  /** A file ends after so many bytes or milliseconds. Default 128 MiB and 15 minutes. */
  readonly rotateBytes?: number | undefined;
  readonly rotateMs?: number | undefined;
  /** Also the bytes of clients as they came, with frames and ciphers, from when they have joined. Default false. */
  readonly carried?: boolean | undefined;
  /**
   * While a world is not recorded, because the disk failed or is too slow, it takes no new players and `/readyz` is 503. Those who play
   * go on. Default false: it takes them.
   */
  readonly required?: boolean | undefined;
  /** Of all recordings together; the oldest are removed. Default 10 GiB. */
  readonly keepBytes?: number | undefined;
  /** Older recordings are removed. Default 7 days. */
  readonly keepMs?: number | undefined;
}

const KEEP_BYTES = 10 * 2 ** 30;
const KEEP_MS = 7 * 24 * 3_600_000;

interface FolderSources {
  readonly epochNow: () => number;
  readonly onRemoved: (file: string) => void;
  /** Another thread has locked the folder. */
  readonly isLocked?: boolean;
}

/** Throws `Error` when the folder cannot be written, or another server uses it. */
export function openRecordingFolder(
  { folder, keepBytes = KEEP_BYTES, keepMs = KEEP_MS }: RecordingOptions,
  { epochNow, onRemoved, isLocked = false }: FolderSources,
): { readonly folder: RecordingFolder; readonly unlock: () => void } {
  try {
    makeFolder(folder);
    const unlock = isLocked ? () => {} : lockFolder(folder);
    return { folder: new RecordingFolder({ folder, keepBytes, keepMs, epochNow, onRemoved }), unlock };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot record in ${folder}: ${why}`, { cause: error });
  }
}

/** Where the last seconds alone are kept, for evidence: viewers draw files, evidence is replayed. */
export const evidenceOnly = { keyFrameMs: 10_000, tracksMs: 0 } as const;
/** Kept in memory: longer than what evidence reaches back, with the key frame before it. */
export const recentBounds = { keepMs: 40_000, keepBytes: 16 << 20 } as const;

/** Slices that are made or wait: those of bans, and what operators dismiss. */
const MAX_WAITING_SLICES = 32;
/** A slice of a full room takes a second on a quiet machine. */
const MAX_SLICE_MS = 30_000;
/** Enough for 16 MiB of compressed chunks, opened one at a time. */
const SLICE_MEMORY_MB = 512;

export interface RecordingsSources {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly epochNow: () => number;
  readonly log: LogBudget;
}

/** A world that is being recorded. */
export interface RunningRecording {
  /** Name of the game. */
  readonly protocol: string;
  readonly recording: HostRecording;
}

type RecordingSource = Pick<
  RecordHostOptions,
  "host" | "protocol" | "world" | "owner" | "nowMs" | "epochNow" | "channels"
>;

export class Recordings {
  readonly #options: RecordingOptions | undefined;
  readonly #sources: RecordingsSources;
  readonly #folder: RecordingFolder | undefined;
  readonly #unlock: () => void;
  readonly #pseudonyms: Pseudonyms;
  readonly #running = new Map<string, RunningRecording & { readonly recent: RecentFiles }>();
  /** Of this run. */
  readonly #files = new RecordedFiles();
  /** Those of worlds that this node owns no more. */
  readonly #closing = new Set<Promise<void>>();
  readonly #threads: TaskThreads;
  #slicing: Promise<unknown> = Promise.resolve();
  #waitingSlices = 0;

  /**
   * Without options only the last seconds are recorded, in memory. `isLocked` says that another thread has locked the folder. Throws
   * `Error` when the folder cannot be written, or another server uses it.
   */
  constructor(
    options: RecordingOptions | undefined,
    sources: RecordingsSources,
    { secret, isLocked = false }: { readonly secret?: Buffer | undefined; readonly isLocked?: boolean } = {},
  ) {
    this.#options = options;
    this.#sources = sources;
    const { clock } = sources;
    this.#threads = new TaskThreads({ clock, maxWorkMs: MAX_SLICE_MS, memoryMb: SLICE_MEMORY_MB });
    this.#pseudonyms = new Pseudonyms(sources.runtime, secret);
    if (options === undefined) {
      this.#unlock = () => {};
      return;
    }
    const { epochNow, log } = sources;
    const onRemoved = (file: string): void => {
      log.info({ file }, "an old recording was removed");
      this.#files.removed(file);
    };
    const opened = openRecordingFolder(options, { epochNow, onRemoved, isLocked });
    this.#unlock = opened.unlock;
    this.#folder = opened.folder;
  }

  /** Given to a world instead of an account. */
  get pseudonym(): (account: string) => string {
    return this.#pseudonyms.of;
  }

  /** Records a world from here on. `options` are those that it was made with. */
  record(world: HostedWorld, options: RecordHostOptions["world"]): void {
    const { clock, epochNow } = this.#sources;
    const carried = this.#options?.carried === true;
    const { name, protocol, host } = world;
    const recording = this.#begin(name, {
      host,
      protocol,
      world: options,
      nowMs: clock.now(),
      epochNow,
      ...(carried ? { channels: () => world.saveChannels() } : {}),
    });
    if (!carried) return;
    world.carried = {
      begin: (player, member) => recording.channel(player, member.saveChannel(), clock.now()),
      bytes: (player, bytes) => recording.carried(player, bytes, clock.now()),
    };
  }

  /** Records a world of a cluster while this node owns it. `options` are those that it was made with. */
  recordOwned(
    { name, protocol }: Pick<HostedWorld, "name" | "protocol">,
    options: RecordHostOptions["world"],
    { host, nowMs, wallMs, node, epoch }: OwnedRecording,
  ): Pick<HostRecording, "flush" | "close"> {
    const recording = this.#begin(name, {
      host,
      protocol,
      world: options,
      owner: { node, epoch },
      nowMs,
      // The files of all owners of a world are on one line of time: that of the world.
      epochNow: () => wallMs + host.nowMs - nowMs,
    });
    return {
      flush: () => recording.flush(),
      close: () => {
        if (this.#running.get(name)?.recording === recording) this.#running.delete(name);
        const closing = recording.close();
        this.#closing.add(closing);
        return closing.finally(() => this.#closing.delete(closing));
      },
    };
  }

  #begin(name: string, source: RecordingSource): HostRecording {
    const { clock, log } = this.#sources;
    const { rotateBytes, rotateMs } = this.#options ?? {};
    const sink = this.#folder && this.#files.remembered(name, this.#folder.sink(name));
    const recent = new RecentFiles({ sink, epochNow: () => clock.now(), ...recentBounds });
    const recording = recordHost({
      ...source,
      sink: recent,
      onProblem: ({ problem, file, error }) =>
        log.error({ world: name, problem, file, err: error }, "records are lost"),
      onResumed: ({ file, lostRecords }) => log.info({ world: name, file, lostRecords }, "the world is recorded again"),
      ...(sink === undefined ? evidenceOnly : {}),
      ...(rotateBytes === undefined ? {} : { rotateBytes }),
      ...(rotateMs === undefined ? {} : { rotateMs }),
    });
    this.#running.set(name, { protocol: source.protocol.name, recording, recent });
    return recording;
  }

  /** The worlds that are not in files now, because the disk failed or is too slow. */
  get unrecorded(): UnrecordedWorlds {
    const worlds = Array.from(this.#running).flatMap(([name, { recording }]) => (recording.isLosing ? [name] : []));
    if (this.#options === undefined) return { worlds: [], closed: [] };
    return { worlds, closed: this.#options.required === true ? worlds : [] };
  }

  /** By the name of the world. */
  get running(): ReadonlyMap<string, RunningRecording> {
    return this.#running;
  }

  /** Copies of the files that are in memory, with all that was recorded up to now; undefined for a world that is not recorded here now. */
  async recent(world: string): Promise<readonly Uint8Array[] | undefined> {
    const running = this.#running.get(world);
    await running?.recording.flush();
    return running?.recent.files();
  }

  /** Paths of the files of this run, in order: those of an earlier one are of another clock. Undefined where no files are written. */
  filesOf(world: string): readonly string[] | undefined {
    return this.#folder === undefined ? undefined : this.#files.of(world);
  }

  /**
   * Seconds of play as a recording of their own; undefined for a world that is not recorded here now. One after the other, each in a thread.
   * Throws `RangeError` when they are not in memory, and `Error` when too many are asked for or the thread fails.
   */
  async slice(world: string, request: SliceRequest): Promise<Uint8Array | undefined> {
    if (this.#waitingSlices >= MAX_WAITING_SLICES) throw new Error("too many recordings are being cut out");
    this.#waitingSlices += 1;
    const sliced = this.#slicing.then(() => this.#slice(world, request));
    this.#slicing = sliced.catch(() => {});
    try {
      return await sliced;
    } finally {
      this.#waitingSlices -= 1;
    }
  }

  async #slice(world: string, request: SliceRequest): Promise<Uint8Array | undefined> {
    const recent = await this.recent(world);
    if (recent === undefined) return undefined;
    const answer = await this.#threads.run<FromSliceThread, FromSliceThread>({
      module: new URL(`./slice-thread${extname(import.meta.url)}`, import.meta.url),
      data: { ...request, recent } satisfies SliceTask,
      // Copies of their own.
      transfer: recent.map(({ buffer }) => buffer as ArrayBuffer),
      said: (message) => message,
    });
    if ("missing" in answer) throw new RangeError(answer.missing);
    return answer.bytes;
  }

  /** Bytes of the last seconds that are in memory. */
  get recentBytes(): number {
    let bytes = 0;
    for (const { recent } of this.#running.values()) bytes += recent.byteLength;
    return bytes;
  }

  /** Resolves when what was recorded up to now is in the files. */
  async flush(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ recording }) => recording.flush()));
  }

  /** Resolves when all files are closed. */
  async close(): Promise<void> {
    await this.#threads.close();
    await Promise.all([...this.#closing, ...[...this.#running.values()].map(({ recording }) => recording.close())]);
    this.#unlock();
  }
}
