/** The selection: an actor, whose newest packet is then shown, or one packet of an actor. Pure. */
import type { Actor } from "../play/actor.ts";
import type { Batch } from "../play/batch.ts";
import type { Place } from "./time-line.ts";

/** A selected packet; it is kept after it has left the time line. */
export interface SelectedPacket extends Place {
  readonly of: Batch;
}

export class Selection {
  readonly #find: (key: string) => Actor | undefined;
  #selected: string | undefined;
  #pinned: SelectedPacket | undefined;
  #hovered: SelectedPacket | undefined;

  constructor(find: (key: string) => Actor | undefined) {
    this.#find = find;
  }

  /** The selected actor. */
  get selected(): string | undefined {
    return this.#selected;
  }

  /** The packet under the pointer, else the one that was clicked. */
  get at(): SelectedPacket | undefined {
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

  /** Selects an actor; undefined: none. */
  choose(key: string | undefined): void {
    this.#selected = key;
    this.#pinned = undefined;
  }

  pin(place: Place): void {
    this.#selected = place.key;
    this.#pinned = this.#packetAt(place);
  }

  /** The pointer is over a packet; undefined: over none. */
  hover(place: Place | undefined): void {
    this.#hovered = place === undefined ? undefined : this.#packetAt(place);
  }

  #packetAt(place: Place): SelectedPacket | undefined {
    const batch = this.#find(place.key)?.batches.find(({ number }) => number === place.batch);
    return batch === undefined ? undefined : { ...place, of: batch };
  }
}
