/**
 * Writes recordings, and reads them from files. Needs Node.
 *
 * ```ts
 * const recording = recordHost({ host, protocol, world, sink: { open: () => createRecordingFile("play.mcap") }, nowMs: 0 });
 * // later
 * await recording.close();
 * replayRecording(await readRecordingFile("play.mcap"), { protocols }).differences; // => []
 * ```
 *
 * @module
 */
export { createRecordingFile } from "./node/file-output.ts";
export { nodeMeans } from "./node/node-means.ts";
export { nodeDecompress, readRecordingFile } from "./node/read-file.ts";
export { type MomentSpan, readMoment } from "./node/read-moment.ts";
export { recordHost } from "./node/record-host.ts";
export { RecordingFolder, type RecordingFolderOptions } from "./node/recording-folder.ts";
export type { RecordingSink } from "./writing/file-queue.ts";
export { HostRecording } from "./writing/host-recording.ts";
export { RecentFiles, type RecentFilesOptions } from "./writing/recent-files.ts";
export type { RecordingOutput } from "./writing/recording-file.ts";
export type {
  RecordedHost,
  RecordHostOptions,
  RecordingCounts,
  RecordingProblem,
  RecordingResumed,
} from "./writing/recording-options.ts";
