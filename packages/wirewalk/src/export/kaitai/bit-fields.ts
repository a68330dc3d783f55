/**
 * Objects within bits. Kaitai goes on at a byte before each field that has a type of its own, so all of their fields stand in one
 * type: those of a case are read `if` the tag says so, under the name of the case, and a value is an instance over the cases.
 * The fields of an inner object have its name before theirs: `position_x`.
 */
import type { JsonObject, LayoutNode, MarkNode, PrefixNode, VariantNode } from "../../wire/index.ts";
import { meaningOf, snakeCase } from "../words.ts";
import { bitsType, literalText, type NumberReading, numberReading, tagReading } from "./number-fields.ts";
import type { KsyNames, TypeScope } from "./spec.ts";

/** A value of the object in one case. */
interface BitsValue {
  readonly name: string;
  /** `doc` and `enum`. */
  readonly more: JsonObject;
  readonly expression: string;
  /** When it is there: an expression, or always. */
  readonly when: string | undefined;
}

/** Where fields are added. */
interface Place {
  /** Before the ids of fields: the cases that they are in. */
  readonly cases: string;
  /** Before the names of values: the objects that they are in. */
  readonly objects: string;
  readonly when: string | undefined;
}

/** The fields of an object within bits, into a type that may have others. Throws `TypeError` for what Kaitai has no form for. */
export function addBitFields(names: KsyNames, scope: TypeScope, node: LayoutNode): void {
  const values = new BitFields(names, scope).add(node, { cases: "", objects: "", when: undefined });
  const byName = Map.groupBy(values, ({ name }) => name);
  for (const [name, each] of byName) {
    const [first] = each;
    if (first === undefined) continue;
    const { expression, more, when } = first;
    // The field itself.
    if (each.length === 1 && expression === name) continue;
    const last = each.at(-1)?.expression ?? "";
    const chosen = each
      .slice(0, -1)
      .reduceRight((rest, other) => `(${other.when ?? "true"} ? ${other.expression} : ${rest})`, last);
    // A value of one case is absent in the others.
    const isAlways = when === undefined || each.length > 1;
    scope.instance(name, {
      ...more,
      ...(isAlways ? {} : { if: when }),
      value: each.length === 1 ? expression : chosen,
    });
  }
}

class BitFields {
  readonly #names: KsyNames;
  readonly #scope: TypeScope;

  constructor(names: KsyNames, scope: TypeScope) {
    this.#names = names;
    this.#scope = scope;
  }

  add(node: LayoutNode, place: Place): readonly BitsValue[] {
    switch (node.kind) {
      case "struct":
        return node.fields.flatMap(({ name, node: field, when }) => {
          if (when !== undefined) throw new TypeError("an optional field within bits");
          if (name === "") return this.add(field, place);
          return this.#named(field, snakeCase(name), place);
        });
      case "variant":
        return this.#variant(node, place);
      case "mark":
        return this.#mark(node, place);
      default:
        throw new TypeError(`a ${node.kind} within bits`);
    }
  }

  #named(node: LayoutNode, name: string, place: Place): readonly BitsValue[] {
    const { cases, objects, when } = place;
    const id = cases + objects + name;
    switch (node.kind) {
      case "struct":
        return this.add(node, { ...place, objects: `${objects}${name}_` });
      case "constant":
        return [this.#value(name, node, place, literalText(node.value))];
      case "unused":
        this.#field(this.#scope.freeId(id), { type: bitsType(node.bits, this.#scope) }, when);
        return [];
      case "flags": {
        const { type } = this.#reading(node.of, id);
        const known = Object.values(node.flags).reduce((sum, bit) => sum + 2 ** bit, 0);
        const others = 2 ** (node.of.kind === "integer" ? node.of.bits : 32) - 1 - known;
        const isChecked = node.reserved === "refuse" && others > 0;
        this.#field(`${id}_bits`, { type, ...(isChecked ? { valid: { expr: `(_ & ${others}) == 0` } } : {}) }, when);
        return Object.entries(node.flags).map(([flag, bit]) => ({
          name: `${objects}${name}_${snakeCase(flag)}`,
          more: {},
          expression: `(${id}_bits & ${2 ** bit}) != 0`,
          when,
        }));
      }
      case "array": {
        const { item, length } = node;
        const { type, value, valid } = this.#reading(item, id);
        if (typeof length !== "number" || value !== undefined) throw new TypeError("such a list within bits");
        const doc = meaningOf(node);
        this.#scope.field({
          id,
          ...(doc === "" ? {} : { doc }),
          ...(when === undefined ? {} : { if: when }),
          type,
          ...(valid === undefined ? {} : { valid }),
          repeat: "expr",
          "repeat-expr": length,
        });
        return [this.#value(name, node, place, id)];
      }
      default: {
        const reading = this.#reading(node, id);
        return [this.#number(name, node, place, reading)];
      }
    }
  }

  #reading(node: LayoutNode, id: string): NumberReading {
    return numberReading({ names: this.#names, scope: this.#scope, id }, node);
  }

  /** Reads a number; gives its value. */
  #number(name: string, node: LayoutNode, place: Place, reading: NumberReading): BitsValue {
    const { cases, objects, when } = place;
    const { type, value, valid, enum: enumName } = reading;
    const id = cases + objects + name;
    const checked = valid === undefined ? {} : { valid };
    const named = enumName === undefined ? {} : { enum: enumName };
    if (value === undefined) {
      const doc = meaningOf(node);
      this.#field(id, { ...(doc === "" || cases !== "" ? {} : { doc }), type, ...named, ...checked }, when);
      return this.#value(name, node, place, id, named);
    }
    this.#field(`${id}_raw`, { type, ...checked }, when);
    return this.#value(name, node, place, value(`${id}_raw`), named);
  }

  #field(id: string, field: JsonObject, when: string | undefined): void {
    this.#scope.field({ id, ...(when === undefined ? {} : { if: when }), ...field });
  }

  #value(
    name: string,
    node: LayoutNode,
    { objects, when }: Place,
    expression: string,
    more: JsonObject = {},
  ): BitsValue {
    const doc = meaningOf(node);
    return { name: objects + name, more: { ...(doc === "" ? {} : { doc }), ...more }, expression, when };
  }

  #variant({ tagName, tag, cases }: VariantNode, place: Place): readonly BitsValue[] {
    const name = snakeCase(tagName);
    const id = place.cases + place.objects + name;
    const hasOther = cases.some(({ tags }) => tags === undefined);
    if (hasOther) throw new TypeError("a case for all other tags within bits");
    let test: (tag: string | number) => string;
    let own: readonly BitsValue[];
    if (tag.kind === "prefix") {
      own = this.#prefix(name, tag, place);
      test = (each) => beginsWith(id, tag.codes[each] ?? "");
    } else {
      const known = cases.flatMap(({ tags }) => tags ?? []);
      const reading = tagReading({ names: this.#names, scope: this.#scope, id }, tag, known);
      const value = this.#number(name, tag, place, reading);
      own = [value];
      const { enum: enumName } = reading;
      const isField = reading.value === undefined && enumName !== undefined;
      // A number that is made of the field has its enum at its instance alone.
      const numberOf = (each: string | number): string | number =>
        tag.kind === "oneOf" ? (tag.names[each] ?? each) : each;
      test = (each) => `${value.expression} == ${isField ? `${enumName}::${snakeCase(String(each))}` : numberOf(each)}`;
    }
    const bodies = cases.flatMap(({ tags = [], node }): readonly BitsValue[] => {
      const is = tags.map((each) => `(${test(each)})`).join(" or ");
      const when = place.when === undefined ? is : `(${place.when}) and (${is})`;
      return this.add(node, {
        ...place,
        cases: `${place.cases}${snakeCase(String(caseWord(node) ?? tags[0]))}_`,
        when,
      });
    });
    return [...own, ...bodies];
  }

  /** A tag of variable length, bit by bit. Its value is the number of its code, in the order of the description. */
  #prefix(name: string, { codes }: PrefixNode, place: Place): readonly BitsValue[] {
    const { cases, objects, when } = place;
    const id = cases + objects + name;
    const list = Object.entries(codes);
    const either = (all: readonly string[]): string => all.map((code) => `(${beginsWith(id, code)})`).join(" or ");
    const longest = Math.max(...list.map(([, code]) => code.length));
    for (let at = 0; at < longest; at++) {
      const longer = list.map(([, code]) => code).filter((code) => code.length > at);
      const before = unique(longer.map((code) => code.slice(0, at)));
      const after = unique(longer.map((code) => code.slice(0, at + 1)));
      // Both values of the bit go on to a code, unless it is said here.
      const valid = after.length === 2 * before.length ? {} : { valid: { expr: either(after) } };
      const condition = [when, at === 0 ? undefined : either(before)].filter((text) => text !== undefined);
      const field = { type: bitsType(1, this.#scope), ...valid };
      this.#field(
        `${id}_bit${at}`,
        field,
        condition.length === 0 ? undefined : condition.map((text) => `(${text})`).join(" and "),
      );
    }
    const enumName = this.#names.addEnum(
      id,
      Object.fromEntries(list.map(([word], at) => [String(at), snakeCase(word)])),
    );
    const last = String(list.length - 1);
    const number = list
      .slice(0, -1)
      .reduceRight((rest, [, code], at) => `(${beginsWith(id, code)} ? ${at} : ${rest})`, last);
    return [{ name: objects + name, more: { enum: enumName }, expression: number, when }];
  }

  /** Bits that are a mark, or the same bits as numbers: read once, with values for both. */
  #mark({ parts, marked, of }: MarkNode, place: Place): readonly BitsValue[] {
    const fields = of.kind === "struct" ? of.fields : [];
    const constants = marked.kind === "struct" ? marked.fields : [];
    const read = fields.filter(({ node }) => node.kind !== "constant");
    const isSame =
      parts.length === read.length &&
      parts.every(({ name, bits }, at) => {
        const field = read[at];
        return field?.name === name && field.node.kind === "integer" && field.node.bits === bits;
      });
    if (!isSame) throw new TypeError("a mark whose bits are not those of the fields");
    const rawOf = (name: string): string => `${place.cases}${place.objects}${snakeCase(name)}_raw`;
    for (const { name, bits } of parts) this.#field(rawOf(name), { type: bitsType(bits, this.#scope) }, place.when);
    const isMarked = parts.map(({ name, value }) => `${rawOf(name)} == ${value}`).join(" and ");
    return fields.map(({ name, node }) => {
      const value =
        node.kind === "constant"
          ? literalText(node.value)
          : (this.#reading(node, name).value?.(rawOf(name)) ?? rawOf(name));
      const constant = constants.find((each) => each.name === name)?.node;
      const either =
        constant?.kind === "constant" ? `(${isMarked} ? ${literalText(constant.value)} : ${value})` : value;
      return this.#value(snakeCase(name), node, place, either);
    });
  }
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Whether the bits of a tag begin with a code, as an expression. */
function beginsWith(id: string, code: string): string {
  return [...code].map((each, at) => `${each === "1" ? "" : "not "}${id}_bit${at}`).join(" and ");
}

/** `character`: the constant text of a case. */
function caseWord(node: LayoutNode): string | undefined {
  if (node.kind !== "struct") return undefined;
  for (const { node: field } of node.fields) {
    if (field.kind === "constant" && typeof field.value === "string") return field.value;
  }
  return undefined;
}
