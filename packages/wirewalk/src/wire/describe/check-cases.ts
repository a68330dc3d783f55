/** Whether the cases of a description can be reached. */
import { joinPath } from "../wire-error.ts";
import { namesTested } from "./cases.ts";
import { kindText } from "./conditions.ts";
import type {
  ByLengthNode,
  CaseNode,
  CaseTest,
  LayoutNode,
  MarkNode,
  PeekNode,
  PeekTest,
  VariantNode,
} from "./node.ts";
import { checkNames } from "./option-names.ts";
import { checkWhole, isWidth, refuseRange, refuseType } from "./refusals.ts";
import { formatSize, sizeOf } from "./size.ts";
import { canBe, countValues, fieldsIn, keysOf, type ValueField, valueKind, valuesText } from "./values.ts";

/** Throws for tags that cannot be, tags twice, and cases that no value belongs to. */
export function checkVariant(node: VariantNode, outer: string): void {
  const { tagName, tag, cases, order } = node;
  const path = joinPath(outer, tagName);
  if (!["number", "name", "text"].includes(valueKind(tag))) {
    refuseType(path, `a tag is a number or a name, and this is ${kindText(tag)}`);
  }
  if (cases.length === 0) refuseType(path, "it has no cases");
  const known = new Set<string | number>();
  let others = false;
  for (const each of cases) {
    checkNames<CaseNode>(path, each, { tags: true, node: true, when: true, hidden: true }, "a case");
    const { tags, node: body, when, hidden } = each;
    if (hidden && (when === undefined || tags?.length !== 1)) {
      throw new TypeError(`a hidden ${tagName} needs exactly one tag and a test of values`);
    }
    const keys = keysOf(body);
    if (!hidden && keys.has(tagName)) refuseType(path, "a case has a field of the name of the tag");
    if (tags === undefined) {
      if (others) refuseRange(path, "two cases take all other tags");
      others = true;
      continue;
    }
    if (tags.length === 0) refuseRange(path, "a case has no tags");
    for (const each of tags) {
      if (!canBe(tag, each)) refuseRange(path, `it is never ${each}: it is ${valuesText(tag)}`);
      if (known.has(each)) refuseRange(path, `two cases have the tag ${each}`);
      known.add(each);
    }
  }
  if (others && known.size >= countValues(tag)) {
    refuseRange(path, "a case takes all other tags, and there are no others");
  }
  const all = fieldsIn(node) ?? [];
  for (const { node: body, when, hidden } of cases) {
    const own = fieldsIn(body) ?? [];
    checkTest(path, when, all, hidden ? own : [...own, { name: tagName, node: tag, always: true }]);
  }
  checkOrder(path, order, new Set(all.map(({ name }) => name)));
  checkMembers(path, node);
}

/** Throws where the keys that come first are no fields. */
export function checkOrder(path: string, order: readonly string[] | undefined, keys: ReadonlySet<string>): void {
  if (order === undefined || order.every((key) => keys.has(key))) return;
  throw new TypeError(
    `order must have fields of the ${path === "" ? "struct" : `struct at ${path}`}, ${[...keys].join(", ")}, got ${order.join(", ")}`,
  );
}

/** Throws for a test of values that no value of the case passes. */
function checkTest(
  path: string,
  test: CaseTest | undefined,
  all: readonly ValueField[],
  own: readonly ValueField[],
): void {
  for (const [key, wanted] of Object.entries(test ?? {})) {
    if (!all.some(({ name }) => name === key)) {
      refuseType(path, `a case is chosen by ${key}, and no case has such a field`);
    }
    const fields = own.filter(({ name }) => name === key);
    const isPossible =
      wanted === "absent"
        ? !fields.some(({ always }) => always)
        : wanted === "present"
          ? fields.length > 0
          : wanted.some((value) => fields.some(({ node }) => canBe(node, value)));
    if (isPossible) continue;
    const text = typeof wanted === "string" ? wanted : wanted.join(" or ");
    refuseRange(path, `a case is chosen where ${key} is ${text}, which it never is there`);
  }
}

/** Throws where a field of a case is no member, or a member has a value of another kind. */
function checkMembers(path: string, { tagName, cases, members }: VariantNode): void {
  if (members === undefined) return;
  if (cases.some(({ hidden }) => hidden)) refuseType(path, "members are not for hidden tags");
  if (Object.hasOwn(members, tagName)) refuseType(path, "its members have the name of the tag");
  for (const { node } of cases) {
    for (const { name, node: field, always } of fieldsIn(node) ?? []) {
      if (!always) refuseType(path, `${name} is not always there in its case, so that values cannot have members`);
      if (!Object.hasOwn(members, name)) refuseType(path, `its members lack ${name}, a field of a case`);
      const kind = valueKind(field) === "name" ? "text" : valueKind(field);
      const value = members[name];
      const given = typeof value === "string" ? "text" : typeof value;
      if (kind !== given) refuseType(path, `its member ${name} is ${String(value)}, and ${name} is ${kindText(field)}`);
    }
  }
}

/** Throws for lengths that a case never has, and for cases after the one that takes all other lengths. */
export function checkByLength({ cases }: ByLengthNode, path: string): void {
  const last = cases.at(-1);
  if (last === undefined || last.bytes !== undefined) throw new TypeError("the last case takes all other lengths");
  const known = new Set<number>();
  for (const { bytes, node } of cases) {
    // Throws for what is not an object.
    keysOf(node);
    if (bytes === undefined) {
      if (cases.at(-1)?.node === node) continue;
      refuseRange(path, "a case stands after the one that takes all other lengths");
    }
    checkWhole(path, "a length", bytes);
    if (known.has(bytes as number)) refuseRange(path, `two cases have ${bytes} bytes`);
    known.add(bytes as number);
    const size = sizeOf(node);
    if ((bytes as number) * 8 < size.least || (bytes as number) * 8 > size.most) {
      refuseRange(path, `a case for ${bytes} bytes has ${formatSize(size)}`);
    }
  }
  if (namesTested(cases) === undefined) throw new TypeError("one field must tell the cases apart");
  const all = fieldsIn({ kind: "byLength", cases }) ?? [];
  for (const { node, when } of cases) checkTest(path, when, all, fieldsIn(node) ?? []);
}

/** Throws for tests that never hold, and for cases after one without a test. */
export function checkPeek({ cases }: PeekNode, path: string): void {
  if (cases.at(-1)?.when !== undefined || cases.length === 0) refuseType(path, "the last case has no test");
  for (const [index, { when }] of cases.entries()) {
    if (when === undefined) {
      if (index < cases.length - 1) refuseRange(path, "a case stands after the one without a test");
      continue;
    }
    checkNames<PeekTest>(path, when, { next: true, atMost: true }, "a test of the bytes ahead");
    const { next, atMost } = when;
    if (next === undefined && atMost === undefined) refuseType(path, "a test of the bytes ahead says nothing");
    if (atMost !== undefined) checkWhole(path, "atMost", atMost, next === undefined ? 0 : 1);
    if (next === undefined) continue;
    checkNames<NonNullable<PeekTest["next"]>>(path, next, { mask: true, value: true }, "a test of the next byte");
    const { mask, value } = next;
    const isByte = [mask, value].every((each) => Number.isInteger(each) && each >= 0 && each <= 0xff);
    if (!isByte || mask === 0 || (value & mask) !== value) {
      refuseRange(path, `no byte has ${value} under the mask ${mask}`);
    }
  }
  const [first, ...others] = cases.map((each) => fieldNames(each.node));
  if (!others.every((each) => each === first)) refuseType(path, "its cases have values of different kinds");
}

/** What values look like: cases of one value must be alike, since the first one writes them. */
function fieldNames(node: LayoutNode): string {
  const fields = fieldsIn(node);
  return fields === undefined ? valueKind(node) : `object ${fields.map(({ name }) => name).join(" ")}`;
}

/** Throws for a mark that cannot be. */
export function checkMark({ parts, marked, of, when }: MarkNode, path: string): void {
  if (parts.length === 0) refuseType(path, "a mark has parts");
  for (const part of parts) {
    checkNames<MarkNode["parts"][number]>(path, part, { name: true, bits: true, value: true }, "a part of a mark");
    const { name, bits, value } = part;
    if (!isWidth(bits)) throw new RangeError(`bits must be in 1..32, got ${bits}`);
    if (!(Number.isInteger(value) && value >= 0 && value < 2 ** bits)) {
      refuseRange(path, `${name} of ${bits} bits is never ${value}`);
    }
  }
  if (sizeOf(marked).most > 0) refuseType(path, "a marked value has no bits of its own");
  keysOf(of);
  const all = fieldsIn({ kind: "mark", parts, marked, of, when }) ?? [];
  checkTest(path, when, all, fieldsIn(marked) ?? []);
}
