/** Layouts around layouts: bits within bytes, sized parts, compressed blocks. */
import { type Layout, layoutFor, only } from "./layout.ts";
import { checkNames } from "./option-names.ts";

/** Which bit of a byte comes first. */
export type BitOrder = "msb" | "lsb";

/** How bits lie in their bytes. */
export interface BitsOptions {
  /** Which bit of a byte comes first. With `lsb` no number may lie in two bytes: else `bits` throws `TypeError`. Default `msb`. */
  readonly first?: BitOrder;
  /** What is left of the last byte: it must be 0 (default), or it is read over. It is written as 0. */
  readonly padding?: "zero" | "any";
  /** How a trace calls the padding. Default `padding`. */
  readonly paddingName?: string;
}

/**
 * Numbers of any width one after another, with no regard to byte boundaries, in as many bytes as they need:
 *
 * `bits(struct({ level: uint(2), x: uint(14), z: uint(14) }), { padding: "any" })`.
 */
export function bits<T>(of: Layout<T>, options: BitsOptions = {}): Layout<T> {
  checkNames<BitsOptions>("bits", options, { first: true, padding: true, paddingName: true });
  const { first = "msb", padding = "zero", paddingName = "padding" } = options;
  return layoutFor({ kind: "bits", first, of: of.node, padding: { name: paddingName, value: padding } });
}

/** Bits without a meaning, read over and written as 0: for a struct's field whose name begins with `$`. */
export function unused(width: number): Layout<number> {
  return layoutFor({ kind: "unused", bits: width });
}

/** The most bytes, and the name for what has more. */
export type LimitedOptions = { readonly bytes: number; readonly name: string };

/** `of` to the end of the bytes, of which there are at most so many. More are refused with `limit` under `name`. */
export function limited<T>(of: Layout<T>, options: LimitedOptions): Layout<T> {
  checkNames<LimitedOptions>("limited", options, { bytes: true, name: true });
  const { bytes, name } = options;
  return layoutFor({ kind: "limited", bytes, name, of: of.node });
}

/**
 * A size in bytes, then content that fills it exactly. `extra`: how many bytes the size counts beside the content, itself
 * perhaps. A size that its content does not fill, or that it overflows, is refused with `bad-length`.
 */
export function sized<T>(size: Layout<number>, of: Layout<T>, options: { extra?: number } = {}): Layout<T> {
  checkNames<{ extra?: number }>("sized", options, { extra: true });
  const { extra = 0 } = options;
  return layoutFor({ kind: "sized", size: size.node, extra, of: of.node });
}

/** How a compressed block is read and written. */
export interface Lz4BlockOptions {
  /** The most bytes that may come out; more are refused with `limit`. */
  readonly limit: number;
  /** `ignore`: bits of the block that no sender sets may be set. Default `refuse`. */
  readonly reserved?: "refuse" | "ignore";
  /** So many bytes at the start are written as literals: they differ from copy to copy, and the rest is compressed once for all. */
  readonly literals?: number;
}

/**
 * An LZ4 block to the end of the bytes, which holds `of`. Where the block is nothing but literals, fields and errors have
 * their places in it; otherwise a trace shows the pieces of the block, and the fields of what came out as its `inner`.
 */
export function lz4Block<T>(of: Layout<T>, options: Lz4BlockOptions): Layout<T> {
  checkNames<Lz4BlockOptions>("lz4Block", options, { limit: true, reserved: true, literals: true });
  const { limit, reserved = "refuse", literals } = options;
  return layoutFor({ kind: "compressed", method: "lz4-block", limit, reserved, of: of.node, ...only({ literals }) });
}
