/** Which part of a description a value belongs to. */
import type { CaseTest, Condition } from "../layout/node.ts";

export type Fields = Record<string, unknown>;

/** Whether an optional field is there, by the fields before it. */
export function holds({ field, from, to, not, zero }: Condition, value: Readonly<Fields>): boolean {
  const found = value[field];
  if (zero !== undefined) return found instanceof Uint8Array && found.every((byte) => byte === 0) === zero;
  const number = found as number;
  return (
    typeof found === "number" &&
    number >= (from ?? Number.NEGATIVE_INFINITY) &&
    number <= (to ?? Number.POSITIVE_INFINITY) &&
    number !== not
  );
}

/** Whether a value is one of a case. */
export function passes(test: CaseTest, value: Readonly<Fields>): boolean {
  return Object.entries(test).every(([key, wanted]) => {
    const found = value[key];
    if (wanted === "present") return found !== undefined;
    if (wanted === "absent") return found === undefined;
    return wanted.includes(found as string);
  });
}
