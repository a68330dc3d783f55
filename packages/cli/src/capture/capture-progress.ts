/** How far a long input was read, on a terminal. */
import type { Writable } from "node:stream";

/** Milliseconds between two lines. */
const EVERY_MS = 200;

export class CaptureProgress {
  readonly #stream: Writable;
  readonly #size: number | undefined;
  readonly #isShown: boolean;
  readonly #startedMs = performance.now();
  #shownMs = performance.now();
  #hasShown = false;

  /** Shown when errors go to a terminal and the output does not. Without a size the bytes are shown. */
  constructor(stream: Writable, output: Writable, size: number | undefined) {
    this.#stream = stream;
    this.#size = size;
    this.#isShown = "isTTY" in stream && stream.isTTY === true && !("isTTY" in output && output.isTTY === true);
  }

  show(bytes: number): void {
    const nowMs = performance.now();
    if (!this.#isShown || nowMs - this.#shownMs < EVERY_MS) return;
    this.#shownMs = nowMs;
    this.#hasShown = true;
    const rate = bytes / 1e6 / ((nowMs - this.#startedMs) / 1000);
    this.#stream.write(`\r${this.#far(bytes)}  ${rate.toFixed(1)} MB/s  `);
  }

  #far(bytes: number): string {
    if (this.#size === undefined) return `${(bytes / 1e6).toFixed(1)} MB`;
    const share = this.#size === 0 ? 100 : (bytes / this.#size) * 100;
    return `${share.toFixed(0).padStart(3)} %`;
  }

  /** Removes the line. */
  end(): void {
    if (this.#hasShown) this.#stream.write(`\r${" ".repeat(24)}\r`);
  }
}
