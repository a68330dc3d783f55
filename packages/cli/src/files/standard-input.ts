/** What is known of the standard input before it is read. */
import { fstatSync } from "node:fs";
import type { CommandContext } from "../context.ts";
import { isTerminal } from "../output/colours.ts";
import { write } from "../output/output.ts";

/** The bytes of a file that is the standard input; undefined for a pipe and a terminal. */
export function inputSize(stdin: object): number | undefined {
  if (!("fd" in stdin) || typeof stdin.fd !== "number") return undefined;
  try {
    const stat = fstatSync(stdin.fd);
    return stat.isFile() ? stat.size : undefined;
  } catch {
    // Closed, as by `<&-`: reading it says so.
    return undefined;
  }
}

/** A command that reads from a terminal looks as if it hangs: says that it waits for input, and how that ends. */
export async function noteWaiting({ stdin, stderr }: CommandContext, what: string): Promise<void> {
  const end = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";
  if (isTerminal(stdin)) await write(stderr, `wirewalk: reading ${what} from the terminal, to the end by ${end}\n`);
}
