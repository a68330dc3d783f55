/**
 * A **store** in PostgreSQL. The port is synchronous, since a SQLite file answers in microseconds; here a thread talks to the
 * database, and the caller's thread stands still until it answers: 0.2 ms on one machine. Logins do not stand still: they use
 * `remote`.
 *
 * While the database is lost every call throws at once, and the thread tries to connect again. A database that hangs stops the
 * caller's thread once, for `waitMs`.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { RemoteStore, Store } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import {
  ANSWERS,
  CHANGES,
  DOWN,
  OPENED,
  readRecord,
  STATE,
  type StoreAnswer,
  type StoreCall,
  type ThreadOptions,
  UP,
  WORDS,
} from "./thread-messages.ts";

const DEFAULT_WAIT_MS = 500;
/** The wait is cut into pieces of this length. One that took longer counts twice this: the process stood still in the rest. */
const PIECE_MS = 50;
/** Connecting and migrating, which may wait for the migrations of another server. */
const OPEN_MS = 10_000;
const DEFAULT_SCHEMA = "wirewalk";
/** Tables are read as a whole, at the start and after changes. */
const LIST_MS = 5_000;
/** Others may change a record between its reading and its writing: then it is read again. One of them succeeds each time. */
const UPDATES = 100;

/** The sources in the workspace, before any build, else the build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));

export interface PostgresStoreOptions {
  /** The schema that holds the tables, made when it is missing. Default `wirewalk`. */
  readonly schema?: string;
  /** The caller's thread waits so long for the answer of a call: then the database counts as lost. Default 500. */
  readonly waitMs?: number;
}

/**
 * Opens a store in a database, `postgres://user:password@host:5432/database`, and brings its tables to the current version.
 * Any number of servers may have it open. Throws `Error` that names the database, without its password, when it cannot be used.
 */
export function postgresStore(url: string, options: PostgresStoreOptions = {}): Store {
  const { schema = DEFAULT_SCHEMA, waitMs = DEFAULT_WAIT_MS } = options;
  return new PostgresStore(url, schema, waitMs);
}

interface Waiting {
  readonly resolve: (answer: StoreAnswer) => void;
  readonly reject: (error: Error) => void;
}

class PostgresStore implements Store {
  readonly remote: RemoteStore;
  readonly #place: string;
  readonly #waitMs: number;
  readonly #words = new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ownChanges = new Map<string, number>();
  #lastId = OPENED;
  #isClosed = false;

  constructor(url: string, schema: string, waitMs: number) {
    this.#place = placeOf(url);
    this.#waitMs = waitMs;
    const { port1, port2 } = new MessageChannel();
    const workerData: ThreadOptions & { readonly port: MessagePort } = { url, schema, words: this.#words, port: port2 };
    this.#worker = new Worker(new URL(`./postgres-worker${extension}`, import.meta.url), {
      workerData,
      transferList: [port2],
      execArgv: [],
    });
    this.#worker.on("error", () => this.#ended());
    this.#worker.on("exit", () => this.#ended());
    this.#port = port1;
    this.#port.on("message", (answer: StoreAnswer) => this.#take(answer));
    this.#worker.unref();
    this.#port.unref();
    try {
      this.#wait(OPENED, Math.max(OPEN_MS, waitMs));
    } catch (error) {
      this.close();
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`Cannot keep data in ${this.#place}: ${why}`, { cause: error });
    }
    this.remote = {
      get: async (table, key) => recordOf(table, key, await this.#later({ call: "get", table, key })),
      add: async (table, key, record) => {
        const { changed = 0 } = await this.#later({ call: "add", table, key, json: JSON.stringify(record) });
        this.#changed(table, changed);
        return changed > 0;
      },
      update: async (table, key, change) => {
        for (let tries = 0; tries < UPDATES; tries += 1) {
          const step = updateOf(table, key, await this.#later({ call: "get", table, key }), change);
          if (step.call === undefined) return step.record;
          const { changed = 0 } = await this.#later(step.call);
          this.#changed(table, changed);
          if (changed > 0) return step.record;
        }
        throw new Error(busyText(this.#place, table, key));
      },
      addRows: async (rows) => void (await this.#later({ call: "rows", json: JSON.stringify(rows) })),
      check: async () => void (await this.#later({ call: "check" })),
    };
  }

  get(table: string, key: string): JsonObject | undefined {
    return recordOf(table, key, this.#now({ call: "get", table, key }));
  }

  put(table: string, key: string, record: JsonObject): void {
    this.#changed(table, this.#now({ call: "put", table, key, json: JSON.stringify(record) }).changed);
  }

  update(table: string, key: string, change: (record: JsonObject | undefined) => JsonObject): JsonObject {
    for (let tries = 0; tries < UPDATES; tries += 1) {
      const step = updateOf(table, key, this.#now({ call: "get", table, key }), change);
      if (step.call === undefined) return step.record;
      const { changed = 0 } = this.#now(step.call);
      this.#changed(table, changed);
      if (changed > 0) return step.record;
    }
    throw new Error(busyText(this.#place, table, key));
  }

  delete(table: string, key: string): void {
    this.#changed(table, this.#now({ call: "delete", table, key }).changed);
  }

  list(table: string): readonly { readonly key: string; readonly record: JsonObject }[] {
    const { rows = [] } = this.#now({ call: "list", table }, this.#listMs);
    const records = rows.map(({ key, json }) => ({ key, record: readRecord(table, key, json) }));
    // By the units of UTF-16, as the port's other stores do.
    return records.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  tables(): readonly string[] {
    const { rows = [] } = this.#now({ call: "tables" }, this.#listMs);
    return rows.map(({ key }) => key).sort();
  }

  version(table: string): number {
    return Atomics.load(this.#words, CHANGES) + (this.#ownChanges.get(table) ?? 0);
  }

  check(): void {
    this.#now({ call: "check" });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#port.postMessage("close");
    this.#ended();
  }

  get #listMs(): number {
    return Math.max(LIST_MS, this.#waitMs);
  }

  #changed(table: string, count = 0): void {
    this.#ownChanges.set(table, (this.#ownChanges.get(table) ?? 0) + count);
  }

  #send(call: StoreCall): number {
    if (this.#isClosed) throw new Error(`${this.#place} is closed`);
    if (Atomics.load(this.#words, STATE) !== UP) throw new Error(`${this.#place} does not answer`);
    this.#lastId += 1;
    this.#port.postMessage({ ...call, id: this.#lastId });
    return this.#lastId;
  }

  /** A call for whose answer the thread stands still. */
  #now(call: StoreCall, waitMs = this.#waitMs): StoreAnswer {
    return this.#wait(this.#send(call), waitMs);
  }

  #wait(id: number, waitMs: number): StoreAnswer {
    let leftMs = waitMs;
    for (;;) {
      const answers = Atomics.load(this.#words, ANSWERS);
      for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port)) {
        const answer = next.message as StoreAnswer;
        if (answer.id === id) return this.#checked(answer);
        this.#take(answer);
      }
      if (leftMs <= 0) {
        // Nothing stops this thread again until the other one has had an answer.
        Atomics.store(this.#words, STATE, DOWN);
        throw new Error(`${this.#place} has not answered for ${waitMs} ms`);
      }
      const beganMs = performance.now();
      Atomics.wait(this.#words, ANSWERS, answers, Math.min(leftMs, PIECE_MS));
      leftMs -= Math.min(performance.now() - beganMs, 2 * PIECE_MS);
    }
  }

  #later(call: StoreCall): Promise<StoreAnswer> {
    return new Promise((resolve, reject) => {
      const id = this.#send(call);
      this.#waiting.set(id, { resolve, reject });
      // A command that waits for nothing else must not end now.
      this.#port.ref();
    });
  }

  #take(answer: StoreAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#port.unref();
    try {
      waiting.resolve(this.#checked(answer));
    } catch (error) {
      waiting.reject(error as Error);
    }
  }

  #checked(answer: StoreAnswer): StoreAnswer {
    if (answer.problem !== undefined) throw new Error(answer.problem);
    return answer;
  }

  #ended(): void {
    Atomics.store(this.#words, STATE, DOWN);
    for (const { reject } of this.#waiting.values()) reject(new Error(`${this.#place} is closed`));
    this.#waiting.clear();
    this.#port.unref();
  }
}

function recordOf(table: string, key: string, { rows }: StoreAnswer): JsonObject | undefined {
  const row = rows?.[0];
  return row === undefined ? undefined : readRecord(table, key, row.json);
}

/** What an update writes; without a call the record is as it was. */
function updateOf(
  table: string,
  key: string,
  found: StoreAnswer,
  change: (record: JsonObject | undefined) => JsonObject,
): { readonly record: JsonObject; readonly call: StoreCall | undefined } {
  const before = found.rows?.[0]?.json;
  const record = change(recordOf(table, key, found));
  const json = JSON.stringify(record);
  if (json === before) return { record, call: undefined };
  const call: StoreCall =
    before === undefined ? { call: "add", table, key, json } : { call: "swap", table, key, before, json };
  return { record, call };
}

function busyText(place: string, table: string, key: string): string {
  return `Cannot update the record ${key} of ${table} in ${place}: others have changed it ${UPDATES} times meanwhile`;
}

/** The address of a database for people: without its password and its options. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) throw new Error(`Cannot keep data in PostgreSQL: ${url.slice(0, 11)}… is not an address`);
  const { username, host, pathname } = new URL(url);
  return `postgres://${username === "" ? "" : `${username}@`}${host}${pathname}`;
}
