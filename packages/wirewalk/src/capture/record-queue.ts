/**
 * Records in the order of the capture. What waits behind a gap, or while the protocol of a connection is found out, becomes a record
 * later than its packets came: until then the records behind it wait here.
 */
import type { CaptureRecord } from "./records.ts";

interface Waiting {
  readonly record: CaptureRecord;
  /** Its place among all records: those of one packet keep their order. */
  readonly order: number;
}

export class RecordQueue {
  readonly #take: (record: CaptureRecord) => void;
  /** A binary heap: each entry comes before the two below it. */
  #heap: Waiting[] = [];
  #pushed = 0;

  constructor(take: (record: CaptureRecord) => void) {
    this.#take = take;
  }

  /** Records that wait. */
  get length(): number {
    return this.#heap.length;
  }

  /** `isFirst` is true when nothing of an earlier packet can follow. */
  push(record: CaptureRecord, isFirst: boolean): void {
    if (isFirst && this.#heap.length === 0) {
      this.#take(record);
      return;
    }
    this.#heap.push({ record, order: this.#pushed++ });
    this.#rise(this.#heap.length - 1);
  }

  /** Passes on all records of packets before this one. */
  release(packet: number): void {
    for (let first = this.#heap[0]; first !== undefined && first.record.packet < packet; first = this.#heap[0]) {
      const last = this.#heap.pop();
      if (last !== undefined && this.#heap.length > 0) {
        this.#heap[0] = last;
        this.#sink();
      }
      this.#take(first.record);
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return first !== undefined;
    const difference = first.record.packet - second.record.packet;
    return difference === 0 ? first.order < second.order : difference < 0;
  }

  #swap(a: number, b: number): void {
    const kept = this.#heap[a] as Waiting;
    this.#heap[a] = this.#heap[b] as Waiting;
    this.#heap[b] = kept;
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = at * 2 + 1;
      const child = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(child, at) || child >= this.#heap.length) return;
      this.#swap(at, child);
      at = child;
    }
  }
}
