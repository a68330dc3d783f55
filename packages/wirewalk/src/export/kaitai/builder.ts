/**
 * Kaitai Struct types from descriptions. The fields of a type are those of the message under their names in snake case.
 * What a tag selects stands in `<tag>_body`, what the number of bytes selects in `body_by_size`, what a size counts in `content`,
 * what a block holds in `block`; a number that the wire has in another form is an instance, beside its `…_raw`.
 */
import type {
  ArrayNode,
  BytesNode,
  Condition,
  FieldNode,
  FlagsNode,
  JsonObject,
  LayoutNode,
  RunLength,
  TextNode,
  VariantNode,
} from "../../wire/index.ts";
import { meaningOf, snakeCase } from "../words.ts";
import { addBitFields } from "./bit-fields.ts";
import { addPadding, fixedBits } from "./bit-sizes.ts";
import {
  addLiteral,
  addNumber,
  addReading,
  bitsType,
  literalText,
  numberReading,
  tagReading,
} from "./number-fields.ts";
import { integerNumber, integerValid } from "./numbers.ts";
import { KsyNames, TypeScope } from "./spec.ts";

/** What Kaitai cannot say, as the documentation of a file lists it. */
export const kaitaiGaps = {
  rest: "A list to the end of the bytes is not refused for having too many items.",
  block: "The block is unpacked by a process that you provide, lz4_block(limit): Kaitai has none.",
} as const;

/** The bytes of an item whose first byte begins none: more than there are. */
const NO_ITEM = String(2 ** 31 - 1);

type Length = Exclude<RunLength, number>;

/** Makes the types of one file. */
export class KsyBuilder {
  readonly names = new KsyNames();
  readonly gaps = new Set<string>();

  /** The type of an object. Throws `TypeError` for a description that Kaitai has no form for. */
  typeOf(node: LayoutNode, hint: string): string {
    const scope = new TypeScope(hint);
    this.#addObject(node, scope);
    return this.names.addType(hint, scope.type(node.doc));
  }

  /** The type of an object that fills its bytes: what is left of them is refused. */
  wholeType(node: LayoutNode, hint: string): string {
    const scope = new TypeScope(hint);
    this.#addObject(node, scope);
    addEnd(scope);
    return this.names.addType(hint, scope.type(node.doc));
  }

  /** The fields of an object into a type that may have others already. */
  #addObject(node: LayoutNode, scope: TypeScope): void {
    switch (node.kind) {
      case "struct":
        for (const field of node.fields) this.#addField(field, scope);
        return;
      case "variant":
        this.#addVariant(node, scope);
        return;
      case "byLength": {
        const cases = node.cases.map(({ bytes, node: inner }, at) => {
          const hint = `${scope.name}_${caseName(inner) ?? at}`;
          return [bytes === undefined ? "_" : String(bytes), this.typeOf(inner, hint)] as const;
        });
        const type = { "switch-on": "_io.size - _io.pos", cases: Object.fromEntries(cases) };
        scope.field({ id: "body_by_size", type });
        return;
      }
      case "bits":
        addBitFields(this.names, scope.inBits(node.first), node.of);
        addPadding(node, scope.inBits(node.first));
        return;
      case "limited":
        scope.field({
          id: scope.freeId(`check_${snakeCase(node.name)}`),
          doc: `at most ${node.bytes} bytes`,
          size: 0,
          valid: { expr: `_io.size - _io.pos <= ${node.bytes}` },
        });
        this.#addObject(node.of, scope);
        return;
      case "sized": {
        const { extra } = node;
        addNumber({ names: this.names, scope, id: "size", about: {} }, node.size, { min: extra });
        const type = this.wholeType(node.of, `${scope.name}_content`);
        scope.field({ id: "content", size: extra === 0 ? "size" : `size - ${extra}`, type });
        return;
      }
      case "compressed": {
        this.gaps.add(kaitaiGaps.block);
        const type = this.wholeType(node.of, `${scope.name}_block`);
        scope.field({ id: "block", "size-eos": true, process: `lz4_block(${node.limit})`, type });
        return;
      }
      case "peek":
        throw new TypeError("cases that the bytes ahead select");
      default:
        throw new TypeError(`a ${node.kind} is not an object`);
    }
  }

  #addField({ name, node, when }: FieldNode, scope: TypeScope): void {
    if (name === "") this.#addObject(node, scope);
    else this.#addNamed(node, snakeCase(name), scope, when === undefined ? {} : { if: conditionText(when, "", scope) });
  }

  /** One field under its name. `present` has the `if` of a field that may be absent. */
  #addNamed(node: LayoutNode, id: string, scope: TypeScope, present: JsonObject): void {
    const doc = meaningOf(node);
    const about: JsonObject = { ...(doc === "" ? {} : { doc }), ...present };
    const place = { names: this.names, scope, id, about };
    switch (node.kind) {
      case "integer":
      case "smart":
      case "float":
      case "boolean":
      case "oneOf":
        addNumber(place, node);
        return;
      case "flags":
        scope.field({ id, ...about, type: this.#flagsType(node, id, scope) });
        return;
      case "literal":
        addLiteral(place, node);
        return;
      case "constant":
        scope.instance(id, { ...about, value: literalText(node.value) });
        return;
      case "unused":
        scope.field({ id: scope.freeId(id), ...about, type: bitsType(node.bits, scope) });
        return;
      case "array":
        this.#addArray(node, id, scope, about);
        return;
      case "bytes":
        this.#addBytes(node, id, scope, about);
        return;
      case "text":
        this.#addText(node, id, scope, about);
        return;
      case "bits":
        if (node.of.kind !== "array") break;
        this.#addArray(node.of, id, scope.inBits(node.first), about);
        addPadding(node, scope.inBits(node.first), `num_${id}`);
        return;
      default:
    }
    scope.field({ id, ...about, type: this.typeOf(node, id) });
  }

  #flagsType({ of, flags, reserved }: FlagsNode, id: string, scope: TypeScope): string {
    const inner = new TypeScope(id);
    const { type } = numberReading({ names: this.names, scope, id }, of);
    const known = Object.values(flags).reduce((sum, bit) => sum + 2 ** bit, 0);
    const others = 2 ** (of.kind === "integer" ? of.bits : 32) - 1 - known;
    const isChecked = reserved === "refuse" && others > 0;
    inner.field({ id: "bits", type, ...(isChecked ? { valid: { expr: `(_ & ${others}) == 0` } } : {}) });
    for (const [flag, bit] of Object.entries(flags)) {
      inner.instance(snakeCase(flag), { value: `(bits & ${2 ** bit}) != 0` });
    }
    return this.names.addType(`${id}_flags`, inner.type());
  }

  #addArray({ item, length }: ArrayNode, id: string, scope: TypeScope, about: JsonObject): void {
    const hint = id.replace(/s$/, "");
    if (typeof length === "number") {
      scope.field({ id, ...about, ...this.#itemType(item, hint, scope), repeat: "expr", "repeat-expr": length });
    } else if ("count" in length) {
      const count = this.#addCount(length, id, scope, about);
      scope.field({ id, ...about, ...this.#itemType(item, hint, scope), repeat: "expr", "repeat-expr": count });
    } else if ("rest" in length && length.tolerant) this.#addTolerant(item, id, scope, about);
    else if ("rest" in length) {
      this.gaps.add(kaitaiGaps.rest);
      scope.field({ id, ...about, ...this.#itemType(item, hint, scope), repeat: "eos" });
    } else this.#addUntil(item, length, id, scope, about);
  }

  /** Items before a byte that none of them begins with: the last entry of the list is that byte. */
  #addUntil(
    item: LayoutNode,
    { until, limit }: Extract<Length, { until: number }>,
    id: string,
    scope: TypeScope,
    about: JsonObject,
  ): void {
    const hint = id.replace(/s$/, "");
    const entry = new TypeScope(`${hint}_or_end`);
    entry.field({
      id: "check_limit",
      doc: `at most ${limit} items`,
      size: 0,
      valid: { expr: `is_end or index < ${limit}` },
    });
    entry.field({ id: "item", if: "not is_end", ...this.#itemType(item, hint, entry) });
    entry.field({ id: "end", if: "is_end", type: "u1" });
    entry.instance("first", { pos: "_io.pos", type: "u1" });
    entry.instance("is_end", { value: `first == ${until}` });
    const type = this.names.addType(entry.name, { ...entry.type(), params: [{ id: "index", type: "s4" }] });
    scope.field({ id, ...about, type: `${type}(_index)`, repeat: "until", "repeat-until": "_.is_end" });
  }

  /** The type of an item. A value that is not as it is read has a type of its own, with `value`. */
  #itemType(item: LayoutNode, hint: string, scope: TypeScope): JsonObject {
    if (item.kind === "integer") {
      const number = integerNumber(item, scope.bits);
      if (number.value === undefined) return { type: number.type, ...integerValid(item, number) };
    }
    if (isObject(item)) return { type: this.typeOf(item, hint) };
    if (scope.bits !== undefined) throw new TypeError("such an item of a list within bits");
    const inner = new TypeScope(hint);
    this.#addNamed(item, "value", inner, {});
    return { type: this.names.addType(hint, inner.type()) };
  }

  /** The count of a run, with its limit. Gives its id. */
  #addCount(
    length: Extract<Length, { count: LayoutNode }>,
    id: string,
    scope: TypeScope,
    { if: present }: JsonObject,
  ): string {
    const { count, limit } = length;
    const countId = `num_${id}`;
    // Counts stand at a byte, also before items within bits, as all lists of our games have them.
    const place = {
      names: this.names,
      scope: scope.inBytes(),
      id: countId,
      about: present === undefined ? {} : { if: present },
    };
    const isBelow = count.kind === "integer" && 2 ** count.bits - 1 <= limit;
    addNumber(place, count, isBelow || count.kind !== "integer" ? undefined : { max: limit });
    return countId;
  }

  /** Items as long as the next one is there in full: its size follows from the bits that it begins with. */
  #addTolerant(item: LayoutNode, id: string, scope: TypeScope, about: JsonObject): void {
    if (item.kind !== "bits" || item.of.kind !== "variant" || item.of.tag.kind !== "prefix") {
      throw new TypeError("a list that ends before the first item that cannot be read");
    }
    const { tag, cases } = item.of;
    const sizes = Object.entries(tag.codes).map(([name, code]): [string, number] => {
      const found = cases.find(({ tags }) => tags?.includes(name));
      return [code, Math.ceil((code.length + (found === undefined ? 0 : fixedBits(found.node))) / 8)];
    });
    if (sizes.some(([code]) => code.length > 8)) throw new TypeError("a tag of more than a byte");
    const start = new TypeScope(`${id}_start`);
    start.field({ id: "first", type: "u1" });
    start.instance("num_bytes", {
      value: sizes.reduceRight((rest, [code, bytes]) => {
        return `(first / ${2 ** (8 - code.length)} == ${Number.parseInt(code, 2)} ? ${bytes} : ${rest})`;
      }, NO_ITEM),
    });
    const type = this.names.addType(
      `${id}_start`,
      start.type("The first byte of an item, read before it: how many bytes the item has."),
    );

    const hint = id.replace(/s$/, "");
    const inner = new TypeScope(hint);
    this.#addObject(item, inner);
    inner.instance("next_start", { pos: "_io.pos", type, if: "not _io.eof" });
    const next = `${id}_first`;
    scope.instance(next, { pos: "_io.pos", type, if: "not _io.eof" });
    scope.field({
      id,
      ...about,
      type: this.names.addType(hint, inner.type(item.doc)),
      if: `not _io.eof and ${next}.num_bytes <= _io.size - _io.pos`,
      repeat: "until",
      "repeat-until": "_io.eof or _.next_start.num_bytes > _io.size - _io.pos",
    });
  }

  #addBytes(node: BytesNode, id: string, scope: TypeScope, about: JsonObject): void {
    const { length, readings, transform, reversed } = node;
    if (transform !== undefined || reversed) throw new TypeError("bytes that are changed on the wire");
    if (typeof length === "number") {
      const type = readings === undefined ? {} : { type: this.#readingsType(node, id, length, scope) };
      scope.field({ id, ...about, size: length, ...type });
    } else if ("rest" in length) {
      scope.field({ id, ...about, "size-eos": true, valid: { expr: `_.length <= ${length.rest}` } });
    } else if ("count" in length) {
      scope.field({ id, ...about, size: this.#addCount(length, id, scope, about) });
    } else throw new TypeError("bytes that end before a byte");
  }

  /** Bytes, and what they mean by an earlier field. */
  #readingsType({ readings = [] }: BytesNode, id: string, size: number, scope: TypeScope): string {
    const inner = new TypeScope(id);
    inner.field({ id: "bytes", size });
    for (const { name, when, node } of readings) {
      const type = this.typeOf(node, snakeCase(name));
      inner.instance(snakeCase(name), { pos: 0, if: conditionText(when, "_parent.", scope), type });
    }
    return this.names.addType(id, inner.type());
  }

  #addText({ charset, length }: TextNode, id: string, scope: TypeScope, about: JsonObject): void {
    const encoding = charset === "latin1" ? "ISO-8859-1" : "windows-1252";
    if ("end" in length) {
      scope.field({ id, ...about, type: "strz", encoding, valid: { expr: `_.length <= ${length.limit}` } });
    } else if ("rest" in length) {
      scope.field({
        id,
        ...about,
        "size-eos": true,
        type: "str",
        encoding,
        valid: { expr: `_.length <= ${length.rest}` },
      });
    } else scope.field({ id, ...about, size: this.#addCount(length, id, scope, about), type: "str", encoding });
  }

  #addVariant({ tagName, tag, cases }: VariantNode, scope: TypeScope): void {
    const id = snakeCase(tagName);
    const hasOther = cases.some(({ tags }) => tags === undefined);
    const doc = meaningOf(tag);
    const place = { names: this.names, scope, id, about: doc === "" ? {} : { doc } };
    addReading(place, tagReading(place, tag, hasOther ? undefined : cases.flatMap(({ tags }) => tags ?? [])));
    const names = scope.enumOf(id);
    const keyOf = (name: string | number): string =>
      names === undefined ? String(name) : `${names}::${snakeCase(String(name))}`;
    const entries = cases.flatMap(({ tags, node }): (readonly [string, string])[] => {
      if (node.kind === "struct" && node.fields.length === 0 && !hasOther) return [];
      const hint = `${scope.name}_${caseName(node) ?? snakeCase(String(tags?.[0] ?? "other"))}`;
      const type = this.typeOf(node, hint);
      return tags === undefined ? [["_", type]] : tags.map((each) => [keyOf(each), type] as const);
    });
    if (entries.length === 0) return;
    scope.field({ id: `${id}_body`, type: { "switch-on": id, cases: Object.fromEntries(entries) } });
  }
}

/** Refuses bytes that are left. */
export function addEnd(scope: TypeScope): void {
  scope.field({ id: "end", doc: "nothing follows", "size-eos": true, valid: { expr: "_.length == 0" } });
}

/** `absolute`: the constant text of a case. */
function caseName(node: LayoutNode): string | undefined {
  if (node.kind !== "struct") return undefined;
  for (const { node: field } of node.fields) {
    if (field.kind === "constant" && typeof field.value === "string") return snakeCase(field.value);
  }
  return undefined;
}

function isObject(node: LayoutNode): boolean {
  if (node.kind === "bits") return node.of.kind !== "array";
  return ["struct", "variant", "byLength", "peek", "mark", "sized", "limited", "compressed"].includes(node.kind);
}

/** A condition as an expression. `before` leads to the fields of the struct, whose scope it is. */
function conditionText({ field, from, to, not, zero, mask }: Condition, before: string, scope: TypeScope): string {
  const id = before + snakeCase(field);
  if (zero !== undefined) {
    const size = scope.sizeOf(snakeCase(field));
    const tests = Array.from({ length: size }, (_, at) => `${id}[${at}] == 0`);
    return zero ? tests.join(" and ") : `not (${tests.join(" and ")})`;
  }
  const value = mask === undefined ? id : `(${id} & ${mask})`;
  return [
    ...(from === undefined ? [] : [`${value} >= ${from}`]),
    ...(to === undefined ? [] : [`${value} <= ${to}`]),
    ...(not === undefined ? [] : [`${value} != ${not}`]),
  ].join(" and ");
}
