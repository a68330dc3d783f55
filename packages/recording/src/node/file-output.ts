/** Files for recordings. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { RecordingOutput } from "../writing/recording-file.ts";

/** Owner alone: a recording holds what players typed. */
const MODE = 0o600;

/** A new file, which must not exist. */
export async function createRecordingFile(path: string): Promise<RecordingOutput> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, MODE);
  return new FileOutput(path, file);
}

class FileOutput implements RecordingOutput {
  readonly name: string;
  readonly #file: FileHandle;

  constructor(name: string, file: FileHandle) {
    this.name = name;
    this.#file = file;
  }

  /** About once a second: a file that was removed takes bytes, and nobody can ever read them. */
  async write(bytes: Uint8Array): Promise<void> {
    const { nlink } = await this.#file.stat();
    if (nlink === 0) throw new Error("the file was removed while it was written");
    for (let at = 0; at < bytes.length; ) at += (await this.#file.write(bytes, at)).bytesWritten;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
