/** When an optional field or a meaning is there. */
import type { Condition } from "./node.ts";

/** Whether it is there, by the value of the condition's field; undefined where that is not there itself. */
export function conditionHolds(when: Condition, value: unknown): boolean {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, not, zero, mask } = when;
  if (zero !== undefined) return value instanceof Uint8Array && value.every((byte) => byte === 0) === zero;
  if (typeof value !== "number") return false;
  const number = mask === undefined ? value : (value & mask) >>> 0;
  return number >= from && number <= to && number !== not;
}
