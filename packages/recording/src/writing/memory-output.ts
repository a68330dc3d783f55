/** A file of a recording in memory. */
import { joinBytes } from "wirewalk/wire";
import type { RecordingOutput } from "./recording-file.ts";

export class MemoryOutput implements RecordingOutput {
  readonly name: string;
  readonly #parts: Uint8Array[] = [];

  constructor(name: string) {
    this.name = name;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return joinBytes(this.#parts);
  }

  async write(bytes: Uint8Array): Promise<void> {
    // The writer uses its memory again.
    this.#parts.push(bytes.slice());
  }

  async close(): Promise<void> {}
}
