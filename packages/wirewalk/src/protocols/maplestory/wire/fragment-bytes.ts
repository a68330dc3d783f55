/** Bytes of fragments, for the readers of `fragment-io.ts` and `fragment-rows.ts`. */
import { ByteReader, countBytes, readAt, WireError } from "../../../wire/index.ts";
import type { Fragment } from "./fragment.ts";
import type { FragmentTable } from "./fragment-table.ts";

/** A fragment of the shape `absolute`, with its type. */
export const ABSOLUTE_BYTES = 14;
/** No dialect has it. */
export const NO_TYPE = 255;
/**
 * Nothing is read or written from here on, a gigabyte. To an offset under this mask a few more can be added without
 * overflow, and the compiler knows it: it checks that once per fragment and not once per byte (1 ns).
 */
export const MAX_OFFSET = 0x3fff_ffff;

/** Two bytes as one number. */
export function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

/** A state and a duration, or three bytes of anything. */
export function u24(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
}

/** Two fields of 16 bits, the first one low. */
export function i32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** The fragment at `at`, read by the description. Throws `WireError` with a path that starts at the fragment: `[3].type`. */
export function readDescribed(bytes: Uint8Array, at: number, index: number, table: FragmentTable): Fragment {
  return readAt(index, () => table.layout.read(new ByteReader(bytes, Math.min(at, bytes.length))));
}

/**
 * What is wrong with the fragment at `at`, in the words of the description. Letting that read it took 2 us more. It is returned
 * and not thrown: a function that only throws is never compiled.
 */
export function fragmentRefusal(bytes: Uint8Array, at: number, index: number, table: FragmentTable): WireError {
  const { length } = bytes;
  if (at >= length) return cutField(index, "type", 1, length, length);
  const type = bytes[at] as number;
  if (table.types[type]?.size === 0) {
    const path = `[${index}].type`;
    const why = `${type} is none of ${table.knownTypes} at byte ${at}`;
    return new WireError("unknown-variant", `Cannot read ${path}: ${why}`, at * 8, path);
  }
  const names = table.fieldsOf(type);
  const sizes = table.sizesOf(type);
  let place = at + 1;
  let field = 0;
  while (field < sizes.length - 1 && place + (sizes[field] as number) <= length) {
    place += sizes[field] as number;
    field++;
  }
  return cutField(index, names[field] as string, sizes[field] as number, place, length);
}

function cutField(index: number, name: string, size: number, place: number, length: number): WireError {
  const path = `[${index}].${name}`;
  const why = `${countBytes(size)} needed, ${length - place} left at byte ${place}`;
  return new WireError("truncated", `Cannot read ${path}: ${why}`, place * 8, path);
}
