/**
 * The records of a capture in typed arrays: a million records take the bytes of their payloads and 40 bytes each. A message's value is read
 * again from its payload when it is asked for; it is kept only where it follows from packets before it too.
 */
import { type CaptureRecord, streamOf } from "wirewalk/capture";
import type { Protocol, Side } from "wirewalk/protocol";
import { type JsonValue, WireError, type WireErrorJson } from "wirewalk/wire";

/** Records of one list. Later ones are counted and not kept: their rows alone would take 40 MB more for each million. */
export const MAX_RECORDS = 4_000_000;

/** Bytes of payloads and values that are kept. Records beyond are counted and not kept. */
export const MAX_KEPT_BYTES = 1_000_000_000;

const CHUNK_BYTES = 4 * 1024 * 1024;
const FIRST_RECORDS = 4096;

const KINDS = ["message", "refused", "gap", "undescribed"] as const;

/** Bytes one after another, in pieces: growing one array would copy all of them. */
class ByteStore {
  readonly #chunks: Uint8Array[] = [];
  #used = CHUNK_BYTES;
  length = 0;

  /** Keeps a copy, and gives its place. */
  add(bytes: Uint8Array): number {
    let chunk = this.#chunks.at(-1);
    if (chunk === undefined || this.#used + bytes.length > chunk.length) {
      chunk = new Uint8Array(Math.max(CHUNK_BYTES, bytes.length));
      this.#chunks.push(chunk);
      this.#used = 0;
    }
    chunk.set(bytes, this.#used);
    // The number of the chunk and the place in it: places stay below 2^53 for 2 billion chunks.
    const place = (this.#chunks.length - 1) * CHUNK_BYTES + Math.min(this.#used, CHUNK_BYTES - 1);
    this.#used += bytes.length;
    this.length += bytes.length;
    return place;
  }

  at(place: number, length: number): Uint8Array {
    const chunk = this.#chunks[Math.floor(place / CHUNK_BYTES)];
    const start = place % CHUNK_BYTES;
    return chunk === undefined ? new Uint8Array() : chunk.subarray(start, start + length);
  }
}

/** Texts by number: flows, messages, protocols. */
class Names {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.length;
      this.#texts.push(text);
      this.#numbers.set(text, number);
    }
    return number;
  }

  text(number: number): string {
    return this.#texts[number] ?? "";
  }
}

/** What a record is beside its bytes. */
interface Meta {
  readonly kind: number;
  readonly direction: Side;
  readonly flow: string;
  readonly protocol: string | null;
  readonly dialect: string | null;
  readonly message: string;
}

export class RecordStore {
  readonly #protocols: ReadonlyMap<string, Protocol>;
  readonly #bytes = new ByteStore();
  readonly #values = new ByteStore();
  readonly #metas: Meta[] = [];
  readonly #metaNumbers = new Names();
  #capacity = 0;
  #seconds = new Float64Array(0);
  #nanoseconds = new Uint32Array(0);
  #packets = new Uint32Array(0);
  #meta = new Uint32Array(0);
  #places = new Float64Array(0);
  #lengths = new Uint32Array(0);
  readonly #errors = new Map<number, WireErrorJson>();
  readonly #valuePlaces = new Map<number, readonly [place: number, length: number]>();
  #count = 0;
  /** Records that were counted and not kept. */
  left = 0;

  /** Games by name. They may be replaced by others of the same name, with the settings of a file. */
  constructor(protocols: ReadonlyMap<string, Protocol>) {
    this.#protocols = protocols;
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes of payloads and values that are kept. */
  get keptBytes(): number {
    return this.#bytes.length + this.#values.length;
  }

  /** True when the record was kept. */
  add(record: CaptureRecord): boolean {
    if (this.#count >= MAX_RECORDS || this.keptBytes >= MAX_KEPT_BYTES) {
      this.left += 1;
      return false;
    }
    const index = this.#count;
    if (index === this.#capacity) this.#grow();
    this.#count += 1;
    const { time, packet, flow, direction, protocol, dialect } = record;
    this.#seconds[index] = time.seconds;
    this.#nanoseconds[index] = time.nanoseconds;
    this.#packets[index] = packet;
    const isUndescribed = record.kind === "message" && record.isUndescribed === true;
    const kind = KINDS.indexOf(isUndescribed ? "undescribed" : record.kind);
    const message = record.kind === "message" ? record.message : "";
    this.#meta[index] = this.#metaOf({ kind, direction, flow, protocol, dialect, message });
    if (record.kind === "gap") {
      this.#lengths[index] = record.gap;
      return true;
    }
    this.#places[index] = this.#bytes.add(record.payload);
    this.#lengths[index] = record.payload.length;
    if (record.kind === "refused") {
      const { code, message: text, bitOffset, path } = record.error;
      this.#errors.set(index, { code, message: text, bitOffset, path });
    } else if (!isUndescribed && this.#hasMemory(protocol, direction)) {
      const value = new TextEncoder().encode(JSON.stringify(record.value));
      this.#valuePlaces.set(index, [this.#values.add(value), value.length]);
    }
    return true;
  }

  /** A record as it was added. Without `withValue` a message's value is null, which costs no reading. */
  get(index: number, withValue: boolean): CaptureRecord {
    const meta = this.#metas[this.#meta[index] ?? 0] as Meta;
    const { direction, flow, protocol, dialect, message } = meta;
    const time = { seconds: this.#seconds[index] ?? 0, nanoseconds: this.#nanoseconds[index] ?? 0 };
    const base = { time, packet: this.#packets[index] ?? 0, flow, direction, protocol, dialect };
    const length = this.#lengths[index] ?? 0;
    const kind = KINDS[meta.kind];
    if (kind === "gap") return { kind, ...base, gap: length };
    const payload = this.#bytes.at(this.#places[index] ?? 0, length);
    if (kind === "refused") return { kind, ...base, error: this.#errorOf(index), payload };
    if (kind === "undescribed") return { kind: "message", ...base, message, value: null, isUndescribed: true, payload };
    const value = withValue ? this.#valueOf(index, meta, payload) : null;
    return { kind: "message", ...base, message, value, payload };
  }

  /** The records of the same direction of the same connection since its last gap, up to this one: the last `most` of them. */
  streamBefore(index: number, most: number): readonly number[] {
    const { flow, direction } = this.#metas[this.#meta[index] ?? 0] as Meta;
    const found: number[] = [];
    for (let at = index; at >= 0 && found.length < most; at--) {
      const meta = this.#metas[this.#meta[at] ?? 0] as Meta;
      if (meta.flow !== flow || meta.direction !== direction) continue;
      // Behind a gap the capture was read without the memory of what is before it.
      if (KINDS[meta.kind] === "gap") break;
      found.push(at);
    }
    return found.reverse();
  }

  #valueOf(index: number, { protocol, dialect, direction }: Meta, payload: Uint8Array): JsonValue {
    const kept = this.#valuePlaces.get(index);
    if (kept !== undefined) return JSON.parse(new TextDecoder().decode(this.#values.at(...kept))) as JsonValue;
    const codec = this.#protocols.get(String(protocol))?.codec(String(dialect));
    if (codec === undefined) return null;
    return (codec.toJson(direction, codec.read(direction, payload)).value ?? null) as JsonValue;
  }

  #errorOf(index: number): WireError {
    const { code, message, bitOffset, path } = this.#errors.get(index) as WireErrorJson;
    return new WireError(code, message, bitOffset, path);
  }

  /** A stream whose lines are not what the codec gives makes them with the memory of packets before. */
  #hasMemory(protocol: string | null, direction: Side): boolean {
    const known = this.#protocols.get(String(protocol));
    return known !== undefined && streamOf(known, direction)?.stream.lineSchemas !== undefined;
  }

  #metaOf(meta: Meta): number {
    const { kind, direction, flow, protocol, dialect, message } = meta;
    const number = this.#metaNumbers.numberOf([kind, direction, flow, protocol, dialect, message].join("\n"));
    if (number === this.#metas.length) this.#metas.push(meta);
    return number;
  }

  #grow(): void {
    this.#capacity = Math.min(MAX_RECORDS, Math.max(FIRST_RECORDS, this.#capacity * 2));
    const grown = <T extends Float64Array | Uint32Array>(old: T, bigger: T): T => {
      bigger.set(old);
      return bigger;
    };
    this.#seconds = grown(this.#seconds, new Float64Array(this.#capacity));
    this.#nanoseconds = grown(this.#nanoseconds, new Uint32Array(this.#capacity));
    this.#packets = grown(this.#packets, new Uint32Array(this.#capacity));
    this.#meta = grown(this.#meta, new Uint32Array(this.#capacity));
    this.#places = grown(this.#places, new Float64Array(this.#capacity));
    this.#lengths = grown(this.#lengths, new Uint32Array(this.#capacity));
  }
}
