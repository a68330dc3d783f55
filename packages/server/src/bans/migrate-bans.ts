/** Bans of older servers: their keys had no kind, and held an account, a claimed name or an address alike. */
import type { Store } from "wirewalk/net";
import type { JsonObject, JsonValue } from "wirewalk/wire";
import { isTime } from "./ban-clock.ts";
import { addressKey, type BanKey, loginKey } from "./ban-key.ts";

/** Version of the tables that hold bans: 1 had keys without a kind in `bans`. */
export const BANS_SCHEMA = 2;
const SCHEMA_TABLE = "schema";
const SCHEMA_KEY = "bans";
const OLD_TABLE = "bans";
const ACCOUNTS_TABLE = "accounts";

/** A ban as version 1 kept it. Times are epoch milliseconds. */
export interface OldBan {
  readonly protocol: string;
  readonly key: BanKey;
  readonly name: string;
  readonly reason: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly evidence: readonly JsonObject[];
}

/**
 * Gives every ban of version 1 to `keep`, then removes it there. A crash in between repeats it. A record that is not a ban stays where
 * it is. Throws what the store throws, and `Error` for tables of a newer version.
 *
 * The name of a known account becomes a login, of the others an address becomes an address. The rest may be logins whose
 * account is gone, or unverified names; both become logins, which keeps the ban and bans no one else.
 */
export function migrateBans(store: Store, keep: (ban: OldBan) => void): void {
  const version = store.get(SCHEMA_TABLE, SCHEMA_KEY)?.version ?? 1;
  if (version === BANS_SCHEMA) return;
  if (version !== 1) {
    throw new Error(`Cannot read bans: they have version ${JSON.stringify(version)}, this server knows ${BANS_SCHEMA}`);
  }
  for (const { key, record } of store.list(OLD_TABLE)) {
    const ban = readOldBan(store, key, record);
    if (ban === undefined) continue;
    keep(ban);
    store.delete(OLD_TABLE, key);
  }
}

/** Notes in the store that its bans have the current version. */
export function noteBansSchema(store: Store): void {
  if (store.get(SCHEMA_TABLE, SCHEMA_KEY)?.version === BANS_SCHEMA) return;
  store.put(SCHEMA_TABLE, SCHEMA_KEY, { version: BANS_SCHEMA });
}

function readOldBan(store: Store, oldKey: string, record: JsonObject): OldBan | undefined {
  const { protocol, account, reason, fromMs, untilMs, evidence } = record;
  if (typeof protocol !== "string" || typeof account !== "string") return undefined;
  if (!isTime(fromMs) || !isTime(untilMs)) return undefined;
  const isLogin = store.get(ACCOUNTS_TABLE, oldKey) !== undefined;
  return {
    protocol,
    key: (isLogin ? undefined : addressKey(account)) ?? loginKey(account),
    name: account,
    reason: String(reason),
    fromMs,
    untilMs,
    evidence: Array.isArray(evidence) ? evidence.filter(isObject) : [],
  };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
