/** What descriptions are when they are written: what their values are used as. */
import type { LayoutNode } from "../../wire/describe/node.ts";
import { type ValueKind, valueKind } from "../../wire/describe/values.ts";
import type { LocalType } from "../steps.ts";

const uses: Readonly<Record<ValueKind, LocalType>> = {
  number: "number",
  bigint: "bigint",
  boolean: "boolean",
  name: "text",
  text: "text",
  bytes: "bytes",
  list: "list",
  object: "value",
  several: "value",
  nothing: "number",
};

/** What a value is used as. */
export const useOf = (node: LayoutNode): LocalType => uses[valueKind(node)];

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

export function firstCase(node: Extract<LayoutNode, { kind: "peek" }>): LayoutNode {
  const [first] = node.cases;
  if (first === undefined) throw new TypeError("a choice has cases");
  return first.node;
}
