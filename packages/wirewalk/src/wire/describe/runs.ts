/** Runs: lists and bytes. */
import { type Layout, layoutFor, only } from "./layout.ts";
import type { BytesNode, RowsNode, RunLength } from "./node.ts";
import { checkNames } from "./option-names.ts";
import { sizeOf } from "./size.ts";

/** A count that lies before its items, with the most that is believed; or a number that both sides know. */
export type ArrayCount = { count: Layout<number>; limit: number } | { count: number };

/** How many items a list has: see `RunLength`. */
export type ArrayLength =
  | ArrayCount
  /** All that is left. `tolerant`: up to the first item that cannot be read; what is left is for the next field. */
  | { rest: number; tolerant?: true }
  /** Items up to a byte of this value, with which no item begins. */
  | { until: number; limit: number };

const lengthNames = { count: true, limit: true, rest: true, tolerant: true, until: true } as const;

function lengthNode(name: string, length: ArrayLength): RunLength {
  checkNames<ArrayLength>(name, length, lengthNames, "its length");
  if ("rest" in length || "until" in length) return length;
  if (typeof length.count === "number") return length.count;
  return { count: length.count.node, limit: (length as { limit: number }).limit };
}

/** What a list is besides its items and their number. */
export interface ArrayOptions {
  /** A trace shows all items as one field, under this name for them. */
  readonly fold?: string;
  /** How readers that allocate nothing store the items. */
  readonly rows?: RowsNode | "object";
}

/**
 * Items one after another. A count over its limit is refused with `limit` before any item is read; a number of items
 * that the writer may not write is a RangeError.
 */
export function array<T>(item: Layout<T>, length: ArrayLength, options: ArrayOptions = {}): Layout<T[]> {
  checkNames<ArrayOptions>("array", options, { fold: true, rows: true });
  const { fold, rows } = options;
  return layoutFor({ kind: "array", item: item.node, length: lengthNode("array", length), ...only({ fold, rows }) });
}

/** What a run of bytes is besides its length. */
export type BytesOptions = Pick<BytesNode, "transform" | "reversed" | "opaque">;

/** A run of bytes, copied; in JSON hex. */
export function byteRun(length: ArrayCount | { rest: number }, options: BytesOptions = {}): Layout<Uint8Array> {
  checkNames<BytesOptions>("bytes", options, { transform: true, reversed: true, opaque: true });
  return layoutFor({ kind: "bytes", length: lengthNode("bytes", length), ...options });
}

/** Exactly `count` bytes, copied. */
export function fixedBytes(count: number, options: BytesOptions = {}): Layout<Uint8Array> {
  return byteRun({ count }, options);
}

/** A count and that many bytes, copied. A count over `limit` is refused with `limit`. */
export function prefixedBytes(options: { count: Layout<number>; limit: number } & BytesOptions): Layout<Uint8Array> {
  const { count, limit, ...rest } = options;
  return byteRun({ count, limit }, rest);
}

/** Everything that is left, copied: the opaque end of a message. More than `limit` bytes are refused with `limit`. */
export function restBytes(options: { limit: number } & BytesOptions): Layout<Uint8Array> {
  const { limit, ...rest } = options;
  return byteRun({ rest: limit }, rest);
}

/**
 * A number of bytes that stay bytes in the value, while a trace shows the fields that `inside` describes. `flat`: a struct
 * with such bytes shows those fields under their own names, without the name of the bytes.
 */
export function bytesWith(inside: Layout<unknown>, options: { flat?: boolean } = {}): Layout<Uint8Array> {
  checkNames<{ flat?: boolean }>("bytesWith", options, { flat: true });
  return layoutFor({
    kind: "bytes",
    length: sizeOf(inside.node).least / 8,
    inside: inside.node,
    ...(options.flat ? { flat: true } : {}),
  });
}
