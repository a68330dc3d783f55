/**
 * A second reader of mask blocks, for tests. It is written by hand from docs/protocols/osrs-player-info.md 6.2 and 6.4 and
 * shares nothing with the layouts that engine and decoder use, so that a mistake in those cannot hide in both of them.
 */
import { type ByteReader, type ByteTransform, WireError } from "../../../../wire/index.ts";
import { cp1252Character } from "../../../../wire/windows-1252.ts";
import {
  type HeadBar,
  type Hit,
  MAX_STRING_LENGTH,
  type MaskBlock,
  type MaskByteOrder,
  type MaskField,
  type MaskFields,
  type MaskValue,
  type MaskWordOrder,
} from "../wire/masks/mask-revision.ts";

/** Reads a block. Throws `WireError` when the bytes end, `limit` when a string is too long. */
export function readBlockByHand(block: MaskBlock, reader: ByteReader): MaskFields {
  return readFields(block.fields, reader);
}

function readFields(fields: readonly MaskField[], reader: ByteReader): MaskFields {
  const value: Record<string, MaskValue> = {};
  for (const field of fields) {
    if (isThere(field, value)) value[field.name] = readField(field, reader);
  }
  return value;
}

function isThere({ when }: MaskField, value: MaskFields): boolean {
  if (when === undefined) return true;
  let number = value[when.field] as number;
  if (when.mask !== undefined) number = (number & when.mask) >>> 0;
  if (when.from !== undefined && number < when.from) return false;
  if (when.to !== undefined && number > when.to) return false;
  return number !== when.not;
}

function readField(field: MaskField, reader: ByteReader): MaskValue {
  switch (field.type) {
    case "u8":
      return untransformed(reader.u8(), field.transform);
    case "i8":
      return (untransformed(reader.u8(), field.transform) << 24) >> 24;
    case "u16":
      return readShort(field, reader);
    case "i16":
      return (readShort(field, reader) << 16) >> 16;
    case "i32": {
      const word = readWord(field.order, reader);
      return (word & ~0xff) | untransformed(word & 0xff, field.transform);
    }
    case "smart":
      return readSmart(reader);
    case "wideSmart": {
      if (reader.peekU8() >= 128) return reader.u32be() - 0x8000_0000;
      const value = reader.u16be();
      return value === 0x7fff ? -1 : value;
    }
    case "list":
      return readList(field.count, reader, (from) => readFields(field.fields, from));
    case "string":
      return readString(reader);
    case "bytes": {
      const bytes = reader.bytes(untransformed(reader.u8(), field.count));
      for (let at = 0; at < bytes.length; at++) bytes[at] = untransformed(bytes[at] as number, field.transform);
      return field.reversed ? bytes.reverse() : bytes;
    }
    case "hits":
      return readList(field.count, reader, readHit);
    case "headBars":
      return readList(field.count, reader, (from) => readBar(field.fill, from));
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

function readShort(
  { order, transform }: { readonly order?: MaskByteOrder; readonly transform?: ByteTransform },
  reader: ByteReader,
): number {
  const value = order === "LE" || order === "LE+" ? reader.u16le() : reader.u16be();
  const low = order === "BE+" || order === "LE+" ? (value - 128) & 0xff : untransformed(value & 0xff, transform);
  return (value & 0xff00) | low;
}

/** Four bytes: `2301` is a high half and a low half, each low byte first; `1032` a low half and a high one. */
function readWord(order: MaskWordOrder | undefined, reader: ByteReader): number {
  if (order === "LE") return reader.i32le();
  if (order !== "2301" && order !== "1032") return reader.i32be();
  const halves = order === "2301" ? [reader.u16le(), reader.u16le()] : [reader.u16be(), reader.u16be()].reverse();
  const [high = 0, low = 0] = halves;
  return (high << 16) | low;
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

/** Types of hits that are none: a soak follows; nothing follows. */
const SOAKED_HIT = 32_767;
const NO_HIT = 32_766;
/** The end time of a bar that is being removed. */
const BAR_REMOVED = 32_767;

function readSmart(reader: ByteReader): number {
  return reader.peekU8() < 128 ? reader.u8() : reader.u16be() - 0x8000;
}

function readList<T>(count: ByteTransform | undefined, reader: ByteReader, read: (reader: ByteReader) => T): T[] {
  const items: T[] = [];
  for (let left = untransformed(reader.u8(), count); left > 0; left--) items.push(read(reader));
  return items;
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

function readBar(fill: ByteTransform | undefined, reader: ByteReader): HeadBar {
  const id = readSmart(reader);
  const endTime = readSmart(reader);
  if (endTime === BAR_REMOVED) return { id, endTime };
  const start = { id, endTime, startTime: readSmart(reader), startFill: untransformed(reader.u8(), fill) };
  return endTime === 0 ? start : { ...start, endFill: untransformed(reader.u8(), fill) };
}
