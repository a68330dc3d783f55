/** Options of the workspace's own commands: as Node reads them, and a line instead of a stack for wrong ones. */
import { type ParseArgsConfig, parseArgs } from "node:util";

/** Ends the process with exit code 2 and `usage` when an option is wrong. */
export function parseOptions<T extends ParseArgsConfig>(usage: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(usage);
    process.exit(2);
  }
}
