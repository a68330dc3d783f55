/**
 * The **ledger**: for each account and rule a score that every verdict raises and time lowers, so that cheats below each single limit,
 * cheating now and then, and connecting again all add up. It is kept in the store, and forgets by the clock of bans: while a
 * server runs by the steady clock, between runs by the wall clock.
 *
 * Scores are written a few at a time, since a verdict may come with every message: after a crash up to
 * {@link BUCKETS} / {@link WRITES_PER_POLL} seconds of them are missing. A ban that they led to is in the store at once.
 */
import type { Verdict } from "wirewalk/motion";
import type { Store } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import { type BanClock, type BanTime, isTime } from "./ban-clock.ts";
import { type BanKey, banKind, parseBanKey } from "./ban-key.ts";
import { ALL_RULES, DEFAULT_POLICY, type Policy, VERDICT_POINTS } from "./policies.ts";

const TABLE = "ledger";
/** Records of the store: accounts are spread over them by their names. */
const BUCKETS = 64;
const WRITES_PER_POLL = 4;
/** Accounts with a score. With more, the lowest of those that were seen longest ago gives way. */
const MAX_ACCOUNTS = 4_000;
/** Accounts that are compared when one has to give way. */
const EVICTION_SAMPLE = 32;
/** Verdicts that are remembered of an account, as evidence of what they add up to. */
const KEPT_VERDICTS = 5;
/** A score below this is forgotten, and one that misses a limit by it has reached it: verdicts of some seconds add up whole. */
const LEAST_SCORE = 0.05;
/** For the clock of bans: scores end by themselves long before. */
const LENGTH_MS = 10 * 365 * 24 * 3_600_000;

/** The score of one rule, or of all. */
export interface LedgerScore {
  readonly rule: string;
  readonly score: number;
  /** Verdicts that led to it. */
  readonly verdicts: number;
  /** The limit of its policy, and what happens there. */
  readonly limit: number;
  readonly action: Policy["action"];
}

/** An account with its scores, the highest first. */
export interface LedgerAccount {
  readonly protocol: string;
  readonly key: BanKey;
  readonly scores: readonly LedgerScore[];
}

/** A policy's limit is reached. */
export interface Penalty {
  readonly rule: string;
  readonly policy: Policy;
  readonly score: number;
  /** The last of the verdicts that add up, oldest first. */
  readonly verdicts: readonly Verdict[];
}

interface Score {
  /** At the account's time. */
  value: number;
  verdicts: number;
}

interface Account {
  readonly protocol: string;
  readonly key: BanKey;
  /** By rule. */
  readonly scores: Map<string, Score>;
  /** The steady time of the scores. */
  atMs: number;
  verdicts: Verdict[];
}

export class Ledger {
  readonly #store: Store;
  readonly #clock: BanClock;
  /** By game. */
  readonly #policies: ReadonlyMap<string, ReadonlyMap<string, Policy>>;
  readonly #accounts = new Map<string, Account>();
  readonly #dirty = new Set<number>();
  #problem: string | undefined;

  /** Throws what the store throws. */
  constructor(store: Store, clock: BanClock, policies: ReadonlyMap<string, ReadonlyMap<string, Policy>>) {
    this.#store = store;
    this.#clock = clock;
    this.#policies = policies;
    this.#read();
  }

  /** Why scores cannot be written, or undefined while the store works. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get size(): number {
    return this.#accounts.size;
  }

  /** Adds a verdict to its account. A penalty when a policy's limit is reached: then that score begins again at 0. */
  add(protocol: string, key: BanKey, verdict: Verdict): Penalty | undefined {
    const points = VERDICT_POINTS[verdict.kind];
    if (points === 0) return undefined;
    const id = idOf(protocol, key);
    const account = this.#accounts.get(id) ?? this.#open(id, protocol, key);
    this.#fade(account);
    if (account.verdicts.length === KEPT_VERDICTS) account.verdicts.shift();
    account.verdicts.push(verdict);
    this.#dirty.add(bucketOf(id));
    let penalty: Penalty | undefined;
    for (const rule of [verdict.rule, ALL_RULES]) {
      const score = account.scores.get(rule) ?? { value: 0, verdicts: 0 };
      account.scores.set(rule, score);
      score.value += points;
      score.verdicts += 1;
      const policy = this.policyOf(protocol, rule);
      if (policy.action === "log" || score.value + LEAST_SCORE < policy.limit) continue;
      // A ban outweighs the end of a session.
      if (penalty === undefined || policy.action === "ban") {
        penalty = { rule, policy, score: score.value, verdicts: [...account.verdicts] };
      }
      score.value = 0;
      score.verdicts = 0;
    }
    return penalty;
  }

  policyOf(protocol: string, rule: string): Policy {
    return this.#policies.get(protocol)?.get(rule) ?? DEFAULT_POLICY;
  }

  /** The scores of an account now; undefined when it has none. */
  find(protocol: string, key: BanKey): LedgerAccount | undefined {
    const account = this.#accounts.get(idOf(protocol, key));
    return account === undefined ? undefined : this.#show(account);
  }

  /** All accounts with a score, by game and key. */
  list(): readonly LedgerAccount[] {
    const shown = [...this.#accounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, account]) => this.#show(account));
    return shown.filter(({ scores }) => scores.length > 0);
  }

  /** The session of such a key has ended: nobody comes back with it. */
  forget(protocol: string, key: BanKey): void {
    if (banKind(key) === "session") this.#accounts.delete(idOf(protocol, key));
  }

  /** Writes some of what has changed. Call it about once a second. */
  poll(): void {
    this.#write(WRITES_PER_POLL);
  }

  /** Writes all that has changed: call it before the store is closed. */
  close(): void {
    this.#write(BUCKETS);
  }

  #show(account: Account): LedgerAccount {
    this.#fade(account);
    const { protocol, key } = account;
    const scores = Array.from(account.scores, ([rule, { value, verdicts }]): LedgerScore => {
      const { limit, action } = this.policyOf(protocol, rule);
      return { rule, score: value, verdicts, limit, action };
    });
    return { protocol, key, scores: scores.sort((a, b) => b.score - a.score) };
  }

  /** Lowers the scores by the time since they were last looked at. */
  #fade(account: Account): void {
    const nowMs = this.#clock.now();
    const passedMs = nowMs - account.atMs;
    if (passedMs <= 0) return;
    account.atMs = nowMs;
    for (const [rule, score] of account.scores) {
      score.value *= 2 ** (-passedMs / this.policyOf(account.protocol, rule).halfLifeMs);
      if (score.value < LEAST_SCORE) account.scores.delete(rule);
    }
  }

  #open(id: string, protocol: string, key: BanKey): Account {
    if (this.#accounts.size >= MAX_ACCOUNTS) this.#makeRoom();
    const account: Account = { protocol, key, scores: new Map(), atMs: this.#clock.now(), verdicts: [] };
    this.#accounts.set(id, account);
    return account;
  }

  /** The first ones of the map were seen first; the lowest score of a few of them gives way, and it moves behind the others. */
  #makeRoom(): void {
    let lowest: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    let left = EVICTION_SAMPLE;
    for (const [id, account] of this.#accounts) {
      if (left-- === 0) break;
      this.#fade(account);
      const score = account.scores.get(ALL_RULES)?.value ?? 0;
      if (score < least) [lowest, least] = [id, score];
      // Compared again only after all others.
      this.#accounts.delete(id);
      this.#accounts.set(id, account);
    }
    if (lowest === undefined) return;
    this.#accounts.delete(lowest);
    this.#dirty.add(bucketOf(lowest));
  }

  #read(): void {
    const nowMs = this.#clock.now();
    for (const { record } of this.#store.list(TABLE)) {
      const { fromMs, fromRunMs, accounts } = record;
      if (!isTime(fromMs) || !isTime(fromRunMs) || !isPlain(accounts)) continue;
      const time: BanTime = { fromMs, fromRunMs, durationMs: LENGTH_MS };
      // Once per run: from here on the steady clock counts.
      const passedMs = LENGTH_MS - this.#clock.leftMs(time);
      for (const [id, rules] of Object.entries(accounts)) {
        const account = readAccount(id, rules, nowMs - passedMs);
        if (account !== undefined && this.#accounts.size < MAX_ACCOUNTS) this.#accounts.set(id, account);
      }
    }
  }

  #write(most: number): void {
    if (this.#dirty.size === 0) return;
    const chosen = [...this.#dirty].slice(0, most);
    try {
      const kept = new Map<number, Record<string, JsonObject>>(chosen.map((bucket) => [bucket, {}]));
      for (const [id, account] of this.#accounts) {
        const records = kept.get(bucketOf(id));
        if (records === undefined || banKind(account.key) === "session") continue;
        this.#fade(account);
        if (account.scores.size > 0) records[id] = accountJson(account);
      }
      for (const [bucket, accounts] of kept) {
        const { fromMs, fromRunMs } = this.#clock.begin(LENGTH_MS);
        this.#store.put(TABLE, String(bucket), { fromMs, fromRunMs, accounts });
        this.#dirty.delete(bucket);
      }
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }
}

function idOf(protocol: string, key: BanKey): string {
  return `${protocol}/${key}`;
}

/** FNV-1a of the name. */
function bucketOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % BUCKETS;
}

/** Rules with score and number of verdicts. */
function accountJson({ scores }: Account): JsonObject {
  return Object.fromEntries(Array.from(scores, ([rule, { value, verdicts }]) => [rule, [value, verdicts]]));
}

/** Undefined for a damaged record. */
function readAccount(id: string, rules: unknown, atMs: number): Account | undefined {
  const slash = id.indexOf("/");
  const key = parseBanKey(id.slice(slash + 1));
  if (slash < 1 || key === undefined || !isPlain(rules)) return undefined;
  const scores = new Map<string, Score>();
  for (const [rule, score] of Object.entries(rules)) {
    if (!Array.isArray(score)) continue;
    const [value, verdicts] = score as unknown[];
    if (isTime(value) && value > 0 && isTime(verdicts)) scores.set(rule, { value, verdicts });
  }
  return { protocol: id.slice(0, slash), key, scores, atMs, verdicts: [] };
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
