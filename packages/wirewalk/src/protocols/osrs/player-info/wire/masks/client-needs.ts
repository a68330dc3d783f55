/**
 * What a client needs of mask blocks, beyond what their bytes say: values outside of it are read, and then crash the client
 * or stay as nonsense in it. Writers refuse such values; the decoder reports them.
 *
 * Source: docs/protocols/osrs-player-info.md 6.7.
 */
import type { AllowedNumbers, ClientNeed, MaskBlock, MaskFields, MaskValue } from "./mask-revision.ts";

/** The first field of a block that the client cannot use, and why. */
export function unmetNeed(
  { clientNeeds = [] }: MaskBlock,
  values: MaskFields,
): { readonly field: string; readonly why: string } | undefined {
  for (const need of clientNeeds) {
    const why = needOf(need, values[need.field]);
    if (why !== undefined) return { field: need.field, why };
  }
  return undefined;
}

/** What is wrong with a value, in words; undefined for one that the client can use. */
function needOf({ allowed, minLength = 0 }: ClientNeed, value: MaskValue | undefined): string | undefined {
  if ((typeof value === "string" || value instanceof Uint8Array) && value.length < minLength) {
    const unit = typeof value === "string" ? "character" : "byte";
    return `the client reads ${minLength} ${unit}${minLength === 1 ? "" : "s"} or more, got ${value.length}`;
  }
  if (allowed !== undefined && typeof value === "number" && !isAllowed(value, allowed)) {
    return `the client knows ${textOf(allowed)}, got ${value}`;
  }
  return undefined;
}

function isAllowed(value: number, allowed: AllowedNumbers): boolean {
  return allowed.some((each) => (typeof each === "number" ? value === each : value >= each[0] && value <= each[1]));
}

function textOf(allowed: AllowedNumbers): string {
  const texts = allowed.map((each) => (typeof each === "number" ? String(each) : `${each[0]} to ${each[1]}`));
  return texts.join(" and ");
}
