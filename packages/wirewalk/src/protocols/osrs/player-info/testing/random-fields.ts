/** Random values of mask blocks. */
import type { Random } from "../../../../motion/index.ts";
import type { Condition, FieldNode, IntegerNode, LayoutNode } from "../../../../wire/index.ts";
import type { ClientNeed, MaskBlock, MaskFields, MaskValue } from "../wire/masks/mask-revision.ts";

/** Fields that fit a block, and that its client can use. */
export function someFields(random: Random, { node, clientNeeds }: MaskBlock, length: number): MaskFields {
  return fieldsFor(random, node.fields, length, clientNeeds);
}

function fieldsFor(
  random: Random,
  fields: readonly FieldNode[],
  length: number,
  needs: readonly ClientNeed[] = [],
): MaskFields {
  const values: Record<string, MaskValue> = {};
  for (const { name, node, when } of fields) {
    if (when !== undefined && !isThere(when, values)) continue;
    // Half of the numbers on which other fields depend are such that one of those is there.
    const tests = fields.flatMap(({ when: test }) => (test?.field === name ? [test] : []));
    const need = needs.find(({ field }) => field === name);
    values[name] =
      tests.length > 0 && random.chance(0.5)
        ? passing(random, random.pick(tests))
        : someValue(random, node, length, need);
  }
  return values;
}

function isThere({ field, from, to, not, mask }: Condition, values: MaskFields): boolean {
  const whole = values[field] as number;
  const number = mask === undefined ? whole : Number(BigInt(whole) & BigInt(mask));
  return number >= (from ?? -Infinity) && number <= (to ?? Infinity) && number !== not;
}

/** A number that passes a test, of one byte where the test is about some bits. */
function passing(random: Random, { from = 0, to = from, mask }: Condition): number {
  const number = random.integer(from, to);
  return mask === undefined ? number : number | (random.integer(0, 255) & ~mask);
}

function someInteger(random: Random, { bits, signed }: IntegerNode): number {
  return signed ? random.integer(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) : random.integer(0, 2 ** bits - 1);
}

const someSmart = (random: Random, max = 0x7fff): number => random.pick([0, 1, 127, 128, 300, max]);

function someValue(
  random: Random,
  node: LayoutNode,
  length: number,
  { allowed, minLength = 0 }: Omit<ClientNeed, "field"> = {},
): MaskValue {
  const count = random.chance(0.1) ? random.integer(0, 255) : random.integer(0, length);
  if (allowed !== undefined) {
    const each = random.pick(allowed);
    return typeof each === "number" ? each : random.integer(each[0], each[1]);
  }
  switch (node.kind) {
    case "smart":
      return node.wide ? random.pick([-1, 0, 1, 127, 32_766, 32_767, 70_000, 0x7fff_ffff]) : someSmart(random);
    case "integer":
      return someInteger(random, node);
    case "array":
      return Array.from({ length: Math.min(count, 5) }, () => someItem(random, node.item, length));
    case "text":
      return Array.from({ length: Math.max(minLength, count) }, () => random.pick([..."~abc €™ÿé\u0081"])).join("");
    case "bytes":
      return Uint8Array.from({ length: Math.max(minLength, count) }, () => random.integer(0, 255));
    default:
      throw new Error(`No known revision has a ${node.kind}`);
  }
}

/** Hits and bars by the standard; the items of other lists field by field. */
function someItem(random: Random, item: LayoutNode, length: number): MaskValue {
  if (item.kind === "variant") {
    const delay = someSmart(random);
    if (random.chance(0.3)) return { delay };
    const hit = { type: someSmart(random, 32_765), value: someSmart(random) };
    if (random.chance(0.5)) return { ...hit, delay };
    return { ...hit, soakType: someSmart(random), soakValue: someSmart(random), delay };
  }
  if (item.kind !== "struct") throw new Error(`No known revision has a list of ${item.kind}`);
  if (!item.fields.some(({ name }) => name === "endTime")) return fieldsFor(random, item.fields, length);
  const bar = { id: someSmart(random), endTime: someSmart(random) };
  if (bar.endTime === 32_767) return bar;
  const start = { ...bar, startTime: someSmart(random), startFill: random.integer(0, 255) };
  return bar.endTime === 0 ? start : { ...start, endFill: random.integer(0, 255) };
}
