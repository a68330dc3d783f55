/** JSON lines on a file or on the standard output, in a thread of their own: it may stand still while it writes. */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { OutputEvent } from "./output-events.ts";
import type { Sender } from "./sender.ts";

const STDOUT = 1;
const FILE_MODE = 0o600;
/** A pipe whose reader is slow takes nothing for a while. */
const FULL_WAIT_MS = 20;
const FULL_AT_MOST_MS = 5_000;
/** A pipe that nobody reads is an error at once: who waits for it could not even be ended. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/** Opened for each line, so that a file may be moved away while the server runs. */
export function fileLines(path: string): Sender {
  return {
    send: async (event) => {
      const fd = openSync(path, APPEND, FILE_MODE);
      try {
        await writeLine(fd, event);
      } finally {
        closeSync(fd);
      }
    },
    close: () => {},
  };
}

export function outputLines(fd = STDOUT): Sender {
  const own = unblocked(fd);
  return {
    send: (event) => writeLine(own, event),
    close: () => {},
  };
}

/** A pipe is opened once more, without waiting for its reader. A file stays as it is: another place of writing would overwrite its lines. */
function unblocked(fd: number): number {
  try {
    return fstatSync(fd).isFIFO() ? openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK) : fd;
  } catch {
    return fd;
  }
}

async function writeLine(fd: number, event: OutputEvent): Promise<void> {
  const bytes = Buffer.from(lineOf(event));
  let waitedMs = 0;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      if (waitedMs >= FULL_AT_MOST_MS) throw new Error("its reader takes nothing");
      await new Promise((resolve) => setTimeout(resolve, FULL_WAIT_MS));
      waitedMs += FULL_WAIT_MS;
    }
  }
}

function lineOf(event: OutputEvent): string {
  return `${JSON.stringify({ time: new Date(event.epochMs).toISOString(), ...event })}\n`;
}
