/** Frames to a program of the proof and from it: `README.md` has their form. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Batches of payloads for a program, and its answers. */
export class Frames {
  readonly #child: ChildProcess;
  #out: Buffer[] = [];
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

  send(first: number, payload: Uint8Array): void {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(payload.length + 1);
    head[4] = first;
    this.#out.push(head, Buffer.from(payload));
  }

  /** Sends what was collected, and asks for all answers to it. */
  flush(): void {
    this.#child.stdin?.write(Buffer.concat([...this.#out, Buffer.alloc(4)]));
    this.#out = [];
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
