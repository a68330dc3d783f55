/** Recordings in files. */
import { readFile } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import { type Decompress, openRecording, type Recording } from "../reading/read-recording.ts";

/** What Node decompresses by itself, for `openRecording`. */
export const nodeDecompress: Readonly<Record<"zstd", Decompress>> = {
  zstd: (bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, size) }),
};

/** Reads a file into memory. Throws `WireError` when it does not begin as an MCAP file, and what the file system says. */
export async function readRecordingFile(path: string): Promise<Recording> {
  return openRecording(await readFile(path), { decompress: nodeDecompress });
}
