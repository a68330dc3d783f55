/** Writes images with values of all kinds as XML, as dumps of the client have them. */
import type { MadeArchive, MadeNode } from "./made-images.ts";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? "");

/** The files of a dump by their paths: `Map.wz/Map/Map1/100000000.img.xml`. */
export function writeDump(archive: MadeArchive, name: string): ReadonlyMap<string, Uint8Array> {
  const encoder = new TextEncoder();
  return new Map(
    [...archive].map(([path, nodes]) => {
      const image = path.slice(path.lastIndexOf("/") + 1);
      const lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
        `<imgdir name="${image}">`,
        ...nodes.flatMap((node) => linesOf(node, "  ")),
        "</imgdir>",
      ];
      return [`${name}/${path}.xml`, encoder.encode(`${lines.join("\n")}\n`)] as const;
    }),
  );
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
