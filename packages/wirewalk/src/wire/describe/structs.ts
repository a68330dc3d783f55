/** Objects: fields one after another, and values that are always the same. */
import { type Infer, type Layout, layoutFor, only } from "./layout.ts";
import type { Condition, FieldNode, KeptNode, LiteralPart } from "./node.ts";
import { checkNames } from "./option-names.ts";

// --- Values that are always the same -----------------------------------------------------------------------------------

/** Bits of a literal that have a refusal of their own. */
export type LiteralOptions = { readonly parts?: readonly LiteralPart[] };

/** A value that is always the same; any other is refused with `bad-value`, by the writer with RangeError. */
export function literal<const V extends number | bigint | string>(
  of: Layout<number> | Layout<bigint> | Layout<string>,
  value: V,
  options: LiteralOptions = {},
): Layout<V> {
  checkNames<LiteralOptions>("literal", options, { parts: true });
  const { parts = [] } = options;
  return layoutFor({ kind: "literal", of: of.node, value, ...(parts.length === 0 ? {} : { parts }) });
}

/**
 * A field of the value that has no bits, because it follows from where it stands: the name of a case. It may be left out
 * of JSON, and with `optional` also of what is written.
 */
export function constant<const V extends number | string | boolean>(
  value: V,
  options: { optional?: boolean } = {},
): Layout<V> {
  checkNames<{ optional?: boolean }>("constant", options, { optional: true });
  return layoutFor({ kind: "constant", value, ...(options.optional ? { optional: true } : {}) });
}

// --- Fields that are special in a struct ---------------------------------------------------------------------------------

/** A field that is there only when an earlier number of the same struct says so. */
export interface OptionalLayout<T, W extends Condition = Condition> extends Layout<T> {
  readonly when: W;
}

/** What a condition tests. A mask alone tests nothing: it says of which bits the others are. */
type Test = "zero" | "from" | "to" | "not";

/** A condition must also have a test, and no other keys. */
export type WithTest<W extends Condition> = Readonly<Record<Exclude<keyof W, keyof Condition>, never>> &
  ([Extract<keyof W, Test>] extends [never] ? { readonly from: number } : unknown);

/**
 * A field of a struct that is there only when the condition holds: `optional(u8, { field: "endTime", from: 1 })`. A struct refuses a
 * condition on a field that it does not have before this one, that tests nothing, or that can never hold.
 */
export function optional<T, const W extends Condition>(layout: Layout<T>, when: W & WithTest<W>): OptionalLayout<T, W> {
  return { ...layout, when };
}

/** A field that JSON may leave out. */
export interface DefaultLayout<T> extends Layout<T> {
  readonly default: number | string | boolean;
}

/** A field of a struct that JSON may leave out: then it is `value`, in the form that it has in JSON (bytes are hex). */
export function withDefault<T>(layout: Layout<T>, value: number | string | boolean): DefaultLayout<T> {
  return { ...layout, default: value };
}

// --- Types of structs ------------------------------------------------------------------------------------------------------

/** An intersection as one object type. */
export type Flat<T> = { [K in keyof T]: T[K] };
/** The keys of fields that are in the value. */
type VisibleKeys<F> = Exclude<keyof F, `$${string}`>;
type OptionalKeys<F> = { [K in VisibleKeys<F>]: F[K] extends OptionalLayout<unknown> ? K : never }[VisibleKeys<F>];
type FieldKeys<F> = Exclude<VisibleKeys<F>, OptionalKeys<F>>;

/** The value of a {@link struct}. */
export type StructValue<F extends Record<string, Layout<unknown>>> = Flat<
  { [K in FieldKeys<F>]: Infer<F[K]> } & { [K in OptionalKeys<F>]?: Infer<F[K]> }
>;

/** The fields whose values are such, and those of which the type says nothing. */
type KeysOf<F, V> = {
  [K in VisibleKeys<F>]: unknown extends Infer<F[K]> ? K : Infer<F[K]> extends V ? K : never;
}[VisibleKeys<F>];

/** What a condition must be in a struct: about bytes where it asks for zeros, otherwise about a number. */
type ConditionIn<F, W> = W extends { readonly field: infer N }
  ? string extends N
    ? unknown
    : W extends { readonly zero: boolean }
      ? { readonly field: KeysOf<F, Uint8Array> }
      : { readonly field: KeysOf<F, number> }
  : unknown;

/** What the fields of a struct must be: the conditions of optional fields and of readings are about other fields. */
export type FieldsIn<F> = string extends keyof F
  ? unknown
  : {
      readonly [K in keyof F]: F[K] extends { readonly when: infer W }
        ? { readonly when: ConditionIn<F, W> }
        : F[K] extends { readonly readings: readonly (infer R)[] }
          ? {
              readonly readings: readonly {
                readonly when: R extends { readonly when: infer W } ? ConditionIn<F, W> : unknown;
              }[];
            }
          : unknown;
    };

/** What a struct is besides its fields. */
export interface StructOptions<K extends string> {
  /** The keys of the value in another order: these first. */
  readonly order?: readonly K[];
  /** The bytes of some fields as they came, under a name: see `KeptNode`. */
  readonly kept?: KeptNode & { readonly from: K; readonly to: K };
}

/** A field's description, out of its key and its layout. */
function fieldNode(key: string, layout: Layout<unknown>): FieldNode {
  const hidden = key.startsWith("$");
  const { when, default: usual } = layout as Partial<OptionalLayout<unknown> & DefaultLayout<unknown>>;
  return {
    name: hidden ? key.slice(1) : key,
    node: layout.node,
    ...(hidden ? { hidden } : {}),
    ...only({ when, default: usual }),
  };
}

/**
 * Fields one after another, in the order of their declaration, to an object of the same keys. A field whose name begins
 * with `$` must be a literal or unused: it stands on the wire and not in the value.
 *
 * Throws `TypeError` or `RangeError` for what cannot be, such as a condition on a field that comes later:
 *
 * ```ts
 * import { optional, struct, u8 } from "wirewalk/wire";
 *
 * struct({ kind: u8, x: optional(u8, { field: "kind", from: 3 }) }).node.kind; // => "struct"
 * struct({ kind: u8, x: optional(u8, { field: "knd", from: 3 }) }); // throws TypeError: Cannot describe x: it depends on knd, and the struct has no such field
 * struct({ kind: u8, x: optional(u8, { field: "kind", from: 300 }) }); // throws RangeError: Cannot describe x: it compares kind with 300, and kind is in 0..255
 * ```
 */
export function struct<F extends Record<string, Layout<unknown>>>(
  declared: F & FieldsIn<F>,
  options: StructOptions<Extract<keyof StructValue<F>, string>> = {},
): Layout<StructValue<F>> {
  checkNames<StructOptions<string>>("struct", options, { order: true, kept: true });
  const { order, kept } = options;
  return layoutFor({
    kind: "struct",
    fields: Object.entries(declared as F).map(([key, layout]) => fieldNode(key, layout)),
    ...only({ order, kept }),
  });
}

/** The fields of several objects one after another, to one object. */
export function concat<A extends object, B extends object>(
  first: Layout<A>,
  second: Layout<B>,
  options: { readonly order?: readonly KeyOfAny<A & B>[] } = {},
): Layout<Flat<A & B>> {
  checkNames<typeof options>("concat", options, { order: true });
  const { order } = options;
  return layoutFor({
    kind: "struct",
    fields: [first, second].map(({ node }) => ({ name: "", node })),
    ...only({ order }),
  });
}

/** All keys that a value of a union may have; any text where the type does not say. */
export type KeyOfAny<V> = [V extends unknown ? keyof V : never] extends [never]
  ? string
  : Extract<V extends unknown ? keyof V : never, string>;
