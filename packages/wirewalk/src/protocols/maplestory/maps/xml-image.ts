/**
 * An image of the client as an XML dump has it: `imgdir`, `int`, `string`, `vector` … with names and values in attributes.
 *
 * Text between elements has no meaning and is passed over, CDATA as well.
 */
import type { XmlLimits, XmlReader } from "../../../wire/index.ts";
import type { MapFile } from "../../index.ts";
import { readMapXml } from "../../map-xml.ts";
import type { Point } from "../wire/messages.ts";
import { parseNumber } from "./numbers.ts";
import type { TreeNode } from "./tree.ts";

const limits: XmlLimits = {
  /** The largest real map has 1.3 MB; with pictures in the text some have 40. */
  bytes: 256 * 1024 * 1024,
  /** The largest real map has 31,000 of all, 14,000 of the wanted parts. */
  elements: 100_000,
  valueBytes: 8 * 1024,
  textBytes: 8 * 1024 * 1024,
};
/** Attributes that are kept. */
const attributes = ["name", "value", "x", "y"] as const;
const numberTags: ReadonlySet<string> = new Set(["int", "short", "long", "float", "double", "byte", "ushort", "uint"]);
const textTags: ReadonlySet<string> = new Set(["string", "uol"]);

/** A node while it is read. */
class XmlNode implements TreeNode {
  readonly name: string;
  readonly value: number | string | Point | undefined;
  readonly line: number;
  readonly children: XmlNode[] = [];

  constructor(name: string, value: number | string | Point | undefined, line: number) {
    this.name = name;
    this.value = value;
    this.line = line;
  }

  child(name: string): XmlNode | undefined {
    for (const child of this.children) if (child.name === name) return child;
    return undefined;
  }
}

/**
 * Reads an image. Children of its root that are not in `parts` are there without their own children; without `parts` all is read. Throws
 * `MapError` with file, line and reason.
 */
export function readXmlImage(file: MapFile, parts?: ReadonlySet<string>): TreeNode {
  return readMapXml(file, attributes, limits, (xml) => {
    const root = nodeAt(xml);
    readBelow(xml, root, parts);
    return root;
  });
}

/** Reads what is in the element that was reached last; with `parts`, what is in those of its children. */
function readBelow(xml: XmlReader, node: XmlNode, parts?: ReadonlySet<string>): void {
  for (xml.enter(); xml.next(); ) {
    const child = nodeAt(xml);
    node.children.push(child);
    if (!xml.isEmpty && (parts === undefined || parts.has(child.name))) readBelow(xml, child);
  }
}

/** The element that was reached last, without children. */
function nodeAt(xml: XmlReader): XmlNode {
  return new XmlNode(xml.attribute("name") ?? "", valueAt(xml), xml.line);
}

function valueAt(xml: XmlReader): number | string | Point | undefined {
  const { tag } = xml;
  if (numberTags.has(tag)) {
    const text = xml.attribute("value");
    return parseNumber(text) ?? text;
  }
  if (textTags.has(tag)) return xml.attribute("value");
  if (tag !== "vector") return undefined;
  const [x, y] = [parseNumber(xml.attribute("x")), parseNumber(xml.attribute("y"))];
  return x === undefined || y === undefined ? undefined : { x, y };
}
