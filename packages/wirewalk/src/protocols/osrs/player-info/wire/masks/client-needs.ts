/**
 * What a client needs of mask blocks, beyond what their bytes say: values outside of it are read, and then crash the client
 * or stay as nonsense in it. Writers refuse such values; the decoder reports them.
 *
 * Source: docs/protocols/osrs-player-info.md 6.7.
 */
import type { AllowedNumbers, MaskBlock, MaskField, MaskFields, MaskItem, MaskValue } from "./mask-revision.ts";

/** What is wrong with a value, in words; undefined for one that the client can use. */
export function needOf(field: MaskField, value: MaskValue | undefined): string | undefined {
  if ("minLength" in field && field.minLength !== undefined && (typeof value === "string" || isBytes(value))) {
    const { minLength, type } = field;
    const unit = type === "string" ? "character" : "byte";
    if (value.length < minLength) {
      return `the client reads ${minLength} ${unit}${minLength === 1 ? "" : "s"} or more, got ${value.length}`;
    }
  }
  if ("allowed" in field && field.allowed !== undefined && typeof value === "number") {
    if (!isAllowed(value, field.allowed)) return `the client knows ${textOf(field.allowed)}, got ${value}`;
  }
  return undefined;
}

/** The first field of a block that the client cannot use. */
export function unmetNeed(
  block: Pick<MaskBlock, "fields">,
  values: MaskFields,
): { readonly field: string; readonly why: string } | undefined {
  for (const field of block.fields) {
    const { name } = field;
    const value = values[name];
    const why = needOf(field, value);
    if (why !== undefined) return { field: name, why };
    if (field.type !== "list" || value === undefined) continue;
    for (const [at, item] of (value as readonly MaskItem[]).entries()) {
      const unmet = unmetNeed(field, item);
      if (unmet !== undefined) return { field: `${name}[${at}].${unmet.field}`, why: unmet.why };
    }
  }
  return undefined;
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

function isAllowed(value: number, allowed: AllowedNumbers): boolean {
  return allowed.some((each) => (typeof each === "number" ? value === each : value >= each[0] && value <= each[1]));
}

function textOf(allowed: AllowedNumbers): string {
  const texts = allowed.map((each) => (typeof each === "number" ? String(each) : `${each[0]} to ${each[1]}`));
  return texts.join(" and ");
}
