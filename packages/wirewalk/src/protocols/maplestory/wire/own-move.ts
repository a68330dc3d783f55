/**
 * A player's own move of `v62` and `v83`, whole: the message that servers of the game read most. In parts, by `path-blocks.ts` and
 * `fragment-io.ts`, the captured packet is read in 230 ns and written in 280; so in 160 and 120 (bench `maplestory`).
 *
 * What does not fit goes the way of all messages, which refuses it.
 */
import { type Layout, type LayoutReader, readPath, withFastPath } from "../../../wire/index.ts";
import type { Fragment, FragmentFields } from "./fragment.ts";
import { i32 } from "./fragment-bytes.ts";
import { MAX_FRAGMENTS, putI16, putU8, readInto, writeFragments } from "./fragment-io.ts";
import type { FragmentTable } from "./fragment-table.ts";
import type { Box, Path, Tail } from "./messages.ts";
import { box as boxLayout, keypad as keypadLayout } from "./path-blocks.ts";
import { cut, slabFor, slabUsed } from "./slab.ts";

/** What is written. `fieldCrc`: `v83` alone. */
interface OwnMove extends Path, Tail {
  readonly fieldKey: number;
  readonly fieldCrc?: number;
}

const START_BYTES = 4;
const BOX_BYTES = 8;
const MAX_KEYS = 255;
const OPCODE_BYTES = 2;

/** Bytes before the start: the field key, and in `v83` a checksum. */
const headBytes = (hasCrc: boolean): number => (hasCrc ? 5 : 1);

/** A place of two shorts. */
const low = (pair: number): number => (pair << 16) >> 16;

/** The move's body, read whole. */
export function ownMoveBody(described: Layout<object>, table: FragmentTable, hasCrc: boolean): Layout<object> {
  const head = headBytes(hasCrc);
  return withFastPath(described, {
    read(reader) {
      const bytes = reader.region(0, reader.end);
      const at = reader.offset;
      const start = at + head;
      // All but fragments and keys: less is refused by the description.
      if (start + START_BYTES + 1 + 1 + BOX_BYTES > bytes.length) return described.read(reader);
      const fragments = new Array<Fragment>(bytes[start + START_BYTES] as number);
      const { depth, segments } = readPath;
      segments[depth] = "fragments";
      readPath.depth = depth + 1;
      const keysAt = readInto(fragments, bytes, start + START_BYTES + 1, table);
      readPath.depth = depth;
      const keys = bytes[keysAt] ?? 0;
      const boxAt = keysAt + 1 + ((keys + 1) >> 1);
      const isPadded = (keys & 1) === 1 && (bytes[boxAt - 1] as number) > 0xf;
      if (keysAt >= bytes.length || boxAt > bytes.length || isPadded) refuseBy("keypad", keypadLayout, reader, keysAt);
      if (boxAt + BOX_BYTES > bytes.length) refuseBy("box", boxLayout, reader, boxAt);
      const keypad = new Array<number>(keys);
      for (let index = 0; index < keys; index++) {
        keypad[index] = ((bytes[keysAt + 1 + (index >> 1)] as number) >> ((index & 1) << 2)) & 0xf;
      }
      reader.seek((boxAt + BOX_BYTES) * 8);
      const fieldKey = bytes[at] as number;
      const place = i32(bytes, start);
      const corner = i32(bytes, boxAt);
      const opposite = i32(bytes, boxAt + 4);
      const path = { x: low(place), y: place >> 16 };
      const box: Box = { left: low(corner), top: corner >> 16, right: low(opposite), bottom: opposite >> 16 };
      if (!hasCrc) return { fieldKey, start: path, fragments, keypad, box };
      return { fieldKey, fieldCrc: i32(bytes, at + 1) >>> 0, start: path, fragments, keypad, box };
    },
  });
}

/** Lets a field that does not fit refuse its bytes: to read the whole move again for that takes longer than the error. */
function refuseBy(name: string, layout: Layout<unknown>, reader: LayoutReader, at: number): never {
  const { depth, segments } = readPath;
  segments[depth] = name;
  readPath.depth = depth + 1;
  reader.seek(at * 8);
  layout.read(reader);
  throw new Error(`Cannot happen: ${name} was refused and is read`);
}

/** The payload of a move; undefined for a value that does not fit. */
export function encodeOwnMove(
  opcode: number,
  value: object,
  table: FragmentTable,
  hasCrc: boolean,
): Uint8Array | undefined {
  if (!isObject(value)) return undefined;
  const { fieldKey, fieldCrc, start, fragments, keypad, box } = value as Partial<OwnMove>;
  if (!Array.isArray(fragments) || !Array.isArray(keypad) || fragments.length > MAX_FRAGMENTS) return undefined;
  if (keypad.length > MAX_KEYS || start == null || box == null) return undefined;
  const keys = keypad.length;
  const most = OPCODE_BYTES + 5 + START_BYTES + 2 + fragments.length * table.largest + ((keys + 1) >> 1) + BOX_BYTES;
  const bytes = slabFor(most);
  const from = slabUsed();
  let at = from + OPCODE_BYTES;
  bytes[from] = opcode;
  bytes[from + 1] = opcode >> 8;
  if (!putU8(bytes, at, fieldKey as number)) return undefined;
  at += 1;
  if (hasCrc) {
    const crc = fieldCrc as number;
    if (crc >>> 0 !== crc || !putI16(bytes, at, low(crc)) || !putI16(bytes, at + 2, crc >> 16)) return undefined;
    at += 4;
  }
  if (!putI16(bytes, at, start.x) || !putI16(bytes, at + 2, start.y)) return undefined;
  bytes[at + START_BYTES] = fragments.length;
  const keysAt = writtenEnd(bytes, at + START_BYTES + 1, fragments, table);
  if (keysAt < 0) return undefined;
  bytes[keysAt] = keys;
  at = keysAt + 1;
  for (let index = 0; index < keys; index += 2) {
    const first = keypad[index] as number;
    const second = index + 1 < keys ? (keypad[index + 1] as number) : 0;
    if ((first & 0xf) !== first || (second & 0xf) !== second) return undefined;
    bytes[at++] = first | (second << 4);
  }
  const { left, top, right, bottom } = box;
  const fits =
    putI16(bytes, at, left) &&
    putI16(bytes, at + 2, top) &&
    putI16(bytes, at + 4, right) &&
    putI16(bytes, at + 6, bottom);
  return fits ? cut(at + BOX_BYTES - from) : undefined;
}

/** Where the fragments end, or -1 where one does not fit. */
function writtenEnd(bytes: Uint8Array, at: number, fragments: readonly FragmentFields[], table: FragmentTable): number {
  try {
    return writeFragments(bytes, at, fragments, table);
  } catch {
    return -1;
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
