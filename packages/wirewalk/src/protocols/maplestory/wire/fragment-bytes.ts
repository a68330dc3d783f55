/** Bytes of fragments, for the readers of `fragment-io.ts` and `fragment-rows.ts`. */
import { ByteReader, withPath } from "../../../wire/index.ts";
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
  try {
    return table.layout.read(new ByteReader(bytes, Math.min(at, bytes.length)));
  } catch (error) {
    throw withPath(error, `[${index}]`);
  }
}

/** Throws what is wrong with the fragment at `at`, in the words of the description. */
export function refuseFragment(bytes: Uint8Array, at: number, index: number, table: FragmentTable): never {
  readDescribed(bytes, at, index, table);
  throw new Error("Cannot happen: the description reads what was refused");
}
