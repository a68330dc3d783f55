/**
 * Ends the process when one input takes too long, with a line that names the input: a reader that does not come back is a finding
 * that the fuzzer itself cannot report.
 */
import { Worker } from "node:worker_threads";

/** The longest input that is remembered whole. */
const MAX_BYTES = 4_096;

/** Runs in a thread of its own. `memory`: the number of the input, its length, its bytes. */
const watcher = `
const { workerData, parentPort } = require("node:worker_threads");
const { memory, seconds } = workerData;
const words = new Int32Array(memory, 0, 2);
let last = -1, since = 0;
setInterval(() => {
  const number = words[0];
  if (number !== last || number === 0) { last = number; since = 0; return; }
  since += 1;
  if (since < seconds) return;
  const input = Buffer.from(new Uint8Array(memory, 8, words[1])).toString("hex");
  require("node:fs").writeSync(2, "An input takes longer than " + seconds + " s: " + input + "\\n");
  process.kill(process.pid, "SIGKILL");
}, 1000);
`;

export class WatchedInput {
  readonly #memory = new SharedArrayBuffer(8 + MAX_BYTES);
  readonly #words = new Int32Array(this.#memory, 0, 2);
  readonly #bytes = new Uint8Array(this.#memory, 8);
  readonly #worker: Worker;

  constructor(seconds: number) {
    this.#worker = new Worker(watcher, { eval: true, workerData: { memory: this.#memory, seconds }, execArgv: [] });
    this.#worker.unref();
  }

  begin(input: Uint8Array): void {
    const length = Math.min(input.length, MAX_BYTES);
    this.#bytes.set(length === input.length ? input : input.subarray(0, length));
    this.#words[1] = length;
    this.#words[0] = ((this.#words[0] as number) + 1) & 0x7fff_ffff || 1;
  }

  /** No input is running any more. */
  end(): void {
    this.#words[0] = 0;
    void this.#worker.terminate();
  }
}
