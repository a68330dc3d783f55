/** What the writer and the reader of CBOR share: {@link CborWriter} and {@link decodeCbor}. */

/** Data that is nested deeper has a cycle, or is no state of a world. */
export const MAX_DEPTH = 64;

export const Major = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;
export const Simple = { false: 0xf4, true: 0xf5, null: 0xf6, undefined: 0xf7, float64: 0xfb } as const;
/** 273: a text that UTF-8 cannot hold, since it has half of a character. */
export const Tag = { positiveBig: 2, negativeBig: 3, set: 258, map: 259, wtf8: 273 } as const;

export type TypedArray =
  | Uint8ClampedArray
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** Tags of RFC 8746 for little endian. A `Uint8Array` is a byte string without a tag. */
export const typedArrays: readonly (readonly [
  tag: number,
  of: { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBuffer): TypedArray },
])[] = [
  [68, Uint8ClampedArray],
  [69, Uint16Array],
  [70, Uint32Array],
  [71, BigUint64Array],
  [72, Int8Array],
  [77, Int16Array],
  [78, Int32Array],
  [79, BigInt64Array],
  [85, Float32Array],
  [86, Float64Array],
];

export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The bytes of items of so many bytes each, in the other byte order. */
export function swapped(bytes: Uint8Array, size: number): Uint8Array {
  const swappedBytes = bytes.slice();
  for (let at = 0; at < bytes.length; at += size) swappedBytes.subarray(at, at + size).reverse();
  return swappedBytes;
}
