/** Copies what is described of a world's state. */
import { copyPlain } from "../plain-data.ts";
import type { State } from "./describe.ts";
import { type Form, formOf } from "./form.ts";

/**
 * What may stand where a saved state has a `T`: the same, an instance of a class whose `save` gives it, any iterable for an array; at any
 * depth.
 */
export type Live<T> = T extends string | number | bigint | boolean | undefined
  ? T
  :
      | { save(): Readonly<T> }
      | (T extends ArrayBufferView
          ? T
          : T extends ReadonlyMap<infer K, infer V>
            ? ReadonlyMap<K, Live<V>>
            : T extends readonly unknown[]
              ? number extends T["length"]
                ? Iterable<Live<T[number]>>
                : { readonly [K in keyof T]: Live<T[K]> }
              : { readonly [K in keyof T]: Live<T[K]> });

/**
 * Plain data that shares nothing with what a world has, or with checked data. Members of an object that are not described stay as they
 * are: to save such an object leave them out first, and a restored one replaces them.
 */
export function copyState<T>({ node }: State<T>, live: NoInfer<Live<T>>): T {
  return copyOf(formOf(node), live) as T;
}

function copyOf({ node, type, parts, members }: Form, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return type === undefined ? copyPlain(value) : value;
  // What stands there most often comes first: `save` is looked for in what remains.
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  if (members !== undefined && isPlain) return copyMembers(members, value as Members);
  if (node.kind === "array" && Array.isArray(value)) return copyItems(parts[0] as Form, value.slice());
  if (node.kind === "map" && value instanceof Map) return copyMap(parts[1] as Form, value);
  if (!isPlain && "save" in value && typeof value.save === "function") return value.save();
  if (members !== undefined) return copyMembers(members, value as Members);
  switch (node.kind) {
    case "array":
      return copyItems(parts[0] as Form, Array.from(value as Iterable<unknown>));
    case "map":
      return copyMap(parts[1] as Form, value as ReadonlyMap<unknown, unknown>);
    case "tuple":
      return parts.map((part, at) => copyOf(part, (value as readonly unknown[])[at]));
    case "typedArray":
      return (value as Uint8Array).slice();
    default:
      return copyPlain(value);
  }
}

/** The same array, with copies of its items. */
function copyItems(item: Form, items: unknown[]): unknown[] {
  if (!item.isSimple) for (let at = 0; at < items.length; at += 1) items[at] = copyOf(item, items[at]);
  return items;
}

function copyMap(form: Form, map: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> {
  if (form.isSimple) return new Map(map);
  const copy = new Map<unknown, unknown>();
  for (const entry of map) copy.set(entry[0], copyOf(form, entry[1]));
  return copy;
}

type Members = Readonly<Record<string, unknown>>;

/** How objects with some members are copied: at once, then those members that are objects or may be. */
interface Way {
  readonly clone: (object: Members) => Members;
  readonly inner: readonly (readonly [name: string, form: Form])[];
}

const ways = new WeakMap<ReadonlyMap<string, Form>, Way>();

function copyMembers(members: ReadonlyMap<string, Form>, object: Members): Members {
  let way = ways.get(members);
  if (way === undefined) {
    const inner = [...members].filter(([, { type }]) => type === "object" || type === undefined);
    way = { clone: clones.pop() ?? ((it) => ({ ...it })), inner };
    ways.set(members, way);
  }
  const copy: Record<string, unknown> = way.clone(object);
  for (const [name, form] of way.inner) {
    const value = copy[name];
    if (value !== undefined) copy[name] = copyOf(form, value);
  }
  return copy;
}

/**
 * V8 copies objects of one kind at once (3 ns a member), and that by place in the source: a spread that sees many kinds takes 40. So each
 * shape takes one of these, while there are some.
 */
// biome-ignore format: one row for each, as in a table
const clones: ((object: Members) => Members)[] = [
  (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }),
  (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }),
  (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }),
  (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }),
  (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }),
  (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }), (it) => ({ ...it }),
];
