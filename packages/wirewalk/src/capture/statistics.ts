/** How often, how large and how fast: statistics of a capture's messages, per kind of message and per player. */
import type { Protocol, Side } from "../protocols/index.ts";
import { type CaptureTime, secondsBetween } from "./file/packet.ts";
import type { CaptureRecord, MessageRecord } from "./records.ts";

/** What is counted of messages. */
export interface MessageCounts {
  readonly count: number;
  /** Of payloads. */
  readonly bytes: number;
  /** Messages per second, from the first to the last; 0 for less than a second. */
  readonly perSecond: number;
}

/** One kind of message. */
export interface MessageStatistics extends MessageCounts {
  readonly protocol: string;
  readonly dialect: string;
  readonly direction: Side;
  readonly message: string;
  /** Bits of each field per message, by its path; `[]` stands for the items of a list. Of the first messages of the kind. */
  readonly bitsPerField: Readonly<Record<string, number>>;
}

/** One player: a connection. */
export interface PlayerStatistics {
  readonly flow: string;
  readonly protocol: string | null;
  readonly dialect: string | null;
  readonly client: MessageCounts;
  readonly server: MessageCounts;
  readonly refused: number;
  readonly gapBytes: number;
}

/** Messages of a kind whose fields are measured: more say the same, and measuring costs several times what reading does. */
const MEASURED_MESSAGES = 1000;
/** Players that are counted one by one. Later ones are counted together. */
const MAX_PLAYERS = 20_000;
const OTHER_PLAYERS = "others";

class Counter {
  count = 0;
  bytes = 0;
  #first: CaptureTime | undefined;
  #last: CaptureTime | undefined;

  add(bytes: number, time: CaptureTime): void {
    this.count += 1;
    this.bytes += bytes;
    this.#first ??= time;
    this.#last = time;
  }

  get counts(): MessageCounts {
    const { count, bytes } = this;
    const seconds = this.#first === undefined || this.#last === undefined ? 0 : secondsBetween(this.#first, this.#last);
    return { count, bytes, perSecond: seconds >= 1 ? (count - 1) / seconds : 0 };
  }
}

interface Kind {
  readonly record: MessageRecord;
  readonly counter: Counter;
  measured: number;
  readonly bits: Map<string, number>;
}

interface Player {
  readonly protocol: string | null;
  readonly dialect: string | null;
  readonly client: Counter;
  readonly server: Counter;
  refused: number;
  gapBytes: number;
}

export class CaptureStatistics {
  readonly #protocols: ReadonlyMap<string, Protocol>;
  readonly #kinds = new Map<string, Kind>();
  readonly #players = new Map<string, Player>();

  constructor(protocols: readonly Protocol[]) {
    this.#protocols = new Map(protocols.map((protocol) => [protocol.name, protocol]));
  }

  add(record: CaptureRecord): void {
    const player = this.#playerOf(record);
    if (record.kind === "gap") player.gapBytes += record.gap;
    else if (record.kind === "refused") player.refused += 1;
    else {
      player[record.direction].add(record.payload.length, record.time);
      this.#addMessage(record);
    }
  }

  /** By protocol, dialect and direction, the most frequent first. */
  get messages(): readonly MessageStatistics[] {
    const statistics = [...this.#kinds.values()].map(({ record, counter, measured, bits }) => ({
      protocol: String(record.protocol),
      dialect: String(record.dialect),
      direction: record.direction,
      message: record.message,
      ...counter.counts,
      bitsPerField: Object.fromEntries([...bits].map(([path, sum]) => [path, sum / measured])),
    }));
    const group = ({ protocol, dialect, direction }: MessageStatistics): string =>
      `${protocol}/${dialect}/${direction}`;
    return statistics.sort((a, b) => group(a).localeCompare(group(b)) || b.count - a.count);
  }

  /** The players with the most bytes first. */
  get players(): readonly PlayerStatistics[] {
    const statistics = [...this.#players].map(([flow, { client, server, ...rest }]) => ({
      flow,
      ...rest,
      client: client.counts,
      server: server.counts,
    }));
    return statistics.sort((a, b) => b.client.bytes + b.server.bytes - a.client.bytes - a.server.bytes);
  }

  #addMessage(record: MessageRecord): void {
    const { protocol, dialect, direction, message, payload, time } = record;
    const key = `${protocol}/${dialect}/${direction}/${message}`;
    let kind = this.#kinds.get(key);
    if (kind === undefined) {
      kind = { record, counter: new Counter(), measured: 0, bits: new Map() };
      this.#kinds.set(key, kind);
    }
    kind.counter.add(payload.length, time);
    if (kind.measured < MEASURED_MESSAGES && record.isUndescribed !== true) this.#measure(kind, record);
  }

  #measure(kind: Kind, { protocol, dialect, direction, payload }: MessageRecord): void {
    const codec = this.#protocols.get(String(protocol))?.codec(String(dialect));
    if (codec === undefined) return;
    kind.measured += 1;
    const { fields, inner } = codec.trace(direction, payload);
    // A compressed block is there as its bytes, and again with what came out of it.
    for (const { path, bitLength } of [...fields, ...(inner?.fields ?? [])]) {
      const name = path.replaceAll(/\[\d+\]/g, "[]");
      kind.bits.set(name, (kind.bits.get(name) ?? 0) + bitLength);
    }
  }

  #playerOf({ flow, protocol, dialect }: CaptureRecord): Player {
    const name = this.#players.size < MAX_PLAYERS || this.#players.has(flow) ? flow : OTHER_PLAYERS;
    let player = this.#players.get(name);
    if (player === undefined) {
      player = { protocol, dialect, client: new Counter(), server: new Counter(), refused: 0, gapBytes: 0 };
      this.#players.set(name, player);
    }
    return player;
  }
}
