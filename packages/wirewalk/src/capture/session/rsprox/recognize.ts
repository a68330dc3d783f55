/** Recognition of RSProx recordings, which have no magic number. */
import { WireError } from "../../../wire/index.ts";
import { readHeader } from "./header.ts";

/** The version of the head, and the high half of the revision. */
const firstBytes = [0, 0, 0, 1, 0, 0] as const;
const REVISION_AT = 4;
const MIN_REVISION = 200;
const MAX_REVISION = 400;

/**
 * Whether a file that begins so is a recording of RSProx: undefined while more bytes are needed to say. They begin with version 1 and a revision from 200 to
 * 400, and the rest of the head can be read. No capture, gzip, MCAP, JSON, hex or MapleShark file begins so. A recording of RuneScape 3 is one: `readRsprox`
 * refuses it with that reason.
 */
export function isRsprox(start: Uint8Array): boolean | undefined {
  if (firstBytes.some((byte, at) => at < start.length && start[at] !== byte)) return false;
  if (start.length < REVISION_AT + 4) return undefined;
  const revision = ((start[6] as number) << 8) | (start[7] as number);
  if (revision < MIN_REVISION || revision > MAX_REVISION) return false;
  try {
    return readHeader(start) === undefined ? undefined : true;
  } catch (error) {
    if (error instanceof WireError) return error.path === "clientName";
    throw error;
  }
}
