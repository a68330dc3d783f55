/** What a file is, by its first bytes: a capture, a recording of ours, or a session that another tool recorded. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import { isCapture, type SessionFormat, START_BYTES, sessionFormatOf } from "wirewalk/capture";

export type FileKind =
  | { readonly kind: "capture" }
  | { readonly kind: "recording" }
  | { readonly kind: "session"; readonly format: SessionFormat };

const GZIP = [0x1f, 0x8b] as const;
/** What an MCAP file begins with. */
const MCAP = [0x89, 0x4d, 0x43, 0x41, 0x50] as const;
const CAPTURE_NAME = /\.(?:pcap|pcapng|cap|ntar)(?:\.gz)?$/i;
const RECORDING_NAME = /\.mcap$/i;

export function isGzip(start: Uint8Array): boolean {
  return GZIP.every((byte, at) => start[at] === byte);
}

/** The kind of a file that begins so; undefined for text and for unknown bytes. */
export function kindOf(start: Uint8Array, name = ""): FileKind | undefined {
  if (MCAP.every((byte, at) => start[at] === byte)) return { kind: "recording" };
  if (isCapture((isGzip(start) ? unpacked(start) : start).subarray(0, 4))) return { kind: "capture" };
  const format = sessionFormatOf(start, name);
  return format === undefined ? undefined : { kind: "session", format };
}

/** The kind of a path: of a damaged or missing file by its name. */
export function kindOfFile(path: string): FileKind | undefined {
  const start = startOrNone(path);
  const found = start === undefined ? undefined : kindOf(start, path);
  if (found !== undefined) return found;
  if (RECORDING_NAME.test(path)) return { kind: "recording" };
  return CAPTURE_NAME.test(path) ? { kind: "capture" } : undefined;
}

/** The first bytes of a file; undefined for a path without a readable file: the word may be hex, or the name of a protocol. */
function startOrNone(path: string): Uint8Array | undefined {
  try {
    return statSync(path).isFile() ? startOf(path) : undefined;
  } catch {
    return undefined;
  }
}

/** The first bytes of a file. Throws what the file system says. */
export function startOf(path: string): Uint8Array {
  const file = openSync(path, "r");
  try {
    const start = new Uint8Array(START_BYTES);
    return start.subarray(0, readSync(file, start));
  } finally {
    closeSync(file);
  }
}

function unpacked(start: Uint8Array): Uint8Array {
  try {
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array(0);
  }
}
