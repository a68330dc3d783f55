/** Descriptions as the blocks of a picture: fields with their bits, and groups that are repeated, optional or one of several. */

import { conditionText } from "../../wire/describe/conditions.ts";
import { peekText } from "../../wire/describe/describe.ts";
import { type CaseNode, formatSize, type LayoutNode, type RunLength, sizeOf, typeName } from "../../wire/index.ts";

/** A field of known width. */
export interface FieldBlock {
  readonly kind: "field";
  /** `start.x`. */
  readonly name: string;
  readonly bits: number;
  /** `u16le, px`; empty where there is nothing to say. */
  readonly detail: string;
  /** Bits without a meaning. */
  readonly isUnused?: true;
}

/** A field whose width is not to scale: it differs, or is large. */
export interface LongBlock {
  readonly kind: "long";
  readonly name: string;
  /** `text to a zero byte, 1 to 65 bytes`. */
  readonly detail: string;
}

/** A sentence in place of fields. */
export interface NoteBlock {
  readonly kind: "note";
  readonly text: string;
}

export interface GroupBlock {
  readonly kind: "group";
  /** `repeat` is there several times, `choice` perhaps. */
  readonly style: "repeat" | "choice";
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block = FieldBlock | LongBlock | NoteBlock | GroupBlock;

/** Most bits that are drawn to scale in one field. */
const MOST_BITS = 128;
/** Most items of a list of fixed length that are drawn one by one. */
const MOST_ITEMS = 8;

/** A cell of the picture with the titles of the groups around it, from the outermost. */
export interface Cell {
  readonly block: FieldBlock | LongBlock;
  readonly groups: readonly string[];
}

/** All cells in the order in which they are drawn. */
export function cellsOf(blocks: readonly Block[], groups: readonly string[] = []): readonly Cell[] {
  return blocks.flatMap((block): readonly Cell[] => {
    if (block.kind === "note") return [];
    if (block.kind === "group") return cellsOf(block.blocks, [...groups, block.title]);
    return [{ block, groups }];
  });
}

/** The blocks of an object in wire order. */
export function blocksOf(node: LayoutNode): readonly Block[] {
  return objectBlocks(node, "");
}

function join(path: string, name: string): string {
  return path === "" ? name : name === "" ? path : `${path}.${name}`;
}

function objectBlocks(node: LayoutNode, path: string): readonly Block[] {
  switch (node.kind) {
    case "struct":
      return node.fields.flatMap(({ name, node: field, when }): readonly Block[] => {
        const blocks = fieldBlocks(field, join(path, name));
        if (when === undefined || blocks.length === 0) return blocks;
        return [{ kind: "group", style: "choice", title: `only if ${conditionText(when)}`, blocks }];
      });
    case "variant": {
      const { tag, tagName } = node;
      const tagBlocks = tag.kind === "prefix" ? [] : fieldBlocks(tag, join(path, tagName));
      const cases = sameCases(node.cases).map((each): Block => {
        const { tags, node: body } = each;
        const code = tag.kind === "prefix" ? tag.codes[tags?.[0] ?? ""] : undefined;
        // A tag of variable length goes with its case.
        const own: readonly Block[] =
          code === undefined ? [] : [{ kind: "field", name: code, bits: code.length, detail: tagName }];
        const title = tags === undefined ? `other ${tagName}` : `${tagName} ${tags.join(", ")}`;
        const word = constantOf(body);
        const named = word === undefined || tags?.includes(word) ? title : `${title}: ${word}`;
        return group("choice", named, [...own, ...objectBlocks(body, path)]);
      });
      return [...tagBlocks, ...cases];
    }
    case "byLength":
      return node.cases.map(({ bytes, node: body }) => {
        const title = bytes === undefined ? "other lengths" : `${bytes} bytes left`;
        const word = constantOf(body);
        return group("choice", word === undefined ? title : `${title}: ${word}`, objectBlocks(body, path));
      });
    case "peek":
      return node.cases.map(({ when, node: body }) => group("choice", peekText(when), objectBlocks(body, path)));
    case "mark": {
      const bits = node.parts.map(({ name, value }) => `${name} ${value}`).join(" and ");
      return [...objectBlocks(node.of, path), { kind: "note", text: `${bits} together are a mark, and no numbers` }];
    }
    case "bits": {
      const { least, most } = sizeOf(node.of);
      const blocks = fieldBlocks(node.of, path);
      const order: readonly Block[] =
        node.first === "lsb" ? [{ kind: "note", text: "low bits of a byte come first" }] : [];
      const left = -most & 7;
      if (least !== most) {
        if (node.of.kind === "variant") return [...order, ...paddedCases(blocks)];
        const isPadded = least % 8 !== 0 || most % 8 !== 0;
        return [...order, ...blocks, ...(isPadded ? [padding] : [])];
      }
      if (left === 0) return [...order, ...blocks];
      return [...order, ...blocks, { kind: "field", name: node.padding.name, bits: left, detail: "", isUnused: true }];
    }
    case "limited":
      return [...objectBlocks(node.of, path), { kind: "note", text: `${node.name}: at most ${node.bytes} bytes` }];
    case "sized":
      return [
        ...fieldBlocks(node.size, join(path, "size")),
        group("choice", `size${node.extra === 0 ? "" : ` - ${node.extra}`} bytes`, objectBlocks(node.of, path)),
      ];
    case "compressed":
      return [group("choice", "an LZ4 block to the end, which holds", objectBlocks(node.of, path))];
    default:
      return fieldBlocks(node, path);
  }
}

const padding: NoteBlock = { kind: "note", text: "zeros to the end of the byte" };

/** Cases within bits end at bits of their own: each is filled up to its byte. */
function paddedCases(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block) => {
    if (block.kind !== "group") return block;
    const bits = block.blocks.reduce((sum, each) => sum + (each.kind === "field" ? each.bits : 0), 0);
    const left = -bits & 7;
    if (left === 0) return block;
    return {
      ...block,
      blocks: [...block.blocks, { kind: "field", name: "padding", bits: left, detail: "", isUnused: true }],
    };
  });
}

function group(style: GroupBlock["style"], title: string, blocks: readonly Block[]): GroupBlock {
  return { kind: "group", style, title, blocks: blocks.length === 0 ? [{ kind: "note", text: "no fields" }] : blocks };
}

/** Cases that differ in their tags alone, as one. */
function sameCases(cases: readonly CaseNode[]): readonly CaseNode[] {
  const merged = new Map<string, CaseNode>();
  for (const each of cases) {
    const key = each.tags === undefined ? "other" : JSON.stringify(drawnFields(each.node));
    const other = merged.get(key);
    merged.set(
      key,
      other === undefined
        ? each
        : { ...each, node: withoutConstants(each.node), tags: [...(other.tags ?? []), ...(each.tags ?? [])] },
    );
  }
  return [...merged.values()];
}

/** Of the description of a case what is drawn: constants have no bits. */
function drawnFields(node: LayoutNode): LayoutNode {
  return withoutConstants(node);
}

function withoutConstants(node: LayoutNode): LayoutNode {
  if (node.kind !== "struct") return node;
  return { ...node, fields: node.fields.filter(({ node: field }) => field.kind !== "constant") };
}

/** The constant text of a case. */
function constantOf(node: LayoutNode): string | undefined {
  if (node.kind !== "struct") return undefined;
  for (const { node: field } of node.fields) {
    if (field.kind === "constant" && typeof field.value === "string") return field.value;
  }
  return undefined;
}

function isObject(node: LayoutNode): boolean {
  if (node.kind === "peek") return node.cases.some((each) => isObject(each.node));
  return ["struct", "variant", "byLength", "mark", "limited", "sized", "compressed"].includes(node.kind);
}

/** What a cell says under the name of its field. */
function detailOf(node: LayoutNode): string {
  const type =
    node.kind === "oneOf" || node.kind === "flags" || node.kind === "boolean" ? typeName(node.of) : typeName(node);
  return node.unit === undefined ? type : `${type}, ${node.unit}`;
}

function fieldBlocks(node: LayoutNode, path: string): readonly Block[] {
  if (isObject(node)) return objectBlocks(node, path);
  switch (node.kind) {
    case "constant":
      return [];
    case "peek":
      return node.cases.map(({ when, node: body }) => group("choice", peekText(when), fieldBlocks(body, path)));
    case "unused":
      return [{ kind: "field", name: path, bits: node.bits, detail: "", isUnused: true }];
    case "bits":
      return objectBlocks(node, path);
    case "literal":
      return [{ kind: "field", name: `${path} = ${node.value}`, bits: sizeOf(node).most, detail: typeName(node.of) }];
    case "flags": {
      const { of, flags } = node;
      if (of.kind !== "integer" || of.bits > 16 || (of.bits > 8 && of.order !== "be")) break;
      return Array.from({ length: of.bits }, (_, at): FieldBlock => {
        const bit = of.bits - 1 - at;
        const name = Object.keys(flags).find((each) => flags[each] === bit);
        if (name === undefined) return { kind: "field", name: "0", bits: 1, detail: "", isUnused: true };
        return { kind: "field", name: join(path, name), bits: 1, detail: "" };
      });
    }
    case "array":
      return arrayBlocks(node.item, node.length, path);
    case "bytes": {
      if (node.inside !== undefined) return fieldBlocks(node.inside, node.flat ? path.replace(/\.?[^.]*$/, "") : path);
      const meanings = (node.readings ?? []).map((reading) =>
        group(
          "choice",
          `${path} if ${conditionText(reading.when)}`,
          fieldBlocks(reading.node, join(path, reading.name)),
        ),
      );
      return [...runBlocks(node, node.length, path), ...meanings];
    }
    case "text":
      return runBlocks(node, "end" in node.length ? { rest: node.length.limit } : node.length, path);
    default:
  }
  const { least, most } = sizeOf(node);
  if (least === most && most <= MOST_BITS) return [{ kind: "field", name: path, bits: most, detail: detailOf(node) }];
  return [{ kind: "long", name: path, detail: `${detailOf(node)}, ${formatSize({ least, most })}` }];
}

/** Bytes or text. */
function runBlocks(node: LayoutNode, length: RunLength, path: string): readonly Block[] {
  const size = sizeOf(node);
  if (size.least === size.most && size.most <= MOST_BITS) {
    return [{ kind: "field", name: path, bits: size.most, detail: "bytes" }];
  }
  if (typeof length === "object" && "count" in length) {
    const what = node.kind === "text" ? "characters" : "bytes";
    return [
      ...fieldBlocks(length.count, `${path} count`),
      { kind: "long", name: path, detail: `count ${what}, at most ${length.limit}` },
    ];
  }
  return [{ kind: "long", name: path, detail: `${typeName(node)}, ${formatSize(size)}` }];
}

function arrayBlocks(item: LayoutNode, length: RunLength, path: string): readonly Block[] {
  const { least, most } = sizeOf(item);
  if (typeof length === "number" && length <= MOST_ITEMS && least === most && most * length <= MOST_BITS) {
    return Array.from({ length }, (_, at) => fieldBlocks(item, `${path}[${at}]`)).flat();
  }
  const blocks = fieldBlocks(item, isObject(item) || item.kind === "bits" ? "" : path);
  if (typeof length === "number") return [group("repeat", `${path}: ${length} times`, blocks)];
  if ("count" in length) {
    const title = `${path}: count times, at most ${length.limit}`;
    return [...fieldBlocks(length.count, `${path} count`), group("repeat", title, blocks)];
  }
  if ("until" in length)
    return [group("repeat", `${path}: at most ${length.limit} times, before a byte ${length.until}`, blocks)];
  return [group("repeat", `${path}: to the end${length.tolerant ? ", as long as a whole one is left" : ""}`, blocks)];
}
