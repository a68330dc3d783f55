/** What is looked at: somebody, whose newest packet then is shown, or one packet of somebody. Pure. */
import type { Actor } from "./actor.ts";
import type { Batch } from "./batch.ts";
import type { Place } from "./time-line.ts";

/** A packet that is looked at; it is kept though it is gone from the time line. */
export interface LookedAt extends Place {
  readonly of: Batch;
}

export class Looking {
  readonly #find: (key: string) => Actor | undefined;
  #selected: string | undefined;
  #pinned: LookedAt | undefined;
  #hovered: LookedAt | undefined;

  constructor(find: (key: string) => Actor | undefined) {
    this.#find = find;
  }

  /** Somebody who was chosen. */
  get selected(): string | undefined {
    return this.#selected;
  }

  /** The packet under the pointer, else the one that was clicked. */
  get at(): LookedAt | undefined {
    return this.#hovered ?? this.#pinned;
  }

  /** Whose packets are shown in detail. */
  has(key: string): boolean {
    return key === this.#selected || key === this.#hovered?.key;
  }

  isPinned({ key }: Actor, { number }: Batch): boolean {
    return key === this.#pinned?.key && number === this.#pinned.batch;
  }

  get isHovering(): boolean {
    return this.#hovered !== undefined;
  }

  /** Somebody is chosen, or nobody. */
  choose(key: string | undefined): void {
    this.#selected = key;
    this.#pinned = undefined;
  }

  pin(place: Place): void {
    this.#selected = place.key;
    this.#pinned = this.#look(place);
  }

  /** The pointer is over a packet; undefined: over none. */
  hover(place: Place | undefined): void {
    this.#hovered = place === undefined ? undefined : this.#look(place);
  }

  #look(place: Place): LookedAt | undefined {
    const batch = this.#find(place.key)?.batches.find(({ number }) => number === place.batch);
    return batch === undefined ? undefined : { ...place, of: batch };
  }
}
