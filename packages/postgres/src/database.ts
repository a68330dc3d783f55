/** One connection to PostgreSQL that is made again when it is lost, and the calls of a store on it. */
import pg from "pg";
import { migrations } from "./migrations.ts";
import { escapeName, type StoreAnswer, type StoreCall, unescapeName } from "./thread-messages.ts";

/** A server that does not answer a connection for so long is lost. */
const CONNECT_MS = 3_000;
/** A query that takes longer has lost its server: the longest reads one table. */
const QUERY_MS = 5_000;
/** How often an idle connection is tried. */
const PROBE_EVERY_MS = 1_000;
/** How long its answer may take: longer than a machine with other work stands still. */
const PROBE_MS = 3_000;
/** Rests between two attempts to connect: the first, and the longest. */
const RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
/** Any number: only one server at a time runs migrations. */
const MIGRATION_LOCK = 0x77697265;

export interface DatabaseEvents {
  up(): void;
  down(why: string): void;
  /** Another user has changed records. */
  changed(): void;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly schema: string;
  readonly events: DatabaseEvents;
}

export class Database {
  readonly #options: DatabaseOptions;
  #client: pg.Client | undefined;
  #rows: pg.Client | undefined;
  #why = "not connected";
  #isClosed = false;
  #retryMs = RETRY_MS;
  #timer: NodeJS.Timeout | undefined;
  /** The database refused the last write, as one with a full disk does. */
  #refusedWrite = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /** Connects and runs the migrations that are due. Rejects with the reason; then it does not try again. */
  async open(): Promise<void> {
    await this.#connect();
    this.#probeLater();
  }

  async call(request: StoreCall): Promise<Omit<StoreAnswer, "id">> {
    if (request.call === "rows") return this.#addRows(request.json);
    const client = this.#client;
    if (client === undefined) throw new Error(this.#why);
    try {
      const answer = await run(client, request);
      if (isWrite(request)) this.#refusedWrite = false;
      else if (request.call === "check" && this.#refusedWrite) await this.#writeAgain(client);
      return answer;
    } catch (error) {
      // An error of SQL leaves the connection as it is.
      if (!(error instanceof pg.DatabaseError)) this.#lost(client, error);
      else if (isWrite(request)) this.#refusedWrite = true;
      throw error;
    }
  }

  async #addRows(json: string): Promise<Omit<StoreAnswer, "id">> {
    const { url, schema } = this.#options;
    // What is left of a lost connection; the next call makes another one.
    const forget = (client: pg.Client): void => {
      if (this.#rows === client) this.#rows = undefined;
      client.end().catch(() => {});
    };
    let client = this.#rows;
    if (client === undefined) {
      if (this.#isClosed) throw new Error("closed");
      client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout: QUERY_MS,
        application_name: `wirewalk ${schema} rows`,
      });
      const made = client;
      made.on("error", () => forget(made));
      await made.connect();
      this.#rows = made;
    }
    try {
      const table = `${client.escapeIdentifier(schema)}.verdicts`;
      const { rowCount } = await client.query({ text: insertText(table), values: [json.replaceAll("\\u0000", "?")] });
      return { changed: rowCount ?? 0 };
    } catch (error) {
      forget(client);
      throw error;
    }
  }

  /** Nothing short of a write says whether one works again. */
  async #writeAgain(client: pg.Client): Promise<void> {
    const place = { table: "", key: "" };
    await run(client, { call: "put", ...place, json: "{}" });
    await run(client, { call: "delete", ...place });
    this.#refusedWrite = false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#client?.end().catch(() => {}), this.#rows?.end().catch(() => {})]);
  }

  async #connect(): Promise<void> {
    const { url, schema, events } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
      application_name: `wirewalk ${schema}`,
      // What JSON.parse reads is text.
      types: { getTypeParser: () => String },
    });
    client.on("error", (error) => this.#lost(client, error));
    client.on("end", () => this.#lost(client, new Error("the connection ended")));
    client.on("notification", ({ processId }) => {
      if (processId !== (client as unknown as { readonly processID?: number }).processID) events.changed();
    });
    try {
      await client.connect();
      await migrate(client, schema);
      await client.query(`LISTEN ${client.escapeIdentifier(`${schema}.records`)}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    this.#retryMs = RETRY_MS;
    // Changes since the connection was lost were told to nobody.
    events.changed();
    events.up();
  }

  #lost(client: pg.Client, error: unknown): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    this.#why = error instanceof Error ? error.message : String(error);
    this.#options.events.down(this.#why);
    // Without the answer of the server, which may have none.
    (
      client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
    ).connection.stream.destroy();
    this.#retryLater();
  }

  #retryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#connect().then(
        () => this.#probeLater(),
        (error: unknown) => {
          this.#why = error instanceof Error ? error.message : String(error);
          this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2);
          if (!this.#isClosed) this.#retryLater();
        },
      );
    }, this.#retryMs);
  }

  #probeLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const client = this.#client;
      if (client === undefined || this.#isClosed) return;
      const probe: pg.QueryConfig & { readonly query_timeout: number } = { text: "SELECT 1", query_timeout: PROBE_MS };
      client.query(probe).then(
        () => {
          // The caller's thread may have lost its patience with a database that answers again.
          this.#options.events.up();
          this.#probeLater();
        },
        (error: unknown) => this.#lost(client, error),
      );
    }, PROBE_EVERY_MS);
  }
}

/** Runs the migrations that the schema has not had, all or none of them. */
async function migrate(client: pg.Client, schema: string): Promise<void> {
  const name = client.escapeIdentifier(schema);
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const { rows: found } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
    // A user who may not create schemas can use one that exists.
    if (found.length === 0) await client.query(`CREATE SCHEMA ${name}`);
    await client.query(`SET search_path TO ${name}`);
    await client.query("CREATE TABLE IF NOT EXISTS version (version integer NOT NULL)");
    const { rows } = await client.query<{ readonly version: string }>("SELECT version FROM version");
    const version = Number(rows[0]?.version ?? 0);
    if (version > migrations.length) {
      throw new Error(`its tables have version ${version}, this server knows ${migrations.length}`);
    }
    for (const migration of migrations.slice(version)) await client.query(migration);
    if (rows.length === 0) await client.query("INSERT INTO version VALUES ($1)", [migrations.length]);
    else if (version < migrations.length) await client.query("UPDATE version SET version = $1", [migrations.length]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

function isWrite({ call }: StoreCall): boolean {
  return call === "put" || call === "add" || call === "swap" || call === "delete";
}

/** Rows out of a list of events. */
function insertText(table: string): string {
  const plain =
    "event, protocol, world, verdict, player, name, rule, kind, reason, measured, allowed, unit, action, score";
  return `INSERT INTO ${table} (time, ${plain}, "limit", by)
    SELECT to_timestamp("epochMs" / 1000.0), ${plain}, "limit", by FROM json_to_recordset($1) AS row(
      "epochMs" double precision, event text, protocol text, world text, verdict text, player integer, name text, rule text, kind text,
      reason text, measured double precision, allowed double precision, unit text, action text, score double precision,
      "limit" double precision, by text)`;
}

async function run(
  client: pg.Client,
  request: Exclude<StoreCall, { readonly call: "rows" }>,
): Promise<Omit<StoreAnswer, "id">> {
  type Row = { readonly key: string; readonly json: string };
  const table = "table" in request ? escapeName(request.table) : "";
  switch (request.call) {
    case "get": {
      const text = "SELECT key, json FROM records WHERE kind = $1 AND key = $2";
      const { rows } = await client.query<Row>({ name: "get", text, values: [table, escapeName(request.key)] });
      return { rows };
    }
    case "put": {
      const text =
        "INSERT INTO records (kind, key, json) VALUES ($1, $2, $3) ON CONFLICT (kind, key) DO UPDATE SET json = EXCLUDED.json";
      const values = [table, escapeName(request.key), request.json];
      const { rowCount } = await client.query({ name: "put", text, values });
      return { changed: rowCount ?? 0 };
    }
    case "add": {
      const text = "INSERT INTO records (kind, key, json) VALUES ($1, $2, $3) ON CONFLICT (kind, key) DO NOTHING";
      const values = [table, escapeName(request.key), request.json];
      const { rowCount } = await client.query({ name: "add", text, values });
      return { changed: rowCount ?? 0 };
    }
    case "swap": {
      const text = "UPDATE records SET json = $4 WHERE kind = $1 AND key = $2 AND json::text = $3";
      const values = [table, escapeName(request.key), request.before, request.json];
      const { rowCount } = await client.query({ name: "swap", text, values });
      return { changed: rowCount ?? 0 };
    }
    case "delete": {
      const text = "DELETE FROM records WHERE kind = $1 AND key = $2";
      const { rowCount } = await client.query({ name: "delete", text, values: [table, escapeName(request.key)] });
      return { changed: rowCount ?? 0 };
    }
    case "list": {
      const text = "SELECT key, json FROM records WHERE kind = $1";
      const { rows } = await client.query<Row>({ name: "list", text, values: [table] });
      return { rows: rows.map(({ key, json }) => ({ key: unescapeName(key), json })) };
    }
    case "tables": {
      const { rows } = await client.query<{ readonly kind: string }>("SELECT DISTINCT kind FROM records");
      return { rows: rows.map(({ kind }) => ({ key: unescapeName(kind), json: "" })) };
    }
    case "check": {
      // A database that only reads, such as one that follows another, refuses to lock rows.
      await client.query({ name: "check", text: "SELECT 1 FROM records WHERE kind = '' FOR UPDATE" });
      return {};
    }
  }
}
