/** Whether the fields of an object can be: their names, conditions, order, defaults, and bytes that are kept. */
import { joinPath } from "../wire-error.ts";
import { checkOrder } from "./check-cases.ts";
import { checkRest } from "./check-sizes.ts";
import { checkCondition, kindText } from "./conditions.ts";
import type { ArrayNode, ColumnNode, FieldNode, KeptNode, LayoutNode, RowsNode, StructNode } from "./node.ts";
import { checkNames, type OptionNames } from "./option-names.ts";
import { refuseRange, refuseType } from "./refusals.ts";
import { sizeOf } from "./size.ts";
import { canBe, fieldsIn, keysOf, numberRange, readingsOf, valueKind } from "./values.ts";

/** Throws for an object that cannot be. */
export function checkStruct(node: StructNode, outer: string): void {
  const { fields, order, kept } = node;
  const path = (name: string): string => joinPath(outer, name);
  if (fields.some(({ name }) => name === "")) checkParts(fields, outer);
  for (const [index, field] of fields.entries()) checkField(field, fields, index, path(field.name));
  const known = new Set<string>();
  for (const { name, hidden, node: field } of fields) {
    // Two hidden fields may have one name: they are not in the value.
    if (name === "" || hidden) continue;
    for (const each of [name, ...readingsOf(field).map((reading) => reading.name)]) {
      if (known.has(each)) refuseType(path(each), "two fields have this name");
      known.add(each);
    }
  }
  checkRest(fields, path);
  checkOrder(outer, order, new Set((fieldsIn(node) ?? []).map(({ name }) => name)));
  if (kept !== undefined) checkKept(kept, fields, outer);
}

/** Objects one after another, to one object. */
function checkParts(fields: readonly FieldNode[], path: string): void {
  if (fields.some(({ name }) => name !== "")) refuseType(path, "all parts of an object are without a name, or none");
  if (fields.length < 2) throw new TypeError("an object has two parts");
  if (fields.some((field) => field.hidden || field.when !== undefined || field.default !== undefined)) {
    refuseType(path, "a part of an object is neither hidden nor optional");
  }
  const keySets = fields.map(({ node }) => keysOf(node));
  const all = new Set(keySets.flatMap((each) => [...each]));
  if (all.size !== keySets.reduce((sum, each) => sum + each.size, 0)) {
    throw new TypeError("two parts of one object must not have a key in common");
  }
}

const fieldNames: OptionNames<FieldNode> = { name: true, node: true, hidden: true, when: true, default: true };

function checkField(field: FieldNode, fields: readonly FieldNode[], index: number, path: string): void {
  checkNames<FieldNode>(path, field, fieldNames, "a field");
  const { name, node, hidden = false, when, default: usual } = field;
  // JavaScript would put keys that look like integers first: the order of declaration is wire order.
  if (/^\d+$/.test(name)) throw new TypeError(`a field's name must not be an integer, got ${name}`);
  if (hidden && node.kind !== "literal" && node.kind !== "unused") {
    throw new TypeError(`$${name} is not in the value, so it must be a literal or unused`);
  }
  if (!hidden && node.kind === "unused") throw new TypeError(`${name} is unused, so its name must begin with $`);
  if (when !== undefined) checkCondition(path, when, fields, index);
  for (const reading of readingsOf(node)) {
    checkCondition(joinPath(path, reading.name), reading.when, fields, index);
  }
  if (usual === undefined) return;
  if (hidden) refuseType(path, "it is hidden, so it has no default");
  if (!mayStandFor(node, usual))
    refuseType(path, `its default is ${JSON.stringify(usual)}, and it is ${kindText(node)}`);
}

/** Whether JSON may have this in place of the field. */
function mayStandFor(node: LayoutNode, value: number | string | boolean): boolean {
  switch (valueKind(node)) {
    case "bytes":
      return typeof value === "string" && /^([0-9a-f]{2})*$/i.test(value) && isLongAs(node, value.length / 2);
    case "bigint":
      return typeof value === "string" && /^\d+$/.test(value);
    case "number":
    case "name":
    case "text":
    case "boolean":
      return canBe(node, value);
    default:
      return false;
  }
}

function isLongAs(node: LayoutNode, bytes: number): boolean {
  return node.kind !== "bytes" || typeof node.length !== "number" || node.length === bytes;
}

/** Bytes that stand for some fields: which fields, and that a writer can do without them. */
function checkKept(kept: KeptNode, fields: readonly FieldNode[], outer: string): void {
  const { name, from, to, before = 0 } = kept;
  checkNames<KeptNode>(outer, kept, { name: true, from: true, to: true, before: true, only: true }, "kept");
  const path = joinPath(outer, name);
  const place = (field: string): number => {
    const at = fields.findIndex((each) => each.name === field && !each.hidden);
    return at >= 0 ? at : refuseType(path, `it keeps the bytes of ${field}, and the struct has no such field`);
  };
  const [first, last] = [place(from), place(to)];
  if (first > last) refuseRange(path, `it keeps the bytes from ${from} to ${to}, which comes before it`);
  if (fields.some((field) => field.name === name)) refuseType(path, "a field has this name, and the bytes too");
  for (const { name: each, node } of fields.slice(0, last + 1)) {
    const { least, most } = sizeOf(node);
    if (least % 8 === 0 && (most % 8 === 0 || most === Number.POSITIVE_INFINITY)) continue;
    refuseType(path, `${each} is not of whole bytes`);
  }
  const least = fields.slice(0, first).reduce((sum, field) => sum + (field.when ? 0 : sizeOf(field.node).least), 0);
  if (!(Number.isInteger(before) && before >= 0 && before * 8 <= least)) {
    refuseRange(path, `${before} bytes before ${from} belong to it, and there are ${least / 8}`);
  }
  const names = new Set(fields.slice(first, last + 1).map((field) => field.name));
  const after = fields.slice(last + 1).find(({ when }) => when !== undefined && names.has(when.field));
  if (after !== undefined) {
    refuseType(path, `${after.name} depends on ${after.when?.field}, which a value with these bytes need not have`);
  }
}

const columnNames: OptionNames<ColumnNode> = { name: true, fields: true, bits: true, signed: true };

/** Rows of numbers that hold the items of a list. */
export function checkRows(rows: RowsNode, { item }: ArrayNode, path: string): void {
  checkNames<RowsNode>(path, rows, { words: true }, "rows");
  const { words } = rows;
  const fields = fieldsIn(item) ?? refuseType(path, "rows are for lists of objects");
  const names = new Set<string>();
  for (const columns of words) {
    for (const column of columns) checkNames<ColumnNode>(path, column, columnNames, "a column");
    const bits = columns.reduce((sum, each) => sum + each.bits, 0);
    if (bits > 32) refuseRange(path, `a word of a row has 32 bits, and its columns have ${bits}`);
    for (const { name, fields: held, bits: width, signed } of columns) {
      if (names.has(name)) refuseType(path, `two columns have the name ${name}`);
      names.add(name);
      if (![8, 16, 32].includes(width)) refuseRange(path, `the column ${name} has 8, 16 or 32 bits, got ${width}`);
      for (const each of held) checkColumn(path, name, each, fields);
      const low = signed ? -(2 ** (width - 1)) : 0;
      for (const { name: own, node } of fields) {
        if (!held.includes(own) || fits(node, low, width)) continue;
        refuseRange(path, `the column ${name} of ${width} bits does not hold ${own}`);
      }
    }
  }
}

function checkColumn(
  path: string,
  column: string,
  name: string,
  fields: readonly { readonly name: string; readonly node: LayoutNode }[],
): void {
  const found = fields.filter((field) => field.name === name);
  if (found.length === 0) refuseType(path, `the column ${column} holds ${name}, and no item has such a field`);
  const other = found.find(({ node }) => valueKind(node) !== "number");
  if (other !== undefined)
    refuseType(path, `the column ${column} holds numbers, and ${name} is ${kindText(other.node)}`);
}

/** Whether all numbers have their bits in a column: a column may take those of an unsigned number as signed. */
function fits(node: LayoutNode, low: number, width: number): boolean {
  const range = numberRange(node);
  if (range === undefined || range.steps !== 1) return false;
  return range.min >= low - (low === 0 ? 2 ** (width - 1) : 0) && range.max < 2 ** width;
}
