/** Fragments and paths in bytes, by what was generated from their descriptions. */
import { cutSlab, on, refusal, roomFor, slabFor, slabUsed, wrong } from "../../../wire/compiled/index.ts";
import { array, type Layout, type RowsNode, u8, withMeaning } from "../../../wire/index.ts";
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
  const { fragment, list } = table.compiled;
  const { length } = bytes;
  // As packets have them, behind their count: the reader of the list does it in one loop.
  if (at > 0 && bytes[at - 1] === count) {
    const whole = list.read(bytes, at - 1, length) as Fragment[] | undefined;
    if (whole === undefined) throw refusal();
    return whole;
  }
  const { read, after } = fragment;
  const fragments = new Array<Fragment>(count);
  let from = Math.min(at, length);
  for (let index = 0; index < count; index++) {
    const fragment = read(bytes, from, length);
    if (fragment === undefined) {
      on("[]", index);
      throw refusal();
    }
    fragments[index] = fragment;
    from = after();
  }
  return fragments;
}

/** How many bytes the fragments take. Throws `RangeError` for a type that the dialect does not have. */
export function sizeOfFragments(fragments: readonly FragmentFields[], table: FragmentTable): number {
  let size = 0;
  for (let index = 0; index < fragments.length; index++) {
    const fragment = fragments[index] as FragmentFields;
    const own = table.types[fragment.type]?.size ?? 0;
    // What has no size cannot be written.
    size += own === 0 ? writeFragment(new Uint8Array(), 0, fragment, index, table) : own;
  }
  return size;
}

/** Writes one fragment of a list and gives the offset after it. */
function writeFragment(
  bytes: Uint8Array,
  at: number,
  fragment: FragmentFields,
  index: number,
  { compiled }: FragmentTable,
): number {
  const end = compiled.fragment.write(bytes, at, fragment as never);
  if (end >= 0) return end;
  on("[]", index);
  throw wrong();
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
    end = writeFragment(bytes, end, fragments[index] as FragmentFields, index, table);
    if (end > bytes.length) throw new RangeError(`Fragments need ${end} bytes and more, there are ${bytes.length}`);
  }
  return end;
}

/**
 * The start, the count and the fragments, as the clients have them; in `v95` the start has a velocity, 0 where it has none here. Throws
 * like {@link writeFragments}.
 */
export function encodePath({ start, fragments }: Path, { compiled }: FragmentTable): Uint8Array {
  const count = fragments.length;
  // So written, it refuses what has no length too.
  if (!(count <= MAX_FRAGMENTS)) throw new RangeError(`A path has at most ${MAX_FRAGMENTS} fragments, got ${count}`);
  const { x, y } = start;
  const { vx = 0, vy = 0 } = start as { readonly vx?: number; readonly vy?: number };
  const bytes = slabFor(roomFor(compiled.place, start) + roomFor(compiled.list, fragments));
  const at = slabUsed();
  const countAt = compiled.place.write(bytes, at, { x, y, vx, vy } as never);
  if (countAt < 0) throw new RangeError(`A path starts within i16, not at ${x}, ${y}`);
  const end = compiled.list.write(bytes, countAt, fragments as never);
  if (end < 0) throw wrong();
  return cutSlab(end - at);
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
  return withMeaning(array(table.layout, { count: u8, limit: MAX_FRAGMENTS }, { rows }), {
    doc: "the steps of the path",
  });
}
