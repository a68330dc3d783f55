/**
 * **Accounts**: names and passwords of dialects with a login. The first login with a name registers it. Passwords
 * are kept as scrypt hashes with the parameters that they were made with, so that these may change later.
 */
import { timingSafeEqual } from "node:crypto";
import type { Store } from "wirewalk/net";
import type { Budgets } from "./budgets.ts";
import { nodeRuntime, type Runtime } from "./runtime.ts";

const TABLE = "accounts";
/** 50 ms and 16 MiB a hash: OWASP's parameters for scrypt with the least memory. */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Names are shown to people and kept. */
const MAX_NAME_LENGTH = 64;
/** A longer one costs more to hash than it protects. */
const MAX_PASSWORD_LENGTH = 256;

interface AccountRecord {
  readonly salt: string;
  readonly hash: string;
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** `busy`: too many logins wait for their hash. */
export type LoginOutcome = "ok" | "no-account" | "wrong-password" | "full" | "busy";

export class Accounts {
  readonly #store: Store;
  readonly #budgets: Budgets;
  readonly #runtime: Runtime;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #count: number;

  constructor(store: Store, budgets: Budgets, runtime: Runtime = nodeRuntime) {
    this.#store = store;
    this.#budgets = budgets;
    this.#runtime = runtime;
    this.#count = store.list(TABLE).length;
  }

  /** Checks a password, or registers an unknown name. The event loop is not blocked. */
  async check(protocol: string, name: string, password: string): Promise<LoginOutcome> {
    if (name.length === 0 || name.length > MAX_NAME_LENGTH) return "no-account";
    if (password.length === 0 || password.length > MAX_PASSWORD_LENGTH) return "wrong-password";
    if (this.#running >= this.#budgets.hashesAtOnce) {
      if (this.#waiting.length >= this.#budgets.hashesWaiting) return "busy";
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await this.#check(`${protocol}/${name}`, password);
    } finally {
      // The place goes to the next login in the queue.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #check(key: string, password: string): Promise<LoginOutcome> {
    const known = this.#read(key);
    if (known !== undefined) return (await this.#matches(known, password)) ? "ok" : "wrong-password";
    if (this.#count >= this.#budgets.accounts) return "full";
    const salt = this.#runtime.randomBytes(SALT_BYTES);
    const hash = await this.#runtime.deriveKey(password, salt, HASH_BYTES, COST);
    // Another login may have registered the name while the hash was computed: then that registration counts.
    const faster = this.#read(key);
    if (faster !== undefined) return (await this.#matches(faster, password)) ? "ok" : "wrong-password";
    this.#store.put(TABLE, key, { salt: salt.toString("hex"), hash: hash.toString("hex"), ...COST });
    this.#count += 1;
    return "ok";
  }

  #read(key: string): AccountRecord | undefined {
    return this.#store.get(TABLE, key) as AccountRecord | undefined;
  }

  async #matches({ hash, salt, N, r, p }: AccountRecord, password: string): Promise<boolean> {
    const stored = Buffer.from(hash, "hex");
    const given = await this.#runtime.deriveKey(password, Buffer.from(salt, "hex"), HASH_BYTES, { N, r, p });
    return stored.length === given.length && timingSafeEqual(stored, given);
  }
}
