/** Fragments and paths in bytes, by their descriptions. */
import {
  array,
  ByteReader,
  encode,
  type Layout,
  type RowsNode,
  readAt,
  readLayout,
  u8,
  withPath,
} from "../../../wire/index.ts";
import type { Fragment, FragmentFields } from "./fragment.ts";
import type { FragmentTable } from "./fragment-table.ts";
import type { Path } from "./messages.ts";

/** The count is one byte. */
export const MAX_FRAGMENTS = 255;

/**
 * Reads `count` fragments from `at` on; they take {@link sizeOfFragments} bytes. Throws `WireError` with a path that
 * starts at the fragment: `[3].type`.
 */
export function readFragments(bytes: Uint8Array, at: number, count: number, table: FragmentTable): Fragment[] {
  const reader = new ByteReader(bytes, Math.min(at, bytes.length));
  const fragments: Fragment[] = [];
  while (fragments.length < count) {
    fragments.push(readAt(fragments.length, () => readLayout(table.layout, reader)));
  }
  return fragments;
}

/** How many bytes the fragments take. Throws `RangeError` for a type that the dialect does not have. */
export function sizeOfFragments(fragments: readonly FragmentFields[], table: FragmentTable): number {
  let size = 0;
  for (let index = 0; index < fragments.length; index++) {
    const fragment = fragments[index] as FragmentFields;
    const row = table.types[fragment.type];
    // What has no size cannot be written.
    size += row === undefined || row.size === 0 ? encodeFragment(fragment, index, table).length : row.size;
  }
  return size;
}

function encodeFragment(fragment: FragmentFields, index: number, table: FragmentTable): Uint8Array {
  try {
    return encode(table.layout, fragment as Fragment);
  } catch (error) {
    throw withPath(error, `[${index}]`);
  }
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
  let end = at;
  for (let index = 0; index < fragments.length; index++) {
    const written = encodeFragment(fragments[index] as FragmentFields, index, table);
    bytes.set(written, end);
    end += written.length;
  }
  return end;
}

/**
 * The start, the count and the fragments, as the clients have them; in `v95` the start has a velocity, 0 where it has none here. Throws
 * like {@link writeFragments}.
 */
export function encodePath({ start, fragments }: Path, table: FragmentTable): Uint8Array {
  const count = fragments.length;
  // So written, it refuses what has no length too.
  if (!(count <= MAX_FRAGMENTS)) throw new RangeError(`A path has at most ${MAX_FRAGMENTS} fragments, got ${count}`);
  const { x, y } = start;
  const { vx = 0, vy = 0 } = start as { readonly vx?: number; readonly vy?: number };
  const numbers = table.startsMoving ? [x, y, vx, vy] : [x, y];
  if (!numbers.every((value) => (value << 16) >> 16 === value)) {
    throw new RangeError(`A path starts within i16, not at ${x}, ${y}`);
  }
  const head = numbers.flatMap((value) => [value & 0xff, (value >> 8) & 0xff]);
  const bytes = new Uint8Array(head.length + 1 + sizeOfFragments(fragments, table));
  bytes.set([...head, count]);
  writeFragments(bytes, head.length + 1, fragments, table);
  return bytes;
}

/** A fragment as a row: 16 bytes hold any but for the offsets of `v95`, which no rule reads. */
const rows: RowsNode = {
  words: [
    [
      { name: "type", fields: ["type"], bits: 8, signed: false },
      { name: "state", fields: ["state"], bits: 8, signed: false },
      { name: "durationMs", fields: ["durationMs"], bits: 16, signed: false },
    ],
    [
      { name: "x", fields: ["x"], bits: 16, signed: true },
      { name: "y", fields: ["y"], bits: 16, signed: true },
    ],
    [
      { name: "vx", fields: ["vx"], bits: 16, signed: true },
      { name: "vy", fields: ["vy"], bits: 16, signed: true },
    ],
    [
      // Signed, as in `v62`; the foothold of a `documented` jump down is unsigned there.
      { name: "foothold", fields: ["foothold"], bits: 16, signed: true },
      { name: "extra", fields: ["fallStart", "unknown", "data"], bits: 16, signed: true },
    ],
  ],
};

/** A count and its fragments, as every movement packet has them. */
export function fragmentList(table: FragmentTable): Layout<readonly FragmentFields[]> {
  return array(table.layout, { count: u8, limit: MAX_FRAGMENTS }, { rows });
}
