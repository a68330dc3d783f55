/**
 * A **moment** of a long recording, read from its files: only the chunks of these seconds and what stands before them up to a key frame, so
 * that neither the length of the recording nor the size of a file matters. It blocks: call it in a thread of its own.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Opcode } from "@mcap/core";
import { joinBytes } from "wirewalk/wire";
import { CHUNK_FIXED_BYTES, type FoundChunk, RECORD_HEADER_BYTES } from "../reading/chunk-records.ts";
import { openRecording, type Recording } from "../reading/read-recording.ts";
import { clockOffsetNs } from "../verdicts/recorded-verdict.ts";
import { nodeDecompress } from "./read-file.ts";

export interface MomentSpan {
  /** Milliseconds of the world's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Bytes of chunks that are read at most, as they are in the files. Default 64 MiB. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 64 << 20;
const MAGIC_BYTES = 8;
/** Of a file, before its first chunk: its header and metadata. */
const MOST_HEAD_BYTES = 1 << 20;
/** Read at once where records are looked at one after the other: indices of chunks are small. */
const WINDOW_BYTES = 1 << 16;

/**
 * The parts of the files that hold these seconds, as recordings. `paths` are the files of one recording, in order; those that were removed
 * are passed over. Empty where no file has these seconds. Throws `RangeError` where they are more than `mostBytes`.
 */
export function readMoment(
  paths: readonly string[],
  { fromMs, toMs, mostBytes = MOST_BYTES }: MomentSpan,
): readonly Recording[] {
  const parts: Recording[] = [];
  let left = mostBytes;
  // From the last file that begins before: each file begins with a key frame.
  for (const path of paths.slice(lastBefore(paths, fromMs))) {
    const file = LongFile.open(path);
    if (file === undefined) continue;
    try {
      if (file.startMs === undefined || file.startMs > toMs) {
        if (parts.length > 0) break;
        continue;
      }
      const part = file.part(fromMs, toMs, left);
      if (part === undefined) continue;
      left -= part.bytes;
      parts.push(part.recording);
    } finally {
      file.close();
    }
  }
  return parts;
}

/** The index of the last file that begins at a time or before it; 0 where none does. The oldest files are those that are removed. */
function lastBefore(paths: readonly string[], ms: number): number {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const file = LongFile.open(paths[middle] as string);
    const startMs = file?.startMs;
    file?.close();
    if (startMs === undefined || startMs <= ms) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

class LongFile {
  /** Of the world's clock; undefined for a file without a whole chunk. */
  readonly startMs: number | undefined;
  readonly #descriptor: number;
  readonly #size: number;
  readonly #head: Uint8Array;
  readonly #offsetNs: bigint | undefined;

  /** Undefined for a file that is not there any more, or is none. */
  static open(path: string): LongFile | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(path, "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    try {
      return new LongFile(descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#size = fstatSync(descriptor).size;
    const [first] = this.#chunks();
    this.#head = first === undefined ? new Uint8Array(0) : this.#read(0, Math.min(first.start, MOST_HEAD_BYTES));
    if (first === undefined) return;
    for (const chunk of this.#chunks()) {
      this.#offsetNs = clockOffsetNs(this.#opened([chunk]));
      if (this.#offsetNs !== undefined) break;
    }
    if (this.#offsetNs !== undefined) this.startMs = Number(first.startTime - this.#offsetNs) / 1e6;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Undefined for seconds that are not in this file. */
  part(
    fromMs: number,
    toMs: number,
    mostBytes: number,
  ): { readonly recording: Recording; readonly bytes: number } | undefined {
    const offsetNs = this.#offsetNs;
    if (offsetNs === undefined) return undefined;
    const at = (ms: number): bigint => offsetNs + BigInt(Math.round(ms * 1e6));
    const before = [...this.#chunks()].filter(({ startTime }) => startTime <= at(toMs));
    const first = before.findIndex(({ endTime }) => endTime >= at(fromMs));
    let from = first < 0 ? before.length : first;
    if (from === before.length) return undefined;
    const isKeyFrame = (chunk: FoundChunk): boolean => {
      if (chunk.startTime > at(fromMs)) return false;
      const opened = this.#opened([chunk]);
      return opened.chunks.some((each) => opened.messagesOf(each, (topic) => topic.endsWith("/key-frames")).length > 0);
    };
    while (from > 0 && !isKeyFrame(before[from] as FoundChunk)) from -= 1;
    const chunks = before.slice(from);
    const bytes = chunks.reduce((sum, { start, end }) => sum + end - start, 0);
    if (bytes > mostBytes) {
      throw new RangeError(`The recording of these seconds has ${bytes} bytes, and at most ${mostBytes} are read`);
    }
    return { recording: this.#opened(chunks), bytes };
  }

  #opened(chunks: readonly FoundChunk[]): Recording {
    const parts = chunks.map(({ start, end }) => this.#read(start, end - start));
    return openRecording(joinBytes([this.#head, ...parts]), { decompress: nodeDecompress });
  }

  /** The whole chunks of the file, by the lengths of its records. One that is being written ends it. */
  *#chunks(): Generator<FoundChunk, void, void> {
    const headBytes = RECORD_HEADER_BYTES + CHUNK_FIXED_BYTES;
    let [window, windowAt] = [new Uint8Array(0), 0];
    for (let at = MAGIC_BYTES; at + RECORD_HEADER_BYTES <= this.#size; ) {
      if (at + headBytes > windowAt + window.length) {
        [window, windowAt] = [this.#read(at, Math.min(WINDOW_BYTES, this.#size - at)), at];
        if (window.length < RECORD_HEADER_BYTES) return;
      }
      const view = new DataView(window.buffer, window.byteOffset + at - windowAt);
      const [opcode, length] = [view.getUint8(0), Number(view.getBigUint64(1, true))];
      const end = at + RECORD_HEADER_BYTES + length;
      if (end > this.#size || opcode === Opcode.DATA_END) return;
      if (opcode === Opcode.CHUNK && length >= CHUNK_FIXED_BYTES) {
        const startTime = view.getBigUint64(RECORD_HEADER_BYTES, true);
        yield { start: at, end, startTime, endTime: view.getBigUint64(RECORD_HEADER_BYTES + 8, true) };
      }
      at = end;
    }
  }

  /** Fewer where the file ends. */
  #read(at: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.#descriptor, bytes, done, length - done, at + done);
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  }
}
