/**
 * Holds a client's messages to one moment every 16 ms, without ever losing how it ended.
 *
 * ```ts
 * const debouncer = new MovementDebouncer();
 * debouncer.push({ direction: "leftPressAir" }, 0); // sent at once
 * debouncer.push({ direction: "leftReleaseAir" }, 5); // [], held back
 * debouncer.flush(17); // [{ direction: "leftReleaseAir" }]
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 7.4.
 */
import { directionRow } from "../wire/direction.ts";
import type { Outgoing } from "./keys.ts";

/** Milliseconds: one frame. */
export const defaultDebounceMs = 16;

const nothing: readonly Outgoing[] = [];

/**
 * The document's debouncer with a memory: a message that comes too early waits, and what waits is what the keys are
 * now. A press and a release of the same key that both wait cancel, since nobody has heard of either. Up is the
 * exception: its press is a jump the client has already made, so both wait. Landings keep the last one.
 */
export class MovementDebouncer {
  readonly #minIntervalMs: number;
  #lastSend = -Infinity;
  #pending: Outgoing[] = [];

  /** @param minIntervalMs milliseconds; sends are strictly more than this apart. */
  constructor(minIntervalMs: number = defaultDebounceMs) {
    this.#minIntervalMs = minIntervalMs;
  }

  /** As printed in the document: true, and `now` counts as a send, when strictly more than the interval has passed. */
  canSend(now: number): boolean {
    if (!this.#passed(now)) return false;
    this.#lastSend = now;
    return true;
  }

  /** Takes a message and returns, in order, what is to be sent at `now` (milliseconds): all that waits, or nothing yet. */
  push(message: Outgoing, now: number): readonly Outgoing[] {
    this.#wait(message);
    return this.flush(now);
  }

  /** Whether something waits and its time has come. */
  due(now: number): boolean {
    return this.#pending.length > 0 && this.#passed(now);
  }

  /** Returns what waits if its time has come, and counts it as sent. To be called every frame. */
  flush(now: number): readonly Outgoing[] {
    if (!this.due(now)) return nothing;
    this.#lastSend = now;
    const messages = this.#pending;
    this.#pending = [];
    return messages;
  }

  /** Drops what waits: room change, leave, disconnect (standard 5.4). */
  reset(): void {
    this.#pending = [];
  }

  #passed(now: number): boolean {
    return now - this.#lastSend > this.#minIntervalMs;
  }

  #wait(message: Outgoing): void {
    const { key } = directionRow(message.direction);
    if (key !== "up") {
      const index = this.#pending.findIndex((waiting) => directionRow(waiting.direction).key === key);
      if (index >= 0) {
        this.#pending.splice(index, 1);
        if (key !== undefined) return;
      }
    }
    this.#pending.push(message);
  }
}
