import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes, and waits for a slow reader: what waits in memory stays one buffer. */
export async function write(stream: Writable, text: string): Promise<void> {
  if (text !== "" && !stream.write(text)) await once(stream, "drain");
}
