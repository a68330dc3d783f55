/**
 * **Recordings** of a server's worlds: one file after the other in a folder, which one server at a time uses, and the last
 * seconds in memory as evidence for bans. A disk that fails or is slow costs recording, which is logged and counted, and never play.
 */
import { clockOffsetNs, openRecording, sliceRecording } from "@wirewalk/recording";
import {
  type HostRecording,
  nodeDecompress,
  nodeMeans,
  RecentFiles,
  type RecordHostOptions,
  RecordingFolder,
  type RecordingSink,
  recordHost,
} from "@wirewalk/recording/node";
import type { PlayerId } from "wirewalk/motion";
import type { Clock } from "wirewalk/net";
import { Pseudonyms } from "../admission/pseudonyms.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { lockFolder } from "../store/folder-lock.ts";
import { makeFolder } from "../store/make-folder.ts";
import type { HostedWorld } from "./hosted-world.ts";
import type { OwnedRecording, UnrecordedWorlds } from "./owned-records.ts";

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

/** Seconds of play around a time, of one player. */
export interface SliceRequest {
  readonly player: PlayerId;
  /** Of the world's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly about: Readonly<Record<string, string>>;
}

/** Between key frames that are for evidence alone. */
const EVIDENCE_KEY_FRAME_MS = 10_000;
/** Longer than what evidence reaches back, with the key frame before it. */
const RECENT_MS = 40_000;
const RECENT_BYTES = 16 << 20;

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
  /** Files of this run, by the name of their world, in order. */
  readonly #files = new Map<string, string[]>();
  /** Those of worlds that this node owns no more. */
  readonly #closing = new Set<Promise<void>>();

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
    this.#pseudonyms = new Pseudonyms(sources.runtime, secret);
    if (options === undefined) {
      this.#unlock = () => {};
      return;
    }
    const { epochNow, log } = sources;
    const onRemoved = (file: string): void => {
      log.info({ file }, "an old recording was removed");
      for (const [world, files] of this.#files) {
        this.#files.set(
          world,
          files.filter((each) => each !== file),
        );
      }
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
    const sink = this.#sinkOf(name);
    const recent = new RecentFiles({ sink, epochNow: () => clock.now(), keepMs: RECENT_MS, keepBytes: RECENT_BYTES });
    const recording = recordHost({
      ...source,
      sink: recent,
      onProblem: ({ problem, file, error }) =>
        log.error({ world: name, problem, file, err: error }, "records are lost"),
      onResumed: ({ file, lostRecords }) => log.info({ world: name, file, lostRecords }, "the world is recorded again"),
      // Viewers draw files; evidence is replayed.
      ...(sink === undefined ? { keyFrameMs: EVIDENCE_KEY_FRAME_MS, tracksMs: 0 } : {}),
      ...(rotateBytes === undefined ? {} : { rotateBytes }),
      ...(rotateMs === undefined ? {} : { rotateMs }),
    });
    this.#running.set(name, { protocol: source.protocol.name, recording, recent });
    return recording;
  }

  /** Remembers the files that it opens. */
  #sinkOf(world: string): RecordingSink | undefined {
    const sink = this.#folder?.sink(world);
    return (
      sink && {
        open: async (epochMs) => {
          const output = await sink.open(epochMs);
          this.#files.set(world, [...(this.#files.get(world) ?? []), output.name]);
          return output;
        },
      }
    );
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
    return this.#folder === undefined ? undefined : (this.#files.get(world) ?? []);
  }

  /**
   * Seconds of play as a recording of their own; undefined for a world that is not recorded here now. Throws `RangeError` when they
   * are not in memory.
   */
  async slice(world: string, { player, fromMs, toMs, about }: SliceRequest): Promise<Uint8Array | undefined> {
    const recent = await this.recent(world);
    if (recent === undefined) return undefined;
    const files = recent.map((bytes) => openRecording(bytes, { decompress: nodeDecompress }));
    const [last] = files.slice(-1);
    const offsetNs = last === undefined ? undefined : clockOffsetNs(last);
    if (offsetNs === undefined) throw new RangeError("nothing is recorded");
    const at = (ms: number): bigint => offsetNs + BigInt(Math.round(ms * 1_000_000));
    return sliceRecording(files, { fromNs: at(fromMs), toNs: at(toMs), player, about, means: nodeMeans });
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
    await Promise.all([...this.#closing, ...[...this.#running.values()].map(({ recording }) => recording.close())]);
    this.#unlock();
  }
}
