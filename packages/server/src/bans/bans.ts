/**
 * **Bans**: who may not join, until when, and why. They are held in memory and kept in the store, so that a ban holds while
 * the store cannot be written. Other users of the store, such as a second server, are seen by its version.
 */
import type { Verdict } from "wirewalk/motion";
import { type Clock, type Store, systemClock } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import { verdictJson } from "../feed/verdict-json.ts";
import { BanClock, type BanTime, isTime, JUMP_MS } from "./ban-clock.ts";
import { type BanKey, banKind, parseBanKey } from "./ban-key.ts";
import { BanRecordings } from "./ban-recordings.ts";
import { migrateBans, noteBansSchema } from "./migrate-bans.ts";

const TABLE = "typed-bans";
/** In a table of its own: it is a hundred times as long as its ban, and is read only to be shown. */
const EVIDENCE_TABLE = "ban-evidence";
/** Verdicts kept with a ban: the last ones. */
const MAX_EVIDENCE = 20;
/** Bans in force at the same time: 5 MB of memory. With more, the address ban that ends first gives way. */
const MAX_BANS = 10_000;
/** Bans that keep their evidence while the store cannot be written, at most 10 MB; later ones have none. */
const MAX_UNSAVED_EVIDENCE = 200;

/** A ban in force. */
export interface Ban {
  readonly protocol: string;
  /** What it applies to. */
  readonly key: BanKey;
  /** The name that other players saw. Unverified unless the key is a login. */
  readonly name: string;
  /** The rule that was broken last. */
  readonly rule: string;
  readonly reason: string;
  /** Epoch milliseconds by this machine's clock. */
  readonly fromMs: number;
  readonly durationMs: number;
  /** Epoch milliseconds at which it ends unless the clock is changed. */
  readonly untilMs: number;
}

/** A ban to be made. */
export interface NewBan {
  readonly key: BanKey;
  readonly name: string;
  readonly reason: string;
  readonly durationMs: number;
  readonly evidence: readonly Verdict[];
}

export interface BansOptions {
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Epoch milliseconds. Default `Date.now`. */
  readonly epochNow?: () => number;
  /** A ban has come into force, made here or by another user of the store. */
  readonly onBan?: (ban: Ban) => void;
}

/** A ban as one line: `until 2026-11-23 06:50:00 UTC by rule teleport; applies to login:ann`. */
export function banText({ key, rule, untilMs }: Ban): string {
  const until = new Date(untilMs).toISOString().slice(0, 19).replace("T", " ");
  return `until ${until} UTC by rule ${rule}; applies to ${key}`;
}

/** A ban as it is kept. */
type BanRecord = Omit<Ban, "untilMs"> & BanTime;

interface Held {
  readonly record: BanRecord;
  /** When it ends, by the steady clock. */
  readonly endsMs: number;
  /** When it began, by the wall clock as it is now: what is shown. */
  readonly shownFromMs: number;
}

/** What is not in the store yet; without evidence when that is already there. */
interface Unsaved {
  readonly record: BanRecord;
  readonly evidence: readonly JsonObject[] | undefined;
}

/** The bans of a store. */
export class Bans {
  readonly #store: Store;
  readonly #clock: BanClock;
  readonly #onBan: ((ban: Ban) => void) | undefined;
  readonly #recordings: BanRecordings;
  #held = new Map<string, Held>();
  /** Over by the wall clock, and kept until servers have run for their whole length. */
  #ended = new Map<string, BanRecord>();
  readonly #unsaved = new Map<string, Unsaved>();
  #version = -1;
  #problem: string | undefined;

  /** Throws what the store throws, and `Error` for bans of a newer server. */
  constructor(store: Store, options: BansOptions = {}) {
    this.#store = store;
    this.#clock = new BanClock(store, options.clock ?? systemClock, options.epochNow ?? Date.now);
    this.#onBan = options.onBan;
    this.#recordings = new BanRecordings(store);
    migrateBans(store, ({ fromMs, untilMs, evidence, ...ban }) => {
      const rule = String(evidence.at(-1)?.rule ?? "unknown");
      const record = { ...ban, rule, ...this.#clock.begin(untilMs - fromMs), fromMs };
      this.#write(idOf(record), { record, evidence });
    });
    // A full disk keeps nobody from starting a server that has nothing to migrate.
    this.#try(() => noteBansSchema(store));
    this.#version = store.version(TABLE);
    this.#read();
  }

  /** How bans and scores count time. */
  get time(): BanClock {
    return this.#clock;
  }

  /** Why bans are held in memory alone, or undefined while the store works. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Bans the key from now on, or until the end of its current ban if that is later. The ban holds even if it cannot be kept. */
  add(protocol: string, { key, name, reason, durationMs, evidence }: NewBan): Ban {
    const id = idOf({ protocol, key });
    const nowMs = this.#clock.now();
    const lengthMs = Math.max(durationMs, (this.#held.get(id)?.endsMs ?? nowMs) - nowMs);
    const rule = evidence.at(-1)?.rule ?? "unknown";
    const record: BanRecord = { protocol, key, name, rule, reason, ...this.#clock.begin(lengthMs) };
    if (this.#held.size >= MAX_BANS && !this.#held.has(id)) this.#makeRoom();
    const held = this.#heldUntil(record, nowMs + lengthMs);
    this.#held.set(id, held);
    this.#ended.delete(id);
    const kept = this.#unsaved.size < MAX_UNSAVED_EVIDENCE ? evidence.slice(-MAX_EVIDENCE) : [];
    this.#unsaved.set(id, { record, evidence: kept.map(verdictJson) });
    this.#try(() => this.#writeUnsaved());
    const ban = this.#show(held);
    this.#onBan?.(ban);
    return ban;
  }

  /** The ban of the key that is in force. */
  find(protocol: string, key: BanKey): Ban | undefined {
    this.#try(() => this.#refresh());
    const held = this.#held.get(idOf({ protocol, key }));
    return held !== undefined && this.#isInForce(held) ? this.#show(held) : undefined;
  }

  /** All bans in force, by protocol and key. */
  list(): readonly Ban[] {
    this.#try(() => this.#refresh());
    return [...this.#held]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, held]) => (this.#isInForce(held) ? [this.#show(held)] : []));
  }

  /** The verdicts that led to a ban, oldest first, messages as hex. */
  evidence(protocol: string, key: BanKey): readonly JsonObject[] {
    const id = idOf({ protocol, key });
    const unsaved = this.#unsaved.get(id)?.evidence;
    if (unsaved !== undefined) return unsaved;
    const kept = this.#store.get(EVIDENCE_TABLE, id)?.verdicts;
    return Array.isArray(kept) ? kept : [];
  }

  /**
   * Keeps the recording of a ban in force. False when it is not kept: there is no such ban, it is too large, or the store fails.
   */
  keepRecording(protocol: string, key: BanKey, bytes: Uint8Array): boolean {
    const id = idOf({ protocol, key });
    if (!this.#held.has(id)) return false;
    let isKept = false;
    this.#try(() => {
      const fromMs = (each: string): number => (this.#held.get(each)?.record ?? this.#ended.get(each))?.fromMs ?? 0;
      isKept = this.#recordings.keep(id, bytes, fromMs);
    });
    return isKept;
  }

  /** The recording of a ban, an MCAP file; undefined where none is kept. Throws what the store throws. */
  recording(protocol: string, key: BanKey): Uint8Array<ArrayBuffer> | undefined {
    return this.#recordings.get(idOf({ protocol, key }));
  }

  /** Ends the ban of a key; false when it is not banned. Throws what the store throws: then the ban still holds. */
  lift(protocol: string, key: BanKey): boolean {
    const ban = this.find(protocol, key);
    if (ban === undefined) return false;
    this.#delete(idOf(ban));
    return true;
  }

  /**
   * Sees what other users of the store did, repeats writes that failed, and forgets bans that are served. Call it about once
   * a second.
   */
  poll(): void {
    this.#followWallClock();
    this.#try(() => {
      noteBansSchema(this.#store);
      this.#refresh();
      this.#writeUnsaved();
      this.#forget();
      this.#clock.save();
      this.#problem = undefined;
    });
  }

  /** Saves how long this server has run: call it before the store is closed. */
  close(): void {
    this.#try(() => {
      this.#writeUnsaved();
      this.#clock.save(true);
    });
  }

  #isInForce({ endsMs }: Held): boolean {
    return endsMs > this.#clock.now();
  }

  #heldUntil(record: BanRecord, endsMs: number): Held {
    const fromMs = this.#clock.epochAt(endsMs) - record.durationMs;
    // Times that differ by the reading of two clocks are one time.
    return { record, endsMs, shownFromMs: Math.abs(fromMs - record.fromMs) < JUMP_MS ? record.fromMs : fromMs };
  }

  #show({ record: { fromRunMs, ...record }, endsMs, shownFromMs }: Held): Ban {
    return { ...record, fromMs: shownFromMs, untilMs: this.#clock.epochAt(endsMs) };
  }

  /** Notes what the store throws. */
  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }

  #refresh(): void {
    const version = this.#store.version(TABLE);
    if (version === this.#version) return;
    const fresh = this.#read();
    this.#version = version;
    for (const held of fresh) this.#onBan?.(this.#show(held));
  }

  /** Reads all bans; those in force that were not held before. */
  #read(): readonly Held[] {
    const held = new Map<string, Held>();
    const ended = new Map<string, BanRecord>();
    const fresh: Held[] = [];
    const nowMs = this.#clock.now();
    const take = (id: string, record: BanRecord): void => {
      const known = this.#held.get(id);
      // The end of a known ban is not computed again: the wall clock may have jumped since.
      const isKnown = known?.record.fromRunMs === record.fromRunMs && known.record.durationMs === record.durationMs;
      const each = isKnown ? { ...known, record } : this.#heldUntil(record, nowMs + this.#clock.leftMs(record));
      if (each.endsMs <= nowMs) ended.set(id, record);
      else held.set(id, each);
      if (known === undefined && each.endsMs > nowMs) fresh.push(each);
    };
    for (const { key, record } of this.#store.list(TABLE)) {
      const ban = readRecord(record);
      // A record under the key of another ban is damaged: it would be shown, and neither hold nor be lifted.
      if (ban !== undefined && idOf(ban) === key && !this.#unsaved.has(key)) take(key, ban);
    }
    for (const id of this.#unsaved.keys()) {
      const unsaved = this.#held.get(id);
      if (unsaved !== undefined) held.set(id, unsaved);
    }
    this.#held = held;
    this.#ended = ended;
    return fresh;
  }

  #writeUnsaved(): void {
    for (const [id, unsaved] of this.#unsaved) {
      this.#write(id, unsaved);
      this.#unsaved.delete(id);
    }
  }

  #write(id: string, { record, evidence }: Unsaved): void {
    // The ban last: after a crash in between, evidence without a ban is replaced by the next.
    if (evidence !== undefined) this.#store.put(EVIDENCE_TABLE, id, { verdicts: evidence });
    this.#change(() => this.#store.put(TABLE, id, { ...record }));
  }

  /** A change that is known here already: the table is not read again because of it. */
  #change(work: () => void): void {
    const before = this.#store.version(TABLE);
    work();
    if (before === this.#version && this.#store.version(TABLE) === before + 1) this.#version = before + 1;
  }

  #delete(id: string): void {
    this.#change(() => this.#store.delete(TABLE, id));
    this.#drop(id);
    this.#store.delete(EVIDENCE_TABLE, id);
    this.#recordings.drop(id);
  }

  #drop(id: string): void {
    this.#held.delete(id);
    this.#ended.delete(id);
    this.#unsaved.delete(id);
  }

  /** After the wall clock was set, bans begin at the same moment by the clock as it is now. */
  #followWallClock(): void {
    if (this.#clock.takeJump() === 0) return;
    for (const [id, { record, endsMs }] of this.#held) {
      const held = this.#heldUntil(record, endsMs);
      this.#held.set(id, held);
      // A clock that was set back may be set right again: the later beginning is kept.
      if (held.shownFromMs <= record.fromMs) continue;
      const later = { ...record, fromMs: held.shownFromMs };
      this.#held.set(id, { ...held, record: later });
      this.#unsaved.set(id, { record: later, evidence: this.#unsaved.get(id)?.evidence });
    }
  }

  #forget(): void {
    for (const [id, held] of this.#held) {
      if (this.#isInForce(held)) continue;
      this.#held.delete(id);
      this.#ended.set(id, held.record);
    }
    for (const [id, record] of this.#ended) if (this.#clock.isServed(record)) this.#delete(id);
  }

  #makeRoom(): void {
    let first: [string, Held] | undefined;
    const isAddress = ([, { record }]: [string, Held]): boolean => banKind(record.key) === "address";
    for (const each of this.#held) {
      if (first === undefined || (isAddress(each) && !isAddress(first))) first = each;
      else if (isAddress(each) === isAddress(first) && each[1].endsMs < first[1].endsMs) first = each;
    }
    const id = first?.[0];
    if (id === undefined) return;
    this.#drop(id);
    this.#try(() => this.#delete(id));
  }
}

/** Names of protocols have no slash. */
function idOf({ protocol, key }: { readonly protocol: string; readonly key: BanKey }): string {
  return `${protocol}/${key}`;
}

/** A kept ban, or undefined for an invalid record. */
function readRecord(data: JsonObject): BanRecord | undefined {
  const { protocol, name, rule, reason, fromMs, fromRunMs, durationMs } = data;
  const key = parseBanKey(String(data.key));
  if (key === undefined || typeof protocol !== "string") return undefined;
  if (!isTime(fromMs) || !isTime(fromRunMs) || !isTime(durationMs)) return undefined;
  return {
    protocol,
    key,
    name: String(name),
    rule: String(rule),
    reason: String(reason),
    fromMs,
    fromRunMs,
    durationMs,
  };
}
