/**
 * A message as a declaration: one definition in wire order, as plain data. Reading, writing, traces, JSON, types and tables
 * follow from it.
 *
 * ```ts
 * import { decode, encode, oneOf, struct, toJson, u16be, u8 } from "wirewalk/wire";
 *
 * const step = struct({
 *   direction: oneOf(u8, { left: 1, right: 2 }),
 *   x: u16be, // pixels
 * });
 *
 * encode(step, { direction: "right", x: 448 }); // => new Uint8Array([2, 1, 192])
 * decode(step, new Uint8Array([2, 1, 192])); // => { direction: "right", x: 448 }
 * toJson(step, { direction: "right", x: 448 }); // => { direction: "right", x: 448 }
 * step.node.fields[1].node; // => { kind: "integer", bits: 16, signed: false, order: "be" }
 * decode(step, new Uint8Array([3, 1, 192])); // throws unknown-variant: Cannot read direction: 3 is none of 1, 2 at byte 0
 * decode(step, new Uint8Array([2, 1])); // throws truncated: Cannot read x: 2 bytes needed, 1 left at byte 1
 * ```
 *
 * @module
 */
import { checkNode } from "./check.ts";
import type { LayoutNode, Meaning, WordRule } from "./node.ts";
import { checkNames, type OptionNames } from "./option-names.ts";

/** Only a type: no layout has it. */
declare const VALUE: unique symbol;

/**
 * How a value lies in bytes: a description as plain data, and the type of the values. Constructors such as `struct` make it, and
 * refuse a description that cannot be with `TypeError` or `RangeError`.
 */
export interface Layout<T> {
  readonly node: LayoutNode;
  readonly [VALUE]?: T;
}

/** The value type of a layout: `type Step = Infer<typeof step>`. */
export type Infer<L> = L extends Layout<infer T> ? T : never;

/** The layout of a description whose parts were checked before. Throws what is wrong with it. */
export function layoutFor<T>(node: LayoutNode): Layout<T> {
  checkNode(node, "");
  return { node };
}

export const meaningNames: OptionNames<Meaning> = { doc: true, section: true, unit: true, words: true };

const wordNames: OptionNames<WordRule> = {
  from: true,
  to: true,
  every: true,
  text: true,
  offset: true,
  factor: true,
  digits: true,
};

/**
 * The same layout, described further: what it means, where the standard describes it, its unit, and the words in which a
 * trace shows its number.
 *
 * ```ts
 * import { traceLayout, u8, withMeaning } from "wirewalk/wire";
 *
 * const pitch = withMeaning(u8, { unit: "1/256 turn", words: [{ from: 64, to: 64, text: "level" }] });
 * traceLayout(pitch, Uint8Array.of(64)).fields[0].shown; // => "level"
 * ```
 */
export function withMeaning<L extends Layout<unknown>>(layout: L, meaning: Meaning): L {
  checkNames<Meaning>("meaning", meaning, meaningNames);
  for (const rule of meaning.words ?? []) checkNames<WordRule>("meaning", rule, wordNames, "a rule of its words");
  return { ...layout, node: { ...layout.node, ...meaning } };
}

/** The description with what is absent left out: options that were not given are no part of it. */
export function only<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
