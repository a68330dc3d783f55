/**
 * A saved state, described once. Its type, the check of restored data and the copy out of a world follow from the description.
 *
 * ```ts
 * import { checkState, copyState, list, number, state, text } from "wirewalk/world-kit";
 *
 * const savedPlayer = state({ id: number, name: text, budget: state({ left: number }), moves: list(number) });
 * class Budget {
 *   save = () => ({ left: 3 });
 * }
 * const player = { id: 7, name: "ann", budget: new Budget(), moves: new Set([1, 2]) };
 * const saved = copyState(savedPlayer, player);
 * saved; // => { id: 7, name: "ann", budget: { left: 3 }, moves: [1, 2] }
 * checkState(savedPlayer, saved, "player") === saved; // => true
 * checkState(savedPlayer, { ...saved, moves: [1, "2"] }, "player"); // throws TypeError: Cannot restore: player.moves[1] must be a number
 * ```
 *
 * @module
 */
import type { Infer, Layout } from "../../../wire/index.ts";
import type { StateNode, TypedArrays } from "./node.ts";

declare const described: unique symbol;

/** A described state of type `T`. Everything follows from its node. */
export interface State<out T> {
  readonly node: StateNode;
  /** Has the type alone: it is never there. */
  readonly [described]?: () => T;
}

/** A member that an object may lack. */
export interface OptionalState<out T> extends State<T> {
  readonly isOptional: true;
}

/** What descriptions are made of: states, and layouts of whole numbers, whose bounds are checked. */
export type Part = State<unknown> | Layout<number> | Layout<bigint>;

/** The type of a described state: `type SavedPlayer = StateOf<typeof savedPlayer>`. */
export type StateOf<P> = P extends State<infer T> ? T : Infer<P>;

type OptionalNames<M> = { [K in keyof M]: M[K] extends OptionalState<unknown> ? K : never }[keyof M];
type Flat<T> = { [K in keyof T]: T[K] };

/** The object that members make. */
export type MembersOf<M> = Flat<
  { -readonly [K in keyof M as K extends OptionalNames<M> ? never : K]: StateOf<M[K]> } & {
    -readonly [K in keyof M as K extends OptionalNames<M> ? K : never]?: StateOf<M[K]>;
  }
>;

/** Any number, NaN, infinities and -0 among them. */
export const number: State<number> = { node: { kind: "float", bits: 64 } };
/** A text of any length. */
export const text: State<string> = { node: { kind: "text", charset: "utf-16" } };
/** True or false. */
export const flag: State<boolean> = {
  node: { kind: "boolean", of: { kind: "integer", bits: 8, signed: false, order: "be" } },
};

/** Any plain data. It is not checked; copying throws `TypeError` where it is not plain. */
/* @__NO_SIDE_EFFECTS__ */
export function plainData<T = unknown>(): State<T> {
  return { node: { kind: "plain" } };
}

/** One of these texts or numbers. Another one is refused with `RangeError`. */
/* @__NO_SIDE_EFFECTS__ */
export function choice<const V extends string | number>(...values: readonly V[]): State<V> {
  return { node: { kind: "choice", values } };
}

/** A value or undefined. */
/* @__NO_SIDE_EFFECTS__ */
export function maybe<P extends Part>(of: P): State<StateOf<P> | undefined> {
  return { node: { kind: "maybe", of: nodeOf(of) } };
}

/** A member that may be left out. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalMember<P extends Part>(of: P): OptionalState<StateOf<P>> {
  return { node: { kind: "maybe", of: nodeOf(of) }, isOptional: true };
}

/** An array of items of one kind. */
/* @__NO_SIDE_EFFECTS__ */
export function list<P extends Part>(item: P): State<StateOf<P>[]> {
  return { node: { kind: "array", item: nodeOf(item) } };
}

/** An array of so many values, each of its own kind. */
/* @__NO_SIDE_EFFECTS__ */
export function tuple<const P extends readonly Part[]>(
  ...items: P
): State<{ -readonly [K in keyof P]: StateOf<P[K]> }> {
  return { node: { kind: "tuple", items: items.map(nodeOf) } };
}

/** A `Map`, in its order. */
/* @__NO_SIDE_EFFECTS__ */
export function mapOf<K extends Part, V extends Part>(key: K, value: V): State<Map<StateOf<K>, StateOf<V>>> {
  return { node: { kind: "map", key: nodeOf(key), value: nodeOf(value) } };
}

/** A typed array, by its name in JavaScript; of any length where none is given. */
/* @__NO_SIDE_EFFECTS__ */
export function typedArray<N extends keyof TypedArrays>(type: N, length?: number): State<TypedArrays[N]> {
  return { node: { kind: "typedArray", type, ...(length === undefined ? {} : { length }) } };
}

/** Bytes: a `Uint8Array`. */
export const bytes: State<Uint8Array> = typedArray("Uint8Array");

/** An object with these members and no others. */
/* @__NO_SIDE_EFFECTS__ */
export function state<M extends Readonly<Record<string, Part>>>(members: M): State<MembersOf<M>> {
  const fields = Object.entries(members).map(([name, part]) => ({ name, node: nodeOf(part) }));
  return { node: { kind: "struct", fields } };
}

const kinds: ReadonlySet<string> = new Set<StateNode["kind"]>([
  ...(["integer", "boolean", "float", "text", "choice", "struct"] as const),
  ...(["array", "tuple", "map", "typedArray", "maybe", "plain"] as const),
]);

/** Throws `TypeError` for a layout that is not of a whole number. */
function nodeOf({ node }: Part): StateNode {
  const isWhole = node.kind !== "integer" || (node.divisor === undefined && node.bias === undefined);
  if (kinds.has(node.kind) && isWhole && !(node.kind === "float" && node.bits === 32)) return node as StateNode;
  throw new TypeError(`a state has no ${node.kind} of a message: use number`);
}
