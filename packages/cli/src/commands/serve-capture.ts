/** `wirewalk serve --capture FILE`: all sessions of this server as pcapng, from its start on. */
import type { RunningWorkers } from "@wirewalk/server";
import type { Command } from "commander";
import type { Logger } from "pino";
import { FailedError, UsageError } from "../context.ts";
import { size, wholeNumber } from "../input/numbers.ts";

export interface CaptureFlags {
  readonly capture?: string;
  readonly captureRotate?: number;
  readonly captureKeep?: number;
}

const MIN_ROTATE_BYTES = 10_000;

export function addCaptureFlags(serve: Command): Command {
  return serve
    .option(
      "--capture <file>",
      "write what all sessions send and receive, also passwords, to a pcapng file for its owner alone",
    )
    .option("--capture-rotate <size>", "begin a new file at this size, such as 100MB", size(MIN_ROTATE_BYTES))
    .option("--capture-keep <number>", "with --capture-rotate: files that are kept", wholeNumber(1, 100_000));
}

/** Throws `UsageError` for flags that do not go together. */
export function checkCaptureFlags({ capture, captureRotate, captureKeep }: CaptureFlags): void {
  if (captureRotate !== undefined && capture === undefined)
    throw new UsageError("--capture-rotate needs --capture FILE");
  if (captureKeep !== undefined && captureRotate === undefined)
    throw new UsageError("--capture-keep needs --capture-rotate SIZE");
}

/** Begins the capture. It ends with the server. */
export async function startCapture(server: RunningWorkers, flags: CaptureFlags, log: Logger): Promise<void> {
  const { capture: file, captureRotate: rotateBytes, captureKeep: keep } = flags;
  if (file === undefined) return;
  const { CaptureFile } = await import("@wirewalk/server");
  const onFailed = (error: Error): void => log.error({ err: error }, `${file} is not written any further`);
  try {
    server.capture({ open: (head) => new CaptureFile({ file, head, rotateBytes, keep, onFailed }) });
  } catch (error) {
    throw new FailedError(error instanceof Error ? error.message : String(error));
  }
}
