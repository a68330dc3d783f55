/** Random values of mask blocks. */
import type { Random } from "../../../../motion/index.ts";
import type { MaskBlock, MaskCondition, MaskField, MaskFields, MaskValue } from "../wire/masks/mask-revision.ts";

/** Fields that fit a block. */
export function someFields(random: Random, { fields }: Pick<MaskBlock, "fields">, length: number): MaskFields {
  const values: Record<string, MaskValue> = {};
  for (const field of fields) {
    const { name, when } = field;
    if (when !== undefined && !isThere(when, values)) continue;
    // Half of the numbers on which other fields depend are such that one of those is there.
    const tests = fields.flatMap(({ when: test }) => (test?.field === name ? [test] : []));
    values[name] =
      tests.length > 0 && random.chance(0.5) ? passing(random, random.pick(tests)) : someValue(random, field, length);
  }
  return values;
}

function isThere({ field, from, to, not, mask }: MaskCondition, values: MaskFields): boolean {
  const whole = values[field] as number;
  const number = mask === undefined ? whole : Number(BigInt(whole) & BigInt(mask));
  return number >= (from ?? -Infinity) && number <= (to ?? Infinity) && number !== not;
}

/** A number that passes a test, of one byte where the test is about some bits. */
function passing(random: Random, { from = 0, to = from, mask }: MaskCondition): number {
  const number = random.integer(from, to);
  return mask === undefined ? number : number | (random.integer(0, 255) & ~mask);
}

function someValue(random: Random, field: MaskField, length: number): MaskValue {
  const count = random.chance(0.1) ? random.integer(0, 255) : random.integer(0, length);
  const smart = (max = 0x7fff): number => random.pick([0, 1, 127, 128, 300, max]);
  if ("allowed" in field && field.allowed !== undefined) {
    const each = random.pick(field.allowed);
    return typeof each === "number" ? each : random.integer(each[0], each[1]);
  }
  const least = "minLength" in field ? (field.minLength ?? 0) : 0;
  switch (field.type) {
    case "smart":
      return smart();
    case "wideSmart":
      return random.pick([-1, 0, 1, 127, 32_766, 32_767, 70_000, 0x7fff_ffff]);
    case "list":
      return Array.from({ length: Math.min(count, 5) }, () => someFields(random, field, length));
    case "u8":
      return random.integer(0, 0xff);
    case "i8":
      return random.integer(-0x80, 0x7f);
    case "u16":
      return random.integer(0, 0xffff);
    case "i16":
      return random.integer(-0x8000, 0x7fff);
    case "i32":
      return random.integer(-0x8000_0000, 0x7fff_ffff);
    case "string":
      return Array.from({ length: Math.max(least, count) }, () => random.pick([..."~abc €™ÿé\u0081"])).join("");
    case "bytes":
      return Uint8Array.from({ length: Math.max(least, count) }, () => random.integer(0, 255));
    case "hits":
      return Array.from({ length: Math.min(count, 5) }, () => {
        const delay = smart();
        if (random.chance(0.3)) return { delay };
        const hit = { type: smart(32_765), value: smart() };
        return random.chance(0.5) ? { ...hit, delay } : { ...hit, soakType: smart(), soakValue: smart(), delay };
      });
    case "headBars":
      return Array.from({ length: Math.min(count, 5) }, () => {
        const bar = { id: smart(), endTime: smart() };
        if (bar.endTime === 32_767) return bar;
        const start = { ...bar, startTime: smart(), startFill: random.integer(0, 255) };
        return bar.endTime === 0 ? start : { ...start, endFill: random.integer(0, 255) };
      });
  }
}
