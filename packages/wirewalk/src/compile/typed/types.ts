/**
 * The types of values for languages that name them: records, unions of records, names, flags, lists and numbers with their ranges. They
 * follow from descriptions alone, and know no language.
 *
 * @module
 */
import type { CaseNode, FieldNode, FlagsNode, LayoutNode, VariantNode } from "../../wire/describe/node.ts";
import { integerRange, smartRange } from "../../wire/describe/number-nodes.ts";
import { keyOf } from "../program.ts";
import { isObject, ordered, singular } from "../shapes.ts";

/** A value that is the same in every value of its record: languages leave it out of the record. */
export interface ConstantType {
  readonly is: "constant";
  readonly value: number | string | boolean | bigint;
}

/** A whole number. `values`: it is one of these; `excluded`: it is none of these. Both only of tags that tell records apart. */
export interface IntegerType {
  readonly is: "integer";
  readonly min: number;
  readonly max: number;
  readonly values?: readonly number[];
  readonly excluded?: readonly number[];
}

/** Names of which a value is one, in the order of the description. */
export interface EnumType {
  readonly is: "enum";
  readonly name: string;
  readonly names: readonly string[];
}

/** Named bits of a number: each is true or false. */
export interface FlagsType {
  readonly is: "flags";
  readonly name: string;
  readonly doc: string;
  readonly flags: Readonly<Record<string, number>>;
}

/** A member of a record. */
export interface Member {
  readonly key: string;
  readonly type: ValueType;
  /** Absent in some values. */
  readonly isOptional: boolean;
  /** What it means, with its unit; empty where nothing is said. */
  readonly doc: string;
}

export interface RecordType {
  readonly is: "record";
  readonly name: string;
  readonly doc: string;
  /** All members, constants too, in the order of the value. */
  readonly members: readonly Member[];
  /** Of a record of a union: its name there, `Success` of `LoginServerSuccess`. */
  readonly variant: string;
  /** The union that it is one of. */
  union?: UnionType;
}

/** Records of which a value is one. */
export interface UnionType {
  readonly is: "union";
  readonly name: string;
  readonly doc: string;
  readonly records: readonly RecordType[];
}

/** The type of a value. `real`: a multiple of a fraction, or with `isSingle` a 32-bit float. `big`: an unsigned integer of 64 bits. */
export type ValueType =
  | IntegerType
  | { readonly is: "big" }
  | { readonly is: "real"; readonly isSingle?: true }
  | { readonly is: "boolean" }
  | { readonly is: "text" }
  | { readonly is: "bytes" }
  | { readonly is: "list"; readonly item: ValueType }
  | ConstantType
  | EnumType
  | FlagsType
  | RecordType
  | UnionType;

type Shape = readonly Member[];

/** The types of a dialect. Equal descriptions have one type. */
export class Types {
  readonly enums: EnumType[] = [];
  readonly flags: FlagsType[] = [];
  readonly records: RecordType[] = [];
  readonly unions: UnionType[] = [];
  readonly #known = new Map<string, ValueType>();
  readonly #ofNode = new WeakMap<LayoutNode, ValueType>();
  readonly #taken: Set<string>;

  /** `reserved`: names that no type may have, in any case of letters. */
  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(Array.from(reserved, (name) => name.toLowerCase()));
  }

  /** The type of a description's values. `wanted` and `parent` are for the name of a new type: its own, or the two together. */
  typeOf(node: LayoutNode, wanted = "value", parent = ""): ValueType {
    const known = this.#ofNode.get(node);
    if (known !== undefined) return known;
    const type = this.#once(keyOf(node), () => this.#typeOf(node, wanted, parent));
    this.#ofNode.set(node, type);
    return type;
  }

  #typeOf(node: LayoutNode, wanted: string, parent: string): ValueType {
    switch (node.kind) {
      case "integer":
        if (node.bits === 64) return { is: "big" };
        return node.divisor === undefined ? { is: "integer", ...integerRange(node) } : { is: "real" };
      case "smart":
        return { is: "integer", ...smartRange(node) };
      case "unused":
        return { is: "integer", min: 0, max: 0 };
      case "float":
        return { is: "real", isSingle: true };
      case "boolean":
        return { is: "boolean" };
      case "text":
        return { is: "text" };
      case "bytes":
        return { is: "bytes" };
      case "oneOf":
        return this.#enum(Object.keys(node.names), wanted, parent);
      case "prefix":
        return this.#enum(Object.keys(node.codes), wanted, parent);
      case "literal":
      case "constant":
        return { is: "constant", value: node.value };
      case "flags":
        return this.#flags(node, wanted, parent);
      case "array":
        return { is: "list", item: this.typeOf(node.item, singular(wanted), parent) };
      case "bits":
      case "limited":
      case "sized":
      case "compressed":
        return this.typeOf(node.of, wanted, parent);
      case "peek":
        if (!isObject(node)) {
          const types = node.cases.map((each) => this.typeOf(each.node, wanted, parent));
          const joined = types.reduce<ValueType | undefined>(
            (a, b) => a && this.#joined(a, b, wanted, parent),
            types[0],
          );
          if (joined === undefined) throw new TypeError(`Cannot compile ${wanted}: its values are of several types`);
          return joined;
        }
        return this.#object(node, wanted, parent);
      case "struct":
      case "variant":
      case "byLength":
      case "mark":
        return this.#object(node, wanted, parent);
    }
  }

  #once(key: string, make: () => ValueType): ValueType {
    const known = this.#known.get(key) ?? make();
    this.#known.set(key, known);
    return known;
  }

  /** A name that no other type has, whatever the case of its letters. */
  #take(wanted: string, parent: string): string {
    const plain = pascal(wanted) || "Value";
    for (const name of [plain, ...(parent === "" ? [] : [`${parent}${plain}`])]) {
      if (!this.#taken.has(name.toLowerCase())) {
        this.#taken.add(name.toLowerCase());
        return name;
      }
    }
    const base = `${parent}${plain}`;
    let count = 2;
    while (this.#taken.has(`${base}${count}`.toLowerCase())) count += 1;
    this.#taken.add(`${base}${count}`.toLowerCase());
    return `${base}${count}`;
  }

  #flags(node: FlagsNode, wanted: string, parent: string): ValueType {
    return this.#once(`flags ${wanted} ${JSON.stringify(node.flags)}`, () => {
      const type: FlagsType = { is: "flags", name: this.#take(wanted, parent), doc: docOf(node), flags: node.flags };
      this.flags.push(type);
      return type;
    });
  }

  #enum(names: readonly string[], wanted: string, parent: string): ValueType {
    const [only] = names;
    if (names.length === 1 && only !== undefined) return { is: "constant", value: only };
    return this.#once(`enum ${wanted} ${JSON.stringify(names)}`, () => {
      const type: EnumType = { is: "enum", name: this.#take(wanted, parent), names };
      this.enums.push(type);
      return type;
    });
  }

  #object(node: LayoutNode, wanted: string, parent: string): ValueType {
    const inner = aloneIn(node);
    if (inner !== undefined) return this.typeOf(inner, wanted, parent);
    const name = this.#take(wanted, parent);
    const shapes = this.#distinct(this.#shapesOf(node, name), name);
    const [only] = shapes;
    if (shapes.length === 1 && only !== undefined) return this.#record(name, docOf(node), only);
    const named = variantNames(shapes);
    const records = shapes.map((shape, index) => {
      const variant = named[index] as string;
      return this.#record(this.#take(`${name}${variant}`, ""), "", shape, variant);
    });
    const union: UnionType = { is: "union", name, doc: docOf(node), records };
    for (const record of records) record.union = union;
    this.unions.push(union);
    return union;
  }

  /** Shapes without those that differ from another in numbers alone: of these the record says nothing, and a reader cannot tell. */
  #distinct(shapes: readonly Shape[], parent: string): readonly Shape[] {
    const groups = new Map<string, Shape[]>();
    for (const shape of shapes) {
      const marks = shape.map(({ key, type }) =>
        type.is === "constant" && typeof type.value !== "number" ? [key, String(type.value)] : [key],
      );
      const mark = JSON.stringify(marks.sort());
      groups.set(mark, [...(groups.get(mark) ?? []), shape]);
    }
    return [...groups.values()].flatMap((group) => this.#united(group, parent));
  }

  #record(name: string, doc: string, members: Shape, variant = ""): RecordType {
    const record: RecordType = { is: "record", name, doc, members, variant };
    this.records.push(record);
    return record;
  }

  /** The shapes that the objects of a description may have. Those of cases are one where all have the same members. */
  #shapesOf(node: LayoutNode, parent: string): readonly Shape[] {
    switch (node.kind) {
      case "struct": {
        const shapes = node.fields.reduce<readonly Shape[]>(
          (found, field) => crossed(found, this.#fieldShapes(field, parent)),
          [[]],
        );
        return shapes.map((shape) => inOrder(shape, node.order));
      }
      case "variant":
        return this.#variantShapes(node, parent).map((shape) => inOrder(shape, node.order));
      case "byLength":
      case "peek":
        return this.#united(
          node.cases.flatMap((each) => this.#shapesOf(each.node, parent)),
          parent,
        );
      case "mark":
        return this.#united([...this.#shapesOf(node.marked, parent), ...this.#shapesOf(node.of, parent)], parent);
      case "bits":
      case "limited":
      case "sized":
      case "compressed":
        return this.#shapesOf(node.of, parent);
      default:
        throw new TypeError(`a ${node.kind} is no object`);
    }
  }

  #fieldShapes({ name, node, hidden, when }: FieldNode, parent: string): readonly Shape[] {
    if (hidden) return [[]];
    if (name === "") return this.#shapesOf(node, parent);
    const type = this.typeOf(node, name, parent);
    const isOptional = when !== undefined;
    // A constant that may be absent is a member: that it is there says something.
    return [[{ key: name, type: isOptional ? shown(type) : type, isOptional, doc: docOf(node) }]];
  }

  #variantShapes({ tagName, tag, cases, members }: VariantNode, parent: string): readonly Shape[] {
    const whole = (): ValueType => this.typeOf(tag, tagName, parent);
    const known = cases.flatMap(({ tags = [] }) => tags.map(Number));
    /** The numbers of a case: one, some, or all that no other case has. */
    const numbered = ({ tags }: CaseNode, type: ValueType): ValueType => {
      if (type.is !== "integer" || cases.length === 1) return type;
      if (tags === undefined) return { ...type, excluded: known };
      return tags.length === 1 ? { is: "constant", value: tags[0] as number } : { ...type, values: tags.map(Number) };
    };
    const hasNames = tag.kind === "oneOf" || tag.kind === "prefix";
    const named = cases.flatMap(({ tags = [] }) => tags.map(String));
    const all = cases.flatMap((each) => {
      const tags = each.tags ?? (hasNames ? namesOf(tag).filter((name) => !named.includes(name)) : undefined);
      // Each tag that is a name is a case of its own.
      const types: readonly ValueType[] =
        hasNames && tags !== undefined ? tags.map((value) => ({ is: "constant", value })) : [numbered(each, whole())];
      return types.flatMap((type) =>
        this.#shapesOf(each.node, parent).map((shape) =>
          each.hidden || shape.some(({ key }) => key === tagName)
            ? shape
            : [{ key: tagName, type, isOptional: false, doc: docOf(tag) }, ...shape],
        ),
      );
    });
    if (members === undefined) return this.#united(all, parent);
    const list = Object.entries(members).map(([key, fill]): Member => {
      const found = all.flatMap((shape) => shape.filter((each) => each.key === key));
      const type = this.#joinedAll([{ is: "constant", value: fill }, ...found.map((each) => each.type)], key, parent);
      if (type === undefined) throw new TypeError(`Cannot compile ${key}: its values are of several types`);
      return { key, type, isOptional: false, doc: found.find(({ doc }) => doc !== "")?.doc ?? "" };
    });
    return [[{ key: tagName, type: whole(), isOptional: false, doc: docOf(tag) }, ...list]];
  }

  /** One shape, where all have the same members and these can be joined. */
  #united(shapes: readonly Shape[], parent: string): readonly Shape[] {
    const [first, ...others] = shapes;
    if (first === undefined || others.length === 0) return shapes;
    const keys = (shape: Shape): string =>
      shape
        .map(({ key }) => key)
        .sort()
        .join("\n");
    if (others.some((shape) => keys(shape) !== keys(first))) return shapes;
    const members: Member[] = [];
    for (const { key, doc } of first) {
      const own = shapes.map((shape) => shape.find((each) => each.key === key) as Member);
      const type = this.#joinedAll(
        own.map((each) => each.type),
        key,
        parent,
      );
      if (type === undefined) return shapes;
      members.push({
        key,
        type,
        isOptional: own.some(({ isOptional }) => isOptional),
        doc: doc || (own.find((each) => each.doc !== "")?.doc ?? ""),
      });
    }
    // Without a name that tells them apart, records of the same members are one; with one they are, too.
    return [members];
  }

  #joinedAll(types: readonly ValueType[], key: string, parent: string): ValueType | undefined {
    const names = types.map((type) =>
      type.is === "constant" && typeof type.value === "string"
        ? [type.value]
        : type.is === "enum"
          ? type.names
          : undefined,
    );
    const all = new Set(names.flatMap((each) => each ?? []));
    // Names are joined once: on the way to them no type is made.
    if (names.every((each) => each !== undefined)) return this.#enum([...all], key, parent);
    const [first, ...others] = types;
    return others.reduce<ValueType | undefined>((sum, type) => sum && this.#joined(sum, type, key, parent), first);
  }

  /** The type that has the values of both; undefined where no type has. */
  #joined(a: ValueType, b: ValueType, key: string, parent: string): ValueType | undefined {
    if (a === b || JSON.stringify(plain(a)) === JSON.stringify(plain(b))) return a;
    const [x, y] = [loose(a), loose(b)];
    if (x.is === "integer" && y.is === "integer") {
      const values = x.values && y.values && { values: [...new Set([...x.values, ...y.values])] };
      return { is: "integer", min: Math.min(x.min, y.min), max: Math.max(x.max, y.max), ...values };
    }
    if ((x.is === "real" && y.is === "integer") || (x.is === "integer" && y.is === "real")) return { is: "real" };
    if (x.is === "enum" || y.is === "enum") {
      // A text that fills a member is one of its names, or has no name.
      const names = [x, y].flatMap((each) =>
        each.is === "enum" ? each.names : each.is === "constant" ? [String(each.value)] : [],
      );
      return [x, y].every((each) => each.is === "enum" || each.is === "constant")
        ? this.#enum([...new Set(names)], key, parent)
        : undefined;
    }
    if (x.is === "constant" && y.is === "constant")
      return typeof x.value === "string" && typeof y.value === "string"
        ? this.#enum([x.value, y.value], key, parent)
        : undefined;
    if (x.is === "list" && y.is === "list") {
      const item = this.#joined(x.item, y.item, key, parent);
      return item && { is: "list", item };
    }
    return x.is === y.is &&
      (x.is === "boolean" || x.is === "text" || x.is === "bytes" || x.is === "big" || x.is === "real")
      ? x
      : undefined;
  }
}

/** What a sized or compressed value holds that is all of an object: the object is that value. */
function aloneIn(node: LayoutNode): LayoutNode | undefined {
  switch (node.kind) {
    case "sized":
    case "compressed":
      return node.of;
    case "bits":
    case "limited":
      return aloneIn(node.of);
    case "struct": {
      const shown = node.fields.filter(({ hidden }) => hidden !== true);
      const [only] = shown;
      return shown.length === 1 && only?.name === "" ? aloneIn(only.node) : undefined;
    }
    default:
      return undefined;
  }
}

/** The names of a union's records within it: the name that tells them apart, where there is one. */
function variantNames(shapes: readonly Shape[]): readonly string[] {
  const keys = shapes[0]?.map(({ key }) => key) ?? [];
  const wordOf = (shape: Shape, key: string): string | undefined => {
    const type = shape.find((each) => each.key === key)?.type;
    if (type?.is === "constant" && typeof type.value === "string") return pascal(type.value);
    return type?.is === "enum" ? type.names.map(pascal).join("Or") : undefined;
  };
  for (const key of keys) {
    const words = shapes.map((shape) => wordOf(shape, key));
    const isEach = words.every((word) => word !== undefined && word !== "");
    if (isEach && new Set(words.map((word) => word?.toLowerCase())).size === shapes.length) return words as string[];
  }
  return shapes.map((_, index) => `Form${index + 1}`);
}

/** A constant as the type of values that it may be one of; a text stays what it is. */
function loose(type: ValueType): ValueType {
  if (type.is !== "constant") return type;
  if (typeof type.value === "number") return { is: "integer", min: type.value, max: type.value, values: [type.value] };
  if (typeof type.value === "boolean") return { is: "boolean" };
  return typeof type.value === "bigint" ? { is: "big" } : type;
}

/** A constant as the type of a member that a record has. */
function shown(type: ValueType): ValueType {
  const own = loose(type);
  return own.is === "constant" ? { is: "text" } : own;
}

/** For comparing: types with names by their names. */
const plain = (type: ValueType): unknown =>
  "name" in type
    ? type.name
    : type.is === "list"
      ? [plain(type.item)]
      : type.is === "constant"
        ? [type.is, String(type.value)]
        : type;

function crossed(a: readonly Shape[], b: readonly Shape[]): readonly Shape[] {
  return a.flatMap((first) => b.map((second) => [...first, ...second]));
}

function inOrder(shape: Shape, order: readonly string[] | undefined): Shape {
  const fields = shape.map(({ key }) => ({ key, value: { is: "constant", value: 0 } as const }));
  return ordered(fields, order).map(({ key }) => shape.find((each) => each.key === key) as Member);
}

function namesOf(tag: LayoutNode): readonly string[] {
  return tag.kind === "oneOf" ? Object.keys(tag.names) : tag.kind === "prefix" ? Object.keys(tag.codes) : [];
}

/** What a field means, with its unit. */
function docOf({ doc, unit }: LayoutNode): string {
  if (doc === undefined) return unit === undefined ? "" : `In ${unit}.`;
  return unit === undefined ? doc : `${doc} (${unit})`;
}

/** `move-player` and `movePlayer` as `MovePlayer`. */
export function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^\d/.test(joined) ? `N${joined}` : joined;
}

/** The members that are no constants. */
export function variables({ members }: RecordType): readonly Member[] {
  return members.filter(({ type }) => type.is !== "constant");
}

/** Whether two types have the same values. */
export function isSame(a: ValueType, b: ValueType): boolean {
  if (a.is !== b.is) return false;
  if ("name" in a && "name" in b) return a.name === b.name;
  if (a.is === "list" && b.is === "list") return isSame(a.item, b.item);
  if (a.is === "integer" && b.is === "integer") return a.min === b.min && a.max === b.max;
  return a.is !== "constant" || (b.is === "constant" && a.value === b.value);
}

/** Whether a value that is known is one of a type. */
export function isOf(type: ValueType, value: string | number | boolean | bigint): boolean {
  switch (type.is) {
    case "constant":
      return type.value === value;
    case "integer":
      return (
        typeof value === "number" && value >= type.min && value <= type.max && type.values?.includes(value) !== false
      );
    case "real":
      return typeof value === "number";
    case "big":
      return typeof value === "bigint";
    case "boolean":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string";
    case "enum":
      return type.names.includes(String(value));
    default:
      return false;
  }
}
