/**
 * Objects whose fields depend on a tag, on the number of bytes that are left, or on a mark.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../json.ts";
import type { Tracer } from "../trace.ts";
import { joinPath, readPath, WireError, withPath } from "../wire-error.ts";
import { namesTested, passes, tagsText } from "./cases.ts";
import { plannedRead } from "./compile.ts";
import { plannedWrite } from "./compile-write.ts";
import { type LayoutReader, type LayoutWriter, placeOf } from "./cursor.ts";
import { type Infer, type Layout, nameOfJson, readPart, refuse, refuseJson } from "./layout.ts";
import type { CaseNode, CaseTest } from "./node.ts";
import type { Plan, SelectCase } from "./plan.ts";
import { asObject, type Flat, firstKeys } from "./structs.ts";

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
export function variant<const N extends string, C extends Record<PropertyKey, Layout<object>>>(
  tagName: N,
  tag: Layout<string> | Layout<number>,
  cases: C,
): Layout<VariantValue<N, C>> {
  const isNumber = tag.node.kind === "integer" || tag.node.kind === "smart";
  const list = Object.entries(cases).map(([key, layout]) => ({ tags: [isNumber ? Number(key) : key], layout }));
  return tagged(tagName, tag as Layout<string | number>, list) as unknown as Layout<VariantValue<N, C>>;
}

/** One case of {@link tagged}: see `CaseNode`. */
export interface TaggedCase<V extends object = object> {
  readonly tags?: readonly (string | number)[];
  readonly layout: Layout<V>;
  readonly when?: CaseTest;
  readonly hidden?: true;
}

type TaggedValue<N extends string, T, C> = C extends { readonly layout: Layout<infer V> }
  ? C extends { readonly hidden: true }
    ? V
    : Flat<{ [P in Exclude<N, keyof V>]: T } & V>
  : never;

/**
 * A variant whose cases have several tags each, take all other tags, or do not show their tag in the value:
 *
 * `tagged("type", u8, [{ tags: [0, 5, 17], layout: absolute }, { tags: [10], layout: equipment }])`.
 */
export function tagged<const N extends string, T extends string | number, const C extends TaggedCase>(
  tagName: N,
  tag: Layout<T>,
  list: readonly C[],
  options: { readonly order?: readonly string[] } = {},
): Layout<TaggedValue<N, T, C>> {
  const { order } = options;
  const inOrder = <V extends object>(value: V): V => (order === undefined ? value : firstKeys(value, order));
  type Value = TaggedValue<N, T, C>;
  type Tag = string | number;
  const tags = tag as unknown as Layout<Tag>;
  const cases: readonly TaggedCase[] = list;
  const caseOf = new Map<Tag, TaggedCase>();
  for (const each of cases) for (const name of each.tags ?? []) caseOf.set(name, each);
  const otherwise = cases.find((each) => each.tags === undefined);
  const known = tagsText([...caseOf.keys()]);
  for (const each of cases) {
    if (each.hidden && (each.when === undefined || each.tags?.length !== 1)) {
      throw new TypeError(`a hidden ${tagName} needs exactly one tag and a test of values`);
    }
  }
  const constants = constantsOf(cases);
  const tests = namesTested(cases);

  function caseOfTag(found: Tag, at: number): TaggedCase {
    return caseOf.get(found) ?? otherwise ?? refuse("unknown-variant", `${found} is none of ${known}`, at);
  }

  function traced(reader: LayoutReader, tracer: Tracer, path: string): Value {
    let each: TaggedCase | undefined;
    const found = readPart(tagName, reader, tracer, path, tags, (name, at) => {
      each = caseOfTag(name, at);
    });
    const { layout, hidden } = each as TaggedCase;
    const body = layout.trace(reader, tracer, path);
    return inOrder(hidden ? body : { [tagName]: found, ...body }) as Value;
  }

  function readOf(reader: LayoutReader): Value {
    const { depth, segments } = readPath;
    segments[depth] = tagName;
    readPath.depth = depth + 1;
    const at = reader.bitOffset;
    const found = tags.read(reader);
    const { layout, hidden } = caseOfTag(found, at);
    readPath.depth = depth;
    const body = layout.read(reader);
    return inOrder(hidden ? body : { [tagName]: found, ...body }) as Value;
  }

  const testedBy = (value: Readonly<Record<string, unknown>>): number =>
    cases.findIndex(({ when }) => when !== undefined && passes(when, value));

  const select: SelectCase = (value) => {
    const tested = testedBy(value);
    const own = value[tagName] as Tag;
    if (tested < 0) {
      const each = own === undefined ? undefined : (caseOf.get(own) ?? otherwise);
      return each === undefined || each.hidden ? undefined : [cases.indexOf(each), own];
    }
    const { hidden, tags: hiddenTags } = cases[tested] as TaggedCase;
    if (hidden) return [tested, hiddenTags?.[0]];
    const other = caseOf.get(own);
    return other === undefined || other === cases[tested] ? [tested, own] : undefined;
  };

  /** The case of a value that is to be written, and its tag. */
  function caseFor(value: Readonly<Record<string, unknown>>): [TaggedCase, Tag] {
    const selected = select(value);
    if (selected !== undefined) return [cases[selected[0]] as TaggedCase, selected[1] as Tag];
    const given = value[tagName] as Tag;
    if (testedBy(value) >= 0) throw withPath(new RangeError(`value must not be ${given} here`), tagName);
    if (tests !== undefined) {
      const { key, names } = tests;
      throw withPath(new RangeError(`value must be one of ${names.join(", ")}, got ${String(value[key])}`), key);
    }
    const must = otherwise === undefined ? "must be one of" : "must be none of";
    throw withPath(new RangeError(`value ${must} ${known}, got ${String(given)}`), tagName);
  }

  const plan: Plan = {
    kind: "variant",
    tagName,
    tag: tags,
    cases: cases.map(({ tags: own, layout, hidden = false, when }) => {
      return { tags: own, layout, hidden, hasTest: when !== undefined };
    }),
    order,
    select,
  };

  return {
    node: {
      kind: "variant",
      tagName,
      tag: tag.node,
      cases: cases.map(({ layout, tags: own, when, hidden }): CaseNode => {
        return {
          ...(own === undefined ? {} : { tags: own }),
          node: layout.node,
          ...(when === undefined ? {} : { when }),
          ...(hidden ? { hidden } : {}),
        };
      }),
      ...(order === undefined ? {} : { order }),
    },
    read: plannedRead(plan, readOf),
    trace: traced,
    write: plannedWrite(plan, (writer, value: Value) => {
      if (typeof value !== "object" || value === null)
        throw new TypeError(`value must be an object, got ${String(value)}`);
      const [each, own] = caseFor(value as Readonly<Record<string, unknown>>);
      try {
        tags.write(writer, own);
      } catch (error) {
        throw withPath(error, tagName);
      }
      each.layout.write(writer, value);
    }),
    toJson(value) {
      const [each, own] = caseFor(value as Readonly<Record<string, unknown>>);
      const body = each.layout.toJson(value) as JsonObject;
      return inOrder(each.hidden ? body : Object.assign({ [tagName]: tags.toJson(own) }, body));
    },
    fromJson(json) {
      const given = asObject(json);
      const { [tagName]: own, ...rest } = given;
      let each: TaggedCase | undefined = cases.find(({ when }) => when !== undefined && passes(when, given));
      if (each?.hidden) return inOrder(each.layout.fromJson(given)) as Value;
      let found: Tag;
      try {
        // JSON that is written by hand may name a case by its constant instead of its tag.
        found =
          own === undefined
            ? (constants.get(constantOf(rest)) ?? tags.fromJson(own as unknown as JsonValue))
            : tags.fromJson(own);
        each = caseOf.get(found) ?? each ?? otherwise;
        if (each === undefined || each.hidden) refuseJson(`value must be one of ${known}, got ${nameOfJson(own)}`);
      } catch (error) {
        throw withPath(error, tagName);
      }
      return inOrder({ [tagName]: found, ...each.layout.fromJson(rest) }) as Value;
    },
  };

  function constantOf(value: JsonObject): string | undefined {
    for (const key of constantKeys(cases)) {
      if (typeof value[key] === "string") return `${key} ${value[key]}`;
    }
    return undefined;
  }
}

/** Tags by the constants of their cases, where a case has one tag and one constant text. */
function constantsOf(cases: readonly TaggedCase[]): ReadonlyMap<string | undefined, string | number> {
  const tags = new Map<string, string | number>();
  for (const { layout, tags: own = [] } of cases) {
    const [tag] = own;
    if (own.length !== 1 || tag === undefined || layout.node.kind !== "struct") continue;
    for (const { name, node } of layout.node.fields) {
      if (node.kind === "constant" && typeof node.value === "string") tags.set(`${name} ${node.value}`, tag);
    }
  }
  return tags;
}

function constantKeys(cases: readonly TaggedCase[]): Set<string> {
  const keys = new Set<string>();
  for (const { layout } of cases) {
    if (layout.node.kind !== "struct") continue;
    for (const { name, node } of layout.node.fields) if (node.kind === "constant") keys.add(name);
  }
  return keys;
}

/** One case of {@link byLength}; the last one has no `bytes` and takes all other lengths. */
export interface LengthCase<V extends object = object> {
  readonly bytes?: number;
  readonly layout: Layout<V>;
  readonly when: CaseTest;
}

/** When reading, the number of bytes left selects the layout; when writing, the fields of the value select it. */
export function byLength<const C extends LengthCase>(
  list: readonly C[],
): Layout<C extends { readonly layout: Layout<infer V> } ? V : never> {
  type Value = C extends { readonly layout: Layout<infer V> } ? V : never;
  const cases: readonly LengthCase[] = list;
  const last = cases.at(-1);
  if (last === undefined || last.bytes !== undefined) throw new TypeError("the last case takes all other lengths");
  const select = (reader: LayoutReader): LengthCase => {
    return cases.find(({ bytes }) => bytes === undefined || bytes * 8 === reader.remainingBits) ?? last;
  };
  const caseFor = (value: unknown): LengthCase | undefined =>
    typeof value === "object" && value !== null
      ? cases.find(({ when }) => passes(when, value as Readonly<Record<string, unknown>>))
      : undefined;
  const tests = namesTested(cases);
  if (tests === undefined) throw new TypeError("one field must tell the cases apart");
  const { key, names } = tests;
  const unknown = (value: unknown): RangeError => {
    const found = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : value;
    return withPath(
      new RangeError(`value must be one of ${names.join(", ")}, got ${String(found)}`),
      key,
    ) as RangeError;
  };
  const plan: Plan = {
    kind: "byLength",
    cases,
    select(value) {
      const index = cases.findIndex(({ when }) => passes(when, value));
      return index < 0 ? undefined : [index, undefined];
    },
  };
  return {
    node: {
      kind: "byLength",
      cases: cases.map(({ bytes, layout, when }) => ({
        ...(bytes === undefined ? {} : { bytes }),
        node: layout.node,
        when,
      })),
    },
    read: plannedRead(plan, (reader) => select(reader).layout.read(reader) as Value),
    trace: (reader, tracer, path) => select(reader).layout.trace(reader, tracer, path) as Value,
    write: plannedWrite(plan, (writer, value: Value) => {
      const each = caseFor(value);
      if (each === undefined) throw unknown(value);
      each.layout.write(writer, value as object);
    }),
    toJson: (value) => (caseFor(value) ?? last).layout.toJson(value as object),
    fromJson(json) {
      const given = asObject(json);
      const each = caseFor(given);
      if (each !== undefined) return each.layout.fromJson(given) as Value;
      const why = `value must be one of ${names.join(", ")}, got ${nameOfJson(given[key])}`;
      throw new WireError("bad-value", `Cannot read ${key}: ${why}`, 0, key);
    },
  };
}

/**
 * Bits that, when they all have the values of `parts`, stand for `marked`, whose fields have no bits of their own; any
 * others are `of`. A value that passes `when` is written as the mark, and another value may not look like it.
 */
export function mark<A extends object, B extends object>(options: {
  readonly parts: readonly { readonly name: string; readonly bits: number; readonly value: number }[];
  readonly marked: Layout<A>;
  readonly of: Layout<B>;
  readonly when: CaseTest;
}): Layout<A | B> {
  const { parts, marked, of, when } = options;
  const width = parts.reduce((sum, { bits }) => sum + bits, 0);

  function isMark(reader: LayoutReader): boolean {
    if (reader.remainingBits < width) return false;
    const at = reader.bitOffset;
    const found = parts.every(({ bits, value }) => reader.bits(bits) === value);
    reader.seek(at);
    return found;
  }

  const isMarked = (value: unknown): boolean =>
    typeof value === "object" && value !== null && passes(when, value as Readonly<Record<string, unknown>>);
  /** A value whose numbers would be read as the mark: it cannot be sent. */
  const looksMarked = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return false;
    const given = value as Readonly<Record<string, unknown>>;
    return parts.every(({ name, bits, value: part }) => {
      const number = given[name];
      return typeof number === "number" && ((number % 2 ** bits) + 2 ** bits) % 2 ** bits === part;
    });
  };
  const [first = { name: "value" }] = parts;
  const plan: Plan = {
    kind: "mark",
    parts,
    marked,
    of,
    select: (value) => (isMarked(value) ? [0, undefined] : looksMarked(value) ? undefined : [1, undefined]),
  };
  const markText = parts.map(({ name, value }) => `${name} ${value}`).join(", ");

  return {
    node: { kind: "mark", parts, marked: marked.node, of: of.node, when },
    read: plannedRead(plan, (reader): A | B => {
      if (!isMark(reader)) return of.read(reader);
      for (const { bits } of parts) reader.bits(bits);
      return marked.read(reader);
    }),
    trace(reader, tracer, path) {
      if (!isMark(reader)) return of.trace(reader, tracer, path);
      for (const { name, bits } of parts) {
        const at = reader.bitOffset;
        const value = reader.bits(bits);
        tracer.field(joinPath(path, name), placeOf(reader, at, bits), bits, value);
      }
      return marked.trace(reader, tracer, path);
    },
    write: plannedWrite(plan, (writer: LayoutWriter, value: A | B) => {
      if (isMarked(value)) {
        marked.write(writer, value as A);
        for (const { bits, value: part } of parts) writer.bits(bits, part);
        return;
      }
      if (looksMarked(value)) throw withPath(new RangeError(`value must not be ${markText}, the mark`), first.name);
      of.write(writer, value as B);
    }),
    toJson: (value) => (isMarked(value) ? marked.toJson(value as A) : of.toJson(value as B)),
    fromJson(json) {
      if (isMarked(json)) return marked.fromJson(json);
      if (looksMarked(json)) {
        throw withPath(
          new WireError("bad-value", `Cannot read value: it must not be ${markText}, the mark`, 0),
          first.name,
        );
      }
      return of.fromJson(json);
    },
  };
}
