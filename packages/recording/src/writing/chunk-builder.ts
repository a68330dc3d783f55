/**
 * One **chunk** that is being filled. Schemas and channels stand in each chunk in which they are used, so that a reader that
 * has lost other chunks reads it by itself.
 *
 * Messages and their index are written by hand: with `McapChunkBuilder`, which makes bigints and arrays for each message,
 * recording took 5 µs of processor time for each message of a client (500 players, Slime Online 2), so it takes 2.5.
 */
import { McapRecordBuilder, Opcode } from "@mcap/core";
import { GrowingBytes } from "../growing-bytes.ts";
import type { RecordingSchema } from "../profile.ts";

const texts = new TextEncoder();

/** Opcode u8, length u64. */
const RECORD_HEADER_BYTES = 9;
/** Channel u16, sequence u32, two times u64. */
const MESSAGE_HEADER_BYTES = 22;
/** Of an entry of the index: time u64, offset u64. */
const INDEX_ENTRY_BYTES = 16;
const START_BYTES = 1 << 16;

/** A channel of a file. */
export class FileChannel {
  readonly id: number;
  readonly schema: RecordingSchema | undefined;
  readonly topic: string;
  readonly encoding: string;
  readonly metadata: ReadonlyMap<string, string>;
  /** Records of its schema and of itself. */
  readonly #schemaRecord: Uint8Array | undefined;
  readonly #record: Uint8Array;
  /** The chunk that has its record, and its place there. */
  #chunk: ChunkBuilder | undefined;
  #slot = 0;

  constructor(options: Pick<FileChannel, "id" | "schema" | "topic" | "encoding" | "metadata">) {
    const { id, schema, topic, encoding, metadata } = options;
    this.id = id;
    this.schema = schema;
    this.topic = topic;
    this.encoding = encoding;
    this.metadata = metadata;
    this.#schemaRecord = schema === undefined ? undefined : schemaRecord(schema);
    const builder = new McapRecordBuilder();
    writeChannel(builder, this);
    this.#record = builder.buffer;
  }

  /** Its place in a chunk, which is given its records at the first use. */
  slotIn(chunk: ChunkBuilder): number {
    if (this.#chunk !== chunk || chunk.channels[this.#slot] !== this) {
      this.#chunk = chunk;
      this.#slot = chunk.begin(this, this.#schemaRecord, this.#record);
    }
    return this.#slot;
  }
}

export function writeSchema(builder: McapRecordBuilder, schema: RecordingSchema): void {
  builder.writeSchema({ ...schema, data: texts.encode(schema.text) });
}

export function writeChannel(
  builder: McapRecordBuilder,
  { id, schema, topic, encoding, metadata }: Omit<FileChannel, "slotIn">,
): void {
  builder.writeChannel({
    id,
    schemaId: schema?.id ?? 0,
    topic,
    messageEncoding: encoding,
    metadata: new Map(metadata),
  });
}

const schemaRecords = new Map<RecordingSchema, Uint8Array>();

function schemaRecord(schema: RecordingSchema): Uint8Array {
  let record = schemaRecords.get(schema);
  if (record === undefined) {
    const builder = new McapRecordBuilder();
    writeSchema(builder, schema);
    record = builder.buffer;
    schemaRecords.set(schema, record);
  }
  return record;
}

/** A time in nanoseconds since 1970 as two words. */
export interface WordTime {
  high: number;
  low: number;
}

const WORD = 2 ** 32;

/** Microseconds since 1970 as nanoseconds, without bigints: numbers hold 104 days of nanoseconds exactly. */
export function wordTime(us: number, into: WordTime): WordTime {
  const words = Math.floor(us / WORD);
  const lowNs = (us - words * WORD) * 1000;
  const carry = Math.floor(lowNs / WORD);
  into.high = words * 1000 + carry;
  into.low = lowNs - carry * WORD;
  return into;
}

const bigTime = ({ high, low }: WordTime): bigint => (BigInt(high) << 32n) | BigInt(low);

/** The index of a chunk: its records, and where in them that of each channel begins. */
export interface ChunkIndexRecords {
  readonly bytes: Uint8Array;
  readonly offsets: ReadonlyMap<number, number>;
}

export class ChunkBuilder {
  /** Those that are used in it. */
  readonly channels: FileChannel[] = [];
  /** Messages of each of them. */
  readonly counts: number[] = [];
  messages = 0;
  readonly #schemas = new Set<RecordingSchema>();
  readonly #out = new GrowingBytes(START_BYTES);
  readonly #start: WordTime = { high: 0, low: 0 };
  readonly #end: WordTime = { high: 0, low: 0 };

  get byteLength(): number {
    return this.#out.length;
  }

  /** Nanoseconds since 1970. */
  get startTime(): bigint {
    return bigTime(this.#start);
  }

  get endTime(): bigint {
    return bigTime(this.#end);
  }

  /** Its records, valid until `reset`. */
  get records(): Uint8Array {
    return this.#out.written;
  }

  /** Copies `data`. Times never decrease. */
  add(channel: FileChannel, sequence: number, { high, low }: WordTime, data: Uint8Array): void {
    const slot = channel.slotIn(this);
    this.counts[slot] = (this.counts[slot] ?? 0) + 1;
    const length = MESSAGE_HEADER_BYTES + data.length;
    this.#out.reserve(RECORD_HEADER_BYTES + length);
    const view = this.#out.view;
    let at = this.#out.length;
    this.#out.bytes[at] = Opcode.MESSAGE;
    view.setUint32(at + 1, length, true);
    view.setUint32(at + 5, 0, true);
    at += RECORD_HEADER_BYTES;
    view.setUint16(at, channel.id, true);
    view.setUint32(at + 2, sequence, true);
    view.setUint32(at + 6, low, true);
    view.setUint32(at + 10, high, true);
    view.setUint32(at + 14, low, true);
    view.setUint32(at + 18, high, true);
    this.#out.bytes.set(data, at + MESSAGE_HEADER_BYTES);
    this.#out.length = at + length;
    if (this.messages === 0) {
      this.#start.high = high;
      this.#start.low = low;
    }
    this.#end.high = high;
    this.#end.low = low;
    this.messages += 1;
  }

  /** A channel is used for the first time. */
  begin(channel: FileChannel, schema: Uint8Array | undefined, record: Uint8Array): number {
    if (schema !== undefined && channel.schema !== undefined && !this.#schemas.has(channel.schema)) {
      this.#schemas.add(channel.schema);
      this.#out.append(schema);
    }
    this.#out.append(record);
    return this.channels.push(channel) - 1;
  }

  /** Made by reading the chunk again, since nobody waits for it then. */
  index(): ChunkIndexRecords {
    const heads = RECORD_HEADER_BYTES + 6;
    const bytes = new Uint8Array(this.channels.length * heads + this.messages * INDEX_ENTRY_BYTES);
    const view = new DataView(bytes.buffer);
    const offsets = new Map<number, number>();
    const next = new Map<number, number>();
    let at = 0;
    for (const [slot, { id }] of this.channels.entries()) {
      const entries = (this.counts[slot] ?? 0) * INDEX_ENTRY_BYTES;
      offsets.set(id, at);
      bytes[at] = Opcode.MESSAGE_INDEX;
      view.setUint32(at + 1, 6 + entries, true);
      view.setUint16(at + RECORD_HEADER_BYTES, id, true);
      view.setUint32(at + RECORD_HEADER_BYTES + 2, entries, true);
      next.set(id, at + heads);
      at += heads + entries;
    }
    for (let offset = 0; offset < this.#out.length; ) {
      const content = offset + RECORD_HEADER_BYTES;
      if (this.#out.bytes[offset] === Opcode.MESSAGE) {
        const id = this.#out.view.getUint16(content, true);
        const entry = next.get(id) ?? 0;
        next.set(id, entry + INDEX_ENTRY_BYTES);
        bytes.set(this.#out.bytes.subarray(content + 6, content + 14), entry);
        view.setUint32(entry + 8, offset, true);
      }
      offset = content + this.#out.view.getUint32(offset + 1, true);
    }
    return { bytes, offsets };
  }

  reset(): void {
    this.channels.length = 0;
    this.counts.length = 0;
    this.#schemas.clear();
    this.messages = 0;
    this.#out.length = 0;
  }
}
