/**
 * The memory of packet readers that hold much, such as one of player info with its 2,047 players: bounded over all connections of a
 * capture. A reader that has been idle gives its place to a new one; while none has been, a new one finds no place.
 */

/** Bytes of all readers: 1,200 of player info. */
const MAX_BYTES = 110_000_000;
/** A reader is idle when the others were used so many times since. */
const IDLE_USES = 32_768;

/** Who holds a reader. */
export interface ReaderHolder {
  /** Drops the reader: what it knew is lost. */
  forget(): void;
}

export class ReaderMemory {
  readonly #holders = new Map<ReaderHolder, { readonly bytes: number; lastUse: number }>();
  #bytes = 0;
  #uses = 0;

  /** To be called before each use. False when there is no place. */
  use(holder: ReaderHolder, bytes: number): boolean {
    this.#uses += 1;
    const known = this.#holders.get(holder);
    if (known !== undefined) {
      known.lastUse = this.#uses;
      return true;
    }
    while (this.#bytes + bytes > MAX_BYTES) {
      if (!this.#evictIdle()) return false;
    }
    this.#holders.set(holder, { bytes, lastUse: this.#uses });
    this.#bytes += bytes;
    return true;
  }

  /** The holder has no reader any more. */
  release(holder: ReaderHolder): void {
    this.#bytes -= this.#holders.get(holder)?.bytes ?? 0;
    this.#holders.delete(holder);
  }

  #evictIdle(): boolean {
    for (const [holder, { lastUse }] of this.#holders) {
      if (this.#uses - lastUse < IDLE_USES) continue;
      this.release(holder);
      holder.forget();
      return true;
    }
    return false;
  }
}
