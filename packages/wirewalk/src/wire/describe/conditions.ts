/** When an optional field or a meaning is there: in words, for a value, and whether a description allows it. */
import type { Condition, FieldNode, LayoutNode } from "./node.ts";
import { checkNames, type OptionNames } from "./option-names.ts";
import { refuseRange, refuseType } from "./refusals.ts";
import { numberRange, type ValueKind, valueKind } from "./values.ts";

/** Whether it is there, by the value of the condition's field; undefined where that is not there itself. */
export function conditionHolds(when: Condition, value: unknown): boolean {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, not, zero, mask } = when;
  if (zero !== undefined) return value instanceof Uint8Array && value.every((byte) => byte === 0) === zero;
  if (typeof value !== "number") return false;
  const number = mask === undefined ? value : (value & mask) >>> 0;
  return number >= from && number <= to && number !== not;
}

/** A condition in words: `code >= 3 and code <= 5`, `code is 3`. */
export function conditionText({ field: name, from, to, not, zero, mask }: Condition): string {
  const field = mask === undefined ? name : `${name} & 0x${mask.toString(16)}`;
  const tests = [
    ...(zero === undefined ? [] : [`${field} is ${zero ? "all 0" : "not all 0"}`]),
    ...(from === undefined ? [] : [from === to ? `${field} is ${from}` : `${field} >= ${from}`]),
    ...(to === undefined || from === to ? [] : [`${field} <= ${to}`]),
    ...(not === undefined ? [] : [`${field} is not ${not}`]),
  ];
  return tests.join(" and ");
}

const kindNames: Readonly<Record<ValueKind, string>> = {
  number: "a number",
  bigint: "a number of 64 bits",
  name: "a name",
  text: "a text",
  boolean: "true or false",
  bytes: "bytes",
  list: "a list",
  object: "an object",
  nothing: "without a meaning",
  several: "of several kinds",
};

/** The kind of a value for an error: `a name`. */
export function kindText(node: LayoutNode): string {
  return kindNames[valueKind(node)];
}

const conditionNames: OptionNames<Condition> = {
  field: true,
  zero: true,
  from: true,
  to: true,
  not: true,
  mask: true,
};

/** Whether a condition tests anything. A mask alone says only of which bits the others are. */
export function hasTest({ zero, from, to, not }: Condition): boolean {
  return [zero, from, to, not].some((test) => test !== undefined);
}

/** What to do instead, for what a condition is often wanted on. */
const remedies: { readonly [K in LayoutNode["kind"]]?: string } = {
  oneOf: "use variant, whose cases have the fields of each name",
  prefix: "use variant, whose cases have the fields of each name",
  boolean: "describe it as a number",
  flags: "describe it as a number, and test its bits with mask",
};

/**
 * Throws when the condition of `path` can never hold, or means nothing: `fields` are those of the struct, and it may depend on the
 * first `before` of them.
 */
export function checkCondition(path: string, when: Condition, fields: readonly FieldNode[], before: number): void {
  checkNames<Condition>(path, when, conditionNames, "its condition");
  const { field: name, zero, ...tests } = when;
  const at = fields.findIndex((field) => field.name === name && name !== "");
  const field = fields[at];
  if (field === undefined) refuseType(path, `it depends on ${name}, and the struct has no such field`);
  if (field.hidden) refuseType(path, `it depends on ${name}, which is hidden and not in the value`);
  if (at === before) refuseType(path, "it depends on itself");
  if (at > before) refuseType(path, `it depends on ${name}, which comes later`);
  const isCompared = Object.values(tests).some((test) => test !== undefined);
  if (zero !== undefined) {
    if (isCompared) refuseType(path, `it asks whether ${name} is all 0, and compares it with numbers`);
    if (valueKind(field.node) === "bytes") return;
    refuseType(path, `it asks whether ${name} is all 0, and ${name} is ${kindText(field.node)}, not bytes`);
  }
  if (valueKind(field.node) !== "number") {
    const remedy = remedies[field.node.kind];
    const why = `it depends on the number ${name}, and ${name} is ${kindText(field.node)}`;
    refuseType(path, remedy === undefined ? why : `${why}: ${remedy}`);
  }
  if (!hasTest(when))
    refuseType(path, `its condition on ${name} has none of from, to and not: it would always be there`);
  checkNumber(path, when, field.node);
}

function checkNumber(path: string, when: Condition, node: LayoutNode): void {
  const { field: name, from, to, not, mask } = when;
  const range = numberRange(node);
  // The bytes ahead decide which number it is.
  if (range === undefined) return;
  if (mask !== undefined) {
    checkMask(path, when, mask, node);
    return;
  }
  const { min, max, steps } = range;
  for (const bound of [from, to, not]) {
    if (bound === undefined || (bound >= min && bound <= max)) continue;
    refuseRange(path, `it compares ${name} with ${bound}, and ${name} is in ${min}..${max}`);
  }
  const [low, high] = [Math.max(min, from ?? min), Math.min(max, to ?? max)];
  const first = steps === 0 ? low : Math.ceil(low * steps) / steps;
  const next = first !== not ? first : steps === 0 ? Math.min(first + 1, high) : first + 1 / steps;
  if (!(next <= high && next !== not)) refuseNever(path, when);
}

/** The most that a mask may be: conditions are about 32 bits. */
const MAX_MASK = 0xffff_ffff;

function checkMask(path: string, when: Condition, mask: number, node: LayoutNode): void {
  const { field: name, from = 0, to = mask, not } = when;
  const { min, max, steps } = numberRange(node) as { min: number; max: number; steps: number };
  if (steps !== 1) refuseType(path, `a mask is of a whole number, and ${name} has a divisor`);
  if (!(Number.isInteger(mask) && mask > 0 && mask <= MAX_MASK)) {
    refuseRange(path, `a mask must be in 1..0xffffffff, got ${mask}`);
  }
  // A number below 0 has all high bits set.
  if (min >= 0 && mask >= 2 ** Math.ceil(Math.log2(max + 1))) {
    refuseRange(path, `the mask 0x${mask.toString(16)} has bits that ${name} does not have`);
  }
  for (const bound of [from, to, not]) {
    if (bound === undefined || (bound >= 0 && bound <= mask)) continue;
    refuseRange(path, `it compares ${name} & 0x${mask.toString(16)} with ${bound}`);
  }
  const first = leastWithin(mask, from);
  const next = first !== undefined && first === not ? leastWithin(mask, first + 1) : first;
  if (next === undefined || next > to) refuseNever(path, when);
}

function refuseNever(path: string, when: Condition): never {
  return refuseRange(path, `it is never there: no number has ${conditionText(when)}`);
}

/** The smallest number of the mask's bits that is `least` or more; undefined if no number is. */
function leastWithin(mask: number, least: number): number | undefined {
  let found = Math.ceil(least);
  while (found <= mask) {
    const outside = (found & ~mask) >>> 0;
    if (outside === 0) return found;
    // The highest bit that the mask lacks is carried over, and all below it become 0.
    const bit = 2 ** (31 - Math.clz32(outside));
    found = (Math.floor(found / bit) + 1) * bit;
  }
  return undefined;
}
