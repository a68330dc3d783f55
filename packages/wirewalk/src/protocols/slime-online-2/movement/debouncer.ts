/**
 * Limits a client to one send every 16 ms, without losing a release.
 *
 * ```ts
 * const debouncer = new MovementDebouncer();
 * debouncer.push({ direction: "leftPressAir" }, 0); // to be sent at once
 * debouncer.push({ direction: "leftReleaseAir" }, 5); // [], it waits
 * debouncer.flush(17); // [{ direction: "leftReleaseAir" }]
 * ```
 *
 * Source: docs/protocols/slime-online-2.md 7.4.
 */
import { directionRow } from "../wire/direction.ts";
import type { Outgoing } from "./keys.ts";

/** Milliseconds: one frame. */
export const defaultDebounceMs = 16;

/**
 * The document's debouncer with a memory: a message that comes too early waits until the interval has passed, so the
 * keys that the server ends with are the keys held. A press and a release of one key that both wait cancel each other,
 * since the server has received neither. Up is the exception: its press is a jump that the client has already made, so both are
 * sent. Of several landings the last one stays.
 *
 * `Message` may carry more than is sent, such as what a page logs.
 */
export class MovementDebouncer<Message extends Outgoing = Outgoing> {
  readonly #minIntervalMs: number;
  #lastSend = -Infinity;
  #waiting: Message[] = [];

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
  push(message: Message, now: number): readonly Message[] {
    this.#wait(message);
    return this.flush(now);
  }

  /** Whether a message waits. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether a message waits and the interval has passed. */
  due(now: number): boolean {
    return this.isWaiting && this.#passed(now);
  }

  /** What waits, if the interval has passed: it counts as sent. To be called every frame. */
  flush(now: number): readonly Message[] {
    return this.isWaiting && this.canSend(now) ? this.takeAll() : [];
  }

  /** What waits, whether the interval has passed or not: for the last messages before a client leaves. */
  takeAll(): readonly Message[] {
    const messages = this.#waiting;
    this.#waiting = [];
    return messages;
  }

  /** Drops what waits: room change, leave, disconnect (standard 5.4). */
  reset(): void {
    this.#waiting = [];
  }

  #passed(now: number): boolean {
    return now - this.#lastSend > this.#minIntervalMs;
  }

  #wait(message: Message): void {
    const { key } = directionRow(message.direction);
    if (key !== "up") {
      const index = this.#waiting.findIndex((waiting) => directionRow(waiting.direction).key === key);
      if (index >= 0) {
        this.#waiting.splice(index, 1);
        if (key !== undefined) return;
      }
    }
    this.#waiting.push(message);
  }
}
