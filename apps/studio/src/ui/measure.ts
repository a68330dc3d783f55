/** Measures of rules as the page writes them: in the spelling of stories. Of chunks alone: the first load has none. */
import { quantityText } from "wirewalk/protocol";

/** `12.5 px`, `61 messages a second`, `30 %`; a dash where there is none. */
export function showMeasure(value: number | null, unit: string | null, beside?: number | null): string {
  return value === null ? "–" : quantityText(value, unit ?? "", beside ?? undefined);
}
