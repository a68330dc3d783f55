/**
 * What the server remembers of logins, so that guessing passwords is slow and nobody can lock another player out: failures
 * count for a **pair** of name and address. A name that is attacked from elsewhere is as open to its owner as ever.
 *
 * All of it is in memory and bounded: the oldest entries go first.
 */
import type { Clock } from "wirewalk/net";
import { isLoopbackAddress, peerOf } from "../bans/ban-key.ts";
import type { Budgets } from "../session/budgets.ts";
import type { LoginRank } from "./login-queue.ts";

/** Wrong passwords in a row without a delay: a person mistypes, or tries an older password. */
const FREE_FAILURES = 3;
/** The delay after one more; it doubles with each. */
const FIRST_DELAY_MS = 1_000;
/** The longest: 96 guesses a day, and an owner who has mistyped 13 times waits this long. */
const MAX_DELAY_MS = 15 * 60_000;
/** Failures are forgotten so long after the last one. */
const FORGET_MS = 60 * 60_000;
/** Entries of each table, at about 200 bytes. */
const MAX_ENTRIES = 10_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

interface Failures {
  count: number;
  lastMs: number;
}

/** A map with a limit: the entry that was set longest ago goes first. */
class RecentMap<V> {
  readonly #map = new Map<string, V>();

  get(key: string): V | undefined {
    return this.#map.get(key);
  }

  set(key: string, value: V): void {
    this.#map.delete(key);
    this.#map.set(key, value);
    if (this.#map.size <= MAX_ENTRIES) return;
    const [oldest] = this.#map.keys();
    if (oldest !== undefined) this.#map.delete(oldest);
  }

  delete(key: string): void {
    this.#map.delete(key);
  }
}

/** Counts that may reach a burst at once and fall steadily. */
class Levels {
  readonly #levels = new RecentMap<{ readonly level: number; readonly atMs: number }>();
  readonly #burst: number;
  readonly #perMs: number;

  constructor(burst: number, perMs: number) {
    this.#burst = burst;
    this.#perMs = perMs;
  }

  isFull(key: string, nowMs: number): boolean {
    return this.#levelOf(key, nowMs) > this.#burst - 1;
  }

  add(key: string, nowMs: number): void {
    this.#levels.set(key, { level: this.#levelOf(key, nowMs) + 1, atMs: nowMs });
  }

  #levelOf(key: string, nowMs: number): number {
    const entry = this.#levels.get(key);
    return entry === undefined ? 0 : Math.max(0, entry.level - (nowMs - entry.atMs) * this.#perMs);
  }
}

export class LoginGuard {
  readonly #clock: Clock;
  readonly #failures = new RecentMap<Failures>();
  readonly #known = new RecentMap<true>();
  readonly #ofAddress: Levels;
  readonly #registrations: Levels;

  constructor(clock: Clock, budgets: Budgets) {
    this.#clock = clock;
    const { loginFailuresPerAddress, loginFailuresPerMinute, registrationsPerAddress, registrationsPerHour } = budgets;
    this.#ofAddress = new Levels(loginFailuresPerAddress, loginFailuresPerMinute / MINUTE_MS);
    this.#registrations = new Levels(registrationsPerAddress, registrationsPerHour / HOUR_MS);
  }

  /** Milliseconds until this address may try the name again; 0 when it may now. */
  lockedMs(name: string, address: string): number {
    const failures = this.#failures.get(pairOf(name, address));
    if (failures === undefined) return 0;
    const sinceMs = this.#clock.now() - failures.lastMs;
    return sinceMs >= FORGET_MS ? 0 : Math.max(0, delayAfter(failures.count) - sinceMs);
  }

  rankOf(name: string, address: string): LoginRank {
    if (this.#known.get(pairOf(name, address)) === true) return "known";
    return this.#ofAddress.isFull(peerOf(address), this.#clock.now()) ? "suspect" : "plain";
  }

  /** No such name. It is not remembered: made-up names would push out those that exist. */
  missed(address: string): void {
    this.#ofAddress.add(peerOf(address), this.#clock.now());
  }

  /** The password was wrong. */
  failed(name: string, address: string): void {
    const nowMs = this.#clock.now();
    this.#ofAddress.add(peerOf(address), nowMs);
    const pair = pairOf(name, address);
    const before = this.#failures.get(pair);
    const isOld = before === undefined || nowMs - before.lastMs >= FORGET_MS;
    this.#failures.set(pair, { count: isOld ? 1 : before.count + 1, lastMs: nowMs });
  }

  succeeded(name: string, address: string): void {
    const pair = pairOf(name, address);
    this.#failures.delete(pair);
    this.#known.set(pair, true);
  }

  /** Whether the address may create one more account. This machine may: its bots and tests create many. */
  mayRegister(address: string): boolean {
    return isLoopbackAddress(address) || !this.#registrations.isFull(peerOf(address), this.#clock.now());
  }

  registered(address: string): void {
    this.#registrations.add(peerOf(address), this.#clock.now());
  }
}

/** No address has a space. */
function pairOf(name: string, address: string): string {
  return `${peerOf(address)} ${name}`;
}

function delayAfter(failures: number): number {
  return failures <= FREE_FAILURES ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES - 1));
}
