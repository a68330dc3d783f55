/** Bytes of fragments, as the readers of `fragment-io.ts` and `fragment-rows.ts` take them. */
import { ByteReader, withPath } from "../../../wire/index.ts";
import type { FragmentTable } from "./fragment.ts";

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

/** What is wrong with the fragment at `at`, in the words of the definition. */
export function refusal(bytes: Uint8Array, at: number, index: number, table: FragmentTable): unknown {
  try {
    table.layout.read(new ByteReader(bytes, Math.min(at, bytes.length)));
  } catch (error) {
    return withPath(error, `[${index}]`);
  }
  return new Error("Cannot happen: the definition reads what was refused");
}
