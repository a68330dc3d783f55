/** Recordings as commands read them. */
import type { Recording } from "@wirewalk/recording";
import { FailedError, isUsageError } from "../context.ts";
import { fileReason } from "./file-reason.ts";

/** A recording in a file. Throws {@link FailedError} for a file that is none or cannot be read. */
export async function readRecording(file: string): Promise<Recording> {
  const { readRecordingFile } = await import("@wirewalk/recording/node");
  return ofFile(file, () => readRecordingFile(file));
}

/** What goes wrong with a file is one sentence that names it. */
export async function ofFile<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FailedError || isUsageError(error)) throw error;
    if (error instanceof Error)
      throw new FailedError(`${file}: ${"syscall" in error ? fileReason(error) : error.message}`);
    throw error;
  }
}
