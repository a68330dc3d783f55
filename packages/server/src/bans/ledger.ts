/**
 * The **ledger**: for each account and rule a score that every verdict raises and time lowers, so that cheats below each single limit,
 * cheating now and then, and connecting again all add up. It is kept in the store, and forgets by the clock of bans: while a
 * server runs by the steady clock, between runs by the wall clock.
 *
 * Several servers may share a store: a write adds what this server has found since its last one to what the store has by then, and takes
 * over the scores that others have written.
 *
 * An account has one score for all worlds of a game: it keeps its score when it changes worlds. The policy is that of the world which
 * gave the verdict, and half of the score is forgotten in the longest half-life that a world of the game has for the rule.
 *
 * Scores are written a few at a time, since a verdict may come with every message: after a crash up to
 * {@link BUCKETS} / {@link WRITES_PER_POLL} seconds of them are missing. A ban that they led to is in the store at once.
 */
import { randomUUID } from "node:crypto";
import type { Verdict } from "wirewalk/motion";
import type { Store } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import { type BanClock, type BanTime, isTime } from "./ban-clock.ts";
import { type BanKey, banKind, parseBanKey } from "./ban-key.ts";
import {
  ALL_RULES,
  DEFAULT_POLICY,
  type Policy,
  policyActions,
  VERDICT_POINTS,
  type WorldPolicies,
} from "./policies.ts";

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
/** Accounts of one record; with more, those with the highest scores stay. Several servers may write to it. */
const MAX_WRITTEN = (4 * MAX_ACCOUNTS) / BUCKETS;

/** The score of one rule, or of all. */
export interface LedgerScore {
  readonly rule: string;
  readonly score: number;
  /** Verdicts that led to it. */
  readonly verdicts: number;
  /** Of the policy that acts first among those of the game's worlds, and what happens there. */
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

/** The world that gave a verdict: its name, and that of its game. */
export interface VerdictWorld {
  readonly name: string;
  readonly protocol: string;
}

interface Score {
  /** At the account's time. */
  value: number;
  verdicts: number;
  /** The part of both that the store does not have. */
  unwritten: number;
  unwrittenVerdicts: number;
  /** It began again at 0: what the store has no longer counts. */
  isAnew: boolean;
}

/** As the store has it. */
type WrittenScore = Pick<Score, "value" | "verdicts">;
type WrittenAccounts = ReadonlyMap<string, ReadonlyMap<string, WrittenScore>>;

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
  /** By world. */
  readonly #policies: ReadonlyMap<string, WorldPolicies>;
  /** By game and rule. */
  readonly #halfLives = new Map<string, number>();
  readonly #accounts = new Map<string, Account>();
  readonly #dirty = new Set<number>();
  /** Of this run, and when it has written each bucket: until another server does, the steady clock counts. */
  readonly #writer = randomUUID();
  readonly #writtenMs = new Map<number, number>();
  #problem: string | undefined;

  /** Throws what the store throws. */
  constructor(store: Store, clock: BanClock, policies: ReadonlyMap<string, WorldPolicies>) {
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

  /**
   * Adds a verdict of a world to its account. A penalty when the limit of that world's policy is reached: then that score begins again
   * at 0.
   */
  add({ name, protocol }: VerdictWorld, key: BanKey, verdict: Verdict): Penalty | undefined {
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
      const score = account.scores.get(rule) ?? scoreOf(0, 0);
      account.scores.set(rule, score);
      score.value += points;
      score.verdicts += 1;
      score.unwritten += points;
      score.unwrittenVerdicts += 1;
      const policy = this.policyOf(name, rule);
      if (policy.action === "log" || score.value + LEAST_SCORE < policy.limit) continue;
      // A ban outweighs the end of a session, and that a message.
      if (
        penalty === undefined ||
        policyActions.indexOf(policy.action) > policyActions.indexOf(penalty.policy.action)
      ) {
        penalty = { rule, policy, score: score.value, verdicts: [...account.verdicts] };
      }
      account.scores.set(rule, { ...scoreOf(0, 0), isAnew: true });
    }
    return penalty;
  }

  /** An operator has called a verdict of the rule false: its account has these points less, as far as it still has them. */
  takeBack(protocol: string, key: BanKey, rule: string, points: number): void {
    const id = idOf(protocol, key);
    const account = this.#accounts.get(id);
    if (account === undefined) return;
    this.#fade(account);
    this.#dirty.add(bucketOf(id));
    for (const each of [rule, ALL_RULES]) {
      const score = account.scores.get(each);
      if (score === undefined) continue;
      const taken = Math.min(points, score.value);
      score.value -= taken;
      score.unwritten -= taken;
    }
  }

  policyOf(world: string, rule: string): Policy {
    return this.#policies.get(world)?.policies.get(rule) ?? DEFAULT_POLICY;
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
      const { limit, action } = this.#strictest(protocol, rule);
      return { rule, score: value, verdicts, limit, action };
    });
    return { protocol, key, scores: scores.sort((a, b) => b.score - a.score) };
  }

  /** Of the worlds of a game, the policy that acts first. */
  #strictest(protocol: string, rule: string): Policy {
    const policies = this.#ofGame(protocol, rule);
    const acting = policies.filter(({ action }) => action !== "log");
    const [first = DEFAULT_POLICY] = (acting.length > 0 ? acting : policies).sort((a, b) => a.limit - b.limit);
    return first;
  }

  #ofGame(protocol: string, rule: string): Policy[] {
    return Array.from(this.#policies.values())
      .filter((world) => world.protocol === protocol)
      .map(({ policies }) => policies.get(rule) ?? DEFAULT_POLICY);
  }

  #halfLifeMs(protocol: string, rule: string): number {
    const id = `${protocol}/${rule}`;
    const known = this.#halfLives.get(id);
    if (known !== undefined) return known;
    const policies = this.#ofGame(protocol, rule);
    const all = (policies.length > 0 ? policies : [DEFAULT_POLICY]).map(({ halfLifeMs }) => halfLifeMs);
    const longest = Math.max(...all);
    this.#halfLives.set(id, longest);
    return longest;
  }

  /** Lowers the scores by the time since they were last looked at. */
  #fade(account: Account): void {
    const nowMs = this.#clock.now();
    const passedMs = nowMs - account.atMs;
    if (passedMs <= 0) return;
    account.atMs = nowMs;
    for (const [rule, score] of account.scores) {
      const left = this.#left(account.protocol, rule, passedMs);
      score.value *= left;
      score.unwritten *= left;
      // One that began anew must be written first.
      if (score.value < LEAST_SCORE && !score.isAnew) account.scores.delete(rule);
    }
  }

  /** What is left of a score after a time. */
  #left(protocol: string, rule: string, passedMs: number): number {
    return 2 ** (-Math.max(0, passedMs) / this.#halfLifeMs(protocol, rule));
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
    for (const { record } of this.#store.list(TABLE)) {
      for (const [id, rules] of this.#written(record, undefined)) this.#adopt(id, rules);
    }
  }

  /** The scores of a record as of now. */
  #written(record: JsonObject | undefined, bucket: number | undefined): WrittenAccounts {
    const { fromMs, fromRunMs, writer, accounts } = record ?? {};
    const found = new Map<string, ReadonlyMap<string, WrittenScore>>();
    if (!isTime(fromMs) || !isTime(fromRunMs) || !isPlain(accounts)) return found;
    const time: BanTime = { fromMs, fromRunMs, durationMs: LENGTH_MS };
    const ownMs = writer === this.#writer && bucket !== undefined ? this.#writtenMs.get(bucket) : undefined;
    const passedMs = ownMs === undefined ? LENGTH_MS - this.#clock.leftMs(time) : this.#clock.now() - ownMs;
    for (const [id, rules] of Object.entries(accounts)) {
      const read = readScores(id, rules);
      if (read === undefined) continue;
      const { protocol, scores } = read;
      const left = Array.from(scores, ([rule, { value, verdicts }]): [string, WrittenScore] => [
        rule,
        { value: value * this.#left(protocol, rule, passedMs), verdicts },
      ]);
      found.set(id, new Map(left.filter(([, { value }]) => value >= LEAST_SCORE)));
    }
    return found;
  }

  /** An account that the store has, and this server did not know. */
  #adopt(id: string, rules: ReadonlyMap<string, WrittenScore>): void {
    const slash = id.indexOf("/");
    const key = parseBanKey(id.slice(slash + 1));
    if (key === undefined || rules.size === 0 || this.#accounts.size >= MAX_ACCOUNTS) return;
    const scores = new Map(Array.from(rules, ([rule, { value, verdicts }]) => [rule, scoreOf(value, verdicts)]));
    this.#accounts.set(id, { protocol: id.slice(0, slash), key, scores, atMs: this.#clock.now(), verdicts: [] });
  }

  #write(most: number): void {
    if (this.#dirty.size === 0) return;
    const chosen = new Set([...this.#dirty].slice(0, most));
    try {
      const own = new Map<number, Map<string, Account>>(Array.from(chosen, (bucket) => [bucket, new Map()]));
      for (const [id, account] of this.#accounts) {
        const accounts = own.get(bucketOf(id));
        if (accounts === undefined || banKind(account.key) === "session") continue;
        this.#fade(account);
        accounts.set(id, account);
      }
      for (const [bucket, accounts] of own) this.#writeBucket(bucket, accounts);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Adds what is not written to what the store has, and takes over the sum. */
  #writeBucket(bucket: number, own: ReadonlyMap<string, Account>): void {
    let sum: WrittenAccounts = new Map();
    this.#store.update(TABLE, String(bucket), (record) => {
      sum = addUp(this.#written(record, bucket), own);
      const { fromMs, fromRunMs } = this.#clock.begin(LENGTH_MS);
      const accounts = Object.fromEntries(Array.from(sum, ([id, rules]) => [id, scoresJson(rules)]));
      return { fromMs, fromRunMs, writer: this.#writer, accounts };
    });
    this.#writtenMs.set(bucket, this.#clock.now());
    this.#dirty.delete(bucket);
    for (const [id, { scores }] of own) {
      scores.clear();
      for (const [rule, { value, verdicts }] of sum.get(id) ?? []) scores.set(rule, scoreOf(value, verdicts));
    }
    for (const [id, rules] of sum) if (!this.#accounts.has(id)) this.#adopt(id, rules);
  }
}

function scoreOf(value: number, verdicts: number): Score {
  return { value, verdicts, unwritten: 0, unwrittenVerdicts: 0, isAnew: false };
}

/** The scores of a record, with what a server has added to them. */
function addUp(written: WrittenAccounts, own: ReadonlyMap<string, Account>): WrittenAccounts {
  const sums = new Map<string, ReadonlyMap<string, WrittenScore>>(written);
  for (const [id, { scores }] of own) {
    const rules = new Map(written.get(id));
    for (const [rule, { unwritten, unwrittenVerdicts, isAnew }] of scores) {
      const before = isAnew ? undefined : rules.get(rule);
      const value = (before?.value ?? 0) + unwritten;
      if (value < LEAST_SCORE) rules.delete(rule);
      else rules.set(rule, { value, verdicts: (before?.verdicts ?? 0) + unwrittenVerdicts });
    }
    sums.set(id, rules);
  }
  const kept = [...sums].filter(([, rules]) => rules.size > 0);
  if (kept.length <= MAX_WRITTEN) return new Map(kept);
  const highest = ([, rules]: (typeof kept)[number]): number =>
    Math.max(...[...rules.values()].map(({ value }) => value));
  return new Map(kept.sort((a, b) => highest(b) - highest(a)).slice(0, MAX_WRITTEN));
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
function scoresJson(scores: ReadonlyMap<string, WrittenScore>): JsonObject {
  return Object.fromEntries(Array.from(scores, ([rule, { value, verdicts }]) => [rule, [value, verdicts]]));
}

/** Undefined for a damaged record. */
function readScores(
  id: string,
  rules: unknown,
): { readonly protocol: string; readonly scores: ReadonlyMap<string, WrittenScore> } | undefined {
  const slash = id.indexOf("/");
  if (slash < 1 || parseBanKey(id.slice(slash + 1)) === undefined || !isPlain(rules)) return undefined;
  const scores = new Map<string, WrittenScore>();
  for (const [rule, score] of Object.entries(rules)) {
    if (!Array.isArray(score)) continue;
    const [value, verdicts] = score as unknown[];
    if (isTime(value) && value > 0 && isTime(verdicts)) scores.set(rule, { value, verdicts });
  }
  return { protocol: id.slice(0, slash), scores };
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
