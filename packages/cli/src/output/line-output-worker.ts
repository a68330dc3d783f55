/** A thread that writes text to the standard output and may be stopped by it: see `line-output.ts`. */
import { writeSync } from "node:fs";
import { parentPort } from "node:worker_threads";

const STDOUT = 1;
/** A terminal that takes nothing now is tried again after this time. */
const AGAIN_MS = 10;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

parentPort?.on("message", (text: string) => {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(STDOUT, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(sleeper, 0, 0, AGAIN_MS);
    }
  }
  parentPort?.postMessage(text.length);
});
