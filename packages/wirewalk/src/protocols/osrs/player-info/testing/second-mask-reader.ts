/**
 * A second reader of mask blocks, for tests. It is written by hand from docs/protocols/osrs-player-info.md 6.2 and 6.4 and
 * shares nothing with the layouts that engine and decoder use, so that a mistake in those cannot hide in both of them.
 */
import {
  type ByteReader,
  type ByteTransform,
  type FieldNode,
  type IntegerNode,
  type IntegerOrder,
  type LayoutNode,
  type RunLength,
  WireError,
} from "../../../../wire/index.ts";
import { cp1252Character } from "../../../../wire/windows-1252.ts";
import { MAX_STRING_LENGTH, type MaskBlock, type MaskFields, type MaskValue } from "../wire/masks/mask-revision.ts";

/** Reads a block. Throws `WireError` when the bytes end, `limit` when a string is too long. */
export function readBlockByHand(block: MaskBlock, reader: ByteReader): MaskFields {
  return readFields(block.node.fields, reader);
}

function readFields(fields: readonly FieldNode[], reader: ByteReader): MaskFields {
  const value: Record<string, MaskValue> = {};
  for (const field of fields) {
    if (isThere(field, value)) value[field.name] = readField(field.node, reader);
  }
  return value;
}

function isThere({ when }: FieldNode, value: MaskFields): boolean {
  if (when === undefined) return true;
  let number = value[when.field] as number;
  if (when.mask !== undefined) number = (number & when.mask) >>> 0;
  if (when.from !== undefined && number < when.from) return false;
  if (when.to !== undefined && number > when.to) return false;
  return number !== when.not;
}

function readField(node: LayoutNode, reader: ByteReader): MaskValue {
  switch (node.kind) {
    case "integer": {
      const { bits, signed, order, transform } = node;
      if (bits === 8) return signedFrom(24, untransformed(reader.u8(), transform), signed);
      if (bits === 16) return signedFrom(16, readShort(node, reader), signed);
      const word = readWord(order, reader);
      return (word & ~0xff) | untransformed(word & 0xff, transform);
    }
    case "smart": {
      if (!node.wide) return readSmart(reader);
      if (reader.peekU8() >= 128) return reader.u32be() - 0x8000_0000;
      const value = reader.u16be();
      return value === 0x7fff ? -1 : value;
    }
    case "text":
      return readString(reader);
    case "bytes": {
      const bytes = reader.bytes(readCount(node.length, reader));
      for (let at = 0; at < bytes.length; at++) bytes[at] = untransformed(bytes[at] as number, node.transform);
      return node.reversed ? bytes.reverse() : bytes;
    }
    case "array": {
      const items: MaskValue[] = [];
      for (let left = readCount(node.length, reader); left > 0; left--) items.push(readItem(node.item, reader));
      return items;
    }
    default:
      throw new Error(`No known block has a ${node.kind}`);
  }
}

/** Hits and bars by the standard; the items of other lists field by field. */
function readItem(item: LayoutNode, reader: ByteReader): MaskValue {
  if (item.kind === "variant") return readHit(reader);
  if (item.kind !== "struct") throw new Error(`No known block has a list of ${item.kind}`);
  const fill = (name: string): ByteTransform | undefined => {
    const node = item.fields.find((field) => field.name === name)?.node;
    return node?.kind === "integer" ? node.transform : undefined;
  };
  const isBar = item.fields.some(({ name }) => name === "startFill");
  return isBar ? readBar(fill("startFill"), fill("endFill"), reader) : readFields(item.fields, reader);
}

/** The byte that counts. */
function readCount(length: RunLength, reader: ByteReader): number {
  const count = typeof length === "object" && "count" in length ? length.count : undefined;
  if (count?.kind !== "integer") throw new Error("Known blocks count in a byte");
  return untransformed(reader.u8(), count.transform);
}

function signedFrom(shift: 16 | 24, value: number, signed: boolean): number {
  return signed ? (value << shift) >> shift : value;
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

function readShort({ order, transform }: IntegerNode, reader: ByteReader): number {
  const value = order === "le" ? reader.u16le() : reader.u16be();
  return (value & 0xff00) | untransformed(value & 0xff, transform);
}

/** Four bytes: `2301` is a high half and a low half, each low byte first; `1032` a low half and a high one. */
function readWord(order: IntegerOrder, reader: ByteReader): number {
  if (order === "le") return reader.i32le();
  if (order === "be") return reader.i32be();
  const [first = 0, second = 0, third = 0, fourth = 0] = reader.bytes(4);
  if (order === "2301") return (second << 24) | (first << 16) | (fourth << 8) | third;
  return (third << 24) | (fourth << 16) | (first << 8) | second;
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

function readHit(reader: ByteReader): MaskFields {
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

function readBar(
  startFill: ByteTransform | undefined,
  endFill: ByteTransform | undefined,
  reader: ByteReader,
): MaskFields {
  const id = readSmart(reader);
  const endTime = readSmart(reader);
  if (endTime === BAR_REMOVED) return { id, endTime };
  const start = { id, endTime, startTime: readSmart(reader), startFill: untransformed(reader.u8(), startFill) };
  return endTime === 0 ? start : { ...start, endFill: untransformed(reader.u8(), endFill) };
}
