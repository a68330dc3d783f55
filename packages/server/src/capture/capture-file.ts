/** A capture file that only its owner can read, or a row of them, each begun when the one before has its size. */
import { createWriteStream, fchmodSync, fstatSync, openSync, rmSync, type WriteStream } from "node:fs";
import { extname } from "node:path";
import type { CaptureOutput } from "./capture-writer.ts";

/** Others may not read what players have sent. */
const OWNER_ONLY = 0o600;
/** Digits of a file's number. */
const DIGITS = 5;

export interface CaptureFileOptions {
  /** With `rotateBytes` a number stands before its extension: `server-00001.pcapng`. What was in a file is lost. */
  readonly file: string;
  /** The start of each file: section and interfaces. */
  readonly head: Uint8Array;
  /** A new file is begun when one has so many bytes. Default: never. */
  readonly rotateBytes?: number | undefined;
  /** Files that are kept: the oldest are removed. Default: all. */
  readonly keep?: number | undefined;
  /** Called once, when a file cannot be written any further. */
  readonly onFailed: (error: Error) => void;
}

export class CaptureFile implements CaptureOutput {
  readonly #options: CaptureFileOptions;
  /** The file that is written, and those before it that are not on the disk yet. */
  readonly #open = new Set<WriteStream>();
  readonly #files: string[] = [];
  #stream: WriteStream;
  #bytes = 0;
  #number = 0;
  #hasFailed = false;

  /** Throws `Error` when the file cannot be opened for writing. */
  constructor(options: CaptureFileOptions) {
    this.#options = options;
    this.#stream = this.#begin();
  }

  get queuedBytes(): number {
    let bytes = 0;
    for (const stream of this.#open) bytes += stream.writableLength;
    return bytes;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The file that is being written. */
  get file(): string {
    return this.#files.at(-1) as string;
  }

  write(blocks: Uint8Array): void {
    if (this.#hasFailed) return;
    const { rotateBytes = Number.POSITIVE_INFINITY, head } = this.#options;
    if (this.#bytes + blocks.length > rotateBytes && this.#bytes > head.length) this.#rotate();
    this.#bytes += blocks.length;
    this.#stream.write(blocks);
  }

  /** Resolves when all is in the file. */
  async close(): Promise<void> {
    if (!this.#hasFailed) this.#stream.end();
    await Promise.all(
      [...this.#open].map((stream) => new Promise<void>((resolve) => stream.once("close", () => resolve()))),
    );
  }

  #rotate(): void {
    this.#stream.end();
    try {
      this.#stream = this.#begin();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #begin(): WriteStream {
    const { file, head, rotateBytes, keep = Number.POSITIVE_INFINITY } = this.#options;
    this.#number += 1;
    const path = rotateBytes === undefined ? file : numbered(file, this.#number);
    const stream = createWriteStream(path, { fd: openForOwner(path) });
    this.#open.add(stream);
    stream.on("error", (error) => this.#fail(error));
    stream.once("close", () => this.#open.delete(stream));
    stream.write(head);
    this.#bytes = head.length;
    this.#files.push(path);
    for (const old of this.#files.splice(0, Math.max(0, this.#files.length - keep))) rmSync(old, { force: true });
    return stream;
  }

  #fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#options.onFailed(error);
  }
}

function openForOwner(path: string): number {
  try {
    const fd = openSync(path, "w", OWNER_ONLY);
    // A file that was there keeps its mode.
    if (fstatSync(fd).isFile()) fchmodSync(fd, OWNER_ONLY);
    return fd;
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(`Cannot write ${path}: ${why}`, { cause: error });
  }
}

function numbered(file: string, number: number): string {
  const extension = extname(file);
  const name = file.slice(0, file.length - extension.length);
  return `${name}-${String(number).padStart(DIGITS, "0")}${extension}`;
}
