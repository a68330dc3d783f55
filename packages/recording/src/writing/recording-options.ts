/** What a recording is started with, and what it says of itself. */
import type { Host, HostRecorder } from "wirewalk/host";
import type { PlayerId, Track } from "wirewalk/motion";
import type { Protocol, SavedChannel, WorldOptions } from "wirewalk/protocol";
import type { RecordedOwner } from "../profile.ts";
import type { RecordingSink } from "./file-queue.ts";

/** A `Host`, or another program that makes all calls to one world and gives them to its `recorder`. */
export interface RecordedHost extends Pick<Host, "world" | "players"> {
  tracks(nowMs: number): readonly Track[];
  /** The room whose broadcasts a player receives that joined before the recording began. Default: unknown until it enters one. */
  roomOf?(player: PlayerId): string | undefined;
  /** Set when the recording begins, and undefined from its end on. */
  recorder: HostRecorder | undefined;
}

export interface RecordHostOptions {
  readonly host: RecordedHost;
  readonly protocol: Protocol;
  /** The options that the host's world was made with. */
  readonly world: Omit<WorldOptions, "threads">;
  readonly sink: RecordingSink;
  /** Time of the host's clock. */
  readonly nowMs: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly epochNow?: () => number;
  /** Milliseconds between two key frames. Default 5,000. */
  readonly keyFrameMs?: number;
  /** A chunk ends after so many milliseconds or bytes. Default 1,000 and 1 MiB. */
  readonly chunkMs?: number;
  readonly chunkBytes?: number;
  /** Milliseconds between two updates of tracks, 0 for none. Default 500. */
  readonly tracksMs?: number;
  /** Bytes that may wait for the disk. Default 32 MiB. */
  readonly memoryBytes?: number;
  /** A file ends at the first key frame after so many milliseconds or bytes. Default 15 minutes and 128 MiB. */
  readonly rotateMs?: number;
  readonly rotateBytes?: number;
  /** Milliseconds after a failure until another file is tried. Default 2,000. */
  readonly retryMs?: number;
  /** Where a cluster plays the world, from here on. Default: no cluster does. */
  readonly owner?: RecordedOwner;
  /** Channels of players whose carried bytes are recorded: see `carried`. */
  readonly channels?: () => ReadonlyMap<PlayerId, SavedChannel>;
  /** The head of the file of another tool that the recording is made of, as JSON. */
  readonly session?: string;
  /** Called when records begin to be lost: the disk failed or is too slow. */
  readonly onProblem?: (problem: RecordingProblem) => void;
  /** Called when records are written again after a problem: their first are in the file. */
  readonly onResumed?: (resumed: RecordingResumed) => void;
}

/** Why records are lost. */
export interface RecordingProblem {
  readonly problem: "disk-failed" | "too-slow" | "recorder-failed";
  /** Name of the file, if there is one. */
  readonly file: string | undefined;
  readonly error: Error;
}

/** Records are written again. */
export interface RecordingResumed {
  /** Name of the file. */
  readonly file: string | undefined;
  /** Records that are missing since the problem began. */
  readonly lostRecords: number;
}

/** Counts since the start of a recording. */
export interface RecordingCounts {
  /** Inputs and effects that were taken. Later some may be lost with their file. */
  records: number;
  /** Records that are in no file, and never will be. */
  lostRecords: number;
  /** Bytes in files. */
  bytes: number;
  files: number;
  /** Files that could not be opened or written any further. */
  failures: number;
  keyFrames: number;
}

const KEY_FRAME_MS = 5_000;
const CHUNK_MS = 1_000;
const CHUNK_BYTES = 1 << 20;
const TRACKS_MS = 500;
const MEMORY_BYTES = 32 << 20;
const ROTATE_MS = 15 * 60_000;
const ROTATE_BYTES = 128 << 20;
/** A failed try costs a key frame: 1 ms for a full room. Two seconds leave room for a tick and a slow disk within five. */
const RETRY_MS = 2_000;

/** The options of {@link RecordHostOptions} that are numbers. */
export type RecordingLimits = Required<
  Pick<
    RecordHostOptions,
    "keyFrameMs" | "chunkMs" | "chunkBytes" | "tracksMs" | "memoryBytes" | "rotateMs" | "rotateBytes" | "retryMs"
  >
>;

/** Those of the options, and defaults. */
export function limitsOf(options: RecordHostOptions): RecordingLimits {
  return {
    keyFrameMs: options.keyFrameMs ?? KEY_FRAME_MS,
    chunkMs: options.chunkMs ?? CHUNK_MS,
    chunkBytes: options.chunkBytes ?? CHUNK_BYTES,
    tracksMs: options.tracksMs ?? TRACKS_MS,
    memoryBytes: options.memoryBytes ?? MEMORY_BYTES,
    rotateMs: options.rotateMs ?? ROTATE_MS,
    rotateBytes: options.rotateBytes ?? ROTATE_BYTES,
    retryMs: options.retryMs ?? RETRY_MS,
  };
}
