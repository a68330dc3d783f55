/** Which kind a file is of, by its first bytes: its name says little that can be relied on. */
import { isCapture, type SessionFormat, START_BYTES, sessionFormatOf } from "wirewalk/capture";

/** What a file of maps begins with: `PKG4` of `.nx`, `PKG1` of `.wz`, a zip archive, XML. */
const mapStarts = [
  [0x50, 0x4b, 0x47, 0x34],
  [0x50, 0x4b, 0x47, 0x31],
  [0x50, 0x4b, 3, 4],
];
/** A page begins so: one that holds a verdict and its seconds. */
const PAGE_START = "<!doctype html>";
const XML_START = 0x3c;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * `recording`: the page can play it. `case`: a verdict as a file, whose seconds the page can play. `session`: a recording of another tool, which the page can play too. `capture`: the page can list its
 * packets. `maps`: it may have maps, which their readers find out.
 */
export type FileKind =
  | { readonly kind: "recording" | "case" | "capture" | "maps" }
  | { readonly kind: "session"; readonly format: SessionFormat };

/** A file, or what has a name as a file has. */
export type NamedFile = Blob & { readonly name: string };

/** A file that may have lost its name: a copy of its bytes has none. */
export type NamedBlob = Blob & { readonly name?: string };

const latin1 = new TextDecoder("latin1");

/** Undefined for a file of any other kind. */
export async function kindOf(file: NamedBlob): Promise<FileKind | undefined> {
  const start = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());
  if (isMcap(start)) return { kind: "recording" };
  if (latin1.decode(start).trimStart().toLowerCase().startsWith(PAGE_START)) return { kind: "case" };
  if (isCapture(start)) return { kind: "capture" };
  const format = sessionFormatOf(start, file.name);
  if (format !== undefined) return { kind: "session", format };
  return isMaps(start) ? { kind: "maps" } : undefined;
}

/** Whether the page can play a file, or only list what is in it. */
export function isPlayable(kind: FileKind | undefined): boolean {
  return kind?.kind === "recording" || kind?.kind === "case" || kind?.kind === "session";
}

function isMcap(start: Uint8Array): boolean {
  return [0x89, 0x4d, 0x43, 0x41, 0x50].every((byte, at) => start[at] === byte);
}

function isMaps(start: Uint8Array): boolean {
  const begins = (bytes: readonly number[]): boolean => bytes.every((byte, at) => start[at] === byte);
  const text = begins(BYTE_ORDER_MARK) ? start.subarray(BYTE_ORDER_MARK.length) : start;
  return text.find((byte) => byte > 0x20) === XML_START || mapStarts.some(begins);
}
