import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import type { Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import type { CommandLineContext } from "../context.ts";
import { withTables } from "../input/outside-files.ts";
import { run } from "../program.ts";

/** The games of this build and the fake one. */
export const testProtocols: Readonly<Record<string, Protocol>> = { fake: fakeProtocol as Protocol, ...protocols };

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs in this process. */
export interface Running {
  readonly ended: Promise<Ran>;
  /** Emits `SIGINT` and `SIGTERM` to the command, and `exit` when it wants to end at once. */
  readonly signals: EventEmitter;
  /** Resolves with all of the output so far, once it matches. */
  printed(pattern: RegExp): Promise<string>;
}

/** Starts a command line with an input and a table of games, and streams in memory for its output. */
export function startCommand(
  args: readonly string[],
  input: string | Iterable<string> = "",
  table: Readonly<Record<string, Protocol>> = testProtocols,
  env: CommandLineContext["env"] = {},
): Running {
  const stdout = new TextSink();
  const stderr = new TextSink();
  const signals = new EventEmitter();
  const context: CommandLineContext = {
    loadProtocols: async (_game, { tables }) => withTables(table, tables),
    version: "1.2.3",
    stdin: Readable.from(typeof input === "string" ? [input] : input, { objectMode: false }),
    stdout,
    stderr,
    env,
    signals,
    exit: (code) => signals.emit("exit", code),
  };
  const ended = run(args, context).then((code) => ({ code, stdout: stdout.text, stderr: stderr.text }));
  return { ended, signals, printed: (pattern) => stdout.printed(pattern) };
}

/** Runs a command line to its end. */
export function runCommand(
  args: readonly string[],
  input: string | Iterable<string> = "",
  env: CommandLineContext["env"] = {},
): Promise<Ran> {
  return startCommand(args, input, testProtocols, env).ended;
}

class TextSink extends Writable {
  text = "";
  #waiting: (() => void)[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    for (const check of this.#waiting) check();
    done();
  }

  printed(pattern: RegExp): Promise<string> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!pattern.test(this.text)) return;
        this.#waiting = this.#waiting.filter((each) => each !== check);
        resolve(this.text);
      };
      this.#waiting.push(check);
      check();
    });
  }
}
