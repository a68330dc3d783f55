/** `--record DIR` of `wirewalk serve` and `wirewalk relay`: worlds as MCAP files. */
import { statSync } from "node:fs";
import type { RecordingOptions } from "@wirewalk/server";
import type { Command } from "commander";
import { UsageError } from "../context.ts";
import { size, wholeNumber } from "../input/numbers.ts";

export interface RecordingFlags {
  readonly record?: string;
  readonly recordCarried?: true;
  readonly recordRequired?: true;
  readonly recordRotate?: number;
  readonly recordMinutes?: number;
  readonly recordKeep?: number;
  readonly recordDays?: number;
}

const MIN_BYTES = 1_000_000;
const MINUTE_MS = 60_000;
/** Of the files that `--capture` writes. */
const CAPTURE_NAME = /\.pcap(?:ng)?$/i;
const DAY_MS = 24 * 60 * MINUTE_MS;

export function addRecordingFlags(command: Command, what = "every world"): Command {
  return command
    .option("--record <folder>", `record ${what} into MCAP files of a folder, for wirewalk replay`)
    .option("--record-carried", "with --record: also the bytes of clients as they came, with frames and ciphers")
    .option(
      "--record-rotate <size>",
      "with --record: begin a new file at this size (default: 128 MiB)",
      size(MIN_BYTES),
    )
    .option(
      "--record-minutes <number>",
      "with --record: begin a new file after so long (default: 15)",
      wholeNumber(1, 1440),
    )
    .option(
      "--record-keep <size>",
      "with --record: the oldest files over this size are removed (default: 10 GiB)",
      size(MIN_BYTES),
    )
    .option("--record-days <number>", "with --record: older files are removed (default: 7)", wholeNumber(1, 3650));
}

/** For a server, which can refuse players. */
export function addRequiredFlag(command: Command): Command {
  return command.option(
    "--record-required",
    "with --record: a world that is not recorded, as with a full disk, takes no new players, and /readyz is 503",
  );
}

/** Throws `UsageError` for flags that need `--record`. */
export function recordingOptions(flags: RecordingFlags): RecordingOptions | undefined {
  const { record, recordCarried, recordRequired, recordRotate, recordMinutes, recordKeep, recordDays } = flags;
  if (record === undefined) {
    const others = {
      "--record-carried": recordCarried,
      "--record-required": recordRequired,
      "--record-rotate": recordRotate,
      "--record-minutes": recordMinutes,
      "--record-keep": recordKeep,
      "--record-days": recordDays,
    };
    const [given] = Object.entries(others).filter(([, value]) => value !== undefined);
    if (given !== undefined) throw new UsageError(`${given[0]} needs --record FOLDER`);
    return undefined;
  }
  if (CAPTURE_NAME.test(record)) {
    throw new UsageError(`--record takes a folder for MCAP files: --capture ${record} writes a capture`);
  }
  if (statSync(record, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`--record ${record} is a file: recordings go to a folder`);
  }
  return {
    folder: record,
    carried: recordCarried === true,
    required: recordRequired === true,
    rotateBytes: recordRotate,
    rotateMs: recordMinutes === undefined ? undefined : recordMinutes * MINUTE_MS,
    keepBytes: recordKeep,
    keepMs: recordDays === undefined ? undefined : recordDays * DAY_MS,
  };
}
