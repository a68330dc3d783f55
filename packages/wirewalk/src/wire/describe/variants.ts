/** Objects whose fields depend on a tag, on the number of bytes that are left, on the bytes ahead, or on a mark. */
import { type Infer, type Layout, layoutFor, only } from "./layout.ts";
import type { CaseTest, MarkNode, PeekTest } from "./node.ts";
import { checkNames } from "./option-names.ts";
import type { Flat, KeyOfAny } from "./structs.ts";

/** The value of a {@link variant}: an object type per case; the tag says which. */
export type VariantValue<N extends string, C extends Record<PropertyKey, Layout<object>>> = {
  [K in keyof C]: { [P in N | keyof Infer<C[K]>]: P extends keyof Infer<C[K]> ? Infer<C[K]>[P] : K };
}[keyof C];

/**
 * A tag, then the layout that the tag selects, to one object with the tag under the name `tagName`:
 *
 * `variant("result", oneOf(u8, { ok: 1, full: 2 }), { ok: struct({ id: u16le }), full: struct({}) })` is
 * `{ result: "ok", id: number } | { result: "full" }`.
 *
 * Tags are names (of `oneOf`) or numbers. One without a case is refused with `unknown-variant`.
 */
export function variant<
  const N extends string,
  T extends string | number,
  C extends Record<PropertyKey, Layout<object>>,
>(tagName: N, tag: Layout<T>, cases: C & Record<Exclude<keyof C, T>, never>): Layout<VariantValue<N, C>> {
  const { kind } = tag.node;
  const isNumber = kind === "integer" || kind === "smart";
  const list = Object.entries<Layout<object>>(cases as C).map(([key, layout]) => {
    // A key that is no number is refused as it was written.
    return { tags: [isNumber && Number.isFinite(Number(key)) ? Number(key) : key], layout };
  });
  return tagged(tagName, tag as Layout<string | number>, list) as Layout<never>;
}

/** One case of {@link tagged}: see `CaseNode`. */
export interface TaggedCase<V extends object = object, T extends string | number = string | number> {
  readonly tags?: readonly T[];
  readonly layout: Layout<V>;
  readonly when?: CaseTest;
  readonly hidden?: true;
}

/** The value of a case. */
type CaseValue<C> = C extends { readonly layout: Layout<infer V> } ? V : never;

type TaggedValue<N extends string, T, C> = C extends { readonly layout: Layout<infer V> }
  ? C extends { readonly hidden: true }
    ? V
    : Flat<{ [P in Exclude<N, keyof V>]: T } & V>
  : never;

type KeysOfUnion<V> = V extends unknown ? keyof V : never;
/** What a field may be in any of several objects. */
type ValueAt<V, K> = V extends unknown ? (K extends keyof V ? Exclude<V[K], undefined> : never) : never;
/** The kind of a value, without which value it is. */
type Wide<V> = V extends number ? number : V extends string ? string : V extends boolean ? boolean : V;

/** A value of each member, of the kind that the cases have there. */
type MembersFor<V> = { readonly [K in Extract<KeysOfUnion<V>, string>]: Wide<ValueAt<V, K>> };

/** The value of a variant with members: all of them, whichever case it is. */
type MemberValue<N extends string, T, V, M> = Flat<
  { [P in N]: T } & {
    -readonly [K in keyof M]: [ValueAt<V, K>] extends [never]
      ? Wide<M[K]>
      : M[K] extends ValueAt<V, K>
        ? ValueAt<V, K>
        : ValueAt<V, K> | Wide<M[K]>;
  }
>;

type Members = Readonly<Record<string, number | string | boolean>>;

/** A key of the value that may come first. */
type OrderKey<N extends string, C> = NoInfer<N> | KeyOfAny<CaseValue<NoInfer<C>>>;

/**
 * A variant whose cases have several tags each, take all other tags, or do not show their tag in the value:
 *
 * `tagged("type", u8, [{ tags: [0, 5, 17], layout: absolute }, { tags: [10], layout: equipment }])`.
 *
 * `order`: keys of the value that come first. `members`: the fields that every value has after the tag, whichever case it is, each with
 * what it is where the case lacks it. With them consumers see one shape, whichever case a value is; a writer and JSON have the fields of the case alone:
 *
 * ```ts
 * import { decode, encode, struct, tagged, toJson, u8 } from "wirewalk/wire";
 *
 * const step = tagged(
 *   "kind",
 *   u8,
 *   [
 *     { tags: [1], layout: struct({ x: u8 }) },
 *     { tags: [2], layout: struct({ y: u8 }) },
 *   ],
 *   { members: { x: 0, y: 0 } },
 * );
 * decode(step, Uint8Array.of(2, 7)); // => { kind: 2, x: 0, y: 7 }
 * toJson(step, { kind: 2, x: 0, y: 7 }); // => { kind: 2, y: 7 }
 * encode(step, { kind: 2, x: 0, y: 7 }); // => Uint8Array.of(2, 7)
 * tagged("kind", u8, [{ tags: [1, 256], layout: struct({}) }]); // throws RangeError: Cannot describe kind: it is never 256: it is in 0..255
 * ```
 */
export function tagged<const N extends string, T extends string | number, const C extends TaggedCase<object, T>>(
  tagName: N,
  tag: Layout<T>,
  list: readonly C[],
  options?: { readonly order?: readonly OrderKey<N, C>[]; readonly exact?: true },
): Layout<TaggedValue<N, T, C>>;
export function tagged<
  const N extends string,
  T extends string | number,
  const C extends TaggedCase<object, T>,
  const M extends Members,
>(
  tagName: N,
  tag: Layout<T>,
  list: readonly C[],
  options: {
    readonly order?: readonly (OrderKey<N, C> | Extract<keyof NoInfer<M>, string>)[];
    readonly members: M & NoInfer<MembersFor<CaseValue<C>>>;
  },
): Layout<MemberValue<N, T, CaseValue<C>, M>>;
export function tagged(
  tagName: string,
  tag: Layout<string | number>,
  list: readonly TaggedCase[],
  options: { readonly order?: readonly string[]; readonly members?: Members; readonly exact?: true } = {},
): Layout<unknown> {
  checkNames<typeof options>(tagName, options, { order: true, members: true, exact: true });
  for (const each of list) {
    checkNames<TaggedCase>(tagName, each, { tags: true, layout: true, when: true, hidden: true }, "a case");
  }
  const { order, members, exact } = options;
  return layoutFor({
    kind: "variant",
    tagName,
    tag: tag.node,
    cases: list.map(({ layout, tags, when, hidden }) => {
      return { ...only({ tags }), node: layout.node, ...only({ when }), ...(hidden ? { hidden } : {}) };
    }),
    ...only({ order, members, exact }),
  });
}

/** One case of {@link byLength}; the last one has no `bytes` and takes all other lengths. */
export interface LengthCase<V extends object = object> {
  readonly bytes?: number;
  readonly layout: Layout<V>;
  readonly when: CaseTest;
}

/** When reading, the number of bytes left selects the layout; when writing, the fields of the value select it. */
export function byLength<const C extends LengthCase>(list: readonly C[]): Layout<CaseValue<C>> {
  const cases: readonly LengthCase[] = list;
  for (const each of cases) {
    checkNames<LengthCase>("byLength", each, { bytes: true, layout: true, when: true }, "a case");
  }
  return layoutFor({
    kind: "byLength",
    cases: cases.map(({ bytes, layout, when }) => ({ ...only({ bytes }), node: layout.node, when })),
  });
}

/** One case of {@link peek}; the last one has no test. */
export interface PeekCase<T = unknown> {
  readonly when?: PeekTest;
  readonly layout: Layout<T>;
}

/**
 * The bytes ahead select the layout: the first one whose test holds. A writer uses the first one.
 *
 * ```ts
 * import { decode, peek, struct, u8, u16be } from "wirewalk/wire";
 *
 * const id = peek([
 *   { when: { next: { mask: 0x80, value: 0 } }, layout: struct({ id: u8 }) },
 *   { layout: struct({ id: u16be }) },
 * ]);
 * decode(id, Uint8Array.of(5)); // => { id: 5 }
 * decode(id, Uint8Array.of(0x80, 5)); // => { id: 32773 }
 * ```
 */
export function peek<T>(list: readonly PeekCase<T>[]): Layout<T> {
  for (const each of list) checkNames<PeekCase>("peek", each, { when: true, layout: true }, "a case");
  return layoutFor({
    kind: "peek",
    cases: list.map(({ when, layout }) => ({ ...only({ when }), node: layout.node })),
  });
}

/** Bits that stand for something else: see `MarkNode`. */
export interface MarkOptions<A extends object = object, B extends object = object> {
  readonly parts: MarkNode["parts"];
  readonly marked: Layout<A>;
  readonly of: Layout<B>;
  readonly when: CaseTest;
}

/**
 * Bits that, when they all have the values of `parts`, stand for `marked`, whose fields have no bits of their own; any
 * others are `of`. A value that passes `when` is written as the mark, and another value may not look like it.
 */
export function mark<A extends object, B extends object>(options: MarkOptions<A, B>): Layout<A | B> {
  checkNames<MarkOptions>("mark", options, { parts: true, marked: true, of: true, when: true });
  const { parts, marked, of, when } = options;
  return layoutFor({ kind: "mark", parts, marked: marked.node, of: of.node, when });
}
