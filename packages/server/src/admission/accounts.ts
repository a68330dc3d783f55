/**
 * **Accounts**: names and passwords of dialects with a login. Where registration is open, the first login with a name
 * registers it. Passwords are kept as scrypt hashes with the parameters that they were made with, so that these may change
 * later.
 *
 * A hash costs 50 ms of a core, so logins wait in a queue that is fair between addresses and names (`login-queue.ts`), and
 * wrong passwords slow down the pair of name and address that sent them (`login-guard.ts`).
 */
import { timingSafeEqual } from "node:crypto";
import { type Clock, type Store, systemClock } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import { peerOf } from "../bans/ban-key.ts";
import { nodeRuntime, type Runtime } from "../runtime/runtime.ts";
import type { Budgets } from "../session/budgets.ts";
import { LoginGuard } from "./login-guard.ts";
import { LoginQueue } from "./login-queue.ts";

const TABLE = "accounts";
/** 50 ms and 16 MiB a hash: OWASP's parameters for scrypt with the least memory. */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Names are shown to people and kept. */
const MAX_NAME_LENGTH = 64;
/** A longer one costs more to hash than it protects. */
const MAX_PASSWORD_LENGTH = 256;

/** A store that has not answered a look for so long is not waited for by players: their logins fail. */
const ANSWER_MS = 2_500;

interface AccountRecord {
  readonly salt: string;
  readonly hash: string;
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * - `busy`: too many logins wait for their hash.
 * - `locked`: too many wrong passwords for this name from this address.
 * - `registrations`: this address has created too many accounts.
 * - `unavailable`: the store cannot be read or written; `problem` has the reason.
 */
export type LoginOutcome =
  | "ok"
  | "no-account"
  | "wrong-password"
  | "full"
  | "busy"
  | "locked"
  | "registrations"
  | "unavailable";

/** Whether the first login with a name registers it. */
export type Registration = "open" | "closed";

export interface LoginRequest {
  readonly protocol: string;
  readonly name: string;
  readonly password: string;
  /** Remote address. */
  readonly address: string;
  /** False when the peer is gone: then its password is not hashed. Default: always true. */
  readonly isWanted?: () => boolean;
}

export interface AccountsOptions {
  /** Default `open`. */
  readonly registration?: Registration;
  readonly clock?: Clock;
  readonly runtime?: Runtime;
}

export class Accounts {
  readonly #store: Store;
  readonly #budgets: Budgets;
  readonly #runtime: Runtime;
  readonly #isOpen: boolean;
  readonly #queue: LoginQueue;
  readonly #guard: LoginGuard;
  readonly #clock: Clock;
  #count: number;
  #problem: string | undefined;
  /** Since when a look waits for its answer. */
  #lookingMs: number | undefined;

  constructor(store: Store, budgets: Budgets, options: AccountsOptions = {}) {
    this.#store = store;
    this.#budgets = budgets;
    this.#runtime = options.runtime ?? nodeRuntime;
    this.#isOpen = options.registration !== "closed";
    this.#clock = options.clock ?? systemClock;
    this.#guard = new LoginGuard(this.#clock, budgets);
    this.#queue = new LoginQueue({
      atOnce: budgets.hashesAtOnce,
      waiting: budgets.hashesWaiting,
      waitingPerPair: budgets.hashesWaitingPerPair,
    });
    this.#count = store.list(TABLE).length;
  }

  /** Why logins are refused: the store did not work at the last login or look. Undefined while it works. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Looks whether the store works, without stopping the thread where it is on another machine. Call it about once a second: where no
   * logins come any more, because this server said that they fail, nothing else finds that they work again.
   */
  look(): void {
    const { remote } = this.#store;
    const nowMs = this.#clock.now();
    if (this.#lookingMs !== undefined) {
      const waitedMs = nowMs - this.#lookingMs;
      if (waitedMs > ANSWER_MS) this.#problem ??= `no answer of the store for ${Math.round(waitedMs / 1000)} s`;
      return;
    }
    if (remote === undefined) {
      this.#note(() => {
        this.#store.get(TABLE, "");
        if (this.#isOpen) this.#store.check();
      });
      return;
    }
    this.#lookingMs = nowMs;
    // Known names are only read: where no other may register, a store that cannot be written refuses nobody.
    const looked = this.#isOpen ? remote.check() : remote.get(TABLE, "").then(() => {});
    void looked.then(
      () => this.#looked(undefined),
      (error: unknown) => this.#looked(error),
    );
  }

  #looked(error: unknown): void {
    this.#lookingMs = undefined;
    this.#note(() => {
      if (error !== undefined) throw error;
    });
  }

  /** The problem is what the look throws. */
  #note(look: () => void): void {
    try {
      look();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Logins that wait for their hash. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Checks a password, or registers an unknown name. The event loop is not blocked. */
  async check({ protocol, name, password, address, isWanted = () => true }: LoginRequest): Promise<LoginOutcome> {
    if (name.length === 0 || name.length > MAX_NAME_LENGTH) return "no-account";
    if (password.length === 0 || password.length > MAX_PASSWORD_LENGTH) return "wrong-password";
    const key = `${protocol}/${name}`;
    const early = await this.#orUnavailable(() => this.#withoutHash(key, address));
    if (early !== undefined) return early;
    return new Promise((resolve, reject) => {
      this.#queue.add({
        rank: this.#guard.rankOf(key, address),
        address: peerOf(address),
        name: key,
        isWanted,
        start: () => this.#orUnavailable(() => this.#inTurn(key, password, address)).then(resolve, reject),
        drop: () => resolve("busy"),
      });
    });
  }

  /** Creates an account, whatever the policy; false when the name is taken. Throws `RangeError` for an invalid name or password. */
  async create(protocol: string, name: string, password: string): Promise<boolean> {
    if (name.length === 0 || name.length > MAX_NAME_LENGTH) {
      throw new RangeError(`An account's name must have 1 to ${MAX_NAME_LENGTH} characters`);
    }
    if (password.length === 0 || password.length > MAX_PASSWORD_LENGTH) {
      throw new RangeError(`A password must have 1 to ${MAX_PASSWORD_LENGTH} characters`);
    }
    const key = `${protocol}/${name}`;
    if ((await this.#read(key)) !== undefined) return false;
    return (await this.#register(key, password)) === "ok";
  }

  /** All accounts, by protocol and name. */
  list(): readonly { readonly protocol: string; readonly name: string }[] {
    return this.#store.list(TABLE).map(({ key }) => {
      // Names of protocols have no slash.
      const slash = key.indexOf("/");
      return { protocol: key.slice(0, slash), name: key.slice(slash + 1) };
    });
  }

  /** Deletes an account; false for an unknown one. A session that has logged in goes on. */
  remove(protocol: string, name: string): boolean {
    const key = `${protocol}/${name}`;
    if (this.#store.get(TABLE, key) === undefined) return false;
    this.#store.delete(TABLE, key);
    this.#count -= 1;
    return true;
  }

  /** The answer to logins that need no hash. */
  async #withoutHash(key: string, address: string): Promise<LoginOutcome | undefined> {
    if (this.#guard.lockedMs(key, address) > 0) return "locked";
    if ((await this.#read(key)) !== undefined) return undefined;
    if (!this.#isOpen) {
      this.#guard.missed(address);
      return "no-account";
    }
    if (this.#count >= this.#budgets.accounts) return "full";
    return this.#guard.mayRegister(address) ? undefined : "registrations";
  }

  async #inTurn(key: string, password: string, address: string): Promise<LoginOutcome> {
    // Others may have failed, or registered the name, while this login waited.
    const early = await this.#withoutHash(key, address);
    if (early !== undefined) return early;
    const outcome = await this.#check(key, password, address);
    if (outcome === "ok") this.#guard.succeeded(key, address);
    else if (outcome === "wrong-password") this.#guard.failed(key, address);
    return outcome;
  }

  async #check(key: string, password: string, address: string): Promise<LoginOutcome> {
    const known = await this.#read(key);
    if (known !== undefined) return (await this.#matches(known, password)) ? "ok" : "wrong-password";
    this.#guard.registered(address);
    return this.#register(key, password);
  }

  async #register(key: string, password: string): Promise<LoginOutcome> {
    const salt = this.#runtime.randomBytes(SALT_BYTES);
    const hash = await this.#runtime.deriveKey(password, salt, HASH_BYTES, COST);
    // Another login, perhaps of another server, may have registered the name while the hash was computed: then that one counts.
    const record = { salt: salt.toString("hex"), hash: hash.toString("hex"), ...COST };
    if (!(await this.#add(key, record))) {
      const faster = await this.#read(key);
      return faster !== undefined && (await this.#matches(faster, password)) ? "ok" : "wrong-password";
    }
    this.#count += 1;
    return "ok";
  }

  async #read(key: string): Promise<AccountRecord | undefined> {
    const { remote } = this.#store;
    const record = remote === undefined ? this.#store.get(TABLE, key) : await remote.get(TABLE, key);
    return record as AccountRecord | undefined;
  }

  async #add(key: string, record: JsonObject): Promise<boolean> {
    const { remote } = this.#store;
    if (remote !== undefined) return remote.add(TABLE, key, record);
    if (this.#store.get(TABLE, key) !== undefined) return false;
    this.#store.put(TABLE, key, record);
    return true;
  }

  /** What fails here is the store. */
  async #orUnavailable<T>(work: () => Promise<T>): Promise<T | "unavailable"> {
    try {
      // One that works says little of the next: a known name is only read. `look` says that all works again.
      return await work();
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      return "unavailable";
    }
  }

  async #matches({ hash, salt, N, r, p }: AccountRecord, password: string): Promise<boolean> {
    const stored = Buffer.from(hash, "hex");
    const given = await this.#runtime.deriveKey(password, Buffer.from(salt, "hex"), HASH_BYTES, { N, r, p });
    return stored.length === given.length && timingSafeEqual(stored, given);
  }
}
