/** The room that a value takes at most, as an expression of TypeScript. */
import { USUAL_ROOM } from "../../wire/compiled/memory.ts";
import type { LayoutNode } from "../../wire/describe/node.ts";
import { sizeOf } from "../../wire/describe/size.ts";

/**
 * An expression for the most bytes that a value takes: a number where that is small, otherwise by the lengths of its lists, texts and
 * runs of bytes. `help` notes the functions of the runtime that it calls.
 */
export function roomOf(node: LayoutNode, value: string, help: (name: string) => string): string {
  const { most } = sizeOf(node);
  if (most <= USUAL_ROOM * 8) return String(Math.ceil(most / 8));
  const { fixed, terms } = roomParts(node, value, help);
  return [String(fixed), ...terms].join(" + ");
}

interface Room {
  readonly fixed: number;
  readonly terms: readonly string[];
}

function roomParts(node: LayoutNode, value: string, help: (name: string) => string): Room {
  const { most } = sizeOf(node);
  if (most <= USUAL_ROOM * 8) return { fixed: Math.ceil(most / 8), terms: [] };
  const all = (parts: readonly Room[]): Room => ({
    fixed: parts.reduce((sum, { fixed }) => sum + fixed, 0),
    terms: parts.flatMap(({ terms }) => terms),
  });
  switch (node.kind) {
    case "bytes":
    case "text":
      return { fixed: 8, terms: [`${help("lengthOf")}(${value})`] };
    case "array": {
      const item = Math.ceil(sizeOf(node.item).most / 8);
      if (!Number.isFinite(item)) throw new TypeError("Cannot compile a list of items of any size");
      return { fixed: 8, terms: [`${help("lengthOf")}(${value}) * ${item}`] };
    }
    case "struct": {
      const kept =
        node.kept === undefined || node.kept.only === "reading"
          ? []
          : [{ fixed: 0, terms: [`${help("lengthOf")}(${memberText(value, node.kept.name, help)})`] }];
      return all([...node.fields.map(({ name, node: field }) => fieldRoom(field, name, value, help)), ...kept]);
    }
    case "variant":
      return all([roomParts(node.tag, value, help), ...node.cases.map((each) => roomParts(each.node, value, help))]);
    case "byLength":
    case "peek":
      return all(node.cases.map((each) => roomParts(each.node, value, help)));
    case "mark":
      return all([roomParts(node.marked, value, help), roomParts(node.of, value, help)]);
    case "bits":
    case "limited":
      return roomParts(node.of, value, help);
    case "sized":
      return all([roomParts(node.size, value, help), roomParts(node.of, value, help)]);
    case "compressed":
      return { fixed: 0, terms: [`${help("blockRoom")}(${roomOf(node.of, value, help)})`] };
    default:
      throw new TypeError(`Cannot compile a ${node.kind} of any size`);
  }
}

function memberText(value: string, key: string, help: (name: string) => string): string {
  return `${help("memberOf")}(${value}, ${JSON.stringify(key)})`;
}

function fieldRoom(node: LayoutNode, name: string, value: string, help: (name: string) => string): Room {
  const { most } = sizeOf(node);
  if (most <= USUAL_ROOM * 8) return { fixed: Math.ceil(most / 8), terms: [] };
  return roomParts(node, name === "" ? value : memberText(value, name, help), help);
}
