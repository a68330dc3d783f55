/** The last **batches** that an owner has sent: gateways that missed some ask for them again. */

/** For gateways that a broker was lost to for a minute; 100 times what one of them misses otherwise. */
const MAX_BATCHES = 20_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Batches of one answer: the gateway asks for the next when it has them. */
const MAX_AGAIN = 256;
/** What was sent again is on its way for so long: another gateway that asks for the same receives it too. */
const ON_ITS_WAY_MS = 100;

export interface SentBatch {
  readonly batch: number;
  readonly messages: readonly Uint8Array[];
}

export class SentBatches {
  #all: SentBatch[] = [];
  #bytes = 0;
  /** What was sent again last. */
  #again = { from: 0, to: 0, atMs: Number.NEGATIVE_INFINITY };

  /** The first batch that is kept; undefined without one. */
  get oldest(): number | undefined {
    return this.#all[0]?.batch;
  }

  add(batch: number, messages: readonly Uint8Array[]): void {
    this.#all.push({ batch, messages });
    this.#bytes += bytesOf(messages);
    if (this.#all.length <= MAX_BATCHES && this.#bytes <= MAX_BYTES) return;
    // In steps: moving the rest costs as much for one as for hundreds.
    for (const { messages: old } of this.#all.splice(0, Math.ceil(this.#all.length / 8))) this.#bytes -= bytesOf(old);
  }

  /**
   * The messages to send for a gateway that has missed the batches from `from` on. One that has just come (`isNew`) takes nothing before
   * its answer: what is on its way may be there too early.
   */
  again(from: number, nowMs: number, isNew = false): readonly Uint8Array[] {
    const isOnItsWay =
      !isNew && nowMs - this.#again.atMs < ON_ITS_WAY_MS && from >= this.#again.from && from < this.#again.to;
    const first = isOnItsWay ? this.#again.to : from;
    const begin = Math.max(0, first - (this.oldest ?? first));
    const chosen = this.#all.slice(begin, begin + MAX_AGAIN);
    const last = chosen.at(-1);
    if (last === undefined) return [];
    this.#again = { from: isOnItsWay ? this.#again.from : from, to: last.batch + 1, atMs: nowMs };
    return chosen.flatMap(({ messages }) => messages);
  }
}

function bytesOf(messages: readonly Uint8Array[]): number {
  return messages.reduce((all, { length }) => all + length, 0);
}
