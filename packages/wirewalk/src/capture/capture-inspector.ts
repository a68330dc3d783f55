/**
 * Everything that a capture file holds of the games, as records in the order of the capture. Constant memory, whatever the size of the
 * file.
 *
 * ```ts
 * import { CaptureInspector, recordJson } from "wirewalk/capture";
 * import { protocols } from "wirewalk/protocols";
 *
 * const lines = [];
 * const inspector = new CaptureInspector({
 *   protocols: Object.values(protocols),
 *   sink: { record: (record) => lines.push(recordJson(record)), fault: () => {}, flow: () => {} },
 * });
 * for (const chunk of chunks) inspector.push(chunk);
 * inspector.end();
 * ```
 *
 * @module
 */
import { hasMembers, type Protocol, requireMembers, type StreamOptionValues } from "../protocols/index.ts";
import { CaptureReader } from "./file/capture-reader.ts";
import type { CapturedPacket, CaptureFault, CaptureTime } from "./file/packet.ts";
import { FlowReader, type FlowReaderOptions, type FlowReport } from "./flow-reader.ts";
import { type ConnectionLimits, Connections } from "./net/connections.ts";
import { readIp, TCP } from "./net/ip.ts";
import { IpFragments } from "./net/ip-fragments.ts";
import { ipStart, knowsLinkType } from "./net/link-layer.ts";
import type { Stamp } from "./net/stream-assembler.ts";
import { readTcp } from "./net/tcp-segment.ts";
import { RecordQueue } from "./record-queue.ts";
import type { CaptureRecord } from "./records.ts";
import type { PortMapping } from "./stream/candidates.ts";
import type { StreamOptions } from "./stream/payload-readers.ts";
import { ReaderMemory } from "./stream/reader-memory.ts";

/** Receives what is in a capture. */
export interface InspectorSink {
  record(record: CaptureRecord): void;
  /** A place of the file that cannot be read. */
  fault(fault: CaptureFault): void;
  /** What a connection was found to be, before its first record. */
  flow(flow: FlowReport): void;
}

export interface InspectorOptions {
  /** The games that are looked for. One without channels is not: nothing says where its packets begin. */
  readonly protocols: readonly Protocol[];
  readonly sink: InspectorSink;
  /** Ports, and what their connections are. A game without channels is refused with `MissingMemberError`. */
  readonly mappings?: readonly PortMapping[];
  /** Options of packet streams, by their names: `osrs/player-info`. */
  readonly streamOptions?: StreamOptions;
  /** Options of taps, by protocol. */
  readonly tapOptions?: Readonly<Record<string, StreamOptionValues>>;
  readonly limits?: ConnectionLimits;
}

/** What was seen, in numbers. */
export interface InspectorCounts {
  packets: number;
  /** Packets that are no IP, or no TCP. They are not read. */
  otherPackets: number;
  /** Packets of interfaces with a link type that is not known. */
  unknownLinks: number;
  /** Packets whose headers cannot be read. */
  malformed: number;
  connections: number;
  messages: number;
  refused: number;
  gaps: number;
  gapBytes: number;
}

/** Memory that all connections that are not known yet wait with. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** Records that wait for an earlier one. */
const MAX_WAITING_RECORDS = 2000;
/** Packets between two looks at what waits. */
const LOOK_EVERY = 256;

export class CaptureInspector {
  readonly #reader: CaptureReader;
  readonly #fragments = new IpFragments();
  readonly #connections: Connections;
  readonly #queue: RecordQueue;
  /** Connections that are not known yet. */
  readonly #unknown = new Set<FlowReader>();
  /** The time of the first packet. */
  start: CaptureTime = { seconds: 0, nanoseconds: 0 };
  #last: Stamp = { number: 0, time: { seconds: 0, nanoseconds: 0 } };
  readonly counts: InspectorCounts = {
    packets: 0,
    otherPackets: 0,
    unknownLinks: 0,
    malformed: 0,
    connections: 0,
    messages: 0,
    refused: 0,
    gaps: 0,
    gapBytes: 0,
  };

  constructor({ protocols, sink, mappings = [], streamOptions = {}, tapOptions = {}, limits }: InspectorOptions) {
    this.#queue = new RecordQueue((record) => sink.record(record));
    const options: FlowReaderOptions = {
      protocols: protocols.filter((protocol) => hasMembers(protocol, ["openChannel"])),
      mappings: mappings.map(checkedMapping),
      streamOptions,
      tapOptions,
      record: (record) => this.#record(record),
      flow: (flow) => sink.flow(flow),
      waiting: this.#unknown,
      trying: new Set(),
      memory: new ReaderMemory(),
    };
    this.#connections = new Connections((info) => {
      this.counts.connections += 1;
      return new FlowReader(info, options);
    }, limits);
    this.#reader = new CaptureReader({
      packet: (packet) => this.#packet(packet),
      fault: (fault) => sink.fault(fault),
    });
  }

  /** Bytes of the file that were read. */
  get offset(): number {
    return this.#reader.offset;
  }

  /** Datagrams of which fragments are missing. */
  get lostDatagrams(): number {
    return this.#fragments.lost + this.#fragments.waiting;
  }

  /** The next bytes of the file; they may be reused afterwards. Throws `WireError` for a file that is no capture. */
  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
  }

  /** The file ends here: what waits becomes records. Throws like `push`. */
  end(): void {
    this.#reader.end();
    this.#connections.finish(this.#last);
    this.#queue.release(Number.POSITIVE_INFINITY);
  }

  #packet({ number, time, linkType, data }: CapturedPacket): void {
    const { counts } = this;
    if (counts.packets === 0) this.start = time;
    counts.packets += 1;
    const stamp: Stamp = { number, time };
    this.#last = stamp;
    this.#segment(linkType, data, stamp);
    // Never while a connection is being read: what is decided here goes on reading connections, this one too.
    if (counts.packets % LOOK_EVERY === 0 || this.#queue.length > MAX_WAITING_RECORDS) this.#look();
  }

  #segment(linkType: number, data: Uint8Array, stamp: Stamp): void {
    const { counts } = this;
    const start = ipStart(linkType, data);
    if (typeof start !== "number") {
      if (start === "unknown-link" && !knowsLinkType(linkType)) counts.unknownLinks += 1;
      else counts.otherPackets += 1;
      return;
    }
    let packet = readIp(data, start);
    if (packet?.fragment !== undefined) {
      packet = this.#fragments.add({ ...packet, fragment: packet.fragment });
      if (packet === undefined) return;
    }
    if (packet === undefined) {
      counts.malformed += 1;
      return;
    }
    if (packet.protocol !== TCP) {
      counts.otherPackets += 1;
      return;
    }
    const segment = readTcp(packet.payload, packet.length);
    if (segment === undefined) counts.malformed += 1;
    else this.#connections.segment(packet, segment, stamp);
  }

  #record(record: CaptureRecord): void {
    const { counts } = this;
    if (record.kind === "message") counts.messages += 1;
    else if (record.kind === "refused") counts.refused += 1;
    else {
      counts.gaps += 1;
      counts.gapBytes += record.gap;
    }
    this.#queue.push(record, this.#unknown.size === 0 && !this.#connections.isHolding);
  }

  /** Passes on records that nothing earlier can precede, and decides what has waited for too long. */
  #look(): void {
    this.#connections.closeSilent(this.#last);
    let kept = 0;
    for (const flow of this.#unknown) kept += flow.keptBytes;
    for (const flow of this.#unknown) {
      if (kept <= MAX_KEPT_BYTES) break;
      kept -= flow.keptBytes;
      flow.decide(false);
    }
    let oldest = this.#oldest();
    this.#queue.release(oldest);
    while (this.#queue.length > MAX_WAITING_RECORDS) {
      this.#decideOldest(oldest);
      oldest = this.#oldest();
      this.#queue.release(oldest);
    }
  }

  #oldest(): number {
    let oldest = this.#connections.oldestHeld();
    for (const flow of this.#unknown) oldest = Math.min(oldest, flow.oldestKept);
    return Math.min(oldest, this.#last.number + 1);
  }

  #decideOldest(oldest: number): void {
    for (const flow of this.#unknown) {
      if (flow.oldestKept === oldest) {
        flow.decide(false);
        return;
      }
    }
    this.#connections.giveUpOldest(this.#last);
  }
}

function checkedMapping(mapping: PortMapping): PortMapping {
  requireMembers(mapping.protocol, ["openChannel"], "be read in a capture");
  return mapping;
}
