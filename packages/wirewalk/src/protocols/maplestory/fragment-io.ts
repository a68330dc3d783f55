/**
 * Fragments read and written by hand: the loops that every movement packet goes through. `fragment.ts` has the
 * definition, a test proves both equal, and whatever is wrong is said by the definition.
 *
 * Measured on the bench `maplestory`: the definition takes about ten times as long. One bounds check per fragment and
 * byte shifts instead of a `DataView` are what makes it fast.
 */
import { ByteReader, ByteWriter, withPath } from "../../wire/index.ts";
import { Fragment, type FragmentFields, type FragmentTable, shapes, type TypeRow } from "./fragment.ts";
import type { Path } from "./messages.ts";

/** The largest fragment, in bytes with its type. */
export const MAX_FRAGMENT_BYTES = 16;
/** Start and count. */
const PATH_HEAD_BYTES = 5;
/** The count is one byte. */
export const MAX_FRAGMENTS = 255;

/**
 * Reads `count` fragments from `at` on; they take {@link sizeOfFragments} bytes. Throws `WireError` with a path that
 * starts at the fragment: `[3].type`.
 *
 * One function with one constructor call and an array of its own: with the array as an argument, or a constructor call
 * per kind, the same took 17 to 30 ns per fragment instead of 14.
 */
export function readFragments(bytes: Uint8Array, at: number, count: number, table: FragmentTable): Fragment[] {
  const { types } = table;
  const length = bytes.length;
  const fragments: Fragment[] = [];
  for (let index = 0; index < count; index++) {
    const type = at < length ? (bytes[at] as number) : 0;
    const { size, shape, kind } = types[type] as TypeRow;
    // A type that there is not has size 0.
    if (size === 0 || at + size > length) refuse(bytes, at, index, table);
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    switch (shape) {
      case shapes.absolute:
        // Written out: nearly all fragments are absolute, and calls are only inlined up to a limit (16.1 ns, not 20.2).
        x = (((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 24)) >> 16;
        y = (((bytes[at + 3] as number) << 16) | ((bytes[at + 4] as number) << 24)) >> 16;
        vx = (((bytes[at + 5] as number) << 16) | ((bytes[at + 6] as number) << 24)) >> 16;
        vy = (((bytes[at + 7] as number) << 16) | ((bytes[at + 8] as number) << 24)) >> 16;
        foothold = (((bytes[at + 9] as number) << 16) | ((bytes[at + 10] as number) << 24)) >> 16;
        state = bytes[at + 11] as number;
        durationMs = (bytes[at + 12] as number) | ((bytes[at + 13] as number) << 8);
        break;
      case shapes.fallDown:
        x = i16(bytes, at + 1);
        y = i16(bytes, at + 3);
        vx = i16(bytes, at + 5);
        vy = i16(bytes, at + 7);
        foothold = i16(bytes, at + 9);
        fallStart = i16(bytes, at + 11);
        state = bytes[at + 13] as number;
        durationMs = u16(bytes, at + 14);
        break;
      case shapes.relative:
        vx = i16(bytes, at + 1);
        vy = i16(bytes, at + 3);
        state = bytes[at + 5] as number;
        durationMs = u16(bytes, at + 6);
        break;
      case shapes.instant:
        x = i16(bytes, at + 1);
        y = i16(bytes, at + 3);
        foothold = i16(bytes, at + 5);
        state = bytes[at + 7] as number;
        durationMs = u16(bytes, at + 8);
        break;
      case shapes.startFallDown:
        vx = i16(bytes, at + 1);
        vy = i16(bytes, at + 3);
        fallStart = i16(bytes, at + 5);
        state = bytes[at + 7] as number;
        durationMs = u16(bytes, at + 8);
        break;
      case shapes.equipment:
        data = bytes[at + 1] as number;
        break;
      default:
        // What only `documented` has is read elsewhere: with more in this loop less of it is inlined.
        fragments.push(readDocumented(bytes, at, type, table.types[type] as TypeRow));
        at += size;
        continue;
    }
    fragments.push(new Fragment(type, kind, x, y, vx, vy, foothold, fallStart, 0, state, durationMs, data));
    at += size;
  }
  return fragments;
}

function readDocumented(bytes: Uint8Array, at: number, type: number, { shape, kind }: TypeRow): Fragment {
  const x = i16(bytes, at + 1);
  const y = i16(bytes, at + 3);
  const vx = i16(bytes, at + 5);
  const vy = i16(bytes, at + 7);
  if (shape === shapes.documentedInstant) {
    return new Fragment(type, kind, x, y, vx, vy, 0, 0, 0, bytes[at + 9] as number, 0, 0);
  }
  const unknown = u16(bytes, at + 9);
  const isJumpDown = shape === shapes.documentedJumpDown;
  const foothold = isJumpDown ? u16(bytes, at + 11) : 0;
  const tail = at + (isJumpDown ? 13 : 11);
  const state = bytes[tail] as number;
  return new Fragment(type, kind, x, y, vx, vy, foothold, 0, unknown, state, u16(bytes, tail + 1), 0);
}

function i16(bytes: Uint8Array, at: number): number {
  return (((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 24)) >> 16;
}

function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
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
    const row = table.types[fragment.type];
    if (row === undefined || row.size === 0) refuseWrite(fragment, index, table);
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
  for (let index = 0; index < fragments.length; index++) {
    const fragment = fragments[index] as FragmentFields;
    const { type, kind } = fragment;
    const row = types[type];
    if (row === undefined || row.size === 0) refuseWrite(fragment, index, table);
    if (kind !== row.kind && kind !== undefined) refuseWrite(fragment, index, table);
    bytes[at] = type;
    // A missing field is not its own truncation either: one comparison checks type and range.
    const { x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } = fragment as Fragment;
    let fits: boolean;
    switch (row.shape) {
      case shapes.absolute:
        fits =
          (x << 16) >> 16 === x &&
          (y << 16) >> 16 === y &&
          (vx << 16) >> 16 === vx &&
          (vy << 16) >> 16 === vy &&
          (foothold << 16) >> 16 === foothold &&
          (state & 0xff) === state &&
          (durationMs & 0xffff) === durationMs;
        bytes[at + 1] = x;
        bytes[at + 2] = x >> 8;
        bytes[at + 3] = y;
        bytes[at + 4] = y >> 8;
        bytes[at + 5] = vx;
        bytes[at + 6] = vx >> 8;
        bytes[at + 7] = vy;
        bytes[at + 8] = vy >> 8;
        bytes[at + 9] = foothold;
        bytes[at + 10] = foothold >> 8;
        bytes[at + 11] = state;
        bytes[at + 12] = durationMs;
        bytes[at + 13] = durationMs >> 8;
        break;
      case shapes.fallDown:
        fits =
          (x << 16) >> 16 === x &&
          (y << 16) >> 16 === y &&
          (vx << 16) >> 16 === vx &&
          (vy << 16) >> 16 === vy &&
          (foothold << 16) >> 16 === foothold &&
          (fallStart << 16) >> 16 === fallStart &&
          (state & 0xff) === state &&
          (durationMs & 0xffff) === durationMs;
        bytes[at + 1] = x;
        bytes[at + 2] = x >> 8;
        bytes[at + 3] = y;
        bytes[at + 4] = y >> 8;
        bytes[at + 5] = vx;
        bytes[at + 6] = vx >> 8;
        bytes[at + 7] = vy;
        bytes[at + 8] = vy >> 8;
        bytes[at + 9] = foothold;
        bytes[at + 10] = foothold >> 8;
        bytes[at + 11] = fallStart;
        bytes[at + 12] = fallStart >> 8;
        bytes[at + 13] = state;
        bytes[at + 14] = durationMs;
        bytes[at + 15] = durationMs >> 8;
        break;
      case shapes.relative:
        fits =
          (vx << 16) >> 16 === vx &&
          (vy << 16) >> 16 === vy &&
          (state & 0xff) === state &&
          (durationMs & 0xffff) === durationMs;
        bytes[at + 1] = vx;
        bytes[at + 2] = vx >> 8;
        bytes[at + 3] = vy;
        bytes[at + 4] = vy >> 8;
        bytes[at + 5] = state;
        bytes[at + 6] = durationMs;
        bytes[at + 7] = durationMs >> 8;
        break;
      case shapes.instant:
        fits =
          (x << 16) >> 16 === x &&
          (y << 16) >> 16 === y &&
          (foothold << 16) >> 16 === foothold &&
          (state & 0xff) === state &&
          (durationMs & 0xffff) === durationMs;
        bytes[at + 1] = x;
        bytes[at + 2] = x >> 8;
        bytes[at + 3] = y;
        bytes[at + 4] = y >> 8;
        bytes[at + 5] = foothold;
        bytes[at + 6] = foothold >> 8;
        bytes[at + 7] = state;
        bytes[at + 8] = durationMs;
        bytes[at + 9] = durationMs >> 8;
        break;
      case shapes.startFallDown:
        fits =
          (vx << 16) >> 16 === vx &&
          (vy << 16) >> 16 === vy &&
          (fallStart << 16) >> 16 === fallStart &&
          (state & 0xff) === state &&
          (durationMs & 0xffff) === durationMs;
        bytes[at + 1] = vx;
        bytes[at + 2] = vx >> 8;
        bytes[at + 3] = vy;
        bytes[at + 4] = vy >> 8;
        bytes[at + 5] = fallStart;
        bytes[at + 6] = fallStart >> 8;
        bytes[at + 7] = state;
        bytes[at + 8] = durationMs;
        bytes[at + 9] = durationMs >> 8;
        break;
      case shapes.documentedAbsolute:
        fits =
          (x << 16) >> 16 === x &&
          (y << 16) >> 16 === y &&
          (vx << 16) >> 16 === vx &&
          (vy << 16) >> 16 === vy &&
          (unknown & 0xffff) === unknown &&
          (state & 0xff) === state &&
          (durationMs & 0xffff) === durationMs;
        bytes[at + 1] = x;
        bytes[at + 2] = x >> 8;
        bytes[at + 3] = y;
        bytes[at + 4] = y >> 8;
        bytes[at + 5] = vx;
        bytes[at + 6] = vx >> 8;
        bytes[at + 7] = vy;
        bytes[at + 8] = vy >> 8;
        bytes[at + 9] = unknown;
        bytes[at + 10] = unknown >> 8;
        bytes[at + 11] = state;
        bytes[at + 12] = durationMs;
        bytes[at + 13] = durationMs >> 8;
        break;
      case shapes.documentedJumpDown:
        fits =
          (x << 16) >> 16 === x &&
          (y << 16) >> 16 === y &&
          (vx << 16) >> 16 === vx &&
          (vy << 16) >> 16 === vy &&
          (unknown & 0xffff) === unknown &&
          (foothold & 0xffff) === foothold &&
          (state & 0xff) === state &&
          (durationMs & 0xffff) === durationMs;
        bytes[at + 1] = x;
        bytes[at + 2] = x >> 8;
        bytes[at + 3] = y;
        bytes[at + 4] = y >> 8;
        bytes[at + 5] = vx;
        bytes[at + 6] = vx >> 8;
        bytes[at + 7] = vy;
        bytes[at + 8] = vy >> 8;
        bytes[at + 9] = unknown;
        bytes[at + 10] = unknown >> 8;
        bytes[at + 11] = foothold;
        bytes[at + 12] = foothold >> 8;
        bytes[at + 13] = state;
        bytes[at + 14] = durationMs;
        bytes[at + 15] = durationMs >> 8;
        break;
      case shapes.documentedInstant:
        fits =
          (x << 16) >> 16 === x &&
          (y << 16) >> 16 === y &&
          (vx << 16) >> 16 === vx &&
          (vy << 16) >> 16 === vy &&
          (state & 0xff) === state;
        bytes[at + 1] = x;
        bytes[at + 2] = x >> 8;
        bytes[at + 3] = y;
        bytes[at + 4] = y >> 8;
        bytes[at + 5] = vx;
        bytes[at + 6] = vx >> 8;
        bytes[at + 7] = vy;
        bytes[at + 8] = vy >> 8;
        bytes[at + 9] = state;
        break;
      default:
        // equipment
        fits = (data & 0xff) === data;
        bytes[at + 1] = data;
    }
    if (!fits) refuseWrite(fragment, index, table);
    at += row.size;
  }
  return at;
}

/** Paths are small and many: they are cut from slabs of this size, as memory of its own costs more than the writing. */
const SLAB_BYTES = 64 * 1024;
let slab = new Uint8Array(0);
let slabUsed = 0;

/** A slab with room for this many bytes from `slabUsed` on. */
function slabFor(size: number): Uint8Array<ArrayBuffer> {
  if (slabUsed + size > slab.length) {
    slab = new Uint8Array(Math.max(size, SLAB_BYTES));
    slabUsed = 0;
  }
  return slab;
}

/** The slab's next bytes, which nobody else gets. `subarray` asks for the species first: 60 ns instead of 20. */
function cut(size: number): Uint8Array {
  slabUsed += size;
  return new Uint8Array(slab.buffer, slabUsed - size, size);
}

/** Memory of exactly this size; its `buffer` is shared with others of its kind. */
export function takeBytes(size: number): Uint8Array {
  slabFor(size);
  return cut(size);
}

/** The start, the count and the fragments, as `v62` has them. Throws like {@link writeFragments}. */
export function encodePath(path: Path, table: FragmentTable): Uint8Array {
  const { start, fragments } = path;
  const count = fragments.length;
  if (count > MAX_FRAGMENTS) throw new RangeError(`A path has at most ${MAX_FRAGMENTS} fragments, got ${count}`);
  const { x, y } = start;
  if ((x << 16) >> 16 !== x || (y << 16) >> 16 !== y)
    throw new RangeError(`A path starts within i16, not at ${x}, ${y}`);
  // As long as it may get: adding up the sizes first took 2.4 ns per fragment.
  const bytes = slabFor(PATH_HEAD_BYTES + count * MAX_FRAGMENT_BYTES);
  const at = slabUsed;
  bytes[at] = x;
  bytes[at + 1] = x >> 8;
  bytes[at + 2] = y;
  bytes[at + 3] = y >> 8;
  bytes[at + 4] = count;
  return cut(writeFragments(bytes, at + PATH_HEAD_BYTES, fragments, table) - at);
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
