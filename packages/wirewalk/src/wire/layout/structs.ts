/**
 * Objects: fields one after another, and values that are always the same.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../json.ts";
import { joinPath, readPath, WireError, withPath } from "../wire-error.ts";
import { plannedRead } from "./compile.ts";
import { plannedWrite } from "./compile-write.ts";
import type { LayoutReader, LayoutWriter } from "./cursor.ts";
import { type Infer, type Layout, nameOfJson, refuse, refuseJson } from "./layout.ts";
import type { Condition, FieldNode, LayoutNode, LiteralPart } from "./node.ts";
import { FAILED, type Plan, setPlan } from "./plan.ts";
import { checkReadings, holds, type ReadBytesLayout, readingToJson, traceReading } from "./readings.ts";

// --- Values that are always the same -----------------------------------------------------------------------------------

/** A value that is always the same; any other is refused with `bad-value`, by the writer with RangeError. */
export function literal<const V extends number | bigint | string>(
  of: Layout<number> | Layout<bigint> | Layout<string>,
  value: V,
  options: { readonly parts?: readonly LiteralPart[] } = {},
): Layout<V> {
  const inner = of as Layout<unknown>;
  const { parts = [] } = options;
  const check = (found: unknown, bitOffset: number): V => {
    if (found === value) return value;
    for (const { shift, mask, code, why } of parts) {
      const bits = (Number(found) >>> shift) & mask;
      if (bits !== ((Number(value) >>> shift) & mask)) refuse(code, why.replace("{}", String(bits)), bitOffset);
    }
    if (parts.length > 0) return value;
    return refuse("bad-value", `${String(found)} is not ${value}`, bitOffset);
  };
  const read = (reader: LayoutReader): V => {
    const at = reader.bitOffset;
    return check(inner.read(reader), at);
  };
  const write = (writer: LayoutWriter, given: V): void => {
    if (given !== value) throw new RangeError(`value must be ${value}, got ${String(given)}`);
    inner.write(writer, value);
  };
  const same = (given: unknown): unknown => (given === value ? value : FAILED);
  const hasParts = (found: unknown): boolean =>
    parts.every(({ shift, mask }) => (((Number(found) ^ Number(value)) >>> shift) & mask) === 0);
  // In a tolerant list what a plan gives up is the end of the list: it must not give up what `check` accepts.
  const adapt = parts.length === 0 ? same : (found: unknown): unknown => (hasParts(found) ? value : FAILED);
  const plan: Plan = { kind: "mapped", of: inner, adapt, prepare: same };
  setPlan(read, plan);
  setPlan(write, plan);
  return {
    node: { kind: "literal", of: of.node, value, ...(parts.length === 0 ? {} : { parts }) },
    read,
    write,
    trace(reader, tracer, path) {
      const at = reader.bitOffset;
      return check(inner.trace(reader, tracer, path), at);
    },
    toJson: () => inner.toJson(value),
    fromJson(json) {
      if (inner.fromJson(json) !== value) refuseJson(`value must be ${value}, got ${nameOfJson(json)}`);
      return value;
    },
  };
}

/**
 * A field of the value that has no bits, because it follows from where it stands: the name of a case. It may be left out
 * of JSON, and with `optional` also of what is written.
 */
export function constant<const V extends number | string | boolean>(
  value: V,
  options: { optional?: boolean } = {},
): Layout<V> {
  const { optional: mayBeAbsent = false } = options;
  const read = (): V => value;
  const write = (_writer: LayoutWriter, given: V): void => {
    if (given === value || (given === undefined && mayBeAbsent)) return;
    throw new RangeError(`value must be ${value}, got ${String(given)}`);
  };
  const plan: Plan = { kind: "constant", value, optional: mayBeAbsent };
  setPlan(read, plan);
  setPlan(write, plan);
  return {
    node: { kind: "constant", value, ...(mayBeAbsent ? { optional: true } : {}) },
    read,
    trace: () => value,
    write,
    toJson: () => value,
    fromJson(json) {
      if (json !== undefined && json !== value) refuseJson(`value must be ${value}, got ${nameOfJson(json)}`);
      return value;
    },
  };
}

// --- Structs -------------------------------------------------------------------------------------------------------------

/** A field that is there only when an earlier number of the same struct says so. */
export interface OptionalLayout<T> extends Layout<T> {
  readonly when: Condition;
}

/** A field of a struct that is there only when the condition holds: `optional(u8, { field: "endTime", from: 1 })`. */
export function optional<T>(layout: Layout<T>, when: Condition): OptionalLayout<T> {
  return { ...layout, when };
}

/** An intersection as one object type. */
export type Flat<T> = { [K in keyof T]: T[K] };
type FieldKeys<F> = {
  [K in keyof F]: K extends `$${string}` ? never : F[K] extends OptionalLayout<unknown> ? never : K;
}[keyof F];
type OptionalKeys<F> = { [K in keyof F]: F[K] extends OptionalLayout<unknown> ? K : never }[keyof F];

/** The value of a {@link struct}. */
export type StructValue<F extends Record<string, Layout<unknown>>> = Flat<
  { [K in FieldKeys<F>]: Infer<F[K]> } & { [K in OptionalKeys<F>]?: Infer<F[K]> }
>;

interface Field {
  /** In the value and in paths. */
  readonly name: string;
  readonly layout: Layout<unknown>;
  /** In a trace: empty for bytes whose fields are shown without it. */
  readonly shownName: string;
  readonly hidden: boolean;
  readonly when: Condition | undefined;
  /** The same layout, of bytes that an earlier field gives a meaning. */
  readonly readBytes: ReadBytesLayout | undefined;
}

/** JavaScript would put keys that look like integers first: the order of declaration is wire order. */
function fieldsOf(declared: Record<string, Layout<unknown>>): Field[] {
  return Object.entries(declared).map(([key, layout]) => {
    if (/^\d+$/.test(key)) throw new TypeError(`a field's name must not be an integer, got ${key}`);
    const hidden = key.startsWith("$");
    const { kind } = layout.node;
    if (hidden && kind !== "literal" && kind !== "unused")
      throw new TypeError(`${key} is not in the value, so it must be a literal or unused`);
    if (!hidden && kind === "unused") throw new TypeError(`${key} is unused, so its name must begin with $`);
    const when = "when" in layout ? (layout as OptionalLayout<unknown>).when : undefined;
    const readBytes = "readings" in layout ? (layout as unknown as ReadBytesLayout) : undefined;
    const name = hidden ? key.slice(1) : key;
    const shownName = layout.node.kind === "bytes" && layout.node.flat ? "" : name;
    return { name, shownName, layout, hidden, when, readBytes };
  });
}

/**
 * Fields one after another, in the order of their declaration, to an object of the same keys. A field whose name begins
 * with `$` must be a literal or unused: it stands on the wire and not in the value. `order`: the keys of the value in another order.
 */
export function struct<F extends Record<string, Layout<unknown>>>(
  declared: F,
  options: { readonly order?: readonly (keyof StructValue<F>)[] } = {},
): Layout<StructValue<F>> {
  const fields = fieldsOf(declared);
  for (const { when } of fields) {
    const masked = when?.mask === undefined ? undefined : fields.find(({ name }) => name === when.field)?.layout.node;
    if (masked?.kind === "integer" && masked.divisor !== undefined)
      throw new TypeError(`a mask is of a whole number, and ${when?.field} has a divisor`);
  }
  const order = options.order as readonly string[] | undefined;
  const visible = fields.filter(({ hidden }) => !hidden);
  const keys = new Set(visible.map(({ name }) => name));
  const jsonKeys = keysOf({ kind: "struct", fields: visible.map(({ name, layout }) => ({ name, node: layout.node })) });
  if (order !== undefined && !order.every((key) => keys.has(key))) {
    throw new TypeError(`order must have fields of the struct, ${[...keys].join(", ")}, got ${order.join(", ")}`);
  }
  const shown = order === undefined ? visible : visible.toSorted((a, b) => rank(order, a.name) - rank(order, b.name));
  const node: LayoutNode = {
    kind: "struct",
    fields: fields.map(
      ({ name, layout, hidden, when }): FieldNode => ({
        name,
        node: layout.node,
        ...(hidden ? { hidden } : {}),
        ...(when === undefined ? {} : { when }),
      }),
    ),
    ...(order === undefined ? {} : { order }),
  };

  const inOrder = (value: Record<string, unknown>): StructValue<F> => {
    return (order === undefined ? value : firstKeys(value, order)) as StructValue<F>;
  };

  const plan: Plan = { kind: "struct", fields, order };
  return {
    node,
    read: plannedRead(plan, (reader) => {
      const value: Record<string, unknown> = {};
      const { depth, segments } = readPath;
      for (let index = 0; index < fields.length; index++) {
        const { name, layout, hidden, when } = fields[index] as Field;
        if (when !== undefined && !holds(when, value)) continue;
        segments[depth] = name;
        readPath.depth = depth + 1;
        const read = layout.read(reader);
        if (!hidden) value[name] = read;
      }
      readPath.depth = depth;
      return inOrder(value);
    }),
    write: plannedWrite(plan, (writer, value: StructValue<F>) => {
      // Types promise an object; values that come from elsewhere may be anything.
      if (typeof value !== "object" || value === null) {
        throw new TypeError(`value must be an object, got ${String(value)}`);
      }
      const given = value as Readonly<Record<string, unknown>>;
      let current = "";
      try {
        for (const { name, layout, hidden, when } of fields) {
          current = name;
          if (when !== undefined && !holds(when, given)) {
            if (given[name] !== undefined) throw new TypeError("value must not be there");
            continue;
          }
          layout.write(writer, hidden ? hiddenValue(layout) : given[name]);
        }
      } catch (error) {
        throw withPath(error, current);
      }
    }),
    trace(reader, tracer, path) {
      const value: Record<string, unknown> = {};
      let current = "";
      try {
        for (const { name, shownName, layout, hidden, when, readBytes } of fields) {
          if (when !== undefined && !holds(when, value)) continue;
          current = name;
          const read =
            readBytes === undefined
              ? layout.trace(reader, tracer, joinPath(path, shownName))
              : traceReading(readBytes, value, reader, tracer, { path, name });
          if (!hidden) value[name] = read;
        }
      } catch (error) {
        throw withPath(error, current);
      }
      return inOrder(value);
    },
    toJson(value) {
      const given = value as Readonly<Record<string, unknown>>;
      const json: Record<string, JsonValue> = {};
      for (const { name, layout, when, readBytes } of shown) {
        if (when !== undefined && !holds(when, given)) continue;
        json[name] = layout.toJson(given[name]);
        if (readBytes !== undefined) Object.assign(json, readingToJson(readBytes, given, given[name] as Uint8Array));
      }
      return json;
    },
    fromJson(json) {
      const given = asObject(json);
      const value: Record<string, unknown> = {};
      let current = "";
      try {
        for (const { name, layout, when } of visible) {
          current = name;
          if (when !== undefined && !holds(when, value)) {
            if (given[name] !== undefined) refuseJson("it must not be there");
            continue;
          }
          value[name] = layout.fromJson(given[name] as JsonValue);
        }
      } catch (error) {
        throw withPath(error, current);
      }
      for (const { name, readBytes } of visible) {
        if (readBytes !== undefined && Object.hasOwn(value, name)) {
          checkReadings(readBytes, value, value[name] as Uint8Array, given, name);
        }
      }
      refuseOthers(given, jsonKeys);
      return inOrder(value);
    },
  };
}

/** Where a key stands that comes first by `order`, or after all of these. */
function rank(order: readonly string[], key: string): number {
  const at = order.indexOf(key);
  return at < 0 ? order.length : at;
}

/** The same object with some keys first. */
export function firstKeys<T extends object>(value: T, order: readonly string[]): T {
  const given = value as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const key of order) if (Object.hasOwn(given, key)) ordered[key] = given[key];
  return Object.assign(ordered, given) as T;
}

function hiddenValue(layout: Layout<unknown>): unknown {
  return layout.node.kind === "literal" ? layout.node.value : undefined;
}

/** JSON that must be an object. */
export function asObject(json: JsonValue): JsonObject {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    refuseJson(`it must be an object, got ${nameOfJson(json)}`);
  }
  return json as JsonObject;
}

function refuseOthers(given: JsonObject, keys: ReadonlySet<string>): void {
  for (const key of Object.keys(given)) {
    if (!keys.has(key)) throw new WireError("bad-value", `Cannot read ${key}: no such field`, 0, key);
  }
}

/** The keys that the JSON of a description may have; for descriptions of objects. */
function keysOf(node: LayoutNode): Set<string> {
  switch (node.kind) {
    case "struct":
      return new Set(
        node.fields.flatMap(({ name, node: inner, hidden }) => {
          if (hidden) return [];
          if (name === "") return [...keysOf(inner)];
          const readings = inner.kind === "bytes" ? (inner.readings ?? []) : [];
          return [name, ...readings.map((each) => each.name)];
        }),
      );
    case "variant":
      return new Set([
        ...(node.cases.every(({ hidden }) => hidden) ? [] : [node.tagName]),
        ...node.cases.flatMap((each) => [...keysOf(each.node)]),
      ]);
    case "byLength":
      return new Set(node.cases.flatMap((each) => [...keysOf(each.node)]));
    case "mark":
      return new Set([...keysOf(node.marked), ...keysOf(node.of)]);
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return keysOf(node.of);
    default:
      throw new TypeError(`a layout of kind ${node.kind} is not an object`);
  }
}

/** The fields of several objects one after another, to one object. */
export function concat<A extends object, B extends object>(
  first: Layout<A>,
  second: Layout<B>,
  options: { readonly order?: readonly string[] } = {},
): Layout<Flat<A & B>> {
  const layouts = [first as Layout<object>, second as Layout<object>];
  const { order } = options;
  const keySets = layouts.map(({ node }) => keysOf(node));
  const all = new Set(keySets.flatMap((keys) => [...keys]));
  if (all.size !== keySets.reduce((sum, keys) => sum + keys.size, 0)) {
    throw new TypeError("two parts of one object must not have a key in common");
  }
  const inOrder = <T extends object>(value: T): T => (order === undefined ? value : firstKeys(value, order));
  const plan: Plan = { kind: "concat", parts: layouts, order };
  const layout: Layout<object> = {
    node: {
      kind: "struct",
      fields: layouts.map(({ node }) => ({ name: "", node })),
      ...(order === undefined ? {} : { order }),
    },
    read: plannedRead(plan, (reader) => {
      const value = {};
      for (const part of layouts) Object.assign(value, part.read(reader));
      return inOrder(value);
    }),
    write: plannedWrite(plan, (writer, value: object) => {
      for (const part of layouts) part.write(writer, value);
    }),
    trace(reader, tracer, path) {
      const value = {};
      for (const part of layouts) Object.assign(value, part.trace(reader, tracer, path));
      return inOrder(value);
    },
    toJson: (value) => inOrder(Object.assign({}, first.toJson(value as A), second.toJson(value as B)) as JsonObject),
    fromJson(json) {
      const given = asObject(json);
      const value = {};
      for (const [index, part] of layouts.entries()) {
        const own = keySets[index] as ReadonlySet<string>;
        Object.assign(value, part.fromJson(Object.fromEntries(Object.entries(given).filter(([key]) => own.has(key)))));
      }
      refuseOthers(given, all);
      return inOrder(value);
    },
  };
  return layout as unknown as Layout<Flat<A & B>>;
}
