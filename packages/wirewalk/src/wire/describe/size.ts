/** The sizes of descriptions, in bits. */
import type { ArrayNode, BytesNode, LayoutNode, RunLength, TextNode } from "./node.ts";

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
      return node.fields.reduce<BitSize>(({ least, most }, { node: field, when }) => {
        const size = sizeOf(field);
        return { least: least + (when === undefined ? size.least : 0), most: most + size.most };
      }, fixed(0));
    case "variant": {
      const tag = sizeOf(node.tag);
      const { least, most } = either(node.cases.map((each) => sizeOf(each.node)));
      return { least: tag.least + least, most: tag.most + most };
    }
    case "byLength":
    case "peek":
      return either(node.cases.map((each) => sizeOf(each.node)));
    case "mark": {
      const marked = node.parts.reduce((sum, { bits }) => sum + bits, 0);
      return either([fixed(marked), sizeOf(node.of)]);
    }
    case "bits": {
      const { least, most } = sizeOf(node.of);
      return { least: Math.ceil(least / 8) * 8, most: Math.ceil(most / 8) * 8 };
    }
    case "limited": {
      const { least, most } = sizeOf(node.of);
      return { least, most: Math.min(most, node.bytes * 8) };
    }
    case "sized": {
      const size = sizeOf(node.size);
      const content = sizeOf(node.of);
      return { least: size.least + content.least, most: size.most + Math.min(content.most, mostOf(node.size) * 8) };
    }
    case "compressed":
      return { least: 8, most: Number.POSITIVE_INFINITY };
  }
}

function either(sizes: readonly BitSize[]): BitSize {
  return { least: Math.min(...sizes.map(({ least }) => least)), most: Math.max(...sizes.map(({ most }) => most)) };
}

/** The greatest number that a description of a number can hold. */
function mostOf(node: LayoutNode): number {
  return node.kind === "integer" ? 2 ** node.bits - 1 : Number.POSITIVE_INFINITY;
}

function sizeOfRun(node: ArrayNode | BytesNode | TextNode): BitSize {
  if (node.kind === "text") {
    const { length } = node;
    if ("end" in length) return { least: 8, most: (length.limit + 1) * 8 };
    if ("rest" in length) return { least: 0, most: length.rest * 8 };
    return withCount(length.count, length.limit, fixed(8));
  }
  const item = node.kind === "bytes" ? fixed(8) : sizeOf(node.item);
  const length: RunLength = node.length;
  if (typeof length === "number") return { least: item.least * length, most: item.most * length };
  if ("rest" in length) return { least: 0, most: item.most * length.rest };
  if ("until" in length) return { least: 8, most: 8 + item.most * length.limit };
  return withCount(length.count, length.limit, item);
}

function withCount(count: LayoutNode, limit: number, item: BitSize): BitSize {
  const size = sizeOf(count);
  return { least: size.least, most: size.most + item.most * Math.min(limit, mostOf(count)) };
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
