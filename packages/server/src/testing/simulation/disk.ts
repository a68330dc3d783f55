/**
 * A **disk** of the simulation and a store on it. The disk holds one file that only grows or is cut off at its end. What was
 * written and not synced survives a crash in part: up to any byte, the last bytes wrong. The store is a log of records with
 * checksums, as SQLite's write-ahead log is one of pages.
 */
import type { Random } from "wirewalk/motion";
import type { Store } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";

/** A sector is written whole or not at all. */
const SECTOR_BYTES = 64;

/** What a disk does wrong for a while. */
export type DiskFault = "full" | "fsync" | "slow";

export class SimulatedDisk {
  fault: DiskFault | undefined;
  /** It says that everything is durable, and nothing is: for tests of the checks. */
  isLying = false;
  /** When an operation last failed. */
  failedMs = Number.NEGATIVE_INFINITY;
  /** Called in the middle of a write or a sync; it may throw, as when the process dies there. */
  interrupt: (where: "before-write" | "before-sync" | "after-sync") => void = () => {};
  /** Called by an operation that fails. */
  onFailed: () => void = () => {};
  /** Called by an operation on a slow disk. */
  onSlow: () => void = () => {};
  #synced: Buffer = Buffer.alloc(0);
  #content: Buffer = Buffer.alloc(0);
  readonly #random: Random;
  readonly #now: () => number;

  constructor(random: Random, now: () => number = () => 0) {
    this.#random = random;
    this.#now = now;
  }

  read(): Buffer {
    return this.#content;
  }

  /** Replaces everything from this place on. Throws when the disk is full; then nothing has changed. */
  write(at: number, bytes: Uint8Array): void {
    if (this.fault === "slow") this.onSlow();
    this.interrupt("before-write");
    if (this.fault === "full") this.#fail("ENOSPC: no space left on device, write");
    this.#content = Buffer.concat([this.#content.subarray(0, at), bytes]);
  }

  /** Makes everything durable. Throws when that fails; then nobody knows what is durable. */
  sync(): void {
    this.interrupt("before-sync");
    if (this.fault === "fsync") this.#fail("EIO: i/o error, fsync");
    if (!this.isLying) this.#synced = this.#content;
    this.interrupt("after-sync");
  }

  #fail(text: string): never {
    this.failedMs = this.#now();
    this.onFailed();
    throw new Error(text);
  }

  /** The power fails: of what was not synced some sectors are there, the last of them perhaps wrong. */
  crash(): boolean {
    const [synced, content] = [this.#synced, this.#content];
    let same = 0;
    while (same < synced.length && same < content.length && synced[same] === content[same]) same += 1;
    const fresh = content.length - same;
    if (fresh === 0 && synced.length === content.length) return false;
    const sectors = this.#random.integer(0, Math.ceil(fresh / SECTOR_BYTES));
    const kept = Math.min(content.length, same + sectors * SECTOR_BYTES);
    // What the file held beyond this before is still there.
    const after = Buffer.concat([content.subarray(0, kept), synced.subarray(Math.min(kept, synced.length))]);
    if (sectors > 0 && this.#random.chance(0.5)) after[kept - 1] = (after[kept - 1] ?? 0) ^ 0xff;
    this.#content = after;
    this.#synced = after;
    return true;
  }
}

/** Opens what the disk holds. A record is durable when `put` returns; when it throws, the record is as it was before. */
export function simulatedStore(disk: SimulatedDisk): Store {
  const tables = new Map<string, Map<string, string>>();
  const apply = (entry: LogEntry): void => {
    const records = tables.get(entry.table) ?? new Map<string, string>();
    tables.set(entry.table, records);
    if (entry.json === undefined) records.delete(entry.key);
    else records.set(entry.key, entry.json);
  };
  let end = 0;
  const versions = new Map<string, number>();
  for (const { entry, next } of readLog(disk.read())) {
    apply(entry);
    end = next;
  }
  const commit = (entry: LogEntry): void => {
    const bytes = lineOf(entry);
    disk.write(end, bytes);
    // After a sync that failed the next record is written over this one.
    disk.sync();
    end += bytes.length;
    versions.set(entry.table, (versions.get(entry.table) ?? 0) + 1);
    apply(entry);
  };
  return {
    get(table, key) {
      const json = tables.get(table)?.get(key);
      return json === undefined ? undefined : (JSON.parse(json) as JsonObject);
    },
    put(table, key, record) {
      commit({ table, key, json: JSON.stringify(record) });
    },
    update(table, key, change) {
      const before = tables.get(table)?.get(key);
      const record = change(before === undefined ? undefined : (JSON.parse(before) as JsonObject));
      const json = JSON.stringify(record);
      if (json !== before) commit({ table, key, json });
      return record;
    },
    delete(table, key) {
      if (tables.get(table)?.has(key) === true) commit({ table, key });
    },
    list(table) {
      const records = [...(tables.get(table) ?? [])].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      return records.map(([key, json]) => ({ key, record: JSON.parse(json) as JsonObject }));
    },
    version: (table) => versions.get(table) ?? 0,
    tables: () => [...tables].flatMap(([table, records]) => (records.size === 0 ? [] : [table])).sort(),
    check() {
      // Half a line, which ends the log for a reader: it is written over by the next record.
      disk.write(end, Buffer.alloc(1));
    },
    close() {},
  };
}

interface LogEntry {
  readonly table: string;
  readonly key: string;
  /** Undefined: the record is deleted. */
  readonly json?: string;
}

const HEAD_BYTES = 8;

/** Length and checksum, four bytes each, then the entry. */
function lineOf(entry: LogEntry): Buffer {
  const body = Buffer.from(JSON.stringify(entry));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(checksum(body), 4);
  return Buffer.concat([head, body]);
}

/** The entries up to the first that is not whole. */
function* readLog(log: Buffer): Generator<{ readonly entry: LogEntry; readonly next: number }> {
  let at = 0;
  while (at + HEAD_BYTES <= log.length) {
    const next = at + HEAD_BYTES + log.readUInt32LE(at);
    const body = log.subarray(at + HEAD_BYTES, next);
    if (next > log.length || checksum(body) !== log.readUInt32LE(at + 4)) return;
    yield { entry: JSON.parse(body.toString()) as LogEntry, next };
    at = next;
  }
}

/** FNV-1a, 32 bits. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] as number), 0x01000193);
  }
  return hash >>> 0;
}
