/** Packets that are in the page already, as a source: pasted ones, and those of the live wire. Filtered at once: there are few. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type CaptureRecord, type Filter, parseFilter, recordFields } from "wirewalk/capture";
import type { Inspectable } from "../model/inspectable.ts";
import { cellsOf, defaultColumns } from "./columns.ts";
import type { PacketSource, Row, SourceStatus } from "./packet-source.ts";

/** A packet of the page. */
export interface MemoryPacket {
  readonly record: CaptureRecord;
  inspect(): Inspectable | undefined;
}

export interface MemorySourceOptions {
  readonly title: string;
  readonly packets: ReadonlySignal<readonly MemoryPacket[]>;
  /** In a sentence, for so many packets. */
  readonly text: (count: number) => string;
  readonly pause?: PacketSource["pause"];
}

export class MemorySource implements PacketSource {
  readonly title: string;
  readonly status: ReadonlySignal<SourceStatus>;
  readonly revision: ReadonlySignal<number>;
  readonly pause?: { readonly paused: ReadonlySignal<boolean>; toggle(): void };
  readonly #shown: ReadonlySignal<readonly MemoryPacket[]>;
  readonly #filter: Signal<Filter | undefined> = signal(undefined);
  readonly #columns = signal<readonly string[]>(defaultColumns);

  constructor({ title, packets, text, pause }: MemorySourceOptions) {
    this.title = title;
    if (pause !== undefined) this.pause = pause;
    this.#shown = computed(() => {
      const filter = this.#filter.value;
      const start = startOf(packets.value);
      return filter === undefined
        ? packets.value
        : packets.value.filter(({ record }) => filter(recordFields(record, start)));
    });
    this.status = computed(() => {
      const all = packets.value.length;
      return { rows: this.#shown.value.length, all, text: text(all), progress: undefined, failed: undefined };
    });
    let changes = 0;
    this.revision = computed(() => {
      // Read for their changes.
      void this.#shown.value;
      void this.#columns.value;
      changes += 1;
      return changes;
    });
  }

  row(index: number): Row | undefined {
    const packet = this.#shown.value[index];
    if (packet === undefined) return undefined;
    const { record } = packet;
    const cells = cellsOf(record, this.#columns.value, startOf(this.#shown.value));
    return { kind: record.kind, sender: record.direction, cells };
  }

  show(filter: string, columns: readonly string[]): void {
    this.#filter.value = filter === "" ? undefined : parseFilter(filter);
    this.#columns.value = columns;
  }

  async packet(index: number): Promise<Inspectable | undefined> {
    return this.#shown.peek()[index]?.inspect();
  }

  close(): void {}
}

/** The time of the earliest packet: the live wire has the newest first. */
function startOf(packets: readonly MemoryPacket[]): CaptureRecord["time"] {
  const [first, last] = [packets[0]?.record.time, packets.at(-1)?.record.time];
  if (first === undefined || last === undefined) return { seconds: 0, nanoseconds: 0 };
  return first.seconds < last.seconds || (first.seconds === last.seconds && first.nanoseconds < last.nanoseconds)
    ? first
    : last;
}
