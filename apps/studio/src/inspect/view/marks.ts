/** How fields are marked: a colour that links a field to its bits. Colours never carry meaning alone. */
import type { BitRange } from "./selection.ts";

/** Colours for fields in the style sheet: `field-0` to `field-7`, then again. */
const FIELD_COLOURS = 8;

export function fieldClass(field: number): string {
  return field < 0 ? "field-none" : `field-${field % FIELD_COLOURS}`;
}

/** Whether bits share any with a range. */
export function meets({ from, to }: BitRange, range: BitRange | undefined): boolean {
  return range !== undefined && from < range.to && range.from < to;
}
