/** Numbers and bits as other values: booleans, names, flags. */
import { type Layout, layoutFor } from "./layout.ts";
import { checkNames } from "./option-names.ts";

/** A byte that is 0 or 1; any other is refused. */
export function boolean(of: Layout<number>): Layout<boolean> {
  return layoutFor({ kind: "boolean", of: of.node });
}

/** A number that stands for one of a few names; any other is refused with `unknown-variant`. */
export function oneOf<const N extends string>(of: Layout<number>, names: Record<N, number>): Layout<N> {
  return layoutFor({ kind: "oneOf", of: of.node, names });
}

/** A tag of variable length, within `bits`: `prefix({ small: "0", medium: "100" })`. No code begins with another. */
export function prefix<const N extends string>(codes: Record<N, string>): Layout<N> {
  return layoutFor({ kind: "prefix", codes });
}

/** How flags are read. */
export interface FlagsOptions {
  /** What becomes of a set bit without a name: refused with `bad-value`, or read over and written as 0. Default `refuse`. */
  readonly reserved?: "refuse" | "ignore";
  /** A reader gives one frozen object for all values with the same bits. Only with at most 8 flags. */
  readonly shared?: true;
}

/**
 * Bits of an unsigned integer by name, to an object of booleans. Each name has the number of its bit, not a mask: bit 0 is the least
 * significant.
 */
export function flags<const N extends string>(
  of: Layout<number>,
  bits: Record<N, number>,
  options: FlagsOptions = {},
): Layout<Record<N, boolean>> {
  checkNames<FlagsOptions>("flags", options, { reserved: true, shared: true });
  const { reserved = "refuse", shared } = options;
  return layoutFor({ kind: "flags", of: of.node, flags: bits, reserved, ...(shared ? { shared } : {}) });
}
