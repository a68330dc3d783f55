/**
 * A **store** as a port: small JSON records by table and key. It keeps bans and accounts: in SQLite for one server, in
 * PostgreSQL for several, in memory for tests. Every store passes `testing/store-suite.ts`.
 *
 * ```ts
 * import { memoryStore } from "wirewalk/net";
 *
 * const store = memoryStore();
 * store.put("bans", "ann", { reason: "teleport" });
 * store.get("bans", "ann"); // => { reason: "teleport" }
 * store.get("bans", "bob"); // => undefined
 * store.list("bans"); // => [{ key: "ann", record: { reason: "teleport" } }]
 * ```
 *
 * @module
 */
import type { JsonObject } from "../wire/index.ts";

export interface Store {
  get(table: string, key: string): JsonObject | undefined;
  /** The record is durable when the call returns. */
  put(table: string, key: string, record: JsonObject): void;
  /**
   * Reads a record and puts what `change` makes of it, as one step: no other user of the store writes it in between. `change` may be
   * called several times, and must not use the store; a record that it returns as it was is not written. Returns the record.
   */
  update(table: string, key: string, change: (record: JsonObject | undefined) => JsonObject): JsonObject;
  /** Nothing happens for an unknown key. */
  delete(table: string, key: string): void;
  /** All records of a table, by key in ascending order: capitals before small letters, `10` before `9`. */
  list(table: string): readonly { readonly key: string; readonly record: JsonObject }[];
  /**
   * A number that grows by one with every change of the table by this object, and with every change by another user of the
   * store. It may grow with changes of other tables too. Poll it to read a table again only after a change.
   */
  version(table: string): number;
  /** The tables with records, in ascending order. */
  tables(): readonly string[];
  /**
   * Throws when a record cannot be read or written now, as with a full disk. Nothing is changed, and no version grows. It costs less than
   * a `put`: call it once a second.
   */
  check(): void;
  close(): void;
  /** For stores that are on another machine: calls that do not wait for it. */
  readonly remote?: RemoteStore;
}

/** Reads and writes without stopping the thread. A store that cannot be reached rejects. */
export interface RemoteStore {
  get(table: string, key: string): Promise<JsonObject | undefined>;
  /** Puts the record unless the key has one, also one of another user of the store; false when it has. */
  add(table: string, key: string, record: JsonObject): Promise<boolean>;
  update(table: string, key: string, change: (record: JsonObject | undefined) => JsonObject): Promise<JsonObject>;
  /**
   * Adds rows of verdicts for queries of people, which the store never reads: their members are those of the server's events. Undefined for a
   * store without such a table.
   */
  addRows?(rows: readonly JsonObject[]): Promise<void>;
  /** As that of the store. After a write that failed it writes, to learn whether that works again. */
  check(): Promise<void>;
}

/** A store in memory. */
export function memoryStore(): Store {
  const tables = new Map<string, Map<string, string>>();
  const versions = new Map<string, number>();
  const grow = (table: string): void => void versions.set(table, (versions.get(table) ?? 0) + 1);
  return {
    get(table, key) {
      const text = tables.get(table)?.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
    },
    put(table, key, record) {
      let records = tables.get(table);
      if (records === undefined) {
        records = new Map();
        tables.set(table, records);
      }
      records.set(key, JSON.stringify(record));
      grow(table);
    },
    update(table, key, change) {
      const before = tables.get(table)?.get(key);
      const record = change(before === undefined ? undefined : (JSON.parse(before) as JsonObject));
      // A store that is this one with another `put` puts its way.
      if (JSON.stringify(record) !== before) this.put(table, key, record);
      return record;
    },
    delete(table, key) {
      if (tables.get(table)?.delete(key) === true) grow(table);
    },
    list(table) {
      const records = [...(tables.get(table) ?? [])].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      return records.map(([key, text]) => ({ key, record: JSON.parse(text) as JsonObject }));
    },
    version: (table) => versions.get(table) ?? 0,
    tables: () => [...tables].flatMap(([table, records]) => (records.size === 0 ? [] : [table])).sort(),
    check() {},
    close() {},
  };
}
