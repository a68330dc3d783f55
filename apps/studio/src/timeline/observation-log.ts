/**
 * What the game showed of the watched room, kept for the time line: views receive it live, and again when the time that is looked at
 * goes back.
 */
import type { FeedMessage } from "@wirewalk/server/feed";

export type FeedObservation = Extract<FeedMessage, { type: "observation" }>;

/** Receives an observation, and the page's time at which it came. */
export type Observer = (observation: FeedObservation, atMs: number) => void;

/** Observations kept at most. A crowd of MapleStory makes 60 a second. */
const MAX_KEPT = 4_000;
/** So many are dropped together: to drop one moves all others. */
const DROPPED_AT_ONCE = 500;

interface Kept {
  readonly observation: FeedObservation;
  readonly atMs: number;
  wasShown: boolean;
}

export class ObservationLog {
  readonly #observers = new Set<Observer>();
  #kept: Kept[] = [];
  /** How many of those that are kept the observers have received. */
  #shown = 0;
  #isRepeat = false;

  /** True while observers receive an observation that they have received before. */
  get isRepeat(): boolean {
    return this.#isRepeat;
  }

  /** Calls for every observation, until taken back. */
  listen(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** A new one, which is shown at once where the present is looked at. */
  add(observation: FeedObservation, atMs: number, isLive: boolean): void {
    this.#kept.push({ observation, atMs, wasShown: false });
    if (this.#kept.length > MAX_KEPT) {
      this.#kept.splice(0, DROPPED_AT_ONCE);
      this.#shown = Math.max(0, this.#shown - DROPPED_AT_ONCE);
    }
    if (isLive) this.showUntil(atMs);
  }

  /** Shows those that came until then and were not shown. */
  showUntil(atMs: number): void {
    for (let next = this.#kept[this.#shown]; next !== undefined && next.atMs <= atMs; next = this.#kept[this.#shown]) {
      this.#shown += 1;
      if (this.#observers.size === 0) continue;
      this.#isRepeat = next.wasShown;
      next.wasShown = true;
      for (const observer of this.#observers) observer(next.observation, next.atMs);
    }
    this.#isRepeat = false;
  }

  /** The observers have forgotten everything: shows all again until then. */
  showAgain(atMs: number): void {
    this.#shown = 0;
    this.showUntil(atMs);
  }

  clear(): void {
    this.#kept = [];
    this.#shown = 0;
  }
}
