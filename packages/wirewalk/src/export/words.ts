/** Descriptions in words: what a field means, as other formats carry it in a comment. */
import { wordedNumbers } from "../wire/describe/words.ts";
import type { LayoutNode } from "../wire/index.ts";

/** `to the right; in px`: what is known of a field beside its bits, in one line. Empty where nothing is. */
export function meaningOf(node: LayoutNode): string {
  const { doc, unit, section } = node;
  return [doc, unit === undefined ? undefined : `in ${unit}`, wordedNumbers(node), section && `standard ${section}`]
    .filter((text) => text !== undefined && text !== "")
    .join("; ");
}

/** `movePlayer` as `MovePlayer`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** `movePlayer` as `move_player`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
}
