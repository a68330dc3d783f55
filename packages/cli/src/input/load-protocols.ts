/** The games, loaded when a command needs them: all take five times as long as the smallest one. */
import type { Protocol } from "wirewalk/protocol";
import { type OutsideFiles, UsageError } from "../context.ts";
import { noFiles, withTables } from "./outside-files.ts";
import { loadOutsideProtocols } from "./outside-protocols.ts";

/**
 * All games by name; of a game that is named, that one alone. `files` have games and tables that are made elsewhere. Throws
 * {@link UsageError} for a file without one.
 */
export async function loadProtocols(
  game: string | undefined,
  files: OutsideFiles = noFiles,
): Promise<Readonly<Record<string, Protocol>>> {
  return withTables(await loadGames(game, files.protocols), files.tables);
}

async function loadGames(
  game: string | undefined,
  files: readonly string[],
): Promise<Readonly<Record<string, Protocol>>> {
  if (files.length > 0) {
    const outside = await loadOutsideProtocols(files);
    const isOutside = game !== undefined && Object.hasOwn(outside, game);
    const inside = isOutside ? await loadOwn(game) : await loadGames(game, []);
    const twice = Object.keys(outside).find((name) => Object.hasOwn(inside, name));
    if (twice !== undefined) throw new UsageError(`--protocol: ${twice} is the name of a game of this build`);
    return { ...inside, ...outside };
  }
  const one = game === undefined ? undefined : await loadGame(game);
  return one === undefined ? (await import("wirewalk/protocols")).protocols : { [one.name]: one };
}

/** The game of that name alone, where there is one. */
async function loadOwn(game: string): Promise<Readonly<Record<string, Protocol>>> {
  const one = await loadGame(game);
  return one === undefined ? {} : { [one.name]: one };
}

/** The game of that name, out of its own subpath `wirewalk/<name>`; undefined for an unknown game. */
async function loadGame(name: string): Promise<Protocol | undefined> {
  if (!/^[a-z\d-]+$/.test(name)) return undefined;
  try {
    const names: Readonly<Record<string, unknown>> = await import(`wirewalk/${name}`);
    return Object.values(names).find((each): each is Protocol => isProtocol(each) && each.name === name);
  } catch {
    // No such subpath: the value of a flag, or a misspelt game. A game that fails to load fails again with the table.
    return undefined;
  }
}

function isProtocol(value: unknown): value is Protocol {
  return typeof value === "object" && value !== null && "openChannel" in value && "streams" in value && "name" in value;
}
