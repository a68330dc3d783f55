/**
 * **Recent files**: the last seconds of a recording in memory, as the bytes of its files, for evidence that is asked for after it
 * happened. It stands as a sink before another one, or alone. It holds compressed chunks, bounded by age and bytes; the oldest
 * give way.
 */
import { joinBytes } from "wirewalk/wire";
import type { RecordingSink } from "./file-queue.ts";
import type { RecordingOutput } from "./recording-file.ts";

export interface RecentFilesOptions {
  /** Where the files go as well. Default: nowhere else. */
  readonly sink?: RecordingSink | undefined;
  /** Milliseconds since 1970. */
  readonly epochNow: () => number;
  /** What is older is forgotten. Default 40,000. */
  readonly keepMs?: number;
  /** The oldest over so many bytes are forgotten. Default 16 MiB. */
  readonly keepBytes?: number;
}

const KEEP_MS = 40_000;
const KEEP_BYTES = 16 << 20;

/** A file as far as it is remembered: what stands before its chunks, and the last of what was written. */
interface RecentFile {
  head: Uint8Array | undefined;
  readonly parts: { readonly bytes: Uint8Array; readonly atMs: number }[];
}

export class RecentFiles implements RecordingSink {
  readonly #options: RecentFilesOptions;
  readonly #files: RecentFile[] = [];
  #bytes = 0;

  constructor(options: RecentFilesOptions) {
    this.#options = options;
  }

  /** Bytes that are held. */
  get byteLength(): number {
    return this.#bytes;
  }

  /** The files, the oldest first, as a reader opens them. */
  files(): readonly Uint8Array[] {
    return this.#files.flatMap(({ head, parts }) => {
      return head === undefined || parts.length === 0 ? [] : [joinBytes([head, ...parts.map(({ bytes }) => bytes)])];
    });
  }

  async open(epochMs: number): Promise<RecordingOutput> {
    const output = await this.#options.sink?.open(epochMs);
    const file: RecentFile = { head: undefined, parts: [] };
    this.#files.push(file);
    return {
      name: output?.name ?? "memory",
      write: async (bytes) => {
        await output?.write(bytes);
        this.#keep(file, bytes.slice());
      },
      close: async () => output?.close(),
      ...(output?.discard === undefined ? {} : { discard: () => output.discard?.() ?? Promise.resolve() }),
    };
  }

  #keep(file: RecentFile, bytes: Uint8Array): void {
    const atMs = this.#options.epochNow();
    // A file begins with one write, of what stands before its chunks.
    if (file.head === undefined) file.head = bytes;
    else {
      file.parts.push({ bytes, atMs });
      this.#bytes += bytes.length;
    }
    this.#forget(atMs);
  }

  #forget(nowMs: number): void {
    const { keepMs = KEEP_MS, keepBytes = KEEP_BYTES } = this.#options;
    for (const file of this.#files) {
      let first = file.parts[0];
      // A clock that was set back makes nothing older.
      while (first !== undefined && (nowMs - first.atMs > keepMs || this.#bytes > keepBytes)) {
        this.#bytes -= first.bytes.length;
        file.parts.shift();
        first = file.parts[0];
      }
      if (first !== undefined) break;
    }
    while (this.#files.length > 1 && this.#files[0]?.parts.length === 0) this.#files.shift();
  }
}
