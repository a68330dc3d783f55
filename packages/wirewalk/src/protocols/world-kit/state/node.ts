/**
 * The description of a saved state: nodes of layouts, and a few more. A saved state is plain data in memory, so there are doubles, texts of
 * any length, maps and typed arrays, and nothing has an order of bytes.
 *
 * @module
 */
import type { BooleanNode, IntegerNode } from "../../../wire/index.ts";

/** The typed arrays that states have, by their name in JavaScript. */
export interface TypedArrays {
  readonly Uint8Array: Uint8Array;
  readonly Int8Array: Int8Array;
  readonly Int16Array: Int16Array;
  readonly Int32Array: Int32Array;
  readonly Uint32Array: Uint32Array;
  readonly Float64Array: Float64Array;
}

/** An object with these members and no others. */
export interface MembersNode {
  readonly kind: "struct";
  readonly fields: readonly { readonly name: string; readonly node: StateNode }[];
}

/** Any description of a state. */
export type StateNode =
  | IntegerNode
  | BooleanNode
  /** Any number of JavaScript: NaN, infinities and -0 too. */
  | { readonly kind: "float"; readonly bits: 64 }
  /** A text of any length. */
  | { readonly kind: "text"; readonly charset: "utf-16" }
  /** One of a few texts or numbers. */
  | { readonly kind: "choice"; readonly values: readonly (string | number)[] }
  | MembersNode
  /** Any number of items of one kind. */
  | { readonly kind: "array"; readonly item: StateNode }
  /** An array of so many values, each of its own kind. */
  | { readonly kind: "tuple"; readonly items: readonly StateNode[] }
  /** A `Map`. Its order is part of the state. */
  | { readonly kind: "map"; readonly key: StateNode; readonly value: StateNode }
  /** Of any length where none is given. */
  | { readonly kind: "typedArray"; readonly type: keyof TypedArrays; readonly length?: number }
  /** A value or undefined. */
  | { readonly kind: "maybe"; readonly of: StateNode }
  /** Any plain data: see `copyPlain`. */
  | { readonly kind: "plain" };
