/** **The one place where a dropped file becomes what is played or listed.** It runs in a worker. */
import type { SessionFormat } from "wirewalk/capture";
import { kindOf, type NamedBlob } from "./file-kind.ts";

/** A recording is read into memory as a whole; the others are read from their file, a piece at a time. */
export type Dropped =
  | { readonly kind: "recording"; readonly bytes: Uint8Array }
  /** The text of a verdict as a file. */
  | { readonly kind: "case"; readonly html: string }
  | { readonly kind: "session"; readonly format: SessionFormat }
  | { readonly kind: "capture" };

/** Twice as many as a case may have: one that claims more is not read. */
const MAX_CASE_BYTES = 2_000_000;
/** `serve --record` ends a file at 128 MiB. */
const MAX_RECORDING_BYTES = 512 * 1024 * 1024;

/** Throws `RangeError` for a file of an unknown kind, and for a recording that is too large for memory. */
export async function openDropped(file: NamedBlob): Promise<Dropped> {
  const found = await kindOf(file);
  if (found === undefined || found.kind === "maps") {
    throw new RangeError(
      "Cannot read the file: it begins neither as a recording (mcap), nor as a session of RSProx or MapleShark, nor as a capture (pcap or pcapng)",
    );
  }
  if (found.kind === "session") return found;
  if (found.kind === "capture") return { kind: "capture" };
  if (found.kind === "case") {
    if (file.size > MAX_CASE_BYTES) {
      throw new RangeError(`Cannot read the file: a page of ${file.size} bytes is no verdict as a file`);
    }
    return { kind: "case", html: await file.text() };
  }
  if (file.size > MAX_RECORDING_BYTES) {
    throw new RangeError(`Cannot read the recording: it has more than ${MAX_RECORDING_BYTES / 2 ** 20} MiB`);
  }
  return { kind: "recording", bytes: new Uint8Array(await file.arrayBuffer()) };
}
