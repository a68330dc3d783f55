/**
 * The mouse packet without its memory: header and records as they stand on the wire, read and written.
 *
 * ```ts
 * const packet = readMousePacket("client", parseHex("0000 5860"));
 * packet.records; // => [{ form: "small", dt: 5, x: 1, y: 0, outside: false, button: 0 }]
 * writeMousePacket("client", packet); // => parseHex("0000 5860")
 * ```
 *
 * Where positions and times of a whole session are wanted, `MouseTracker` adds the memory.
 */
import type { CompiledDialect } from "../../../../wire/compiled/index.ts";
import { countBytes, WireError } from "../../../../wire/index.ts";
import * as generated from "../../wire/generated/messages.ts";
import { CYCLE_MS, type MouseDialect, type MouseRules, mouseRules } from "./dialect.ts";
import {
  FIRST_DT,
  HEADER_BYTES,
  MAX_PAYLOAD_BYTES,
  type MouseForm,
  type MousePacket,
  type MouseRecord,
  recordSizes,
} from "./packet-description.ts";

/** What is generated of a dialect, the number of this message, and the reader of one record into an object that is there. */
interface Compiled {
  readonly messages: CompiledDialect;
  readonly id: number;
  readonly readRecord: typeof generated.clientRows.records;
}

// Not before a packet is read: the program that generates the readers loads this file without them.
let compiled: Readonly<Record<MouseDialect, Compiled>> | undefined;

function compiledOf(dialect: string): Compiled {
  compiled ??= {
    client: compiledIn(generated.client, generated.clientRows),
    native: compiledIn(generated.native, generated.nativeRows),
    documented: compiledIn(generated.documented, generated.documentedRows),
  };
  return compiled[mouseRules(dialect).name];
}

function compiledIn(messages: CompiledDialect, rows: { readonly records: Compiled["readRecord"] }): Compiled {
  return { messages, id: messages.ids.client.mouseMove as number, readRecord: rows.records };
}

/** The forms in the order of their numbers in a row. */
const forms: readonly MouseForm[] = ["small", "medium", "largeQuick", "full"];

/**
 * Reads a payload record by record and allocates nothing for it: the fields are those of the record that `next` has
 * just read. A record that is cut or has no form ends the packet; `cutBytes` and `refusal` say so.
 *
 * ```ts
 * const cursor = new MouseCursor("client");
 * cursor.open(parseHex("0000 5860 3820"));
 * let cycles = 0;
 * while (cursor.next()) cycles += cursor.dt;
 * cycles; // => 8
 * ```
 */
export class MouseCursor {
  /** Of the packet that is open: see `MousePacket`. */
  average = 0;
  excess = 0;
  readonly rules: MouseRules;
  readonly #readRecord: Compiled["readRecord"];
  /** How far a byte of the header is shifted there and back: it is signed in some dialects. */
  readonly #signShift: number;
  /** Bytes of a record by its first byte; 0 where no record begins so. */
  readonly #sizes: Uint8Array;
  readonly #row: generated.RecordValueRow = { form: 0, dt: 0, x: 0, y: 0, outside: false, button: 0 };
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(dialect: string) {
    this.rules = mouseRules(dialect);
    this.#readRecord = compiledOf(dialect).readRecord;
    this.#signShift = this.rules.header === "residue" ? 24 : 0;
    this.#sizes = recordSizes(this.rules);
  }

  /**
   * Begins a payload and reads its header. `start` is where it begins in the bytes: after an opcode. Throws `WireError`:
   * `truncated` without a header, `limit` when too long.
   */
  open(payload: Uint8Array, start = 0): void {
    const end = payload.length;
    if (end - start < HEADER_BYTES || end - start > MAX_PAYLOAD_BYTES) refuseLength(this.rules, payload, start);
    const shift = this.#signShift;
    this.average = ((payload[start] as number) << shift) >> shift;
    this.excess = ((payload[start + 1] as number) << shift) >> shift;
    this.#bytes = payload;
    this.#at = start + HEADER_BYTES;
    this.#end = end;
  }

  get form(): MouseForm {
    return forms[this.#row.form] as MouseForm;
  }

  /** See `MouseRecord.dt`. */
  get dt(): number {
    return this.#row.dt;
  }

  get x(): number {
    return this.#row.x;
  }

  get y(): number {
    return this.#row.y;
  }

  /** See `MouseRecord.outside`. */
  get outside(): boolean {
    return this.#row.outside;
  }

  get button(): number {
    return this.#row.button;
  }

  /** Where the next record begins. */
  get offset(): number {
    return this.#at;
  }

  /** After the last record: how many bytes are left that are not a record. */
  get cutBytes(): number {
    return this.#end - this.#at;
  }

  /** Passes over the next record without reading it; false where `next` would be. */
  skip(): boolean {
    const at = this.#at;
    if (at >= this.#end) return false;
    const size = this.#sizes[this.#bytes[at] as number] as number;
    if (size === 0 || at + size > this.#end) return false;
    this.#at = at + size;
    return true;
  }

  /** Reads the next record; false at the end and before a record that is cut off. */
  next(): boolean {
    const at = this.#at;
    if (at >= this.#end) return false;
    const after = this.#readRecord(this.#bytes, at, this.#end, this.#row);
    if (after === undefined) return false;
    this.#at = after;
    return true;
  }

  /** Why the rest of the packet is not a record. `index` is that of the record. Undefined when all has been read. */
  refusal(index: number): WireError | undefined {
    return this.#at < this.#end
      ? recordRefusal(this.rules, this.#bytes.subarray(0, this.#end), this.#at, index)
      : undefined;
  }
}

/** Apart from `open`, which so stays small enough to be inlined. The reader of the whole body refuses the payload. */
function refuseLength({ name }: MouseRules, payload: Uint8Array, start: number): void {
  const { messages, id } = compiledOf(name);
  messages.read("client", payload, id, start);
}

/** Why the bytes from `at` to the end are not a record. */
export function recordRefusal(rules: MouseRules, bytes: Uint8Array, at: number, index: number): WireError {
  const first = bytes[at] as number;
  const size = recordSizes(rules)[first] as number;
  if (size === 0) {
    const path = `records[${index}].form`;
    const why = `a record beginning with ${first.toString(16)} has no form, at byte ${at}`;
    return new WireError("unknown-variant", `Cannot read ${path}: ${why}`, at * 8, path);
  }
  const path = `records[${index}]`;
  const why = `${countBytes(size)} needed, ${bytes.length - at} left at byte ${at}`;
  return new WireError("truncated", `Cannot read ${path}: ${why}`, at * 8, path);
}

/** How a packet is read. */
export interface MouseReadOptions {
  /** Whether a last record that is cut or has no form refuses the packet. Default false: it ends the packet. */
  readonly strict?: boolean;
  /** Where the packet begins in the bytes: after an opcode. Default 0. */
  readonly start?: number;
}

/**
 * A payload as an object. Throws `WireError`: `truncated` without a header or, strict, for a cut record; `unknown-variant`,
 * strict, for a record that begins with A0-BF; `limit` over 255 bytes. Throws `RangeError` for an unknown dialect.
 */
export function readMousePacket(dialect: string, payload: Uint8Array, options: MouseReadOptions = {}): MousePacket {
  const { messages, id } = compiledOf(dialect);
  const { start = 0 } = options;
  const packet = messages.read("client", payload, id, start).value as MousePacket;
  const { records, cut } = packet;
  if (options.strict && cut.length > 0) {
    throw recordRefusal(mouseRules(dialect), payload, payload.length - cut.length, records.length);
  }
  return packet;
}

/**
 * Milliseconds that a packet of `client` or `native` covers, from the record before it to its last one: exact, but for
 * pauses of 163.84 s and more. Cycles of a `documented` one: its time window.
 */
export function packetSpan(rules: MouseRules, packet: Pick<MousePacket, "average" | "excess" | "records">): number {
  const { average, excess, records } = packet;
  const header = average * records.length + excess;
  if (rules.header === "window") return header;
  let cycles = 0;
  for (const [index, record] of records.entries()) {
    if (!isFirstOfProcess(record, index)) cycles += record.dt;
  }
  return CYCLE_MS * cycles + header;
}

/**
 * Whether a record of `client` or `native` began its client's process: then it has no time. Such a record begins its
 * packet; a pause of exactly 8191 cycles looks the same.
 */
export function isFirstOfProcess(record: Pick<MouseRecord, "form" | "dt">, index: number): boolean {
  return index === 0 && record.form === "full" && record.dt === FIRST_DT;
}

/**
 * The payload of a packet: the reverse of `readMousePacket`, bit for bit, but for two bits of a `documented` small record
 * that its reader ignores. Throws `RangeError` or `TypeError` that names the field which does not fit, and for an
 * unknown dialect.
 */
export function writeMousePacket(dialect: string, packet: MousePacket): Uint8Array<ArrayBuffer> {
  return compiledOf(dialect).messages.write("client", { message: "mouseMove", value: packet }, 0);
}
