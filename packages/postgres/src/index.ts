/**
 * Accounts and bans of servers in PostgreSQL, which any number of servers share.
 *
 * ```ts
 * import { postgresStore } from "@wirewalk/postgres";
 * import { startServer } from "@wirewalk/server";
 *
 * const store = postgresStore("postgres://wirewalk@127.0.0.1:5432/wirewalk");
 * const server = await startServer({ http: 7400, listeners, store });
 * ```
 *
 * @module
 */
export { type PostgresStoreOptions, postgresStore } from "./postgres-store.ts";
