import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import { MissingMemberError, type Protocol } from "wirewalk/protocol";
import type { PeekedInput } from "./files/peeked-input.ts";

/** Files that say what games there are, for any command: games made elsewhere, and tables of messages. Paths, in the order of the command line. */
export interface OutsideFiles {
  readonly protocols: readonly string[];
  readonly tables: readonly string[];
}

/** What the commands use: the process's streams and signals, or those of a test. */
export interface CommandContext {
  /** The games, by name. */
  readonly protocols: Readonly<Record<string, Protocol>>;
  /** Files of `--protocol` and `--table`. */
  readonly outsideFiles?: OutsideFiles;
  readonly version: string;
  readonly stdin: Readable;
  /** What the standard input is, where the command needs to know it before its flags are read. */
  readonly peeked?: PeekedInput | undefined;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** The variables of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Emits `SIGINT` and `SIGTERM`, and `orphaned` when a signal went to the shell of npx alone. */
  readonly signals: Pick<EventEmitter, "on" | "off">;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** What a command line starts with: the games are loaded once it is known which ones it needs. */
export interface CommandLineContext extends Omit<CommandContext, "protocols"> {
  /** All games, by name, with those of files; or where one is named that exists, perhaps that one alone. */
  readonly loadProtocols: (
    game: string | undefined,
    files: OutsideFiles,
  ) => Promise<Readonly<Record<string, Protocol>>>;
}

/** How a command ended. */
export const ExitCode = {
  ok: 0,
  /** A server, a port or a file failed: a port in use, no server to connect to. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** A line or a message was refused. */
  refused: 3,
} as const;

/** Sets the exit code of a command that ran to its end, where it is not {@link ExitCode.ok}. */
export type Finish = (code: number) => void;

/** An invalid command line, in one sentence. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Whether the command line is invalid; also when it asks of a game what this game has no member for. */
export function isUsageError(error: unknown): error is UsageError | MissingMemberError {
  return error instanceof UsageError || error instanceof MissingMemberError;
}

/** A server, a port or a file failed, in one sentence. Ends with exit code 1. */
export class FailedError extends Error {
  override readonly name = "FailedError";
}
