/**
 * Numbers of messages for people.
 *
 * ```ts
 * import { formatMessageId } from "wirewalk/wire";
 *
 * formatMessageId(11); // => "11"
 * formatMessageId(42, { base: 16, digits: 2, upperCase: true }); // => "0x2A"
 * ```
 *
 * @module
 */
import type { IdFormat } from "./describe/node.ts";

/** An id as the dialect writes it: `11`, `0x2A`. */
export function formatMessageId(id: number, { base, digits = 1, upperCase }: IdFormat = { base: 10 }): string {
  if (base === 10) return String(id);
  const text = id.toString(16).padStart(digits, "0");
  return `0x${upperCase ? text.toUpperCase() : text}`;
}
