/** Frames to a program of the proof and from it: `README.md` has their form. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** The first byte of a frame, and the rest. */
export type Frame = readonly [first: number, payload: Uint8Array];

/** Frames in their form, and behind them the one that asks for all answers. */
export function batchOf(frames: readonly Frame[]): Buffer {
  const bytes = Buffer.alloc(frames.reduce((sum, [, payload]) => sum + 5 + payload.length, 4));
  let at = 0;
  for (const [first, payload] of frames) {
    bytes.writeUInt32BE(payload.length + 1, at);
    bytes[at + 4] = first;
    bytes.set(payload, at + 5);
    at += 5 + payload.length;
  }
  return bytes;
}

/** A program that is sent batches of frames, and its answers. */
export class Frames {
  readonly #child: ChildProcess;
  #in: Buffer = Buffer.alloc(0);
  #at = 0;
  readonly #chunks: Buffer[] = [];
  #wake: (() => void) | undefined;
  #end: Error | undefined;

  constructor([command, ...args]: readonly [string, ...string[]]) {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    const end = (why: string): void => {
      this.#end ??= new Error(`the program has ended: ${why}`);
      this.#wake?.();
    };
    child.on("error", (error) => end(error.message));
    child.on("exit", (code, signal) => end(`exit code ${code}, signal ${signal}`));
    // What is written to a program that has ended is told by its end.
    child.stdin?.on("error", () => undefined);
    child.stdout?.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#wake?.();
    });
  }

  /** Sends a batch. */
  send(batch: Buffer): void {
    this.#child.stdin?.write(batch);
  }

  /** The most memory that the program has had, in bytes; undefined where the system does not say it. */
  get peakBytes(): number | undefined {
    try {
      const [, kilobytes] = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, "latin1")) ?? [];
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
    } catch {
      return undefined;
    }
  }

  /** Ends the program. */
  end(): void {
    this.#child.stdin?.end();
    this.#child.kill();
  }

  async next(): Promise<Buffer> {
    await this.#fill(4);
    const length = this.#in.readUInt32BE(this.#at);
    this.#at += 4;
    await this.#fill(length);
    this.#at += length;
    return this.#in.subarray(this.#at - length, this.#at);
  }

  async #fill(count: number): Promise<void> {
    while (this.#in.length - this.#at < count) {
      if (this.#chunks.length === 0) {
        if (this.#end !== undefined) throw this.#end;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
        continue;
      }
      this.#in = Buffer.concat([this.#in.subarray(this.#at), ...this.#chunks.splice(0)]);
      this.#at = 0;
    }
  }
}
