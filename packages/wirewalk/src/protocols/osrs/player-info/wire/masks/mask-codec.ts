/**
 * Mask blocks as bytes, by the data of a revision.
 *
 * ```ts
 * const block = blockNamed(revision206, "faceAngle");
 * const bytes = new ByteArena();
 * writeBlock(block, { angle: 1024 }, bytes);
 * bytes.toBytes(); // => new Uint8Array([0x04, 0x80])
 * readBlock(block, new ByteReader(bytes.toBytes())); // => { angle: 1024 }
 * ```
 */
import { type ByteReader, WireError, withPath } from "../../../../../wire/index.ts";
import { cp1252Character, cp1252Code } from "../../../../../wire/windows-1252.ts";
import {
  type ByteOrder,
  type ByteTransform,
  type HeadBar,
  type Hit,
  MAX_STRING_LENGTH,
  type MaskBlock,
  type MaskField,
  type MaskFields,
  type MaskRevision,
  type MaskValue,
} from "./mask-revision.ts";

/** Bytes that are appended to, in memory that grows by doubling and is kept when emptied. */
export class ByteArena {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Makes room for so many more bytes. What was written may move: `bytes` is another array then. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** What was written, copied. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }
}

/** The block of that name. Throws `RangeError` when the revision has none. */
export function blockNamed(revision: MaskRevision, name: string): MaskBlock {
  const block = revision.blocks.find((each) => each.name === name);
  if (block === undefined) throw new RangeError(`Revision ${revision.name} has no mask block "${name}"`);
  return block;
}

/**
 * Appends a block. Throws `TypeError` or `RangeError` that names the field when the value does not fit, and appends
 * nothing then.
 */
export function writeBlock(block: MaskBlock, value: MaskFields, out: ByteArena): void {
  const before = out.length;
  try {
    for (const field of block.fields) {
      try {
        writeField(field, value[field.name], out);
      } catch (error) {
        throw withPath(withPath(error, field.name), block.name);
      }
    }
    for (const key in value) {
      if (!block.fields.some(({ name }) => name === key))
        throw new TypeError(`Cannot write ${block.name}.${key}: no such field`);
    }
  } catch (error) {
    out.length = before;
    throw error;
  }
}

/** Reads a block. Throws `WireError` when the bytes end, `limit` when a string is too long. */
export function readBlock(block: MaskBlock, reader: ByteReader): MaskFields {
  const value: Record<string, MaskValue> = {};
  for (const field of block.fields) value[field.name] = readField(field, reader);
  return value;
}

function writeField(field: MaskField, value: MaskValue | undefined, out: ByteArena): void {
  switch (field.type) {
    case "u8":
      out.byte(transformed(whole(value, 0, 0xff), field.transform));
      return;
    case "i8":
      out.byte(transformed(whole(value, -0x80, 0x7f), field.transform));
      return;
    case "u16":
      writeShort(whole(value, 0, 0xffff), field.order, out);
      return;
    case "i16":
      writeShort(whole(value, -0x8000, 0x7fff), field.order, out);
      return;
    case "i32": {
      const word = whole(value, -0x8000_0000, 0x7fff_ffff);
      for (let at = 0; at < 4; at++) out.byte(word >> (field.order === "LE" ? at * 8 : 24 - at * 8));
      return;
    }
    case "string":
      writeString(value, out);
      return;
    case "bytes": {
      if (!(value instanceof Uint8Array)) throw new TypeError(`it must be bytes, got ${typeof value}`);
      out.byte(transformed(whole(value.length, 0, 0xff), field.count));
      for (let at = 0; at < value.length; at++) out.byte(transformed(value[at] as number, field.transform));
      return;
    }
    case "hits":
      writeList(value, field.count, out, writeHit);
      return;
    case "headBars":
      writeList(value, field.count, out, (bar: HeadBar, bytes) => writeBar(bar, field.fill, bytes));
      return;
  }
}

function readField(field: MaskField, reader: ByteReader): MaskValue {
  switch (field.type) {
    case "u8":
      return untransformed(reader.u8(), field.transform);
    case "i8":
      return (untransformed(reader.u8(), field.transform) << 24) >> 24;
    case "u16":
      return readShort(field.order, reader);
    case "i16":
      return (readShort(field.order, reader) << 16) >> 16;
    case "i32":
      return field.order === "LE" ? reader.i32le() : reader.i32be();
    case "string":
      return readString(reader);
    case "bytes": {
      const bytes = reader.bytes(untransformed(reader.u8(), field.count));
      for (let at = 0; at < bytes.length; at++) bytes[at] = untransformed(bytes[at] as number, field.transform);
      return bytes;
    }
    case "hits":
      return readList(field.count, reader, readHit);
    case "headBars":
      return readList(field.count, reader, (from) => readBar(field.fill, from));
  }
}

/** The byte on the wire, in its low 8 bits. */
function transformed(value: number, transform: ByteTransform | undefined): number {
  switch (transform) {
    case undefined:
      return value;
    case "+128":
      return value + 128;
    case "neg":
      return -value;
    case "sub":
      return 128 - value;
  }
}

/** The value 0..255 of the byte on the wire. */
function untransformed(byte: number, transform: ByteTransform | undefined): number {
  switch (transform) {
    case undefined:
      return byte;
    case "+128":
      return (byte - 128) & 0xff;
    case "neg":
      return -byte & 0xff;
    case "sub":
      return (128 - byte) & 0xff;
  }
}

function writeShort(value: number, order: ByteOrder | undefined, out: ByteArena): void {
  const high = value >> 8;
  const low = order === "BE+" || order === "LE+" ? value + 128 : value;
  const lowFirst = order === "LE" || order === "LE+";
  out.byte(lowFirst ? low : high);
  out.byte(lowFirst ? high : low);
}

function readShort(order: ByteOrder | undefined, reader: ByteReader): number {
  const value = order === "LE" || order === "LE+" ? reader.u16le() : reader.u16be();
  return order === "BE+" || order === "LE+" ? (value & 0xff00) | ((value - 128) & 0xff) : value;
}

function writeString(value: MaskValue | undefined, out: ByteArena): void {
  if (typeof value !== "string") throw new TypeError(`it must be a text, got ${typeof value}`);
  if (value.length > MAX_STRING_LENGTH) {
    throw new RangeError(`a text must be at most ${MAX_STRING_LENGTH} characters, got ${value.length}`);
  }
  for (let at = 0; at < value.length; at++) {
    const code = cp1252Code(value.charAt(at));
    if (code === undefined || code === 0) {
      throw new RangeError(`a text must be characters of Windows-1252 other than 0, got another at position ${at}`);
    }
    out.byte(code);
  }
  out.byte(0);
}

function readString(reader: ByteReader): string {
  const start = reader.offset;
  let text = "";
  for (let byte = reader.u8(); byte !== 0; byte = reader.u8()) {
    if (text.length === MAX_STRING_LENGTH) {
      const why = `over its limit of ${MAX_STRING_LENGTH} characters at byte ${start}`;
      throw new WireError("limit", `Cannot read string: ${why}`, start * 8);
    }
    text += cp1252Character(byte);
  }
  return text;
}

/** The highest number of a smart: one byte under 128, or else two, high byte first, with the highest bit set. */
const MAX_SMART = 0x7fff;
/** Types of hits that are none: a soak follows; nothing follows. */
const SOAKED_HIT = 32_767;
const NO_HIT = 32_766;
/** The end time of a bar that is being removed. */
const BAR_REMOVED = 32_767;

function writeSmart(value: number | undefined, out: ByteArena, max = MAX_SMART): void {
  const smart = whole(value, 0, max);
  if (smart >= 128) out.byte((smart >> 8) | 0x80);
  out.byte(smart);
}

function readSmart(reader: ByteReader): number {
  return reader.peekU8() < 128 ? reader.u8() : reader.u16be() - 0x8000;
}

function writeList<T extends Hit | HeadBar>(
  value: MaskValue | undefined,
  count: ByteTransform | undefined,
  out: ByteArena,
  write: (item: T, out: ByteArena) => void,
): void {
  if (!Array.isArray(value)) throw new TypeError(`it must be a list, got ${typeof value}`);
  out.byte(transformed(whole(value.length, 0, 0xff), count));
  value.forEach((item: T, at) => {
    try {
      write(item, out);
    } catch (error) {
      throw withPath(error, `[${at}]`);
    }
  });
}

function readList<T>(count: ByteTransform | undefined, reader: ByteReader, read: (reader: ByteReader) => T): T[] {
  const items: T[] = [];
  for (let left = untransformed(reader.u8(), count); left > 0; left--) items.push(read(reader));
  return items;
}

function writeHit(hit: Hit, out: ByteArena): void {
  if (hit.type === undefined) {
    writeSmart(NO_HIT, out);
  } else if (hit.soakType === undefined) {
    writeSmart(hit.type, out, NO_HIT - 1);
    writeSmart(hit.value, out);
  } else {
    writeSmart(SOAKED_HIT, out);
    for (const part of [hit.type, hit.value, hit.soakType, hit.soakValue]) writeSmart(part, out);
  }
  writeSmart(hit.delay, out);
}

function readHit(reader: ByteReader): Hit {
  const type = readSmart(reader);
  if (type === NO_HIT) return { delay: readSmart(reader) };
  if (type !== SOAKED_HIT) return { type, value: readSmart(reader), delay: readSmart(reader) };
  return {
    type: readSmart(reader),
    value: readSmart(reader),
    soakType: readSmart(reader),
    soakValue: readSmart(reader),
    delay: readSmart(reader),
  };
}

function writeBar(bar: HeadBar, fill: ByteTransform | undefined, out: ByteArena): void {
  writeSmart(bar.id, out);
  writeSmart(bar.endTime, out);
  if (bar.endTime === BAR_REMOVED) return;
  writeSmart(bar.startTime, out);
  out.byte(transformed(whole(bar.startFill, 0, 0xff), fill));
  if (bar.endTime > 0) out.byte(transformed(whole(bar.endFill, 0, 0xff), fill));
}

function readBar(fill: ByteTransform | undefined, reader: ByteReader): HeadBar {
  const id = readSmart(reader);
  const endTime = readSmart(reader);
  if (endTime === BAR_REMOVED) return { id, endTime };
  const start = { id, endTime, startTime: readSmart(reader), startFill: untransformed(reader.u8(), fill) };
  return endTime === 0 ? start : { ...start, endFill: untransformed(reader.u8(), fill) };
}

function whole(value: unknown, min: number, max: number): number {
  if (typeof value !== "number") throw new TypeError(`it must be a number, got ${typeof value}`);
  if (!(value >= min && value <= max && Number.isInteger(value))) {
    throw new RangeError(`it must be an integer in ${min}..${max}, got ${value}`);
  }
  return value;
}
