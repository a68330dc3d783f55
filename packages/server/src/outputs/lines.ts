/** JSON lines on a file or on the standard output. The thread stands still while it writes: no other thread does. */
import { appendFileSync, writeSync } from "node:fs";
import type { OutputEvent } from "./output-events.ts";
import type { Sender } from "./sender.ts";

const STDOUT = 1;
const FILE_MODE = 0o600;
/** A pipe whose reader is slow takes nothing for a while. */
const FULL_WAIT_MS = 20;

/** Opened for each line, so that a file may be moved away while the server runs. */
export function fileLines(path: string): Sender {
  return {
    send: async (event) => appendFileSync(path, lineOf(event), { mode: FILE_MODE }),
    close: () => {},
  };
}

export function outputLines(fd = STDOUT): Sender {
  return {
    send: async (event) => {
      const bytes = Buffer.from(lineOf(event));
      for (let at = 0; at < bytes.length; ) {
        try {
          at += writeSync(fd, bytes, at);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
          await new Promise((resolve) => setTimeout(resolve, FULL_WAIT_MS));
        }
      }
    },
    close: () => {},
  };
}

function lineOf(event: OutputEvent): string {
  return `${JSON.stringify({ time: new Date(event.epochMs).toISOString(), ...event })}\n`;
}
