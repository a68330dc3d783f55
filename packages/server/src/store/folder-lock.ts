/**
 * A lock on a data folder: one server at a time. The system takes it back when its process ends, also by `kill -9`, so no
 * lock is ever left behind.
 */
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { openDatabase } from "./open-database.ts";

/** An empty database, locked as SQLite locks one: Node has no file locks of its own. */
const LOCK_FILE = "server.lock";
/** Tells people whose lock it is. The lock itself does not depend on it. */
const PROCESS_FILE = "server.pid";
/** Only the server's user may read what is in the folder. */
const PRIVATE = 0o600;

/** Node closes a database to which nothing refers, and that would unlock the folder. */
const held = new Set<DatabaseSync>();

/** Locks a folder that exists; the result unlocks it. Throws `Error` when another server holds it, or it cannot be written. */
export function lockFolder(folder: string): () => void {
  const processFile = join(folder, PROCESS_FILE);
  const lockFile = join(folder, LOCK_FILE);
  makePrivate(lockFile);
  const database = openDatabase(lockFile);
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new Error(`another server is using it${ownerOf(processFile)}`, { cause: error });
  }
  held.add(database);
  writeNote(processFile);
  return () => {
    if (!held.delete(database)) return;
    try {
      rmSync(processFile, { force: true });
    } catch {
      // The folder was replaced by something else while the server ran: there is nothing to remove.
    }
    database.close();
  };
}

/**
 * Never opens a file that exists: when a process closes any handle of a file, the system drops all locks that the process
 * has on it.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", PRIVATE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return typeof error === "object" && error !== null && "errcode" in error && error.errcode === 5;
}

function writeNote(path: string): void {
  try {
    writeFileSync(path, `${process.pid}\n`, { mode: PRIVATE });
  } catch {
    // A full disk: then nobody reads whose lock it is.
  }
}

function ownerOf(path: string): string {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    return Number.isSafeInteger(pid) && pid > 0 ? ` (process ${pid})` : "";
  } catch {
    return "";
  }
}
