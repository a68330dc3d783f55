/** Games that are made elsewhere: `--protocol ./my-game.js`. */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Protocol } from "wirewalk/protocol";
import { UsageError } from "../context.ts";
import { GAME, looksLikeProtocol, protocolFault } from "./protocol-shape.ts";

const FLAG = "--protocol";

/** The files that `--protocol` names, wherever it stands, and the command line without them. */
export function takeProtocolFiles(args: readonly string[]): { readonly files: string[]; readonly rest: string[] } {
  const files: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    // What follows is not for us.
    if (arg === "--") return { files, rest: [...rest, ...args.slice(at)] };
    if (arg !== FLAG && !arg.startsWith(`${FLAG}=`)) {
      rest.push(arg);
      continue;
    }
    const file = arg === FLAG ? args[++at] : arg.slice(FLAG.length + 1);
    if (file === undefined || file === "" || file.startsWith("-")) {
      throw new UsageError(`${FLAG} needs a file: ${FLAG} ./my-game.js`);
    }
    files.push(file);
  }
  return { files, rest };
}

let isHooked = false;

/**
 * What a file imports from `wirewalk` is this command's own copy: a `WireError` of another one would not be known as a refusal.
 * It need not be installed beside the file.
 */
function shareLibrary(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, specifier.startsWith("wirewalk/") ? { ...context, parentURL: import.meta.url } : context),
  });
}

/** The games that the files export, by name. Throws {@link UsageError} for a file without one, and for one that is not whole. */
export async function loadOutsideProtocols(files: readonly string[]): Promise<Readonly<Record<string, Protocol>>> {
  const found = new Map<string, Protocol>();
  for (const file of files) {
    for (const protocol of await protocolsOf(file)) {
      if (found.has(protocol.name)) throw new UsageError(`${FLAG} ${file}: ${protocol.name} is there twice`);
      found.set(protocol.name, protocol);
    }
  }
  return Object.fromEntries(found);
}

async function protocolsOf(file: string): Promise<readonly Protocol[]> {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`${FLAG} ${file}: no such file`);
  shareLibrary();
  let names: Readonly<Record<string, unknown>>;
  try {
    if (!/\.[cm]?[jt]s$/.test(path)) throw new TypeError("it must be a module, as my-game.js or my-game.ts");
    names = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(`${FLAG} ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const candidates = [...new Set(Object.values(names))].filter(looksLikeProtocol);
  if (candidates.length === 0) throw new UsageError(`${FLAG} ${file}: it exports no game: ${GAME}`);
  return candidates.map((candidate) => {
    const fault = protocolFault(candidate);
    if (fault !== undefined) throw new UsageError(`${FLAG} ${file}: ${fault}`);
    return candidate as Protocol;
  });
}
