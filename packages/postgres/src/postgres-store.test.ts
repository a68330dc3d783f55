import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "wirewalk/net";
import { describeStore } from "../../wirewalk/src/net/testing/store-suite.ts";
import { migrations } from "./migrations.ts";
import { postgresStore } from "./postgres-store.ts";
import { PostgresServer, postgresPrograms } from "./testing/postgres-server.ts";

const programs = postgresPrograms();

// Debian's package `postgresql`; `.ci/run` installs it.
describe.skipIf(programs === undefined)("PostgreSQL", () => {
  let server: PostgresServer;
  let shared: Store;
  const opened: Store[] = [];
  // A database on a busy machine is slow, and not lost.
  const open = (schema = "wirewalk", waitMs = 20_000): Store => {
    const store = postgresStore(server.url, { schema, waitMs });
    opened.push(store);
    return store;
  };

  beforeAll(async () => {
    server = new PostgresServer(programs ?? "");
    await server.start();
    shared = open("suite");
  });
  afterAll(async () => {
    for (const store of opened) store.close();
    await server.remove();
  });

  // A thread and a connection for each test would take 3 s: the tests have tables of their own instead.
  let part = 0;
  describeStore("a store in PostgreSQL", () => {
    part += 1;
    return tablesOf(shared, `${part}:`);
  });

  test("two stores see each other's records, and their versions grow", async () => {
    const [first, second] = [open(), open()];
    const before = second.version("bans");
    first.put("bans", "ann", { until: 1 });
    expect(second.get("bans", "ann")).toEqual({ until: 1 });
    await expect.poll(() => second.version("bans")).toBeGreaterThan(before);
    first.delete("bans", "ann");
    expect(second.list("bans")).toEqual([]);
  });

  test("one of two servers that register a name at once adds it", async () => {
    const [first, second] = [open(), open()];
    const added = await Promise.all(
      [first, second].map((store, n) => store.remote?.add("accounts", "game/ann", { n })),
    );
    expect(added.toSorted()).toEqual([false, true]);
    expect(await first.remote?.get("accounts", "game/ann")).toEqual({ n: added.indexOf(true) });
    expect(await second.remote?.get("accounts", "game/bob")).toBeUndefined();
  });

  test("rows of verdicts are added together, are read by SQL, and tell no other server of a change", async () => {
    const store = open();
    const version = store.version("bans");
    const row = {
      event: "verdict",
      epochMs: 1_700_000_000_500,
      protocol: "p",
      world: "w",
      verdict: "1-00000000",
      player: 7,
    };
    const words = {
      name: "a\u0000nn",
      rule: "speed",
      kind: "flag",
      reason: "fast",
      measured: 2.5,
      allowed: null,
      unit: "px",
    };
    const rest = { atMs: 1, action: null, score: null, limit: null, by: null };
    await store.remote?.addRows?.([
      { ...row, ...words, ...rest },
      { ...row, ...words, ...rest, player: 8 },
    ]);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query(
      "SELECT player, name, measured, allowed, time FROM wirewalk.verdicts ORDER BY number",
    );
    await client.end();
    const shown = { name: "a?nn", measured: 2.5, allowed: null, time: new Date(1_700_000_000_500) };
    expect(rows).toEqual([
      { player: 7, ...shown },
      { player: 8, ...shown },
    ]);
    expect(store.version("bans")).toBe(version);
    await expect(store.remote?.addRows?.([{ ...row }])).rejects.toThrow("null value");
    expect(store.get("bans", "nobody")).toBeUndefined();
  });

  test("of updates of one record by two servers at once none is lost", async () => {
    const [first, second] = [open(), open()];
    const count = (record: { readonly n?: unknown } | undefined) => ({ n: Number(record?.n ?? 0) + 1 });
    const remotes = [first, second].map(({ remote }) => remote);
    await Promise.all(
      remotes.flatMap((remote) => Array.from({ length: 10 }, () => remote?.update("counts", "one", count))),
    );
    first.update("counts", "one", count);
    expect(second.get("counts", "one")).toEqual({ n: 21 });
    await expect(
      first.remote?.update("counts", "one", () => {
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
  });

  test("any name is a name of its own: also U+0000, half a surrogate pair and what they are written as", () => {
    const store = open("names");
    const names = ["\0", "\ud800", "\udfff", "\\", "\\u0000", "\u{1f40c}", "u0000"];
    for (const name of names) store.put(name, name, { codes: [...name].map((unit) => unit.charCodeAt(0)) });
    for (const name of names) {
      expect(store.list(name)).toEqual([{ key: name, record: { codes: [...name].map((unit) => unit.charCodeAt(0)) } }]);
    }
    expect(store.tables()).toEqual(names.toSorted());
  });

  test("migrations run in their order, each once; tables of a newer version are refused", async () => {
    const schema = "old";
    await server.query(
      `CREATE SCHEMA old; SET search_path TO old; CREATE TABLE version (version integer NOT NULL);
       INSERT INTO version VALUES (1); ${migrations[0]}; INSERT INTO records VALUES ('bans', 'ann', '{"until":1}')`,
    );
    const store = open(schema);
    expect(store.get("bans", "ann")).toEqual({ until: 1 });
    const second = open(schema);
    const before = second.version("bans");
    store.put("bans", "bob", {});
    // The second migration brought what tells other servers.
    await expect.poll(() => second.version("bans")).toBeGreaterThan(before);
    await server.query("UPDATE old.version SET version = 99");
    const { length } = migrations;
    expect(() => open(schema)).toThrow(`: its tables have version 99, this server knows ${length}`);
  });

  test("a database that cannot be used is named without its password", () => {
    const url = "postgres://ann:secret@127.0.0.1:1/games?connect_timeout=1";
    expect(() => postgresStore(url)).toThrow(
      "Cannot keep data in postgres://ann@127.0.0.1:1/games: connect ECONNREFUSED 127.0.0.1:1",
    );
  });

  test("while the database is lost every call throws at once; afterwards all is as before", async () => {
    const store = open("lost");
    store.put("bans", "ann", { until: 1 });
    const before = store.version("bans");
    await server.stop();
    await expect.poll(() => throws(() => store.get("bans", "ann"))).toMatch(/does not answer/);
    expect(throws(() => store.put("bans", "bob", {}))).toMatch(/does not answer/);
    await expect(store.remote?.get("accounts", "game/ann")).rejects.toThrow(/does not answer/);
    await server.start();
    await expect.poll(() => throws(() => store.put("bans", "bob", {}))).toBe("");
    expect(store.list("bans").map(({ key }) => key)).toEqual(["ann", "bob"]);
    // What others changed meanwhile was told to nobody.
    expect(store.version("bans")).toBeGreaterThan(before + 1);
  });

  test("a database that only reads is found, and one that refused a write is asked again until it takes one", async () => {
    const store = open("reads");
    const check = (): Promise<string> => store.remote?.check().then(() => "", String) ?? Promise.resolve("none");
    expect(await check()).toBe("");
    await server.query(
      `CREATE FUNCTION reads.refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER refused BEFORE INSERT ON reads.records FOR EACH STATEMENT EXECUTE FUNCTION reads.refuse()`,
    );
    // Nothing was written: nobody knows.
    expect(await check()).toBe("");
    await expect(store.remote?.add("accounts", "game/ann", {})).rejects.toThrow("no space left on device");
    expect(await check()).toContain("no space left on device");
    expect(() => store.check()).toThrow("no space left on device");
    await server.query("DROP TRIGGER refused ON reads.records");
    expect(await check()).toBe("");
    expect(store.tables()).toEqual([]);
    await server.query("ALTER SYSTEM SET default_transaction_read_only = on");
    await server.query("SELECT pg_reload_conf()");
    try {
      await expect.poll(check).toContain("read-only transaction");
    } finally {
      await server.query("ALTER SYSTEM RESET default_transaction_read_only");
      await server.query("SELECT pg_reload_conf()");
    }
    await expect.poll(check).toBe("");
  });

  test("a database that hangs stops the thread once, then calls throw at once until it answers", async () => {
    const store = open("hangs", 500);
    const pid = await server.backendOf("hangs");
    process.kill(pid, "SIGSTOP");
    try {
      expect(throws(() => store.get("bans", "ann"))).toMatch(/has not answered for 500 ms/);
      expect(throws(() => store.get("bans", "ann"))).toMatch(/does not answer/);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await expect.poll(() => throws(() => store.get("bans", "ann"))).toBe("");
  });
});

function throws(call: () => unknown): string {
  try {
    call();
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The tables of a store whose names begin so, as a store of their own. */
function tablesOf(store: Store, prefix: string): Store {
  return {
    get: (table, key) => store.get(prefix + table, key),
    put: (table, key, record) => store.put(prefix + table, key, record),
    update: (table, key, change) => store.update(prefix + table, key, change),
    delete: (table, key) => store.delete(prefix + table, key),
    list: (table) => store.list(prefix + table),
    version: (table) => store.version(prefix + table),
    check: () => store.check(),
    tables: () => store.tables().flatMap((each) => (each.startsWith(prefix) ? [each.slice(prefix.length)] : [])),
    close() {},
  };
}
