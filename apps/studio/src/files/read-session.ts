/**
 * **The one place where the page reads a session of another tool**, to play it and to list it. What is to be done to all such sessions, such as
 * other names in the place of those of strangers, is done here, to what `sink` is given: all that the page shows, exports and links of a
 * session comes from there.
 */
import type { SessionFormat, SessionSink } from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";

export interface ReadSessionOptions {
  readonly format: SessionFormat;
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly sink: SessionSink;
}

/** Bytes of the file that are read at once: 50 ms of work at most, so that requests do not wait for longer. */
const PIECE_BYTES = 64 * 1024;

/** Reads a file in pieces; gives how many bytes were read after each. What cannot be read is a fault of the sink. Throws `RangeError` for an unknown game. */
export async function* readSession(
  file: Blob,
  { format, protocols, sink }: ReadSessionOptions,
): AsyncGenerator<number> {
  const reader = format.open({ protocols, sink });
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const piece = await file.slice(at, at + PIECE_BYTES).arrayBuffer();
    reader.push(new Uint8Array(piece));
    yield Math.min(file.size, at + PIECE_BYTES);
  }
  reader.end();
}
