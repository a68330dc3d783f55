/** What descriptions are when they are written: what their values are used as, and whether they are objects. */
import type { LayoutNode } from "../../wire/describe/node.ts";
import type { LocalType } from "../steps.ts";

/** What a value is used as. */
export function useOf(node: LayoutNode): LocalType {
  switch (node.kind) {
    case "integer":
      return node.bits === 64 ? "bigint" : "number";
    case "smart":
    case "float":
    case "unused":
      return "number";
    case "boolean":
      return "boolean";
    case "oneOf":
    case "prefix":
    case "text":
      return "text";
    case "bytes":
      return "bytes";
    case "array":
      return "list";
    case "literal":
    case "constant":
      return useOfValue(node.value);
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return useOf(node.of);
    case "peek":
      return useOf(firstCase(node));
    default:
      return "value";
  }
}

export function useOfValue(value: unknown): LocalType {
  switch (typeof value) {
    case "number":
      return "number";
    case "bigint":
      return "bigint";
    case "boolean":
      return "boolean";
    default:
      return "text";
  }
}

/** Whether it is written as an object, whose members stand beside those of what is around it. */
export function isObject(node: LayoutNode): boolean {
  switch (node.kind) {
    case "struct":
    case "variant":
    case "byLength":
    case "mark":
      return true;
    case "peek":
      return node.cases[0] !== undefined && isObject(node.cases[0].node);
    case "bits":
    case "limited":
      return isObject(node.of);
    default:
      return false;
  }
}

export function firstCase(node: Extract<LayoutNode, { kind: "peek" }>): LayoutNode {
  const [first] = node.cases;
  if (first === undefined) throw new TypeError("a choice has cases");
  return first.node;
}
