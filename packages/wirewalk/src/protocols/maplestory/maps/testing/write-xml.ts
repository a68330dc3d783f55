/** Writes images as XML, as dumps of the client have them. */
import { type MadeArchive, type MadeImage, type MadeNode, nodesOf } from "./made-images.ts";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? "");

/** The files of a dump by their paths: `Map.wz/Map/Map1/100000000.img.xml`. */
export function writeXml(archive: MadeArchive, name: string): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  return new Map(
    [...archive].map(([path, nodes]) => {
      const image = path.slice(path.lastIndexOf("/") + 1);
      return [`${name}/${path}.xml`, bytesOf(xmlOf(image, nodes))] as const;
    }),
  );
}

/** The text of an image. */
export function xmlOf(name: string, image: MadeImage | readonly MadeNode[]): string {
  const children = isNodes(image) ? image : nodesOf(image);
  const root = linesOf({ name, kind: "folder", children }, "");
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${root.join("\n")}\n`;
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function isNodes(image: MadeImage | readonly MadeNode[]): image is readonly MadeNode[] {
  return Array.isArray(image);
}

function linesOf(node: MadeNode, indent: string): readonly string[] {
  const name = `name="${escapeText(node.name)}"`;
  const around = (tag: string, more: string, children: readonly MadeNode[]): readonly string[] =>
    children.length === 0
      ? [`${indent}<${tag} ${name}${more}/>`]
      : [
          `${indent}<${tag} ${name}${more}>`,
          ...children.flatMap((child) => linesOf(child, `${indent}  `)),
          `${indent}</${tag}>`,
        ];
  switch (node.kind) {
    case "folder":
      return around("imgdir", "", node.children);
    case "canvas":
      return around("canvas", ' width="4" height="3"', node.children);
    case "convex":
      return around(
        "extended",
        "",
        node.corners.map((value, index) => ({ name: String(index), kind: "vector", value })),
      );
    case "vector":
      return [`${indent}<vector ${name} x="${node.value.x}" y="${node.value.y}"/>`];
    case "null":
    case "sound":
      return [`${indent}<${node.kind} ${name}/>`];
    default:
      return [`${indent}<${node.kind} ${name} value="${escapeText(String(node.value))}"/>`];
  }
}
