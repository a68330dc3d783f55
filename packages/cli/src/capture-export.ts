/** Records of a capture as a file: JSON lines, CSV, test vectors, pcapng. */
import { closeSync, openSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { type CaptureRecord, csvLines, jsonLines, PcapngExport, type TextExport, vectorLines } from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";
import { FailedError } from "./context.ts";

export const exportFormats = ["jsonl", "csv", "pcapng", "vectors"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A file that records are written to. */
export interface RecordExport {
  add(record: CaptureRecord): void;
  /** Writes what was added. */
  flush(): Promise<void>;
  end(): Promise<void>;
}

interface ExportOptions {
  readonly protocols: readonly Protocol[];
  /** The capture, for the texts of the file. */
  readonly source: string;
}

/** Opens the file. Throws {@link FailedError} for one that cannot be written. */
export function openExport(format: ExportFormat, path: string, { protocols, source }: ExportOptions): RecordExport {
  const file = new OutputFile(path);
  switch (format) {
    case "jsonl":
      return textExport(file, jsonLines());
    case "csv":
      return textExport(file, csvLines());
    case "vectors":
      return textExport(file, vectorLines(protocols, basename(source)));
    case "pcapng":
      return pcapngExport(file, new PcapngExport(protocols, `wirewalk inspect ${basename(source)}`));
  }
}

function textExport(file: OutputFile, lines: TextExport): RecordExport {
  let waiting: string[] = [lines.head];
  const flush = (): void => {
    file.write(Buffer.from(waiting.join("")));
    waiting = [];
  };
  return {
    add: (record) => {
      waiting.push(lines.line(record));
    },
    flush: async () => flush(),
    end: async () => {
      waiting.push(lines.end());
      flush();
      file.close();
    },
  };
}

function pcapngExport(file: OutputFile, capture: PcapngExport): RecordExport {
  let waiting: Uint8Array[] = [capture.head];
  const flush = (): void => {
    file.write(Buffer.concat(waiting));
    waiting = [];
  };
  return {
    add: (record) => {
      waiting.push(...capture.blocks(record));
    },
    flush: async () => flush(),
    end: async () => {
      flush();
      file.close();
    },
  };
}

/** Written in order, and whole. */
class OutputFile {
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
      throw new FailedError(`Cannot write ${this.#path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
