/** Games that are made elsewhere: `--protocol ./my-game.js`. */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Protocol } from "wirewalk/protocol";
import { UsageError } from "../context.ts";
import { GAME, looksLikeProtocol, protocolFault } from "./protocol-shape.ts";

const FLAG = "--protocol";

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
