/** Recordings in files. */
import { readFile } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import { type Decompress, openRecording, type Recording } from "../reading/read-recording.ts";

/** In one piece Node does not join many: a key frame of 4 MB took 1.6 times as long. A size that a hostile file names takes little memory. */
const LEAST_PIECE_BYTES = 1 << 10;
const MOST_PIECE_BYTES = 8 << 20;

/** What Node decompresses by itself, for `openRecording`. */
export const nodeDecompress: Readonly<Record<"zstd", Decompress>> = {
  zstd: (bytes, size) => {
    const chunkSize = Math.min(Math.max(LEAST_PIECE_BYTES, size), MOST_PIECE_BYTES);
    return zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, size), chunkSize });
  },
};

/** Reads a file into memory. Throws `WireError` when it does not begin as an MCAP file, and what the file system says. */
export async function readRecordingFile(path: string): Promise<Recording> {
  return openRecording(await readFile(path), { decompress: nodeDecompress });
}
