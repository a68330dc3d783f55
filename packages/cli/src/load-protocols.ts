/** The games, loaded when a command needs them: all take five times as long as the smallest one. */
import type { Protocol } from "wirewalk/protocol";

/** All games by name; of a game that is named, that one alone. */
export async function loadProtocols(game: string | undefined): Promise<Readonly<Record<string, Protocol>>> {
  const one = game === undefined ? undefined : await loadGame(game);
  return one === undefined ? (await import("wirewalk/protocols")).protocols : { [one.name]: one };
}

/** The game of that name, out of its own subpath `wirewalk/<name>`; undefined where there is none. */
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
