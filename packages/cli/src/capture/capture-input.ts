/** The bytes of a capture file, also of one that gzip has compressed. */
import { closeSync, createReadStream, openSync, type ReadStream, readSync, statSync } from "node:fs";
import { pipeline } from "node:stream";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { isCapture } from "wirewalk/capture";
import { FailedError } from "../context.ts";
import { fileReason } from "../input/file-reason.ts";
import { isRecordingFile } from "../input/recording-file.ts";

/** Bytes that are read at once. */
const CHUNK_BYTES = 65_536;
/** Bytes of a compressed file that are enough for its first four. */
const START_BYTES = 4096;
const GZIP = [0x1f, 0x8b] as const;
const CAPTURE_NAME = /\.(?:pcap|pcapng|cap|ntar)(?:\.gz)?$/i;

/** The argument that names a capture or a recording, if one does: by its first bytes, or by its name. */
export function captureArgument(args: readonly string[]): string | undefined {
  return args
    .slice(1)
    .find((arg) => !arg.startsWith("-") && (CAPTURE_NAME.test(arg) || beginsAsCapture(arg) || isRecordingFile(arg)));
}

function beginsAsCapture(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    const start = startOf(path);
    return isCapture((isGzip(start) ? unpacked(start) : start).subarray(0, 4));
  } catch {
    // No such file: the argument is hex or the name of a protocol.
    return false;
  }
}

function startOf(path: string): Uint8Array {
  const file = openSync(path, "r");
  const start = new Uint8Array(START_BYTES);
  const length = readSync(file, start);
  closeSync(file);
  return start.subarray(0, length);
}

function isGzip(start: Uint8Array): boolean {
  return GZIP.every((byte, at) => start[at] === byte);
}

function unpacked(start: Uint8Array): Uint8Array {
  return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
}

/** A capture file that is being read. */
export class CaptureInput {
  /** Of the file, as it lies on the disk. */
  readonly size: number;
  readonly #path: string;
  readonly #isGzip: boolean;
  #file: ReadStream | undefined;

  /** Throws {@link FailedError} for a file that cannot be read. */
  constructor(path: string) {
    this.#path = path;
    const status = this.#orFail(() => statSync(path));
    if (status.isDirectory()) throw new FailedError(`Cannot read ${path}: it is a folder`);
    this.size = status.size;
    this.#isGzip = status.isFile() && isGzip(this.#orFail(() => startOf(path)));
  }

  /** Bytes of the file that were read. */
  get bytesRead(): number {
    return this.#file?.bytesRead ?? 0;
  }

  /**
   * The bytes in pieces. Throws {@link FailedError} when the file cannot be read any further. `damaged` is called when its compression
   * is damaged or cut: nothing follows.
   */
  async *chunks(damaged: (why: string) => void): AsyncGenerator<Uint8Array> {
    const file = createReadStream(this.#path, { highWaterMark: CHUNK_BYTES });
    this.#file = file;
    const source = this.#isGzip ? pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) : file;
    try {
      for await (const chunk of source) yield chunk as Uint8Array;
    } catch (error) {
      const { code = "", message } = error as NodeJS.ErrnoException;
      if (!code.startsWith("Z_")) throw new FailedError(`Cannot read ${this.#path}: ${code === "" ? message : code}`);
      damaged(
        code === "Z_BUF_ERROR"
          ? "the compressed file is cut; nothing follows"
          : `the compression is damaged (${message}); nothing follows`,
      );
    }
  }

  #orFail<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new FailedError(`Cannot read ${this.#path}: ${fileReason(error)}`);
    }
  }
}
