import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { Protocol } from "wirewalk/protocol";

/** What the commands work with: the process in life, streams in memory in tests. */
export interface CommandContext {
  /** The games, by name. */
  readonly protocols: Readonly<Record<string, Protocol>>;
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Emits `SIGINT` and `SIGTERM`, and `orphaned` when a signal went to the shell of npx alone. */
  readonly signals: Pick<EventEmitter, "on" | "off">;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
}

/** How a command ended. */
export const ExitCode = {
  ok: 0,
  /** Something outside failed: a port in use, nobody to connect to. */
  failed: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** A line or a message was refused. */
  refused: 3,
} as const;

/** Sets the exit code of a command that ran to its end, where it is not {@link ExitCode.ok}. */
export type Finish = (code: number) => void;

/** A command line that makes no sense, in one sentence. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something outside failed, in one sentence. Ends with exit code 1. */
export class FailedError extends Error {
  override readonly name = "FailedError";
}
