import { once } from "node:events";
import type { Writable } from "node:stream";
import { FailedError } from "./context.ts";

/**
 * Writes, and waits for a slow reader: what waits in memory stays one buffer. Throws {@link FailedError} where a file
 * takes no more; pipes say so later, by an event.
 */
export async function write(stream: Writable, text: string): Promise<void> {
  if (text === "") return;
  let takesMore: boolean;
  try {
    takesMore = stream.write(text);
  } catch (error) {
    throw new FailedError(cannotWrite(error));
  }
  if (!takesMore) await once(stream, "drain");
}

/** The sentence about an output that takes no more. */
export function cannotWrite(error: unknown): string {
  return `Cannot write the output: ${error instanceof Error ? error.message : String(error)}`;
}
