/** Frames of bytes to and from a program of the proof: `README.md` has their form. */
import type { ChildProcess } from "node:child_process";

/** The frames to and from a program. */
export class Frames {
  readonly #child: ChildProcess;
  #out: Buffer[] = [];
  #in: Buffer = Buffer.alloc(0);
  #at = 0;
  readonly #chunks: Buffer[] = [];
  #wake: (() => void) | undefined;
  #end: Error | undefined;

  constructor(child: ChildProcess) {
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
