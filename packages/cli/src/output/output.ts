import { once } from "node:events";
import type { Writable } from "node:stream";
import { FailedError } from "../context.ts";

/**
 * Writes, and waits for a slow reader, so that at most one buffer waits in memory. Throws {@link FailedError} for a file that
 * cannot be written; a pipe reports that later, by an event.
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

/** The sentence about an output that cannot be written. */
export function cannotWrite(error: unknown): string {
  return `Cannot write the output: ${error instanceof Error ? error.message : String(error)}`;
}
