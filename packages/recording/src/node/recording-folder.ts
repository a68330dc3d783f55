/**
 * A folder of recordings: file names by world and time, and old files removed by size and age. One program at a time may use
 * it: a removed file that another one still writes is lost.
 */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RecordingSink } from "../writing/file-queue.ts";
import type { RecordingOutput } from "../writing/recording-file.ts";
import { createRecordingFile } from "./file-output.ts";

export interface RecordingFolderOptions {
  readonly folder: string;
  /** Bytes of all recordings together: over it the oldest are removed. Default: no limit. */
  readonly keepBytes?: number | undefined;
  /** Recordings that were changed longer ago are removed, in milliseconds. Default: no limit. */
  readonly keepMs?: number | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly epochNow?: () => number;
  /** Removed files, for logs. */
  readonly onRemoved?: (path: string) => void;
}

/** `slime-online-2-20260101T123000.000Z.mcap`, with a number before the dot when there is such a file. */
const RECORDING_NAME = /^[a-z0-9-]+-\d{8}T\d{6}\.\d{3}Z(?:-\d+)?\.mcap$/;

/** So many files of one name and millisecond at most. */
const MAX_COPIES = 100;

const FOLDER_MODE = 0o700;

export class RecordingFolder {
  readonly #options: RecordingFolderOptions;
  /** Those that are being written. */
  readonly #open = new Set<string>();

  constructor(options: RecordingFolderOptions) {
    this.#options = options;
  }

  /** The files of one world. */
  sink(world: string): RecordingSink {
    return { open: (epochMs) => this.#create(world, epochMs) };
  }

  async #create(world: string, epochMs: number): Promise<RecordingOutput> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const time = new Date(epochMs).toISOString().replaceAll(/[-:]/g, "");
    for (let copy = 1; ; copy += 1) {
      const path = join(folder, `${world}-${time}${copy === 1 ? "" : `-${copy}`}.mcap`);
      try {
        const file = await createRecordingFile(path);
        this.#open.add(path);
        await this.#removeOld();
        return {
          name: path,
          write: (bytes) => file.write(bytes),
          close: async () => {
            this.#open.delete(path);
            await file.close();
          },
          discard: async () => {
            this.#open.delete(path);
            await file.close();
            await rm(path, { force: true });
          },
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST" || copy === MAX_COPIES) throw error;
      }
    }
  }

  /** A file that cannot be removed stays, and is tried again with the next one. */
  async #removeOld(): Promise<void> {
    const { folder, keepBytes, keepMs, epochNow = Date.now, onRemoved } = this.#options;
    if (keepBytes === undefined && keepMs === undefined) return;
    const files: { readonly path: string; readonly bytes: number; readonly changedMs: number }[] = [];
    for (const name of await readdir(folder)) {
      if (!RECORDING_NAME.test(name)) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile()) files.push({ path, bytes: found.size, changedMs: found.mtimeMs });
    }
    files.sort((a, b) => a.changedMs - b.changedMs);
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files) {
      const isOld = keepMs !== undefined && epochNow() - file.changedMs > keepMs;
      const isTooMuch = keepBytes !== undefined && bytes > keepBytes;
      if (!(isOld || isTooMuch) || this.#open.has(file.path)) continue;
      const isRemoved = await rm(file.path).then(
        () => true,
        () => false,
      );
      if (!isRemoved) continue;
      bytes -= file.bytes;
      onRemoved?.(file.path);
    }
  }
}
