import type { DatabaseSync } from "node:sqlite";

/**
 * Opens a SQLite file. `node:sqlite` is loaded by the first call, because only a server with a data folder needs it. Node 22 prints a
 * warning when it is loaded, and other runtimes may not have it. Throws an `Error` where it is missing.
 */
export function openDatabase(file: string): DatabaseSync {
  // Undefined where the runtime has no such module, although its type does not say so.
  const sqlite = process.getBuiltinModule("node:sqlite") as typeof import("node:sqlite") | undefined;
  if (sqlite === undefined) throw new Error("it needs node:sqlite, which this runtime does not have");
  return new sqlite.DatabaseSync(file);
}
