/** Layouts: messages declared once, as data that reads, writes, traces and describes itself. */

export { tagsText } from "./cases.ts";
export type { BitOrder, LayoutReader, LayoutWriter } from "./cursor.ts";
export { describeNode, type FieldRow, typeName } from "./describe.ts";
export {
  decode,
  encode,
  type Infer,
  type Layout,
  type LayoutTrace,
  traceLayout,
  withFastPath,
  withMeaning,
} from "./layout.ts";
export { layoutOf } from "./layout-of.ts";
export { boolean, flags, oneOf } from "./names.ts";
export { type BitsOptions, bits, type Lz4BlockOptions, limited, lz4Block, prefix, sized, unused } from "./nested.ts";
export type * from "./node.ts";
export {
  f32be,
  f32le,
  float32,
  type IntegerOptions,
  i8,
  i16be,
  i16le,
  i32be,
  i32le,
  integer,
  smart,
  u8,
  u16be,
  u16le,
  u32be,
  u32le,
  u64le,
  uint,
} from "./numbers.ts";
export { bytesReadBy, type ReadBytesLayout, type Reading, readingFor } from "./readings.ts";
export {
  type ArrayCount,
  type ArrayLength,
  array,
  byteRun,
  bytesWith,
  fixedBytes,
  prefixedBytes,
  restBytes,
} from "./runs.ts";
export { type BitSize, formatSize, sizeOf } from "./size.ts";
export { concat, constant, literal, type OptionalLayout, optional, type StructValue, struct } from "./structs.ts";
export { cstring, prefixedString, windows1252String } from "./texts.ts";
export { byLength, mark, tagged, type VariantValue, variant } from "./variants.ts";
export { namedNumbers, wordsFor } from "./words.ts";
