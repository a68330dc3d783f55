/** Whether a command line of `wirewalk` is one that it understands, without running it: for commands of documentation and units. */

import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import { protocols } from "wirewalk/protocols";
import { buildProgram } from "../packages/cli/src/program.ts";

type Command = Awaited<ReturnType<typeof buildProgram>>;

/** What the command line would answer to wrong flags and arguments; empty for one that is right. */
export async function flagErrors(args: readonly string[]): Promise<readonly string[]> {
  const written: string[] = [];
  const sink = (): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        written.push(String(chunk));
        done();
      },
    });
  const context = {
    loadProtocols: () => Promise.resolve(protocols),
    version: "0",
    stdin: Readable.from([]),
    stdout: sink(),
    stderr: sink(),
    env: {},
    signals: new EventEmitter(),
    exit: () => {},
  };
  const program = await buildProgram(context, args, () => {});
  withoutActions(program);
  try {
    await program.parseAsync([...args], { from: "user" });
    return [];
  } catch (error) {
    return [written.join("").trim() || String(error)];
  }
}

function withoutActions(command: Command): void {
  if (command.commands.length === 0) command.action(() => {});
  for (const each of command.commands) withoutActions(each);
}
