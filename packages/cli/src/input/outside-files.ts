/** Files that say what games there are, for any command: games made elsewhere, and tables of messages of their revisions. */
import { readFileSync } from "node:fs";
import type { Protocol } from "wirewalk/protocol";
import { WireError } from "wirewalk/wire";
import { type OutsideFiles, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";

export const noFiles: OutsideFiles = { protocols: [], tables: [] };

const flags: Readonly<Record<string, keyof OutsideFiles>> = {
  "--protocol": "protocols",
  "--table": "tables",
  // Its name before tables had names and opcodes.
  "--sizes": "tables",
};
const examples: Readonly<Record<keyof OutsideFiles, string>> = {
  protocols: "./my-game.js",
  tables: "revision-242.json",
};

/** The files that flags name, wherever they stand, and the command line without them. */
export function takeOutsideFiles(args: readonly string[]): { readonly files: OutsideFiles; readonly rest: string[] } {
  const files: Record<keyof OutsideFiles, string[]> = { protocols: [], tables: [] };
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    // What follows is not for us.
    if (arg === "--") return { files, rest: [...rest, ...args.slice(at)] };
    const [flag = "", ...value] = arg.split("=");
    const kind = Object.hasOwn(flags, flag) ? flags[flag] : undefined;
    if (kind === undefined) {
      rest.push(arg);
      continue;
    }
    const file = value.length === 0 ? args[++at] : value.join("=");
    if (file === undefined || file === "" || file.startsWith("-")) {
      throw new UsageError(`${flag} needs a file: ${flag} ${examples[kind]}`);
    }
    files[kind].push(file);
  }
  return { files, rest };
}

/** The games with the tables of these files. Throws {@link UsageError} for a file that cannot be read or is no table. */
export function withTables(
  protocols: Readonly<Record<string, Protocol>>,
  files: readonly string[],
): Readonly<Record<string, Protocol>> {
  let games = protocols;
  for (const file of files) {
    const json = readJson(file);
    const changed = Object.entries(games).flatMap(([name, { capabilities }]): [string, Protocol][] => {
      const revisions = capabilities?.revisions;
      try {
        return revisions === undefined ? [] : [[name, revisions.withTable(json)]];
      } catch (error) {
        if (error instanceof WireError) throw new UsageError(`--table ${file}: ${error.message}`);
        throw error;
      }
    });
    games = { ...games, ...Object.fromEntries(changed) };
  }
  return games;
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--table ${file}: ${fileReason(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--table ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
