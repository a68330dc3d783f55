/** Which kind a file is of, by its first bytes: its name says nothing that can be relied on. */
import { isCapture } from "wirewalk/capture";

/** `recording`: the page can play it. `capture`: the page can list its packets. */
export type FileKind = "recording" | "capture";

/** Bytes that tell. */
const MAGIC_BYTES = 5;

/** Undefined for a file of any other kind. */
export async function kindOf(file: Blob): Promise<FileKind | undefined> {
  const start = new Uint8Array(await file.slice(0, MAGIC_BYTES).arrayBuffer());
  if (isMcap(start)) return "recording";
  return isCapture(start) ? "capture" : undefined;
}

function isMcap(start: Uint8Array): boolean {
  return [0x89, 0x4d, 0x43, 0x41, 0x50].every((byte, at) => start[at] === byte);
}
