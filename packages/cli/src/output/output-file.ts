/** Files that records of a capture are written to. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { CaptureRecord } from "wirewalk/capture";
import { FailedError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";

/** A file that records are written to. */
export interface RecordExport {
  add(record: CaptureRecord): void;
  /** Writes what was added. */
  flush(): Promise<void>;
  end(): Promise<void>;
}

/** Written in order, and whole. */
export class OutputFile {
  readonly #path: string;
  readonly #file: number;

  constructor(path: string) {
    this.#path = path;
    this.#file = this.#guard(() => openSync(path, "w"));
  }

  write(bytes: Uint8Array): void {
    this.#guard(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    });
  }

  close(): void {
    this.#guard(() => closeSync(this.#file));
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new FailedError(`Cannot write ${this.#path}: ${fileReason(error)}`);
    }
  }
}
