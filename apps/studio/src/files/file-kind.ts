/** Which kind a file is of, by its first bytes: its name says little that can be relied on. */
import { isCapture, type SessionFormat, START_BYTES, sessionFormatOf } from "wirewalk/capture";

/**
 * `recording`: the page can play it. `session`: a recording of another tool, which the page can play too. `capture`: the page can list its
 * packets.
 */
export type FileKind =
  | { readonly kind: "recording" | "capture" }
  | { readonly kind: "session"; readonly format: SessionFormat };

/** A file, or what has a name as a file has. */
export type NamedFile = Blob & { readonly name: string };

/** A file that may have lost its name: a copy of its bytes has none. */
export type NamedBlob = Blob & { readonly name?: string };

/** Undefined for a file of any other kind. */
export async function kindOf(file: NamedBlob): Promise<FileKind | undefined> {
  const start = new Uint8Array(await file.slice(0, START_BYTES).arrayBuffer());
  if (isMcap(start)) return { kind: "recording" };
  if (isCapture(start)) return { kind: "capture" };
  const format = sessionFormatOf(start, file.name);
  return format === undefined ? undefined : { kind: "session", format };
}

/** Whether the page can play a file, or only list what is in it. */
export function isPlayable(kind: FileKind | undefined): boolean {
  return kind !== undefined && kind.kind !== "capture";
}

function isMcap(start: Uint8Array): boolean {
  return [0x89, 0x4d, 0x43, 0x41, 0x50].every((byte, at) => start[at] === byte);
}
