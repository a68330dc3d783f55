/**
 * Records the shadow world of a relay into MCAP files, and its last seconds in memory: what clients send, what the server sends them, and what
 * the rules find. It replays as the recording of a server does.
 */
import { type HostRecording, RecentFiles, recordHost } from "@wirewalk/recording/node";
import type { PlayerId } from "wirewalk/motion";
import type { Protocol, SavedChannel, WorldOptions } from "wirewalk/protocol";
import { Pseudonyms } from "../admission/pseudonyms.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { RecordedFiles } from "../worlds/recorded-files.ts";
import { evidenceOnly, openRecordingFolder, type RecordingOptions, recentBounds } from "../worlds/recordings.ts";
import type { ShadowWorld } from "./shadow-world.ts";

export interface RelayRecordingOptions {
  readonly protocol: Protocol;
  /** What the shadow world is made with. */
  readonly world: Omit<WorldOptions, "threads">;
  /** Undefined: the last seconds alone are kept, in memory. */
  readonly options: RecordingOptions | undefined;
  readonly runtime: Runtime;
  readonly epochNow: () => number;
  /** Called when records begin to be lost. */
  readonly onProblem: (error: Error) => void;
}

export class RelayRecording {
  /** Accounts as the recording names them. */
  readonly pseudonyms: Pseudonyms;
  readonly #options: RelayRecordingOptions;
  readonly #opened: ReturnType<typeof openRecordingFolder> | undefined;
  readonly #files = new RecordedFiles();
  #recent: RecentFiles | undefined;
  /** The channel of each player whose carried bytes are recorded. */
  readonly #channels = new Map<PlayerId, () => SavedChannel | undefined>();
  #recording: HostRecording | undefined;
  #closed: Promise<void> | undefined;

  /** Throws `Error` when the folder cannot be written, or another program records into it. */
  constructor(options: RelayRecordingOptions) {
    this.#options = options;
    this.pseudonyms = new Pseudonyms(options.runtime);
    const onRemoved = (file: string): void => this.#files.removed(file);
    this.#opened = options.options && openRecordingFolder(options.options, { epochNow: options.epochNow, onRemoved });
  }

  begin(shadow: ShadowWorld, nowMs: number): void {
    const { protocol, world, options, epochNow, onProblem } = this.#options;
    const { rotateBytes, rotateMs, carried = false } = options ?? {};
    const sink = this.#opened && this.#files.remembered(protocol.name, this.#opened.folder.sink(protocol.name));
    this.#recent = new RecentFiles({ sink, epochNow, ...recentBounds });
    this.#recording = recordHost({
      host: shadow,
      protocol,
      world,
      sink: this.#recent,
      nowMs,
      epochNow,
      onProblem: ({ error }) => onProblem(error),
      ...(sink === undefined ? evidenceOnly : {}),
      ...(carried ? { channels: () => this.#savedChannels() } : {}),
      ...(rotateBytes === undefined ? {} : { rotateBytes }),
      ...(rotateMs === undefined ? {} : { rotateMs }),
    });
  }

  /** Copies of the files that are in memory, with all that was recorded up to now; undefined before it begins. */
  async recent(): Promise<readonly Uint8Array[] | undefined> {
    await this.#recording?.flush();
    return this.#recent?.files();
  }

  /** Paths of the files of this run, in order; undefined where none are written. */
  get files(): readonly string[] | undefined {
    return this.#opened && this.#files.of(this.#options.protocol.name);
  }

  /** Records that are in no file. */
  get lostRecords(): number {
    return this.#recording?.counts.lostRecords ?? 0;
  }

  /**
   * Bytes of a player's client, which the tap has taken and whose messages it has not given yet. `save` gives the state of the
   * channel that reads them, undefined while it has none.
   */
  carried(player: PlayerId, bytes: Uint8Array, { nowMs, save }: CarriedAt): void {
    if (this.#options.options?.carried !== true) return;
    if (this.#channels.has(player)) this.#recording?.carried(player, bytes, nowMs);
    else this.#beginCarried(player, { nowMs, save });
  }

  left(player: PlayerId): void {
    this.#channels.delete(player);
  }

  /** Resolves when all is in files. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#recording?.close();
    this.#opened?.unlock();
  }

  /** The state holds the bytes that brought it here. */
  #beginCarried(player: PlayerId, { nowMs, save }: CarriedAt): void {
    const saved = savedOr(save);
    if (saved === undefined) return;
    this.#channels.set(player, save);
    this.#recording?.channel(player, saved, nowMs);
  }

  #savedChannels(): ReadonlyMap<PlayerId, SavedChannel> {
    const saved = new Map<PlayerId, SavedChannel>();
    for (const [player, save] of this.#channels) {
      const channel = savedOr(save);
      if (channel !== undefined) saved.set(player, channel);
    }
    return saved;
  }
}

/** Undefined also of a direction that cannot be read any further. */
function savedOr(save: CarriedAt["save"]): SavedChannel | undefined {
  try {
    return save();
  } catch {
    return undefined;
  }
}

interface CarriedAt {
  readonly nowMs: number;
  readonly save: () => SavedChannel | undefined;
}
