/**
 * The numbers of the cursors as one table, for the tests of the reader, the writer and the layouts.
 *
 * @module
 */

/** An integer verb: how many bytes, and what fits. */
export interface IntegerKind {
  verb: "u8" | "i8" | "u16le" | "u16be" | "i16le" | "i16be" | "u32le" | "u32be" | "i32le" | "i32be";
  size: number;
  min: number;
  max: number;
  littleEndian: boolean;
}

const kind = (verb: IntegerKind["verb"], size: number): IntegerKind => ({
  verb,
  size,
  min: verb.startsWith("i") ? -(2 ** (size * 8 - 1)) : 0,
  max: verb.startsWith("i") ? 2 ** (size * 8 - 1) - 1 : 2 ** (size * 8) - 1,
  littleEndian: verb.endsWith("le"),
});

export const integerKinds: IntegerKind[] = [
  kind("u8", 1),
  kind("i8", 1),
  kind("u16le", 2),
  kind("u16be", 2),
  kind("i16le", 2),
  kind("i16be", 2),
  kind("u32le", 4),
  kind("u32be", 4),
  kind("i32le", 4),
  kind("i32be", 4),
];

/** What the bytes are, by plain arithmetic: the reference. */
export function integerOf(bytes: Uint8Array, { size, min, littleEndian }: IntegerKind): number {
  const ordered = [...bytes.subarray(0, size)];
  if (littleEndian) ordered.reverse();
  const unsigned = ordered.reduce((sum, byte) => sum * 256 + byte, 0);
  return min < 0 && unsigned >= 2 ** (size * 8 - 1) ? unsigned - 2 ** (size * 8) : unsigned;
}
