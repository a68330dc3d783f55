/**
 * **Shared counts**: how many connections the threads of a server have together, by listener and by address, in shared memory behind one
 * lock, which is held for less than a microsecond for each connection that opens or closes.
 */
import type { PlaceCounts } from "../admission/places.ts";

/** Slots for addresses: six times the connections of the default budget, so that a search is short. */
const SLOTS = 65_536;
/** Slots that are searched for an address. Where all are taken by others it is not counted: that needs more connections than the budget has. */
const SEARCHED = 64;
/** Its owner and its count. */
const SLOT_WORDS = 2;
const LOCK = 0;
const FIRST_LISTENER = 1;
const LOCK_WAIT_MS = 1;

/** The memory for so many listeners; every thread makes its {@link SharedCounts} of it. */
export function sharedCountsMemory(listeners: number): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * (FIRST_LISTENER + listeners + SLOTS * SLOT_WORDS));
}

export class SharedCounts implements PlaceCounts {
  readonly listeners: readonly string[];
  readonly #words: Int32Array;
  readonly #uncounted: string | undefined;

  /**
   * `listeners` are those of all threads, in the same order everywhere. Connections of `uncounted` are not counted here: the main
   * thread has counted them.
   */
  constructor(memory: SharedArrayBuffer, listeners: readonly string[], uncounted?: string) {
    this.#words = new Int32Array(memory);
    this.listeners = listeners;
    this.#uncounted = uncounted;
  }

  ofListener(name: string): number {
    return Atomics.load(this.#words, this.#indexOf(name));
  }

  ofAddress(address: string): number {
    return this.#locked(() => this.#words[this.#slotOf(address) + 1] ?? 0);
  }

  add(listener: string, address: string, count: 1 | -1): void {
    if (listener === this.#uncounted) return;
    this.#locked((words) => {
      const index = this.#indexOf(listener);
      words[index] = (words[index] ?? 0) + count;
      const slot = this.#slotOf(address);
      if (slot < 0) return;
      const now = (words[slot + 1] ?? 0) + count;
      words[slot] = now > 0 ? hashOf(address) : 0;
      words[slot + 1] = Math.max(0, now);
    });
  }

  move(from: string, to: string): void {
    this.#locked((words) => {
      words[this.#indexOf(from)] = this.ofListener(from) - 1;
      words[this.#indexOf(to)] = this.ofListener(to) + 1;
    });
  }

  #indexOf(listener: string): number {
    const index = this.listeners.indexOf(listener);
    if (index === -1) throw new RangeError(`Unknown listener ${listener}`);
    return FIRST_LISTENER + index;
  }

  #locked<T>(work: (words: Int32Array) => T): T {
    const words = this.#words;
    while (Atomics.compareExchange(words, LOCK, 0, 1) !== 0) Atomics.wait(words, LOCK, 1, LOCK_WAIT_MS);
    try {
      return work(words);
    } finally {
      Atomics.store(words, LOCK, 0);
      Atomics.notify(words, LOCK, 1);
    }
  }

  /** The slot of an address, or a free one; negative when there is neither. */
  #slotOf(address: string): number {
    const hash = hashOf(address);
    const base = FIRST_LISTENER + this.listeners.length;
    let free = -1;
    for (let step = 0; step < SEARCHED; step += 1) {
      const slot = base + (((hash >>> 16) + step) % SLOTS) * SLOT_WORDS;
      const owner = this.#words[slot];
      if (owner === hash) return slot;
      if (owner === 0 && free < 0) free = slot;
    }
    return free;
  }
}

/** FNV-1a of 32 bits, mixed, never 0. Two addresses with one hash count as one: among 1,000 addresses that is 1 in 8,600. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0 || 1;
}
