/** Checks data against the description of a state. */

import { integerRange } from "../../../wire/describe/number-nodes.ts";
import { isPlainObject } from "../plain-data.ts";
import type { State } from "./describe.ts";
import { type Form, formOf } from "./form.ts";
import type { StateNode, TypedArrays } from "./node.ts";

/**
 * The data, which has the described members and no others. Throws `TypeError` or `RangeError` that names the place: `where` is what the
 * data is called. Nothing is copied.
 */
export function checkState<T>({ node }: State<T>, data: unknown, where: string): T {
  if (!fits(formOf(node), data)) refuse(node, data, where);
  return data as T;
}

function fits(form: Form, value: unknown): boolean {
  const { type } = form;
  if (typeof value !== type) return type === undefined || (form.isMaybe && value === undefined);
  if (form.isSimple) return true;
  const { node, parts, members } = form;
  if (members !== undefined) return isObject(value) && hasMembers(members, value);
  switch (node.kind) {
    case "array":
      return Array.isArray(value) && areItems(parts[0] as Form, value);
    case "map":
      return value instanceof Map && areEntries(parts[0] as Form, parts[1] as Form, value);
    case "tuple":
      return Array.isArray(value) && value.length === parts.length && parts.every((part, at) => fits(part, value[at]));
    case "typedArray":
      return isTyped(value, node.type) && (node.length === undefined || value.length === node.length);
    case "choice":
      return node.values.includes(value as string | number);
    case "integer":
      return Number.isInteger(value) && Number(value) >= form.min && Number(value) <= form.max;
    default:
      return false;
  }
}

/** By index, apart from maps: one loop over anything that can be iterated is slower for both. */
function areItems(form: Form, items: readonly unknown[]): boolean {
  const { isSimple, type } = form;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (isSimple && typeof item === type) continue;
    if (!fits(form, item)) return false;
  }
  return true;
}

function areEntries(key: Form, value: Form, entries: ReadonlyMap<unknown, unknown>): boolean {
  for (const entry of entries) if (!fits(key, entry[0]) || !fits(value, entry[1])) return false;
  return true;
}

/** The names of an object in their order, with the forms of these members. */
interface Order {
  readonly names: readonly string[];
  readonly forms: readonly Form[];
}

/**
 * The order of the last object by its members: nearly all of a kind have one, and then all members are read at once (5 ns each; by name it
 * is 22).
 */
const orders = new WeakMap<ReadonlyMap<string, Form>, Order>();

function hasMembers(members: ReadonlyMap<string, Form>, object: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(object);
  let order = orders.get(members);
  if (order === undefined || !areEqual(names, order.names)) {
    order = orderOf(members, names);
    if (order === undefined) return false;
    orders.set(members, order);
  }
  const values = Object.values(object);
  const { forms } = order;
  for (let at = 0; at < forms.length; at += 1) {
    const form = forms[at] as Form;
    const value = values[at];
    // Most members: without a call, which costs most in a first restore.
    if (form.isSimple && typeof value === form.type) continue;
    if (!fits(form, value)) return false;
  }
  return true;
}

/** Undefined when one of the names is not described, or one that must be there is missing. */
function orderOf(members: ReadonlyMap<string, Form>, names: readonly string[]): Order | undefined {
  for (const [name, { isMaybe }] of members) if (!isMaybe && !names.includes(name)) return undefined;
  const forms = names.map((name) => members.get(name));
  return forms.every((form) => form !== undefined) ? { names, forms } : undefined;
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

/** Throws the error of the first place that does not fit. */
function refuse(node: StateNode, data: unknown, where: string): never {
  for (const [place, inner, value] of placesIn(node, data)) {
    if (!fits(formOf(inner), value)) refuse(inner, value, where + place);
  }
  if (node.kind === "struct" && isObject(data)) {
    const unknown = Object.keys(data).find((name) => node.fields.every((field) => field.name !== name));
    if (unknown !== undefined) throw new TypeError(`Cannot restore: ${where}.${unknown} is unknown`);
    const missing = node.fields.find(({ name, node: { kind } }) => kind !== "maybe" && !Object.hasOwn(data, name));
    throw new TypeError(`Cannot restore: ${where}.${missing?.name} is missing`);
  }
  const isOther = (node.kind === "choice" || node.kind === "integer") && typeof data === formOf(node).type;
  const message = `Cannot restore: ${where} must be ${nounOf(node)}`;
  throw isOther ? new RangeError(`${message}, got ${String(data)}`) : new TypeError(message);
}

/** What data is made of, where it is of the node's kind: the name of each place, and what should stand there and what does. */
function* placesIn(
  node: StateNode,
  data: unknown,
): Iterable<readonly [place: string, node: StateNode, value: unknown]> {
  if (node.kind === "maybe") {
    if (typeof data === formOf(node).type) yield ["", node.of, data];
  } else if (node.kind === "struct" && isObject(data)) {
    for (const { name, node: inner } of node.fields) yield [`.${name}`, inner, data[name]];
  } else if (node.kind === "array" && Array.isArray(data)) {
    for (const [index, item] of data.entries()) yield [`[${index}]`, node.item, item];
  } else if (node.kind === "tuple" && Array.isArray(data) && data.length === node.items.length) {
    for (const [index, inner] of node.items.entries()) yield [`[${index}]`, inner, data[index]];
  } else if (node.kind === "map" && data instanceof Map) {
    for (const [index, [key, value]] of [...data].entries()) {
      yield [`<${index}>.key`, node.key, key];
      yield [`<${index}>`, node.value, value];
    }
  }
}

const nouns = {
  float: "a number",
  text: "a text",
  boolean: "true or false",
  array: "an array",
  map: "a map",
  struct: "an object",
  plain: "plain data",
} as const;

function nounOf(node: StateNode): string {
  switch (node.kind) {
    case "integer": {
      const { min, max } = integerRange(node);
      return node.bits === 64 ? "a bigint" : `an integer in ${min}..${max}`;
    }
    case "choice":
      return node.values.join(" or ");
    case "tuple":
      return `an array of ${node.items.length}`;
    case "typedArray": {
      const unit = node.type === "Int32Array" ? "words" : node.type === "Uint8Array" ? "bytes" : `of ${node.type}`;
      return node.length === undefined ? `a ${node.type}` : `${node.length} ${unit}`;
    }
    case "maybe":
      return `${nounOf(node.of)} or undefined`;
    default:
      return nouns[node.kind];
  }
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null && isPlainObject(data);
}

function isTyped(value: unknown, type: keyof TypedArrays): value is TypedArrays[typeof type] {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === (type as string);
}
