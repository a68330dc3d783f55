/** Nodes of states made ready for checks and copies. */
import { integerRange } from "../../../wire/describe/number-nodes.ts";
import type { StateNode } from "./node.ts";

/** A node made ready. By walks over nodes themselves a first restore took 9 ms more of 37 (MapleStory). */
export interface Form {
  /** Never of kind `maybe`. */
  readonly node: StateNode;
  readonly isMaybe: boolean;
  /** What `typeof` says of values; undefined: they are any plain data. */
  readonly type: "number" | "string" | "boolean" | "bigint" | "object" | undefined;
  /** Every value of the type fits, and none is an object. */
  readonly isSimple: boolean;
  /** The bounds of an integer of up to 53 bits; 0 in all other forms. */
  readonly min: number;
  readonly max: number;
  /** Of the item of an array, of the items of a tuple, of a map's key and value. */
  readonly parts: readonly Form[];
  /** Of an object's members, by name. */
  readonly members: ReadonlyMap<string, Form> | undefined;
}

const forms = new WeakMap<StateNode, Form>();

export function formOf(node: StateNode): Form {
  let form = forms.get(node);
  if (form === undefined) {
    form = node.kind === "maybe" ? { ...formOf(node.of), isMaybe: true } : makeForm(node);
    forms.set(node, form);
  }
  return form;
}

function makeForm(node: StateNode): Form {
  const type = typeOf(node);
  const isRanged = node.kind === "choice" || (node.kind === "integer" && node.bits < 64);
  const isSimple = type !== undefined && type !== "object" && !isRanged;
  const members =
    node.kind === "struct" ? new Map(node.fields.map(({ name, node: inner }) => [name, formOf(inner)])) : undefined;
  const { min, max } = node.kind === "integer" && node.bits < 64 ? integerRange(node) : { min: 0, max: 0 };
  return { node, isMaybe: false, type, isSimple, min, max, parts: partsOf(node).map(formOf), members };
}

function typeOf(node: StateNode): Form["type"] {
  switch (node.kind) {
    case "float":
      return "number";
    case "integer":
      return node.bits === 64 ? "bigint" : "number";
    case "text":
      return "string";
    case "boolean":
      return "boolean";
    case "choice":
      return typeof node.values[0] === "number" ? "number" : "string";
    case "plain":
      return undefined;
    default:
      return "object";
  }
}

function partsOf(node: StateNode): readonly StateNode[] {
  if (node.kind === "array") return [node.item];
  if (node.kind === "tuple") return node.items;
  return node.kind === "map" ? [node.key, node.value] : [];
}
