/**
 * Layouts out of descriptions alone: for protocols whose data comes as JSON, such as a client's revision.
 *
 * ```ts
 * import { decode, layoutOf } from "wirewalk/wire";
 *
 * const angle = layoutOf({ kind: "integer", bits: 16, signed: false, order: "le", transform: "+128" });
 * decode(angle, new Uint8Array([0x80, 0x04])); // => 1024
 * ```
 *
 * @module
 */
import { type Layout, withMeaning } from "./layout.ts";
import { boolean, flags, oneOf } from "./names.ts";
import { bits, limited, lz4Block, prefix, sized, unused } from "./nested.ts";
import type { LayoutNode, Meaning, RunLength } from "./node.ts";
import { float32, integer, smart, u64le } from "./numbers.ts";
import { bytesReadBy } from "./readings.ts";
import { type ArrayLength, array, byteRun, bytesWith } from "./runs.ts";
import { concat, constant, literal, optional, struct } from "./structs.ts";
import { cstring, prefixedString, windows1252String } from "./texts.ts";
import { byLength, mark, tagged } from "./variants.ts";

/** The layout of a description. Throws `RangeError` or `TypeError` for one that cannot be. */
export function layoutOf(node: LayoutNode): Layout<unknown> {
  const layout = build(node);
  const { doc, section, unit, words } = node;
  const meaning: Meaning = {
    ...(doc === undefined ? {} : { doc }),
    ...(section === undefined ? {} : { section }),
    ...(unit === undefined ? {} : { unit }),
    ...(words === undefined ? {} : { words }),
  };
  return Object.keys(meaning).length === 0 ? layout : withMeaning(layout, meaning);
}

const numberOf = (node: LayoutNode): Layout<number> => layoutOf(node) as Layout<number>;
const objectOf = (node: LayoutNode): Layout<object> => layoutOf(node) as Layout<object>;

function lengthOf(length: RunLength): ArrayLength {
  if (typeof length === "number") return { count: length };
  if ("count" in length) return { count: numberOf(length.count), limit: length.limit };
  return length;
}

function build(node: LayoutNode): Layout<unknown> {
  switch (node.kind) {
    case "integer": {
      if (node.bits === 64) return u64le;
      const { kind: _kind, doc: _doc, section: _section, unit: _unit, words: _words, ...options } = node;
      return integer(options);
    }
    case "smart":
      return smart({ ...(node.max === undefined ? {} : { max: node.max }), wide: node.wide === true });
    case "float":
      return float32(node);
    case "boolean":
      return boolean(numberOf(node.of));
    case "oneOf":
      return oneOf(numberOf(node.of), node.names);
    case "prefix":
      return prefix(node.codes);
    case "flags":
      return flags(numberOf(node.of), node.flags, { reserved: node.reserved });
    case "literal":
      return literal(numberOf(node.of), node.value, node.parts === undefined ? {} : { parts: node.parts });
    case "constant":
      return constant(node.value, node.optional === undefined ? {} : { optional: true });
    case "unused":
      return unused(node.bits);
    case "array":
      return array(layoutOf(node.item), lengthOf(node.length), node.fold === undefined ? {} : { fold: node.fold });
    case "bytes": {
      if (node.inside !== undefined) return bytesWith(layoutOf(node.inside), { flat: node.flat === true });
      if (node.readings !== undefined) {
        if (typeof node.length !== "number") throw new TypeError("bytes with readings have a fixed length");
        return bytesReadBy(
          node.length,
          node.readings.map(({ node: of, ...rest }) => ({ ...rest, of: layoutOf(of) })),
        );
      }
      const { transform, reversed, opaque } = node;
      const length = lengthOf(node.length);
      if ("until" in length) throw new TypeError("a run of bytes ends by its count or with the message");
      return byteRun(length, {
        ...(transform === undefined ? {} : { transform }),
        ...(reversed === undefined ? {} : { reversed }),
        ...(opaque === undefined ? {} : { opaque }),
      });
    }
    case "text": {
      const { length, charset } = node;
      if ("count" in length) return prefixedString({ count: numberOf(length.count), limit: length.limit });
      return charset === "latin1" ? cstring({ limit: length.limit }) : windows1252String({ limit: length.limit });
    }
    case "struct": {
      if (node.fields.length > 0 && node.fields.every(({ name }) => name === "")) {
        const [first, second] = node.fields.map((field) => objectOf(field.node));
        if (first === undefined || second === undefined) throw new TypeError("an object has two parts");
        return concat(first, second, node.order === undefined ? {} : { order: node.order });
      }
      const fields: Record<string, Layout<unknown>> = {};
      for (const { name, node: field, hidden, when } of node.fields) {
        const layout = layoutOf(field);
        fields[hidden ? `$${name}` : name] = when === undefined ? layout : optional(layout, when);
      }
      return struct(fields, node.order === undefined ? {} : { order: node.order as readonly never[] });
    }
    case "variant":
      return tagged(
        node.tagName,
        layoutOf(node.tag) as Layout<number>,
        node.cases.map(({ node: inner, ...rest }) => ({ ...rest, layout: objectOf(inner) })),
        node.order === undefined ? {} : { order: node.order },
      );
    case "byLength":
      return byLength(node.cases.map(({ node: inner, ...rest }) => ({ ...rest, layout: objectOf(inner) })));
    case "mark":
      return mark({ parts: node.parts, marked: objectOf(node.marked), of: objectOf(node.of), when: node.when });
    case "bits":
      return bits(layoutOf(node.of), {
        first: node.first,
        padding: node.padding.value,
        paddingName: node.padding.name,
      });
    case "limited":
      return limited(layoutOf(node.of), { bytes: node.bytes, name: node.name });
    case "sized":
      return sized(numberOf(node.size), layoutOf(node.of), { extra: node.extra });
    case "compressed":
      return lz4Block(layoutOf(node.of), { limit: node.limit, reserved: node.reserved });
  }
}
