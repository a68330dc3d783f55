/**
 * The last messages of the wire, newest first, with what each did and what the rules said of it: of the page's own socket, of
 * the followed player, or of a relay.
 */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { PlayerId } from "wirewalk/motion";
import type { Clock } from "wirewalk/net";
import { formatHex, type JsonObject } from "wirewalk/wire";
import type { WireRecord } from "./wire-record.ts";

/** Entries kept in each direction: a full room says in seconds what the one player here says in minutes. */
const MAX_ENTRIES = 600;

/** The list on the screen changes this often at most: faster, nobody can read or hit a line. */
const SHOW_EVERY_MS = 200;

/** A verdict follows its message within a round trip; later, equal bytes are another message. */
const VERDICT_WITHIN_MS = 10_000;

/** A view reads a message of the followed player within this time of the feed that brings its bytes. */
const SAME_WITHIN_MS = 2_000;

/** What two times of a recording may be rounded apart. */
const ROUNDED_MS = 0.01;

/** One message of the log. */
export interface WireEntry extends WireRecord {
  /** 1, 2, 3 …, in the order of arrival. */
  readonly id: number;
  /** Of the page's clock. */
  readonly atMs: number;
  /** Position in the recording; undefined for what is live. */
  readonly recordedMs?: number | undefined;
  /** The verdict on the message; undefined without one, as for most messages. */
  readonly verdict: ReadonlySignal<FeedVerdict | undefined>;
  /** The player after the message, by the server's next snapshot, where the record has no `after` of its own. */
  readonly moved: ReadonlySignal<JsonObject | undefined>;
}

interface OpenEntry extends WireEntry {
  readonly verdict: Signal<FeedVerdict | undefined>;
  readonly moved: Signal<JsonObject | undefined>;
  /** The feed brought it, and a view has not read it. */
  isRaw: boolean;
}

/** The log. `shown` is what the page draws, refreshed a few times a second. */
export class WireLog {
  readonly #clock: Clock;
  readonly #shown = signal<readonly WireEntry[]>([]);
  #entries: OpenEntry[] = [];
  /** Entries whose effect the next snapshot shows. */
  #pending: OpenEntry[] = [];
  readonly #counts = { client: 0, server: 0 };
  #lastId = 0;
  #showing = false;
  /** When a view has read a message last: only some games' views do. */
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get shown(): ReadonlySignal<readonly WireEntry[]> {
    return this.#shown;
  }

  /** The newest message of a direction, or of both, without waiting for the list. */
  newest(sender?: "client" | "server"): WireEntry | undefined {
    return sender === undefined ? this.#entries[0] : this.#entries.find((entry) => entry.sender === sender);
  }

  /** A message that a view of a game has sent, received or read. */
  add(record: WireRecord): void {
    if (record.reading !== undefined) this.#readMs = this.#clock.now();
    const raw = record.reading === undefined ? undefined : this.#twin(record, true);
    if (raw === undefined) {
      this.#put(record, this.#clock.now(), false);
      return;
    }
    // The same message, which the feed brought first: now it can be read.
    const { id, atMs, recordedMs, verdict, moved } = raw;
    this.#entries[this.#entries.indexOf(raw)] = { ...record, id, atMs, recordedMs, verdict, moved, isRaw: false };
    this.#showSoon();
  }

  /** A message that the feed brought. One that a view has read already is left out. */
  addFed(record: WireRecord, atMs: number, recordedMs?: number): void {
    const twin = this.#twin(record, false);
    if (twin === undefined) this.#put(record, atMs, true, recordedMs);
    // A view knows no recording.
    else if (recordedMs !== undefined) this.#entries[this.#entries.indexOf(twin)] = { ...twin, recordedMs };
  }

  /** A snapshot of the room is here: what the players of waiting messages are now. */
  settle(stateOf: (player: PlayerId) => JsonObject | undefined): void {
    for (const { player, moved } of this.#pending.splice(0)) {
      if (player !== undefined) moved.value = stateOf(player);
    }
  }

  /**
   * Puts a verdict on the message it is about: the oldest one of its player with these bytes that was sent lately and has none. A
   * message without a player is the page's own. In a recording the time of the verdict is known: it is the newest one up to then.
   */
  judge(verdict: FeedVerdict, isOwn = true, recordedMs?: number): void {
    const nowMs = this.#clock.now();
    const bytes = plainHex(verdict.message);
    const candidates = this.#entries.filter(
      (candidate) =>
        candidate.sender === "client" &&
        candidate.verdict.peek() === undefined &&
        (candidate.player === undefined ? isOwn : candidate.player === verdict.player) &&
        nowMs - candidate.atMs <= VERDICT_WITHIN_MS &&
        formatHex(candidate.payload, { separator: "" }) === bytes,
    );
    const entry =
      recordedMs === undefined
        ? candidates.at(-1)
        : candidates.find((candidate) => (candidate.recordedMs ?? 0) <= recordedMs + ROUNDED_MS);
    if (entry !== undefined) entry.verdict.value = verdict;
  }

  /** The entry of these very bytes, not of equal ones; undefined when it is kept no more. */
  find(payload: Uint8Array): WireEntry | undefined {
    return this.#entries.find((entry) => entry.payload === payload);
  }

  clear(): void {
    this.#entries = [];
    this.#pending = [];
    this.#counts.client = 0;
    this.#counts.server = 0;
    this.#showSoon();
  }

  #put(record: WireRecord, atMs: number, isRaw: boolean, recordedMs?: number): void {
    this.#lastId += 1;
    const entry: OpenEntry = {
      ...record,
      id: this.#lastId,
      atMs,
      recordedMs,
      verdict: signal<FeedVerdict | undefined>(undefined),
      moved: signal<JsonObject | undefined>(undefined),
      isRaw,
    };
    this.#entries.unshift(entry);
    if (isRaw && record.sender === "client") this.#pending.push(entry);
    const isSame = ({ sender }: WireEntry): boolean => sender === record.sender;
    this.#counts[record.sender] += 1;
    if (this.#counts[record.sender] > MAX_ENTRIES) {
      this.#counts[record.sender] -= 1;
      this.#entries.splice(this.#entries.findLastIndex(isSame), 1);
    }
    this.#showSoon();
  }

  /** The newest entry of the same message that came by the other way. */
  #twin({ sender, player, payload }: WireRecord, isRaw: boolean): OpenEntry | undefined {
    const sinceMs = this.#clock.now() - SAME_WITHIN_MS;
    // A recording brings a thousand messages in that time: looking through them for each took a tenth of the page's time.
    if (!isRaw && this.#readMs < sinceMs) return undefined;
    for (const entry of this.#entries) {
      if (entry.atMs < sinceMs) return undefined;
      const isOther = entry.isRaw === isRaw && (isRaw || entry.reading !== undefined);
      if (!isOther || entry.sender !== sender || entry.player !== player) continue;
      if (isEqual(entry.payload, payload)) return entry;
    }
    return undefined;
  }

  #showSoon(): void {
    if (this.#showing) return;
    this.#showing = true;
    this.#clock.after(SHOW_EVERY_MS, () => {
      this.#showing = false;
      this.#shown.value = this.#entries.slice();
    });
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function plainHex(text: string): string {
  return text.replaceAll(/[\s:]/g, "").toLowerCase();
}
