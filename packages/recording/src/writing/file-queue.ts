/**
 * What waits for the disk: chunks and key frames, written one after the other into the files of a sink. All of it happens
 * between the calls of the host.
 */
import { digestOf } from "wirewalk/world-kit";
import { CborWriter } from "../cbor-writer.ts";
import type { KeyFrame } from "../profile.ts";
import { ChunkBuilder, type FileChannel, wordTime } from "./chunk-builder.ts";
import type { FileMeans } from "./file-means.ts";
import { RecordingFile, type RecordingOutput } from "./recording-file.ts";

/** Where the files of a recording go. */
export interface RecordingSink {
  /** A new file, for a recording that begins or goes on at this time. Rejects when there cannot be one. */
  open(epochMs: number): Promise<RecordingOutput>;
}

export interface FileQueueOptions {
  readonly sink: RecordingSink;
  readonly means: FileMeans;
  readonly epochNow: () => number;
  /** Of every file. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The channel of key frames, the same in every file. */
  readonly keyFrames: FileChannel;
  /** A chunk or a key frame is in its file. */
  readonly onWritten: () => void;
  /** A file failed. Everything that waited for it is lost: so many records. */
  readonly onFailed: (error: Error, file: string | undefined, lostRecords: number) => void;
}

/** A key frame without its digest, which is computed when it is written. */
export type UndigestedFrame = Omit<KeyFrame, "digest">;

type Job =
  | { readonly job: "chunk"; readonly bytes: number; readonly chunk: ChunkBuilder }
  | { readonly job: "key-frame"; readonly bytes: number; readonly frame: UndigestedFrame; readonly number: number }
  | { readonly job: "end-file"; readonly bytes: 0 };

/** A key frame is encoded in steps of so many milliseconds, between which the server works. */
const STEP_MS = 2;
const LEAST_KEY_FRAME_BYTES = 1 << 16;

export class FileQueue {
  readonly counts = { bytes: 0, files: 0, failures: 0 };
  /** Of the last key frame: what the next is taken to need. */
  keyFrameBytes = LEAST_KEY_FRAME_BYTES;
  readonly #options: FileQueueOptions;
  readonly #jobs: Job[] = [];
  readonly #spare: ChunkBuilder[] = [];
  #bytes = 0;
  /** Files whose end waits. */
  #endings = 0;
  #file: RecordingFile | undefined;
  #working: Promise<void> | undefined;

  constructor(options: FileQueueOptions) {
    this.#options = options;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The file that is written now. */
  get file(): Pick<RecordingFile, "name"> | undefined {
    return this.#file;
  }

  /** Written bytes of the file that the next record goes to: 0 while an earlier file has yet to end. */
  get lastFileBytes(): number {
    return this.#endings > 0 ? 0 : (this.#file?.byteLength ?? 0);
  }

  /** An empty chunk. */
  chunk(): ChunkBuilder {
    return this.#spare.pop() ?? new ChunkBuilder();
  }

  addChunk(chunk: ChunkBuilder): void {
    this.#push({ job: "chunk", bytes: chunk.byteLength, chunk });
  }

  /** Nobody may change the frame. */
  addKeyFrame(frame: UndigestedFrame, number: number): void {
    this.#push({ job: "key-frame", bytes: this.keyFrameBytes, frame, number });
  }

  /** What comes next begins another file. */
  endFile(): void {
    this.#endings += 1;
    this.#push({ job: "end-file", bytes: 0 });
  }

  /** Resolves when nothing waits. */
  async settled(): Promise<void> {
    await this.#working;
  }

  #push(job: Job): void {
    this.#jobs.push(job);
    this.#bytes += job.bytes;
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    // Never in the call that pushed: it belongs to the host.
    await this.#options.means.pause();
    for (let job = this.#jobs[0]; job !== undefined; job = this.#jobs[0]) {
      try {
        await this.#write(job);
        this.#written(job);
      } catch (error) {
        await this.#abandon(error instanceof Error ? error : new Error(String(error)));
      }
    }
    this.#working = undefined;
  }

  #written(job: Job): void {
    this.#jobs.shift();
    this.#bytes -= job.bytes;
    if (job.job === "end-file") this.#endings -= 1;
    else this.#options.onWritten();
    if (job.job !== "chunk") return;
    job.chunk.reset();
    if (this.#spare.length < 2) this.#spare.push(job.chunk);
  }

  async #write(job: Job): Promise<void> {
    if (job.job === "end-file") {
      const file = this.#file;
      this.#file = undefined;
      if (file !== undefined) await this.#counted(file, () => file.end());
      return;
    }
    const file = this.#file ?? (await this.#open());
    const chunk = job.job === "chunk" ? job.chunk : await this.#encode(job.frame, job.number);
    await this.#counted(file, () => file.chunk(chunk));
  }

  async #open(): Promise<RecordingFile> {
    const { sink, means, epochNow, metadata } = this.#options;
    const file = new RecordingFile(await sink.open(epochNow()), means);
    this.#file = file;
    this.counts.files += 1;
    await this.#counted(file, () => file.start(metadata));
    return file;
  }

  async #counted(file: RecordingFile, write: () => Promise<void>): Promise<void> {
    const before = file.byteLength;
    try {
      await write();
    } finally {
      this.counts.bytes += file.byteLength - before;
    }
  }

  /** A chunk of its own, which no other record needs. */
  async #encode(frame: UndigestedFrame, number: number): Promise<ChunkBuilder> {
    const digest = digestOf(frame.saved).toString(16).padStart(16, "0");
    const writer = new CborWriter(this.keyFrameBytes + 1024);
    let untilMs = performance.now() + STEP_MS;
    for (const _ of writer.steps({ ...frame, digest })) {
      if (performance.now() < untilMs) continue;
      await this.#options.means.pause();
      untilMs = performance.now() + STEP_MS;
    }
    this.keyFrameBytes = Math.max(LEAST_KEY_FRAME_BYTES, writer.length);
    const chunk = new ChunkBuilder();
    const time = wordTime(Math.round(frame.epochMs * 1000), { high: 0, low: 0 });
    chunk.add(this.#options.keyFrames, number >>> 0, time, writer.bytes);
    return chunk;
  }

  /** The file cannot be written any further: what waits for it is lost. */
  async #abandon(error: Error): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.counts.failures += 1;
    let lost = 0;
    for (const job of this.#jobs) {
      if (job.job === "chunk") lost += job.chunk.messages;
      else if (job.job === "key-frame") lost += 1;
    }
    this.#jobs.length = 0;
    this.#bytes = 0;
    this.#endings = 0;
    this.#options.onFailed(error, file?.name, lost);
    await file?.abandon().catch(() => {});
  }
}
