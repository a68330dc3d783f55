/** The sizes of descriptions, in bits. */
import type { ArrayNode, BytesNode, LayoutNode, TextNode } from "./node.ts";

/** How many bits a value may take; equal where the size is fixed. `most` is `Infinity` where only the input ends it. */
export interface BitSize {
  readonly least: number;
  readonly most: number;
}

const fixed = (bits: number): BitSize => ({ least: bits, most: bits });

/** The least and the greatest size of what a description describes. */
export function sizeOf(node: LayoutNode): BitSize {
  switch (node.kind) {
    case "integer":
    case "float":
    case "unused":
      return fixed(node.bits);
    case "smart":
      return node.wide ? { least: 16, most: 32 } : { least: 8, most: 16 };
    case "boolean":
    case "oneOf":
    case "flags":
    case "literal":
      return sizeOf(node.of);
    case "prefix": {
      const lengths = Object.values(node.codes).map((code) => code.length);
      return { least: Math.min(...lengths), most: Math.max(...lengths) };
    }
    case "constant":
      return fixed(0);
    case "array":
    case "bytes":
    case "text":
      return sizeOfRun(node);
    case "struct":
      return together(node.fields.map(({ node: field, when }) => times(sizeOf(field), when === undefined ? 1 : 0, 1)));
    case "variant":
      return together([sizeOf(node.tag), either(node.cases.map((each) => sizeOf(each.node)))]);
    case "byLength":
    case "peek":
      return either(node.cases.map((each) => sizeOf(each.node)));
    case "mark":
      return either([together(node.parts.map(({ bits }) => fixed(bits))), sizeOf(node.of)]);
    case "bits": {
      const { least, most } = sizeOf(node.of);
      return { least: Math.ceil(least / 8) * 8, most: Math.ceil(most / 8) * 8 };
    }
    case "limited": {
      const { least, most } = sizeOf(node.of);
      return { least, most: Math.min(most, node.bytes * 8) };
    }
    case "sized": {
      const { least, most } = sizeOf(node.of);
      return together([sizeOf(node.size), { least, most: Math.min(most, mostOf(node.size) * 8) }]);
    }
    case "compressed":
      return { least: 8, most: Number.POSITIVE_INFINITY };
  }
}

function either(sizes: readonly BitSize[]): BitSize {
  return { least: Math.min(...sizes.map(({ least }) => least)), most: Math.max(...sizes.map(({ most }) => most)) };
}

function together(sizes: readonly BitSize[]): BitSize {
  return sizes.reduce((sum, { least, most }) => ({ least: sum.least + least, most: sum.most + most }), fixed(0));
}

function times({ least, most }: BitSize, low: number, high: number): BitSize {
  return { least: least * low, most: most * high };
}

/** The greatest number that a description of a number can hold. */
function mostOf(node: LayoutNode): number {
  return node.kind === "integer" ? 2 ** node.bits - 1 : Number.POSITIVE_INFINITY;
}

function sizeOfRun(node: ArrayNode | BytesNode | TextNode): BitSize {
  const item = node.kind === "array" ? sizeOf(node.item) : fixed(8);
  const { length } = node;
  if (typeof length === "number") return times(item, length, length);
  if ("rest" in length) return times(item, 0, length.rest);
  if (!("count" in length)) return together([fixed(8), times(item, 0, length.limit)]);
  return together([sizeOf(length.count), times(item, 0, Math.min(length.limit, mostOf(length.count)))]);
}

/** `8 bytes`, `2 to 65 bytes`, `3 bits`, `2 bytes or more`. */
export function formatSize({ least, most }: BitSize): string {
  const inBytes = least % 8 === 0 && (most === Number.POSITIVE_INFINITY || most % 8 === 0);
  const unit = inBytes ? 8 : 1;
  const noun = (count: number): string => `${inBytes ? "byte" : "bit"}${count === 1 ? "" : "s"}`;
  const [low, high] = [least / unit, most / unit];
  if (low === high) return `${low} ${noun(low)}`;
  return high === Number.POSITIVE_INFINITY ? `${low} ${noun(low)} or more` : `${low} to ${high} ${noun(high)}`;
}
