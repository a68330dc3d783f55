/**
 * Fragments read and written by hand: the loops that every movement packet goes through. `fragment.ts` has the
 * description; a test proves both equal, and every refusal comes from the description, which also reads and writes the
 * kinds that have no code here (those of `documented`).
 *
 * Measured on the bench `maplestory`, in ns per fragment, with every kind as often and with 97 % absolute:
 *
 * | | by hand | a table of field offsets, one loop | a closure for each type | the description |
 * | --- | ---: | ---: | ---: | ---: |
 * | read objects | 28, 15 | 35, 16 | 38, 31 | 350, 400 |
 * | read rows | 23, 9.5 | 28, 10.2 | | |
 * | write | 26, 21 | 31, 28 | 62, 62 | 125, 130 |
 *
 * What makes it fast: nearly all fragments are absolute, so a small loop reads these until another kind comes (3 ns of
 * 20); two fields of 16 bits are one number until they are needed; one bounds check per fragment; shapes are strings,
 * since a `switch` over numbers becomes a jump through a table that the processor never predicts (rows with every
 * kind as often: 20 ns, not 12).
 */
import { array, ByteWriter, type Layout, u8, withFastPath, withPath } from "../../../wire/index.ts";
import { Fragment, type FragmentFields } from "./fragment.ts";
import * as fragmentBytes from "./fragment-bytes.ts";
import type { FragmentTable, TypeRow } from "./fragment-table.ts";
import type { Path } from "./messages.ts";
import { cut, slabFor, slabUsed } from "./slab.ts";

/** Start, velocity (`v95`) and count. */
const MAX_PATH_HEAD_BYTES = 9;
/** The count is one byte. */
export const MAX_FRAGMENTS = 255;

// Constants of this module: the compiler knows what they are, while it looks up what is imported or exported at every
// use (4 ns per fragment for all of them).
const { ABSOLUTE_BYTES, i32, MAX_OFFSET, NO_TYPE, readDescribed, fragmentRefusal, u16, u24 } = fragmentBytes;
const FragmentClass = Fragment;

/**
 * Reads `count` fragments from `at` on; they take {@link sizeOfFragments} bytes. Throws `WireError` with a path that
 * starts at the fragment: `[3].type`.
 */
export function readFragments(bytes: Uint8Array, at: number, count: number, table: FragmentTable): Fragment[] {
  // Of its full length from the start: letting it grow took 2 ns per fragment.
  const fragments = new Array<Fragment>(count);
  readInto(fragments, bytes, at, table);
  return fragments;
}

/** Fills a list with fragments and gives the offset after them. Throws like {@link readFragments}. */
export function readInto(fragments: Fragment[], bytes: Uint8Array, at: number, table: FragmentTable): number {
  const { absoluteTypes } = table;
  const length = Math.min(bytes.length, MAX_OFFSET);
  const count = fragments.length;
  let index = 0;
  for (; index < count && at + ABSOLUTE_BYTES <= length; index++) {
    const from = at & MAX_OFFSET;
    const type = bytes[from] as number;
    const isAbsolute = type < 32 && ((absoluteTypes >>> type) & 1) === 1;
    if (!isAbsolute) break;
    const position = i32(bytes, from + 1);
    const velocity = i32(bytes, from + 5);
    const footholds = u16(bytes, from + 9);
    fragments[index] = new FragmentClass(
      type,
      "absolute",
      (position << 16) >> 16,
      position >> 16,
      (velocity << 16) >> 16,
      velocity >> 16,
      (footholds << 16) >> 16,
      0,
      0,
      bytes[from + 11] as number,
      u16(bytes, from + 12),
      0,
    );
    at += ABSOLUTE_BYTES;
  }
  if (index === count) return at;
  // The next one is looked at here too: this function is compiled, the one below perhaps never.
  const { size } = table.types[at < length ? (bytes[at] as number) : NO_TYPE] as TypeRow;
  if (size === 0 || at + size > length) throw fragmentRefusal(bytes, at, index, table);
  return readRest(fragments, index, bytes, at, table);
}

/** Reads what is left from `index` on, of any kind. */
function readRest(fragments: Fragment[], index: number, bytes: Uint8Array, at: number, table: FragmentTable): number {
  const { types } = table;
  const length = Math.min(bytes.length, MAX_OFFSET);
  const count = fragments.length;
  for (; index < count; index++) {
    const from = at & MAX_OFFSET;
    const type = at < length ? (bytes[from] as number) : NO_TYPE;
    const { size, shape, kind } = types[type] as TypeRow;
    // An unknown type has size 0.
    if (size === 0 || at + size > length) throw fragmentRefusal(bytes, at, index, table);
    let position = 0;
    let velocity = 0;
    let footholds = 0;
    let tail = 0;
    let data = 0;
    switch (shape) {
      case "absolute":
        position = i32(bytes, from + 1);
        velocity = i32(bytes, from + 5);
        footholds = u16(bytes, from + 9);
        tail = u24(bytes, from + 11);
        break;
      case "fallDown":
        position = i32(bytes, from + 1);
        velocity = i32(bytes, from + 5);
        footholds = i32(bytes, from + 9);
        tail = u24(bytes, from + 13);
        break;
      case "relative":
        velocity = i32(bytes, from + 1);
        tail = u24(bytes, from + 5);
        break;
      case "instant":
        position = i32(bytes, from + 1);
        footholds = u16(bytes, from + 5);
        tail = u24(bytes, from + 7);
        break;
      case "startFallDown":
        velocity = i32(bytes, from + 1);
        footholds = u16(bytes, from + 5) << 16;
        tail = u24(bytes, from + 7);
        break;
      case "equipment":
        data = bytes[from + 1] as number;
        break;
      default:
        // With more cases in this loop less of it is inlined.
        fragments[index] = readDescribed(bytes, at, index, table);
        at += size;
        continue;
    }
    fragments[index] = new FragmentClass(
      type,
      kind,
      (position << 16) >> 16,
      position >> 16,
      (velocity << 16) >> 16,
      velocity >> 16,
      (footholds << 16) >> 16,
      footholds >> 16,
      0,
      tail & 0xff,
      tail >> 8,
      data,
    );
    at += size;
  }
  return at;
}

/** How many bytes the fragments take. Throws `RangeError` for a type that the dialect does not have. */
export function sizeOfFragments(fragments: readonly FragmentFields[], table: FragmentTable): number {
  let size = 0;
  for (let index = 0; index < fragments.length; index++) {
    const fragment = fragments[index] as FragmentFields;
    const row = table.types[fragment.type];
    if (row === undefined || row.size === 0) throw writeRefusal(fragment, index, table);
    size += row.size;
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
  const { types } = table;
  if (bytes.length > MAX_OFFSET) throw new RangeError("Fragments are written into less than a gigabyte");
  for (let index = 0; index < fragments.length; index++) {
    const fragment = fragments[index] as FragmentFields;
    const { type, kind } = fragment;
    const row = types[type];
    if (row === undefined || row.size === 0) throw writeRefusal(fragment, index, table);
    if (kind !== row.kind && kind !== undefined) throw writeRefusal(fragment, index, table);
    const to = at & MAX_OFFSET;
    // A text of digits finds a row too.
    if (!putU8(bytes, to, type)) throw writeRefusal(fragment, index, table);
    const { x, y, vx, vy, foothold, fallStart, state, durationMs, data } = fragment as Fragment;
    let fits: boolean;
    switch (row.shape) {
      case "absolute":
        fits =
          putI16(bytes, to + 1, x) &&
          putI16(bytes, to + 3, y) &&
          putI16(bytes, to + 5, vx) &&
          putI16(bytes, to + 7, vy) &&
          putI16(bytes, to + 9, foothold) &&
          putU8(bytes, to + 11, state) &&
          putU16(bytes, to + 12, durationMs);
        break;
      case "fallDown":
        fits =
          putI16(bytes, to + 1, x) &&
          putI16(bytes, to + 3, y) &&
          putI16(bytes, to + 5, vx) &&
          putI16(bytes, to + 7, vy) &&
          putI16(bytes, to + 9, foothold) &&
          putI16(bytes, to + 11, fallStart) &&
          putU8(bytes, to + 13, state) &&
          putU16(bytes, to + 14, durationMs);
        break;
      case "relative":
        fits =
          putI16(bytes, to + 1, vx) &&
          putI16(bytes, to + 3, vy) &&
          putU8(bytes, to + 5, state) &&
          putU16(bytes, to + 6, durationMs);
        break;
      case "instant":
        fits =
          putI16(bytes, to + 1, x) &&
          putI16(bytes, to + 3, y) &&
          putI16(bytes, to + 5, foothold) &&
          putU8(bytes, to + 7, state) &&
          putU16(bytes, to + 8, durationMs);
        break;
      case "startFallDown":
        fits =
          putI16(bytes, to + 1, vx) &&
          putI16(bytes, to + 3, vy) &&
          putI16(bytes, to + 5, fallStart) &&
          putU8(bytes, to + 7, state) &&
          putU16(bytes, to + 8, durationMs);
        break;
      case "equipment":
        fits = putU8(bytes, to + 1, data);
        break;
      default:
        fits = writeDescribed(bytes, to, fragment, table);
    }
    if (!fits) throw writeRefusal(fragment, index, table);
    at += row.size;
  }
  return at;
}

/**
 * Puts a value and says whether it fits. A missing one is not its own truncation either: one comparison checks type and
 * range. What is put is always a whole number: storing the value as it is goes through a double and back.
 */
export function putI16(bytes: Uint8Array, at: number, value: number): boolean {
  const whole = (value << 16) >> 16;
  bytes[at] = whole;
  bytes[at + 1] = whole >> 8;
  return whole === value;
}

function putU16(bytes: Uint8Array, at: number, value: number): boolean {
  const whole = value & 0xffff;
  bytes[at] = whole;
  bytes[at + 1] = whole >> 8;
  return whole === value;
}

export function putU8(bytes: Uint8Array, at: number, value: number): boolean {
  const whole = value & 0xff;
  bytes[at] = whole;
  return whole === value;
}

/**
 * The start, the count and the fragments, as the clients have them; in `v95` the start has a velocity, 0 where it has none here. Throws
 * like {@link writeFragments}.
 */
export function encodePath(path: Path, table: FragmentTable): Uint8Array {
  const { start, fragments } = path;
  const count = fragments.length;
  // So written, it refuses what has no length too.
  if (!(count <= MAX_FRAGMENTS)) throw new RangeError(`A path has at most ${MAX_FRAGMENTS} fragments, got ${count}`);
  const { x, y } = start;
  // As long as it may get: adding up the sizes first took 2.4 ns per fragment.
  const bytes = slabFor(MAX_PATH_HEAD_BYTES + count * table.largest);
  const at = slabUsed();
  let countAt = at + 4;
  let fits = putI16(bytes, at, x) && putI16(bytes, at + 2, y);
  if (table.startsMoving) {
    const { vx = 0, vy = 0 } = start as { readonly vx?: number; readonly vy?: number };
    fits = fits && putI16(bytes, countAt, vx) && putI16(bytes, countAt + 2, vy);
    countAt += 4;
  }
  if (!fits) throw new RangeError(`A path starts within i16, not at ${x}, ${y}`);
  bytes[countAt] = count;
  return cut(writeFragments(bytes, countAt + 1, fragments, table) - at);
}

/** Writes a fragment by the description, and says whether it fits. */
function writeDescribed(bytes: Uint8Array, to: number, fragment: FragmentFields, table: FragmentTable): boolean {
  const writer = new ByteWriter(table.largest);
  try {
    table.layout.write(writer, fragment as Fragment);
  } catch {
    return false;
  }
  bytes.set(writer.view(), to);
  return true;
}

/** A count and its fragments, as every movement packet has them. */
export function fragmentList(table: FragmentTable): Layout<readonly FragmentFields[]> {
  const described: Layout<readonly FragmentFields[]> = array(table.layout, { count: u8, limit: MAX_FRAGMENTS });
  // Reused: what is in it is copied before anything else is written.
  const scratch = new Uint8Array(MAX_FRAGMENTS * table.largest);
  return withFastPath(described, {
    read(reader) {
      const bytes = reader.region(0, reader.end);
      const at = reader.offset;
      if (at >= bytes.length) return described.read(reader);
      const fragments = new Array<Fragment>(bytes[at] as number);
      reader.seek(readInto(fragments, bytes, at + 1, table) * 8);
      return fragments;
    },
    write(writer, fragments) {
      if (!Array.isArray(fragments) || fragments.length > MAX_FRAGMENTS) return described.write(writer, fragments);
      let end: number;
      try {
        end = writeFragments(scratch, 0, fragments, table);
      } catch {
        // A list may hold anything, null too: the description finds words for it.
        return described.write(writer, fragments);
      }
      writer.u8(fragments.length);
      writer.bytes(scratch, end);
    },
  });
}

/** What cannot be written, in the words of the description. */
function writeRefusal(fragment: FragmentFields, index: number, table: FragmentTable): unknown {
  try {
    table.layout.write(new ByteWriter(), fragment as Fragment);
  } catch (error) {
    return withPath(error, `[${index}]`);
  }
  return new Error("Cannot happen: the description writes what was refused");
}
