/** Which files a worker reads: captures and recordings, by their first bytes. */
import { isCapture } from "wirewalk/capture";

/** Bytes that tell. */
export const MAGIC_BYTES = 5;

/** An MCAP file. */
export function isRecording(start: Uint8Array): boolean {
  return [0x89, 0x4d, 0x43, 0x41, 0x50].every((byte, at) => start[at] === byte);
}

export function isPacketFile(start: Uint8Array): boolean {
  return isCapture(start) || isRecording(start);
}
