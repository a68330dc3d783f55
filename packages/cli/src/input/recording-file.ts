/** Which files are recordings. */
import { closeSync, openSync, readSync, statSync } from "node:fs";

/** What an MCAP file begins with. */
const MAGIC = [0x89, 0x4d, 0x43, 0x41, 0x50] as const;
const RECORDING_NAME = /\.mcap$/i;

export function isRecording(start: Uint8Array): boolean {
  return MAGIC.every((byte, at) => start[at] === byte);
}

/** Whether a path is that of a recording: by its first bytes, or by its name. */
export function isRecordingFile(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    if (RECORDING_NAME.test(path)) return true;
    const file = openSync(path, "r");
    const start = new Uint8Array(MAGIC.length);
    readSync(file, start);
    closeSync(file);
    return isRecording(start);
  } catch {
    // No such file: the argument is something else.
    return RECORDING_NAME.test(path);
  }
}
