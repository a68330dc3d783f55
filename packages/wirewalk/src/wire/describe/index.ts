/** Descriptions: messages declared once, as plain data with a type. */

export { tagsText } from "./cases.ts";
export { describeNode, type FieldRow, typeName } from "./describe.ts";
export { type DialectOptions, dialect, type MessageOptions } from "./dialects.ts";
export { type Infer, type Layout, withMeaning } from "./layout.ts";
export { layoutOf } from "./layout-of.ts";
export { boolean, type FlagsOptions, flags, oneOf, prefix } from "./names.ts";
export {
  type BitOrder,
  type BitsOptions,
  bits,
  type Lz4BlockOptions,
  limited,
  lz4Block,
  sized,
  unused,
} from "./nested.ts";
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
export { parseNode } from "./parse-node.ts";
export { bytesReadBy, type ReadBytesLayout, type Reading, readingFor } from "./readings.ts";
export {
  type ArrayCount,
  type ArrayLength,
  type ArrayOptions,
  array,
  byteRun,
  bytesWith,
  fixedBytes,
  prefixedBytes,
  restBytes,
} from "./runs.ts";
export { type BitSize, formatSize, sizeOf } from "./size.ts";
export {
  concat,
  constant,
  type DefaultLayout,
  type Flat,
  literal,
  type OptionalLayout,
  optional,
  type StructOptions,
  type StructValue,
  struct,
  withDefault,
} from "./structs.ts";
export { cstring, prefixedString, restString, windows1252String } from "./texts.ts";
export { byLength, mark, type PeekCase, peek, tagged, type VariantValue, variant } from "./variants.ts";
export { namedNumbers, wordsFor } from "./words.ts";
