/**
 * Lines of output from a process that must not wait for their reader. A terminal that is stopped (Ctrl-S) or a slow pipe costs
 * lines, which are counted. Writes to a terminal or a file stop the thread that makes them, so another thread does.
 */
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { Worker } from "node:worker_threads";

/** Text that waits for its reader, in letters. */
const MAX_WAITING = 1_000_000;
/** At the end the reader has this long to take what waits. */
const CLOSE_WITHIN_MS = 1_000;

/** The sources in the workspace, before any build, else the build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));

export class LineOutput {
  readonly #stream: Writable;
  readonly #worker: Worker | undefined;
  #lines: string[] = [];
  #letters = 0;
  /** Given to the thread and not written yet. */
  #inThread = 0;
  #missed = 0;
  #isPlanned = false;
  #emptied: () => void = () => {};

  constructor(stream: Writable) {
    this.#stream = stream;
    if (!stopsThread(stream)) return;
    this.#worker = new Worker(new URL(`./line-output-worker${extension}`, import.meta.url), { execArgv: [] });
    this.#worker.unref();
    this.#worker.on("message", (letters: number) => {
      this.#inThread -= letters;
      if (this.#waiting === 0) this.#emptied();
    });
    // The output is gone, as a terminal that was closed: lines are counted and not shown.
    this.#worker.on("error", () => {
      this.#inThread = Number.POSITIVE_INFINITY;
    });
  }

  /** Lines that the reader was too slow for. */
  get missed(): number {
    return this.#missed;
  }

  /** Adds a line, which is made only when there is room for it. */
  add(make: () => string): void {
    if (this.#waiting > MAX_WAITING) {
      this.#missed += 1;
      return;
    }
    const line = make();
    this.#lines.push(line);
    this.#letters += line.length + 1;
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#flush());
  }

  /** Writes what waits, as far as the reader takes it soon. */
  async close(): Promise<void> {
    this.#flush();
    if (this.#waiting > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, CLOSE_WITHIN_MS);
        this.#emptied = () => {
          clearTimeout(timer);
          resolve();
        };
        if (this.#worker === undefined) this.#stream.once("drain", this.#emptied);
      });
    }
    await this.#worker?.terminate();
  }

  get #waiting(): number {
    const given = this.#worker === undefined ? this.#stream.writableLength : this.#inThread;
    return this.#letters + given;
  }

  #flush(): void {
    this.#isPlanned = false;
    if (this.#lines.length === 0) return;
    const text = `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    this.#letters = 0;
    if (this.#worker === undefined) this.#stream.write(text);
    else {
      this.#inThread += text.length;
      this.#worker.postMessage(text);
    }
  }
}

/** Whether a write to it returns only when its reader has taken the bytes: a terminal's and a file's does, a pipe's does not. */
function stopsThread(stream: Writable): boolean {
  if (stream !== process.stdout) return false;
  return process.stdout.isTTY || !(stream instanceof Socket);
}
