/**
 * **The one place where a dropped file becomes what is played or listed.** It runs in a worker. A format of another tool that can be
 * turned into a recording is turned into one here, so that both workers take it: `file-kind.ts` names its kind.
 */
import { type FileKind, kindOf } from "./file-kind.ts";

/** A recording is read into memory as a whole; a capture is read from its file, a piece at a time. */
export type Dropped =
  | { readonly kind: "recording"; readonly bytes: Uint8Array }
  | { readonly kind: Exclude<FileKind, "recording"> };

/** `serve --record` ends a file at 128 MiB. */
const MAX_RECORDING_BYTES = 512 * 1024 * 1024;

/** Throws `RangeError` for a file of an unknown kind, and for a recording that is too large for memory. */
export async function openDropped(file: Blob): Promise<Dropped> {
  const kind = await kindOf(file);
  if (kind === undefined) {
    throw new RangeError(
      "Cannot read the file: it begins neither as a recording (mcap) nor as a capture (pcap or pcapng)",
    );
  }
  if (kind !== "recording") return { kind };
  if (file.size > MAX_RECORDING_BYTES) {
    throw new RangeError(`Cannot read the recording: it has more than ${MAX_RECORDING_BYTES / 2 ** 20} MiB`);
  }
  return { kind, bytes: new Uint8Array(await file.arrayBuffer()) };
}
