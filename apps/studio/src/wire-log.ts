/**
 * The last messages on the game's own socket, newest first, with what each did and what the rules said of it.
 */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { Clock } from "wirewalk/net";
import { formatHex } from "wirewalk/wire";
import type { WireRecord } from "./wire-record.ts";

/** Entries kept in each direction: a full room says in seconds what the one player here says in minutes. */
const MAX_ENTRIES = 200;

/** The list on the screen changes this often at most: faster, nobody can read or hit a line. */
const SHOW_EVERY_MS = 200;

/** A verdict follows its message within a round trip; later, equal bytes are another message. */
const VERDICT_WITHIN_MS = 10_000;

/** One message of the log. */
export interface WireEntry extends WireRecord {
  /** 1, 2, 3 …, in the order of arrival. */
  readonly id: number;
  /** Of the page's clock. */
  readonly atMs: number;
  /** The verdict on the message; undefined without one, as for most messages. */
  readonly verdict: ReadonlySignal<FeedVerdict | undefined>;
}

interface OpenEntry extends WireEntry {
  readonly verdict: Signal<FeedVerdict | undefined>;
}

/** The log. `shown` is what the page draws, refreshed a few times a second. */
export class WireLog {
  readonly #clock: Clock;
  readonly #shown = signal<readonly WireEntry[]>([]);
  #entries: OpenEntry[] = [];
  readonly #counts = { client: 0, server: 0 };
  #lastId = 0;
  #showing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get shown(): ReadonlySignal<readonly WireEntry[]> {
    return this.#shown;
  }

  add(record: WireRecord): void {
    this.#lastId += 1;
    this.#entries.unshift({
      ...record,
      id: this.#lastId,
      atMs: this.#clock.now(),
      verdict: signal<FeedVerdict | undefined>(undefined),
    });
    const isSame = ({ sender }: WireEntry): boolean => sender === record.sender;
    this.#counts[record.sender] += 1;
    if (this.#counts[record.sender] > MAX_ENTRIES) {
      this.#counts[record.sender] -= 1;
      this.#entries.splice(this.#entries.findLastIndex(isSame), 1);
    }
    this.#showSoon();
  }

  /**
   * Puts a verdict on the message it is about: the oldest one with these bytes that was sent lately and has none. Only
   * messages of our own can be known to be the ones that the verdict saw.
   */
  judge(verdict: FeedVerdict): void {
    const nowMs = this.#clock.now();
    const bytes = plainHex(verdict.message);
    const entry = this.#entries.findLast(
      (candidate) =>
        candidate.sender === "client" &&
        candidate.verdict.peek() === undefined &&
        nowMs - candidate.atMs <= VERDICT_WITHIN_MS &&
        formatHex(candidate.payload, { separator: "" }) === bytes,
    );
    if (entry !== undefined) entry.verdict.value = verdict;
  }

  /** The entry of these very bytes, not of equal ones; undefined when it is kept no more. */
  find(payload: Uint8Array): WireEntry | undefined {
    return this.#entries.find((entry) => entry.payload === payload);
  }

  clear(): void {
    this.#entries = [];
    this.#counts.client = 0;
    this.#counts.server = 0;
    this.#showSoon();
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

function plainHex(text: string): string {
  return text.replaceAll(/[\s:]/g, "").toLowerCase();
}
