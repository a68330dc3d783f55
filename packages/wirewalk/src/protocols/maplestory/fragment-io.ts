/**
 * Fragments read and written by hand: the loops that every movement packet goes through. `fragment.ts` has the
 * definition, a test proves both equal, and whatever is wrong is said by the definition.
 *
 * Measured on the bench `maplestory`: the definition takes about twenty times as long. One bounds check per fragment and
 * byte shifts instead of a `DataView` are what makes it fast.
 */
import { ByteReader, ByteWriter, withPath } from "../../wire/index.ts";
import { Fragment, type FragmentFields, type FragmentKind, type FragmentTable, shapes } from "./fragment.ts";

/** The largest fragment, in bytes with its type. */
export const MAX_FRAGMENT_BYTES = 16;
/** The count is one byte. */
export const MAX_FRAGMENTS = 255;

/**
 * Reads `count` fragments from `at` on into the array, and gives the offset after them. Throws `WireError` with a path
 * that starts at the fragment: `[3].type`.
 */
export function readFragments(
  bytes: Uint8Array,
  at: number,
  count: number,
  table: FragmentTable,
  into: Fragment[],
): number {
  const { shapeOf, sizeOf } = table;
  const length = bytes.length;
  for (let index = 0; index < count; index++) {
    const type = at < length ? (bytes[at] as number) : 0;
    const end = at + (sizeOf[type] as number);
    // A type that there is not has size 0: one test for both.
    if (end > length || end === at) refuse(bytes, at, index, table);
    into.push(readFragment(bytes, at, type, shapeOf[type] as number));
    at = end;
  }
  return at;
}

function i16(bytes: Uint8Array, at: number): number {
  return (((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 24)) >> 16;
}

function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

function readFragment(b: Uint8Array, at: number, type: number, shape: number): Fragment {
  if (shape === shapes.absolute) {
    const state = b[at + 11] as number;
    const ms = u16(b, at + 12);
    const foothold = i16(b, at + 9);
    return new Fragment(
      type,
      "absolute",
      i16(b, at + 1),
      i16(b, at + 3),
      i16(b, at + 5),
      i16(b, at + 7),
      foothold,
      0,
      0,
      state,
      ms,
      0,
    );
  }
  let kind: FragmentKind = "absolute";
  let x = 0;
  let y = 0;
  let vx = 0;
  let vy = 0;
  let foothold = 0;
  let fallStart = 0;
  let unknown = 0;
  let data = 0;
  // Where state and duration are: all but equipment end in them, one without the duration.
  let tail = at;
  let hasDuration = true;
  switch (shape) {
    case shapes.fallDown:
      kind = "fallDown";
      x = i16(b, at + 1);
      y = i16(b, at + 3);
      vx = i16(b, at + 5);
      vy = i16(b, at + 7);
      foothold = i16(b, at + 9);
      fallStart = i16(b, at + 11);
      tail = at + 13;
      break;
    case shapes.relative:
      kind = "relative";
      vx = i16(b, at + 1);
      vy = i16(b, at + 3);
      tail = at + 5;
      break;
    case shapes.instant:
      kind = "instant";
      x = i16(b, at + 1);
      y = i16(b, at + 3);
      foothold = i16(b, at + 5);
      tail = at + 7;
      break;
    case shapes.startFallDown:
      kind = "startFallDown";
      vx = i16(b, at + 1);
      vy = i16(b, at + 3);
      fallStart = i16(b, at + 5);
      tail = at + 7;
      break;
    case shapes.documentedAbsolute:
      x = i16(b, at + 1);
      y = i16(b, at + 3);
      vx = i16(b, at + 5);
      vy = i16(b, at + 7);
      unknown = u16(b, at + 9);
      tail = at + 11;
      break;
    case shapes.documentedJumpDown:
      kind = "jumpDown";
      x = i16(b, at + 1);
      y = i16(b, at + 3);
      vx = i16(b, at + 5);
      vy = i16(b, at + 7);
      unknown = u16(b, at + 9);
      foothold = u16(b, at + 11);
      tail = at + 13;
      break;
    case shapes.documentedInstant:
      kind = "instant";
      x = i16(b, at + 1);
      y = i16(b, at + 3);
      vx = i16(b, at + 5);
      vy = i16(b, at + 7);
      tail = at + 9;
      hasDuration = false;
      break;
    default:
      kind = "equipment";
      data = b[at + 1] as number;
      return new Fragment(type, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, data);
  }
  const state = b[tail] as number;
  const ms = hasDuration ? u16(b, tail + 1) : 0;
  return new Fragment(type, kind, x, y, vx, vy, foothold, fallStart, unknown, state, ms, data);
}

/** Says what is wrong with the fragment at `at`, in the words of the definition. */
export function refuse(bytes: Uint8Array, at: number, index: number, table: FragmentTable): never {
  try {
    table.layout.read(new ByteReader(bytes, Math.min(at, bytes.length)));
  } catch (error) {
    throw withPath(error, `[${index}]`);
  }
  throw new Error("Cannot happen: the definition reads what was refused");
}

/** How many bytes the fragments take. Throws `RangeError` for a type that the dialect has not. */
export function sizeOfFragments(fragments: readonly FragmentFields[], table: FragmentTable): number {
  let size = 0;
  for (let index = 0; index < fragments.length; index++) {
    const fragment = fragments[index] as FragmentFields;
    const own = table.sizeOf[fragment.type];
    if (own === undefined || own === 0) refuseWrite(fragment, index, table);
    size += own;
  }
  return size;
}

/**
 * Writes fragments into memory that is large enough ({@link sizeOfFragments}), and gives the offset after them. Throws
 * `RangeError` or `TypeError` that names the field whose value does not fit.
 */
export function writeFragments(
  bytes: Uint8Array,
  at: number,
  fragments: readonly FragmentFields[],
  table: FragmentTable,
): number {
  const { shapeOf, sizeOf } = table;
  for (let index = 0; index < fragments.length; index++) {
    const fragment = fragments[index] as FragmentFields;
    const { type } = fragment;
    const size = sizeOf[type];
    if (size === undefined || size === 0) refuseWrite(fragment, index, table);
    if (fragment.kind !== undefined && fragment.kind !== table.kindOf(type)) refuseWrite(fragment, index, table);
    bytes[at] = type;
    if (!writeFragment(bytes, at + 1, fragment, shapeOf[type] as number)) refuseWrite(fragment, index, table);
    at += size;
  }
  return at;
}

/** What `putI16` answers where a field is missing or does not fit. */
function putI16(bytes: Uint8Array, at: number, value: number | undefined): boolean {
  const number = value as number;
  if ((number << 16) >> 16 !== number) return false;
  bytes[at] = number;
  bytes[at + 1] = number >> 8;
  return true;
}

function putU16(bytes: Uint8Array, at: number, value: number | undefined): boolean {
  const number = value as number;
  if ((number & 0xffff) !== number) return false;
  bytes[at] = number;
  bytes[at + 1] = number >> 8;
  return true;
}

function putU8(bytes: Uint8Array, at: number, value: number | undefined): boolean {
  const number = value as number;
  if ((number & 0xff) !== number) return false;
  bytes[at] = number;
  return true;
}

/** False when a field does not fit. */
function writeFragment(b: Uint8Array, at: number, f: FragmentFields, shape: number): boolean {
  switch (shape) {
    case shapes.absolute:
      return (
        putI16(b, at, f.x) &&
        putI16(b, at + 2, f.y) &&
        putI16(b, at + 4, f.vx) &&
        putI16(b, at + 6, f.vy) &&
        putI16(b, at + 8, f.foothold) &&
        putU8(b, at + 10, f.state) &&
        putU16(b, at + 11, f.durationMs)
      );
    case shapes.fallDown:
      return (
        putI16(b, at, f.x) &&
        putI16(b, at + 2, f.y) &&
        putI16(b, at + 4, f.vx) &&
        putI16(b, at + 6, f.vy) &&
        putI16(b, at + 8, f.foothold) &&
        putI16(b, at + 10, f.fallStart) &&
        putU8(b, at + 12, f.state) &&
        putU16(b, at + 13, f.durationMs)
      );
    case shapes.relative:
      return (
        putI16(b, at, f.vx) && putI16(b, at + 2, f.vy) && putU8(b, at + 4, f.state) && putU16(b, at + 5, f.durationMs)
      );
    case shapes.instant:
      return (
        putI16(b, at, f.x) &&
        putI16(b, at + 2, f.y) &&
        putI16(b, at + 4, f.foothold) &&
        putU8(b, at + 6, f.state) &&
        putU16(b, at + 7, f.durationMs)
      );
    case shapes.startFallDown:
      return (
        putI16(b, at, f.vx) &&
        putI16(b, at + 2, f.vy) &&
        putI16(b, at + 4, f.fallStart) &&
        putU8(b, at + 6, f.state) &&
        putU16(b, at + 7, f.durationMs)
      );
    case shapes.documentedAbsolute:
      return (
        putI16(b, at, f.x) &&
        putI16(b, at + 2, f.y) &&
        putI16(b, at + 4, f.vx) &&
        putI16(b, at + 6, f.vy) &&
        putU16(b, at + 8, f.unknown) &&
        putU8(b, at + 10, f.state) &&
        putU16(b, at + 11, f.durationMs)
      );
    case shapes.documentedJumpDown:
      return (
        putI16(b, at, f.x) &&
        putI16(b, at + 2, f.y) &&
        putI16(b, at + 4, f.vx) &&
        putI16(b, at + 6, f.vy) &&
        putU16(b, at + 8, f.unknown) &&
        putU16(b, at + 10, f.foothold) &&
        putU8(b, at + 12, f.state) &&
        putU16(b, at + 13, f.durationMs)
      );
    case shapes.documentedInstant:
      return (
        putI16(b, at, f.x) &&
        putI16(b, at + 2, f.y) &&
        putI16(b, at + 4, f.vx) &&
        putI16(b, at + 6, f.vy) &&
        putU8(b, at + 8, f.state)
      );
    default:
      return putU8(b, at, f.data);
  }
}

/** Says what cannot be written, in the words of the definition. */
function refuseWrite(fragment: FragmentFields, index: number, table: FragmentTable): never {
  try {
    table.layout.write(new ByteWriter(), fragment as Fragment);
  } catch (error) {
    throw withPath(error, `[${index}]`);
  }
  throw new Error("Cannot happen: the definition writes what was refused");
}
