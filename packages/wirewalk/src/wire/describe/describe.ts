/**
 * Descriptions as tables: one row a field, for docs and help texts.
 *
 * ```ts
 * import { array, describeNode, struct, u8, u16le } from "wirewalk/wire";
 *
 * const path = struct({ start: u16le, steps: array(u8, { count: u8, limit: 20 }) });
 * describeNode(path.node).map(({ path, type, size }) => `${path}: ${type}, ${size}`); // => [
 * //   "start: u16le, 2 bytes",
 * //   "steps: list of u8, count u8, 1 to 21 bytes",
 * // ]
 * ```
 *
 * @module
 */
import { joinPath } from "../wire-error.ts";
import { conditionText } from "./conditions.ts";
import type { ByteTransform, LayoutNode, PeekTest, RunLength } from "./node.ts";
import { integerName } from "./number-nodes.ts";
import { formatSize, sizeOf } from "./size.ts";
import { namesIn, readingsOf } from "./values.ts";
import { wordedNumbers } from "./words.ts";

/** One field of a message, in words. */
export interface FieldRow {
  /** `fragments[].x`; a case of a variant stands in brackets: `(type 10) data`. */
  readonly path: string;
  /** `u16le`, `flags in u8`, `list of u16le, count u8`. */
  readonly type: string;
  /** `2 bytes`, `1 to 65 bytes`, `3 bits`. */
  readonly size: string;
  readonly unit: string;
  /** What it means, with names and bits where it has some. */
  readonly meaning: string;
  /** Where the protocol's standard describes it. */
  readonly section: string;
}

/** The fields of a description in wire order. A field without a section of its own has that of what it stands in. */
export function describeNode(node: LayoutNode): readonly FieldRow[] {
  const rows: FieldRow[] = [];
  addRows(rows, node, { path: "", when: "", section: "" });
  return rows;
}

/** Where a description stands. */
interface Place {
  readonly path: string;
  readonly when: string;
  readonly section: string;
}

function row(node: LayoutNode, { path, when, section: outer }: Place): FieldRow {
  const { unit = "", doc = "", section = outer } = node;
  return {
    path: when === "" ? path : `(${when}) ${path}`,
    type: typeName(node),
    size: formatSize(sizeOf(node)),
    unit,
    meaning: [doc, namesOf(node), wordedNumbers(node)].filter((text) => text !== "").join("; "),
    section,
  };
}

function both(when: string, more: string): string {
  return when === "" ? more : `${when}, ${more}`;
}

function addRows(rows: FieldRow[], node: LayoutNode, outer: Place): void {
  const place = { ...outer, section: node.section ?? outer.section };
  const { path, when } = place;
  const add = (inner: LayoutNode, more: Partial<Place> = {}): void => addRows(rows, inner, { ...place, ...more });
  switch (node.kind) {
    case "struct":
      for (const { name, node: field, when: condition } of node.fields) {
        const inner = condition === undefined ? when : both(when, conditionText(condition));
        add(field, { path: joinPath(path, name), when: inner });
        if (field.kind === "bytes" && field.inside !== undefined) {
          add(field.inside, { path: field.flat ? path : joinPath(path, name), when: inner });
        }
        for (const reading of readingsOf(field)) {
          add(reading.node, { path: joinPath(path, reading.name), when: both(inner, conditionText(reading.when)) });
        }
      }
      return;
    case "variant":
      rows.push(row(node.tag, { ...place, path: joinPath(path, node.tagName) }));
      for (const { tags, node: inner } of node.cases) {
        const text = tags === undefined ? `other ${node.tagName}` : `${node.tagName} ${tags.join(", ")}`;
        add(inner, { when: both(when, text) });
      }
      return;
    case "byLength":
      for (const { bytes, node: inner } of node.cases) {
        add(inner, { when: both(when, bytes === undefined ? "other lengths" : `${bytes} bytes left`) });
      }
      return;
    case "peek":
      for (const { when: test, node: inner } of node.cases) add(inner, { when: both(when, peekText(test)) });
      return;
    case "mark": {
      const text = node.parts.map(({ name, value }) => `${name} ${value}`).join(", ");
      add(node.marked, { when: both(when, text) });
      add(node.of);
      return;
    }
    case "sized":
      rows.push(row(node.size, { ...place, path: joinPath(path, "size") }));
      add(node.of);
      return;
    case "bits":
    case "limited":
    case "compressed":
      add(node.of);
      return;
    case "array":
      if (isObject(node.item) && node.fold === undefined) {
        rows.push(row(node, place));
        add(node.item, { path: `${path}[]` });
        return;
      }
      break;
    case "constant":
      return;
    default:
  }
  rows.push(row(node, place));
}

function isObject(node: LayoutNode): boolean {
  if (node.kind === "peek") return node.cases.some((each) => isObject(each.node));
  return ["struct", "variant", "byLength", "mark", "bits", "limited", "sized", "compressed"].includes(node.kind);
}

/** A test of the bytes ahead in words: `next byte & 0xf0 is 0x80, at most 9 bytes left`. */
export function peekText(test: PeekTest | undefined): string {
  if (test === undefined) return "other bytes";
  const { next, atMost } = test;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  return [
    ...(next === undefined ? [] : [`next byte & ${hex(next.mask)} is ${hex(next.value)}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost} bytes left`]),
  ].join(", ");
}

/** What a reader calls the type of a description. */
export function typeName(node: LayoutNode): string {
  switch (node.kind) {
    case "integer":
      return [integerName(node), ...changes(node.transform, node.bias, node.divisor)].join(" ");
    case "smart":
      return node.wide ? "wide smart" : "smart";
    case "float":
      return `f${node.bits}${node.order}`;
    case "boolean":
      return `boolean in ${typeName(node.of)}`;
    case "oneOf":
      return typeName(node.of);
    case "prefix":
      return "prefix code";
    case "flags":
      return `flags in ${typeName(node.of)}`;
    case "literal":
      return `${typeName(node.of)}, always ${node.value}`;
    case "constant":
      return `always ${node.value}`;
    case "array":
      return `list${isObject(node.item) ? "" : ` of ${typeName(node.item)}`}${lengthText(node.length)}`;
    case "bytes": {
      const more = [...changes(node.transform), ...(node.reversed ? ["reversed"] : [])];
      return `bytes${more.length === 0 ? "" : ` ${more.join(" ")}`}${lengthText(node.length)}`;
    }
    case "text": {
      const { length, charset } = node;
      const name = charset === "latin1" ? "text" : "Windows-1252 text";
      if ("rest" in length) return `${name} to the end`;
      return "end" in length ? `${name} to a zero byte` : `${name}, count ${typeName(length.count)}`;
    }
    default:
      return node.kind;
  }
}

function changes(transform?: ByteTransform, bias = 0, divisor = 1): string[] {
  return [
    ...(transform === undefined ? [] : [transform]),
    ...(bias === 0 ? [] : [`bias ${bias}`]),
    ...(divisor === 1 ? [] : [`in 1/${divisor}`]),
  ];
}

function lengthText(length: RunLength): string {
  if (typeof length === "number") return `, ${length}`;
  if ("rest" in length) return ", to the end";
  if ("until" in length) return `, to a byte ${length.until}`;
  return `, count ${typeName(length.count)}`;
}

function namesOf(node: LayoutNode): string {
  switch (node.kind) {
    case "oneOf":
    case "prefix":
      return Object.entries(namesIn(node) ?? {})
        .map(([name, code]) => `${code} ${name}`)
        .join(", ");
    case "flags":
      return Object.entries(node.flags)
        .map(([name, bit]) => `bit ${bit} ${name}`)
        .join(", ");
    case "bytes":
      return node.opaque ?? "";
    case "integer":
      return node.min === undefined && node.max === undefined ? "" : rangeText(node.min, node.max);
    default:
      return "";
  }
}

function rangeText(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}
