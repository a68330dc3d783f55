/** Records of a capture as a file: JSON lines, CSV, Parquet, test vectors, pcapng. */
import { basename } from "node:path";
import { csvLines, jsonLines, PcapngExport, type TextExport, vectorLines } from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";
import { OutputFile, type RecordExport } from "../output/output-file.ts";

export const exportFormats = ["jsonl", "csv", "parquet", "pcapng", "vectors"] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface ExportOptions {
  readonly protocols: readonly Protocol[];
  /** The capture, for the texts of the file. */
  readonly source: string;
}

/** Opens the file. Throws {@link FailedError} for one that cannot be written. */
export async function openExport(
  format: ExportFormat,
  path: string,
  { protocols, source }: ExportOptions,
): Promise<RecordExport> {
  const file = new OutputFile(path);
  switch (format) {
    case "jsonl":
      return textExport(file, jsonLines());
    case "csv":
      return textExport(file, csvLines());
    case "parquet":
      return (await import("../output/parquet-export.ts")).openParquet(file);
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
