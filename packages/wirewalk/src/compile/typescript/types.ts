/** Types of TypeScript for the values of descriptions. */
import type { FieldNode, LayoutNode, VariantNode } from "../../wire/describe/node.ts";

/** How the type of a description is called where it has a name. */
export type TypeNames = (node: LayoutNode) => string | undefined;

interface Member {
  readonly key: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly doc?: string;
}

const isName = (key: string): boolean => /^[A-Za-z_$][\w$]*$/.test(key);
export const keyText = (key: string): string => (isName(key) ? key : JSON.stringify(key));

/** The type of a description's values. */
export function typeOf(node: LayoutNode, names: TypeNames): string {
  return names(node) ?? typeOfKind(node, names);
}

/** The same without a name of its own. */
export function typeOfKind(node: LayoutNode, names: TypeNames): string {
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
      return unionOf(Object.keys(node.names).map((name) => JSON.stringify(name)));
    case "prefix":
      return unionOf(Object.keys(node.codes).map((name) => JSON.stringify(name)));
    case "flags":
      return `{ ${Object.keys(node.flags)
        .map((name) => `${keyText(name)}: boolean`)
        .join("; ")} }`;
    case "literal":
    case "constant":
      return typeof node.value === "bigint" ? `${node.value}n` : JSON.stringify(node.value);
    case "bytes":
      return "Uint8Array";
    case "text":
      return "string";
    case "array": {
      const item = typeOf(node.item, names);
      return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
    }
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return typeOf(node.of, names);
    case "struct":
    case "variant":
    case "byLength":
    case "mark":
    case "peek":
      return unionOf(shapesOf(node, names).map(objectText));
  }
}

function unionOf(types: readonly string[]): string {
  const own = [...new Set(types)];
  return own.length === 0 ? "never" : own.join(" | ");
}

/** The type of objects of a description with exactly these keys; `known`: the types of those that are constants. */
export function typeWithKeys(
  node: LayoutNode,
  keys: readonly string[],
  known: ReadonlyMap<string, string>,
  names: TypeNames,
): string | undefined {
  const shape = shapesOf(node, names).find(
    (members) =>
      members.length === keys.length &&
      members.every(({ key, type }) => keys.includes(key) && (known.get(key) ?? type) === type),
  );
  return shape === undefined ? undefined : objectText(shape);
}

function objectText(members: readonly Member[]): string {
  if (members.length === 0) return "Record<string, never>";
  return `{ ${members.map(({ key, type, isOptional }) => `${keyText(key)}${isOptional ? "?" : ""}: ${type}`).join("; ")} }`;
}

/** The members of each shape that the objects of a description may have. */
export function shapesOf(node: LayoutNode, names: TypeNames): readonly (readonly Member[])[] {
  switch (node.kind) {
    case "struct":
      return node.fields.reduce<readonly (readonly Member[])[]>(
        (shapes, field) => joined(shapes, fieldShapes(field, names)),
        [[]],
      );
    case "variant":
      return variantShapes(node, names);
    case "byLength":
    case "peek":
      return node.cases.flatMap((each) => shapesOf(each.node, names));
    case "mark":
      return [...shapesOf(node.marked, names), ...shapesOf(node.of, names)];
    case "bits":
    case "limited":
    case "sized":
    case "compressed":
      return shapesOf(node.of, names);
    default:
      throw new TypeError(`a ${node.kind} is no object`);
  }
}

function joined(a: readonly (readonly Member[])[], b: readonly (readonly Member[])[]): readonly (readonly Member[])[] {
  return a.flatMap((first) => b.map((second) => [...first, ...second]));
}

function fieldShapes({ name, node, hidden, when }: FieldNode, names: TypeNames): readonly (readonly Member[])[] {
  if (hidden) return [[]];
  if (name === "") return shapesOf(node, names);
  const { doc, unit } = node;
  const words = [doc, unit === undefined ? undefined : `(${unit})`].filter((each) => each !== undefined).join(" ");
  const isOptional = when !== undefined || (node.kind === "constant" && node.optional === true);
  return [[{ key: name, type: typeOf(node, names), isOptional, ...(words === "" ? {} : { doc: words }) }]];
}

function variantShapes(
  { tagName, tag, cases, members }: VariantNode,
  names: TypeNames,
): readonly (readonly Member[])[] {
  const all = cases.flatMap((each) => {
    const isName = tag.kind === "oneOf" || tag.kind === "prefix";
    const type =
      isName && each.tags !== undefined ? unionOf(each.tags.map((own) => JSON.stringify(own))) : typeOf(tag, names);
    return shapesOf(each.node, names).map((shape) =>
      each.hidden || shape.some(({ key }) => key === tagName)
        ? shape
        : [{ key: tagName, type, isOptional: false }, ...shape],
    );
  });
  if (members === undefined) return all;
  const list = Object.entries(members).map(([key, fill]): Member => {
    const types = all.flatMap((shape) => shape.filter((each) => each.key === key).map(({ type }) => type));
    const isText = typeof fill === "string";
    return { key, type: types.length === 0 ? typeof fill : unionOf(isText ? types : [typeof fill]), isOptional: false };
  });
  return [[{ key: tagName, type: typeOf(tag, names), isOptional: false }, ...list]];
}
