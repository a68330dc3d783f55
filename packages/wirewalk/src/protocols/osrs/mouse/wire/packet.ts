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
import { ByteWriter, countBytes, WireError, withPath } from "../../../../wire/index.ts";
import { CYCLE_MS, type MouseRules, mouseRules } from "./dialect.ts";
import {
  FIRST_DT,
  HEADER_BYTES,
  MAX_PAYLOAD_BYTES,
  type MouseForm,
  type MousePacket,
  type MouseRecord,
  QUICK_CYCLES,
  recordSizes,
  SMALL_CYCLES,
} from "./packet-description.ts";

/**
 * One class with all fields: everything that looks at records stays monomorphic. The fields are only declared, since
 * class fields would be written twice (36 ns a record, 11 so).
 */
class Row implements MouseRecord {
  declare readonly form: MouseForm;
  declare readonly dt: number;
  declare readonly x: number;
  declare readonly y: number;
  declare readonly outside: boolean;
  declare readonly button: number;

  constructor(form: MouseForm, dt: number, x: number, y: number, outside: boolean, button: number) {
    this.form = form;
    this.dt = dt;
    this.x = x;
    this.y = y;
    this.outside = outside;
    this.button = button;
  }
}

/** The end of a sound packet, once for all of them. */
const noBytes = new Uint8Array();

const SMALL = 0;
const MEDIUM = 1;
const LARGE_QUICK = 2;
const FULL = 3;
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
  dt = 0;
  x = 0;
  y = 0;
  button = 0;
  /** Of the packet that is open: see `MousePacket`. */
  average = 0;
  excess = 0;
  readonly rules: MouseRules;
  readonly #smallMask: number;
  readonly #smallBias: number;
  readonly #absolute: boolean;
  readonly #signed: boolean;
  readonly #buttonBytes: number;
  /** Bytes of a record by its first byte; 0 where no record begins so. */
  readonly #sizes: Uint8Array;
  /** Place of the form in `forms`: writing the names themselves here cost 6.0 ns a record instead of 3.6. */
  #form = 0;
  #outside = false;
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;

  /** Throws `RangeError` for an unknown dialect. */
  constructor(dialect: string) {
    this.rules = mouseRules(dialect);
    this.#smallMask = this.rules.smallMask;
    this.#smallBias = this.rules.smallBias;
    this.#absolute = this.rules.absolute;
    this.#signed = this.rules.header === "residue";
    this.#buttonBytes = this.rules.buttons ? 1 : 0;
    this.#sizes = recordSizes(this.rules);
  }

  /**
   * Begins a payload and reads its header. `start` is where it begins in the bytes: after an opcode. Throws `WireError`:
   * `truncated` without a header, `limit` when too long.
   */
  open(payload: Uint8Array, start = 0): void {
    const end = payload.length;
    if (end - start < HEADER_BYTES || end - start > MAX_PAYLOAD_BYTES) refuseLength(start, end);
    const average = payload[start] as number;
    const excess = payload[start + 1] as number;
    this.average = this.#signed ? (average << 24) >> 24 : average;
    this.excess = this.#signed ? (excess << 24) >> 24 : excess;
    this.#bytes = payload;
    this.#at = start + HEADER_BYTES;
    this.#end = end;
  }

  get form(): MouseForm {
    return forms[this.#form] as MouseForm;
  }

  /** See `MouseRecord.outside`. */
  get outside(): boolean {
    return this.#outside;
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
    const bytes = this.#bytes;
    const at = this.#at;
    if (at >= this.#end) return false;
    const first = bytes[at] as number;
    // Small: time 3 bits, then x and y, 5 or 6 bits each, in two groups of 6.
    if (first < 0x80) {
      const next = at + 2 + this.#buttonBytes;
      if (next > this.#end) return false;
      const packed = (first << 8) | (bytes[at + 1] as number);
      this.#form = SMALL;
      this.dt = first >> 4;
      this.x = ((packed >> 6) & this.#smallMask) - this.#smallBias;
      this.y = (packed & this.#smallMask) - this.#smallBias;
      this.#outside = false;
      if (this.#buttonBytes !== 0) this.button = bytes[at + 2] as number;
      this.#at = next;
      return true;
    }
    // Medium: time 5 bits, x and y a byte each.
    if (first < 0xa0) {
      const next = at + 3 + this.#buttonBytes;
      if (next > this.#end) return false;
      this.#form = MEDIUM;
      this.dt = first & 0x1f;
      this.x = (bytes[at + 1] as number) - 128;
      this.y = (bytes[at + 2] as number) - 128;
      this.#outside = false;
      if (this.#buttonBytes !== 0) this.button = bytes[at + 3] as number;
      this.#at = next;
      return true;
    }
    // Nobody writes A0-BF. The document's sample takes them for small.
    return first >= 0xc0 && this.#nextLarge(first, at);
  }

  /** Large quick and full: time 5 or 13 bits, then y and x, 16 bits each. */
  #nextLarge(first: number, at: number): boolean {
    const bytes = this.#bytes;
    const isFull = first >= 0xe0;
    const place = isFull ? at + 2 : at + 1;
    const next = place + 4 + this.#buttonBytes;
    if (next > this.#end) return false;
    this.#form = isFull ? FULL : LARGE_QUICK;
    this.dt = isFull ? ((first & 0x1f) << 8) | (bytes[at + 1] as number) : first & 0x1f;
    const y = ((bytes[place] as number) << 8) | (bytes[place + 1] as number);
    const x = ((bytes[place + 2] as number) << 8) | (bytes[place + 3] as number);
    // QUIRK: (0,32768), and in `documented` the offset (0,-32768), is the outside mark and cannot be sent.
    this.#outside = x === 0 && y === 0x8000;
    if (this.#outside) {
      this.x = -1;
      this.y = -1;
    } else {
      this.x = this.#absolute ? x : (x << 16) >> 16;
      this.y = this.#absolute ? y : (y << 16) >> 16;
    }
    if (this.#buttonBytes !== 0) this.button = bytes[place + 4] as number;
    this.#at = next;
    return true;
  }

  /** Why the rest of the packet is not a record. `index` is that of the record. Undefined when all has been read. */
  refusal(index: number): WireError | undefined {
    const at = this.#at;
    const left = this.#end - at;
    if (left <= 0) return undefined;
    const first = this.#bytes[at] as number;
    const size = this.#sizes[first] as number;
    if (size === 0) {
      const path = `records[${index}].form`;
      const why = `a record beginning with ${first.toString(16)} has no form, at byte ${at}`;
      return new WireError("unknown-variant", `Cannot read ${path}: ${why}`, at * 8, path);
    }
    const path = `records[${index}]`;
    const why = `${countBytes(size)} needed, ${left} left at byte ${at}`;
    return new WireError("truncated", `Cannot read ${path}: ${why}`, at * 8, path);
  }
}

/** Apart from `open`, which so stays small enough to be inlined. */
function refuseLength(start: number, end: number): never {
  const length = end - start;
  if (length > MAX_PAYLOAD_BYTES) {
    const why = `${countBytes(length)} are over its limit of ${MAX_PAYLOAD_BYTES}`;
    throw new WireError("limit", `Cannot read payload: ${why}`, start * 8, "payload");
  }
  const name = length === 0 ? "average" : "excess";
  const why = `1 byte needed, 0 left at byte ${end}`;
  throw new WireError("truncated", `Cannot read ${name}: ${why}`, end * 8, name);
}

/** How a packet is read. */
export interface MouseReadOptions {
  /** Whether a last record that is cut or has no form refuses the packet. Default false: it ends the packet. */
  readonly strict?: boolean;
  /** Where the packet begins in the bytes: after an opcode. Default 0. */
  readonly start?: number;
}

const cursors = new Map<string, MouseCursor>();

function cursorOf(dialect: string): MouseCursor {
  let cursor = cursors.get(dialect);
  if (cursor === undefined) {
    cursor = new MouseCursor(dialect);
    cursors.set(dialect, cursor);
  }
  return cursor;
}

/**
 * A payload as an object. Throws `WireError`: `truncated` without a header or, strict, for a cut record; `unknown-variant`,
 * strict, for a record that begins with A0-BF; `limit` over 255 bytes. Throws `RangeError` for an unknown dialect.
 */
export function readMousePacket(dialect: string, payload: Uint8Array, options: MouseReadOptions = {}): MousePacket {
  const cursor = cursorOf(dialect);
  cursor.open(payload, options.start);
  const { average, excess } = cursor;
  const records: MouseRecord[] = [];
  while (cursor.next()) {
    records.push(new Row(cursor.form, cursor.dt, cursor.x, cursor.y, cursor.outside, cursor.button));
  }
  const isCut = cursor.cutBytes > 0;
  if (isCut && options.strict) throw cursor.refusal(records.length);
  return { average, excess, records, cut: isCut ? payload.slice(cursor.offset) : noBytes };
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

const sharedWriter = new ByteWriter(MAX_PAYLOAD_BYTES, MAX_PAYLOAD_BYTES);

/**
 * The payload of a packet: the reverse of `readMousePacket`, bit for bit, but for two bits of a `documented` small record
 * that its reader ignores. Throws `RangeError` or `TypeError` that names the field which does not fit, and for an
 * unknown dialect.
 */
export function writeMousePacket(dialect: string, packet: MousePacket): Uint8Array<ArrayBuffer> {
  const rules = mouseRules(dialect);
  const writer = sharedWriter;
  writer.reset();
  const signed = rules.header === "residue";
  // The place is put together only for an error: functions that name each field's took more than half of the time.
  let name = "average";
  let index = -1;
  try {
    if (signed) writer.i8(packet.average);
    else writer.u8(packet.average);
    name = "excess";
    if (signed) writer.i8(packet.excess);
    else writer.u8(packet.excess);
    name = "records";
    const { records } = packet;
    if (!Array.isArray(records)) throw new TypeError(`value must be an array, got ${String(records)}`);
    const count = records.length;
    for (index = 0; index < count; index++) writeRecord(writer, rules, records[index] as MouseRecord);
    name = "cut";
    index = -1;
    writer.bytes(packet.cut);
  } catch (error) {
    throw withPath(index < 0 ? error : withPath(error, `[${index}]`), name);
  }
  return writer.toBytes();
}

function checkInteger(name: string, value: number, low: number, high: number): void {
  if (typeof value !== "number") throw withPath(new TypeError(`value must be a number, got ${value}`), name);
  if (!(Number.isInteger(value) && value >= low && value <= high)) {
    throw withPath(new RangeError(`value must be an integer in ${low}..${high}, got ${value}`), name);
  }
}

function checkPlace({ x, y }: MouseRecord, low: number, high: number): void {
  checkInteger("x", x, low, high);
  checkInteger("y", y, low, high);
}

function writeRecord(writer: ByteWriter, rules: MouseRules, record: MouseRecord): void {
  const { form, dt, x, y, outside, button } = record;
  if (typeof outside !== "boolean") throw withPath(new TypeError(`value must be true or false`), "outside");
  if (outside && !((form === "largeQuick" || form === "full") && x === -1 && y === -1)) {
    throw withPath(new RangeError("only a large record at (-1,-1) is outside"), "outside");
  }
  checkInteger("button", button, 0, rules.buttons ? 0xff : 0);
  switch (form) {
    case "small": {
      const { smallMask, smallBias } = rules;
      checkInteger("dt", dt, 0, SMALL_CYCLES - 1);
      checkPlace(record, -smallBias, smallMask - smallBias);
      writer.u16be((dt << 12) | ((x + smallBias) << 6) | (y + smallBias));
      break;
    }
    case "medium":
      checkInteger("dt", dt, 0, QUICK_CYCLES - 1);
      checkPlace(record, -128, 127);
      writer.u8(0x80 | dt);
      writer.u8(x + 128);
      writer.u8(y + 128);
      break;
    case "largeQuick":
    case "full":
      checkInteger("dt", dt, 0, form === "full" ? FIRST_DT : QUICK_CYCLES - 1);
      if (!outside) checkPlace(record, rules.absolute ? 0 : -0x8000, rules.absolute ? 0xffff : 0x7fff);
      if (x === 0 && (y & 0xffff) === 0x8000) {
        throw withPath(new RangeError(`${y} with x = 0 would read as outside the window`), "y");
      }
      if (form === "full") writer.u16be(0xe000 | dt);
      else writer.u8(0xc0 | dt);
      writer.u32be(outside ? 0x8000_0000 : (((y & 0xffff) << 16) | (x & 0xffff)) >>> 0);
      break;
    default:
      throw withPath(
        new RangeError(`value must be small, medium, largeQuick or full, got ${String(form satisfies never)}`),
        "form",
      );
  }
  if (rules.buttons) writer.u8(button);
}
