/** Opens the store of a server: a folder, or a database by its address. Each package is loaded only when it is asked for. */
import { existsSync, readdirSync, statSync } from "node:fs";
import type { Store } from "wirewalk/net";
import { FailedError } from "../context.ts";

/** What `sqliteStore` of the server keeps in a folder. */
const DATABASE = "wirewalk.sqlite";

/** Whether a place is the address of a PostgreSQL database. */
export function isDatabase(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

export interface OpenStoreOptions {
  /** Beside the server that uses a folder. Any number of users may have a database open. */
  readonly shared?: boolean;
}

/** Opens a store, and makes one that is missing. Throws `FailedError` where it cannot. */
export async function openStore(place: string, { shared = false }: OpenStoreOptions = {}): Promise<Store> {
  try {
    if (isDatabase(place)) {
      const { postgresStore } = await import("@wirewalk/postgres");
      return postgresStore(place);
    }
    const { sqliteStore } = await import("@wirewalk/server");
    return sqliteStore(place, { shared });
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Cannot ")) throw new FailedError(error.message);
    throw error;
  }
}

/** Opens a store that is there: opening one makes its folder and its database, which a mistyped name must not. An empty folder is a store. */
export async function openExistingStore(place: string, options: OpenStoreOptions = {}): Promise<Store> {
  if (isDatabase(place)) return openStore(place, options);
  if (!existsSync(place)) throw new FailedError(`there is no folder ${place}`);
  if (statSync(place).isDirectory()) {
    const names = readdirSync(place);
    if (names.length > 0 && !names.includes(DATABASE))
      throw new FailedError(`${place} is not the data folder of a server: it has no ${DATABASE}`);
  }
  return openStore(place, options);
}
