/** A **store** in a SQLite file, which the server keeps across restarts. */
import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Store } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import { lockFolder } from "./folder-lock.ts";
import { makeFolder } from "./make-folder.ts";
import { openDatabase } from "./open-database.ts";

const FILE = "wirewalk.sqlite";
/** Another process may read the file while this one writes. */
const BUSY_MS = 2_000;
/** Password hashes, addresses and evidence are for the server's own user. */
const FILE_MODE = 0o600;
/** SQLite's own: 2 MB. */
const CACHE_SIZE = -2_000;
/** What a look at the disk writes and takes back: more than fits the pages that SQLite then holds in memory. */
const CHECKED = JSON.stringify({ checked: "x".repeat(32_768) });
/** SQLite's code when another process writes: then writing works. */
const BUSY = 5;
/** SQLite keeps these beside the database while it is open, or after a crash. */
const COMPANIONS = ["-wal", "-shm", "-journal"];

export interface SqliteStoreOptions {
  /**
   * Opens it beside the server that uses it, as a tool does that lists its bans. Default false: one store at a time, until it
   * is closed or its process ends.
   */
  readonly shared?: boolean;
}

/**
 * Opens or creates `wirewalk.sqlite` in a folder, and the folder when it is missing. Throws an `Error` that names the
 * folder when it cannot be written or another server is using it. Only the server's own user may read the files (mode 0600) and a folder made here
 * (0700); the mode of a folder that exists is its owner's choice.
 *
 * Write-ahead log with `synchronous = FULL`: a record is on the disk when `put` returns, as the port promises, even if
 * the power fails then. That is one sync of the disk per ban or new account, which are rare; `NORMAL` could lose the
 * last records.
 */
export function sqliteStore(folder: string, { shared = false }: SqliteStoreOptions = {}): Store {
  let database: DatabaseSync;
  let unlock = (): void => {};
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error("it is not a folder");
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (!shared) unlock = lockFolder(folder);
    makePrivate(join(folder, FILE));
    database = openDatabase(join(folder, FILE));
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA busy_timeout = ${BUSY_MS};
      PRAGMA cache_spill = 1;
      CREATE TABLE IF NOT EXISTS records (
        kind TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (kind, key)
      ) STRICT, WITHOUT ROWID;
    `);
  } catch (error) {
    unlock();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot keep data in ${folder}: ${why}`, { cause: error });
  }
  const get = database.prepare("SELECT json FROM records WHERE kind = ? AND key = ?");
  const put = database.prepare("INSERT OR REPLACE INTO records (kind, key, json) VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM records WHERE kind = ? AND key = ?");
  const list = database.prepare("SELECT key, json FROM records WHERE kind = ?");
  const tables = database.prepare("SELECT DISTINCT kind FROM records");
  // Changes with every commit of another connection, not with those of this one.
  const dataVersion = database.prepare("PRAGMA data_version");
  const ownChanges = new Map<string, number>();
  let isOpen = true;
  return {
    get(table, key) {
      const row = get.get(table, key);
      return row === undefined ? undefined : readRecord(table, key, row.json);
    },
    put(table, key, record) {
      put.run(table, key, JSON.stringify(record));
      ownChanges.set(table, (ownChanges.get(table) ?? 0) + 1);
    },
    update(table, key, change) {
      // Another process that writes waits from here on.
      database.exec("BEGIN IMMEDIATE");
      try {
        const row = get.get(table, key);
        const record = change(row === undefined ? undefined : readRecord(table, key, row.json));
        const text = JSON.stringify(record);
        const isChanged = text !== row?.json;
        if (isChanged) put.run(table, key, text);
        database.exec("COMMIT");
        if (isChanged) ownChanges.set(table, (ownChanges.get(table) ?? 0) + 1);
        return record;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },
    delete(table, key) {
      const { changes } = remove.run(table, key);
      ownChanges.set(table, (ownChanges.get(table) ?? 0) + Number(changes));
    },
    list(table) {
      const rows = list.all(table).map((row) => {
        const key = String(row.key);
        return { key, record: readRecord(table, key, row.json) };
      });
      // SQLite compares the bytes of UTF-8, the port's other stores the units of UTF-16.
      return rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    },
    version: (table) => Number(dataVersion.get()?.data_version) + (ownChanges.get(table) ?? 0),
    tables: () =>
      tables
        .all()
        .map(({ kind }) => String(kind))
        .sort(),
    check() {
      // The log has some place for a few records on a disk that is full already.
      const { blocks, bavail, bsize } = statfsSync(folder);
      if (blocks > 0 && bavail * bsize < 2 * CHECKED.length) throw new Error("database or disk is full");
      // Pages of a change go to the log before its end when memory has no place for them: taken back, they cost no sync, and no other
      // user of the file sees a change.
      database.exec("PRAGMA busy_timeout = 0; PRAGMA cache_size = 1");
      try {
        database.exec("BEGIN IMMEDIATE");
        put.run("", "", CHECKED);
      } catch (error) {
        if ((error as { readonly errcode?: number }).errcode !== BUSY) throw error;
      } finally {
        if (database.isTransaction) database.exec("ROLLBACK");
        database.exec(`PRAGMA cache_size = ${CACHE_SIZE}; PRAGMA busy_timeout = ${BUSY_MS}`);
      }
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      database.close();
      unlock();
    },
  };
}

/** Throws an `Error` that names the record where its text is no object: the file was damaged or changed by hand. */
function readRecord(table: string, key: string, text: unknown): JsonObject {
  let why = "it is no object";
  try {
    const record: unknown = JSON.parse(String(text));
    if (typeof record === "object" && record !== null && !Array.isArray(record)) return record as JsonObject;
  } catch (error) {
    why = error instanceof Error ? error.message : String(error);
  }
  throw new Error(`Cannot read the record ${key} of ${table}: ${why}`);
}

/**
 * Creates the file before SQLite does, which would use the process's umask. SQLite gives its log and its index the mode
 * of the database; those of an earlier run keep theirs.
 */
function makePrivate(file: string): void {
  closeSync(openSync(file, "a", FILE_MODE));
  for (const path of [file, ...COMPANIONS.map((suffix) => file + suffix)]) {
    // Changed only where it is too open: another user who may write the file may not change its mode.
    if (existsSync(path) && (statSync(path).mode & 0o077) !== 0) chmodSync(path, FILE_MODE);
  }
}
