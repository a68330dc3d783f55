/** Which case a value or a tag belongs to. */
import type { CaseNode, CaseTest } from "./node.ts";

/** Whether a value is one of a case. */
export function passes(test: CaseTest, value: Readonly<Record<string, unknown>>): boolean {
  for (const key in test) {
    const wanted = test[key] as CaseTest[string];
    const found = value[key];
    if (wanted === "present") {
      if (found === undefined) return false;
    } else if (wanted === "absent") {
      if (found !== undefined) return false;
    } else if (!wanted.includes(found as string)) return false;
  }
  return true;
}

/** Tags for an error message: `1, 2, 6`, `1 to 13, 20`. */
export function tagsText(tags: readonly (string | number)[]): string {
  if (!tags.every((tag) => typeof tag === "number")) return tags.join(", ");
  const sorted = (tags as readonly number[]).toSorted((a, b) => a - b);
  const texts: string[] = [];
  for (let at = 0; at < sorted.length; at++) {
    const first = sorted[at] as number;
    let last = at;
    while (sorted[last + 1] === first + last + 1 - at) last++;
    // Short runs are listed: they are names more often than ranges.
    if (last - at < 4) {
      texts.push(String(first));
    } else {
      texts.push(`${first} to ${sorted[last]}`);
      at = last;
    }
  }
  return texts.join(", ");
}

/** The constant field that differs in all cases, and its values; undefined where the tag is the only difference. */
export function namesTested(
  cases: readonly { readonly when?: CaseTest }[],
): { key: string; names: string[] } | undefined {
  const [key] = Object.keys(cases[0]?.when ?? {});
  if (key === undefined) return undefined;
  const names = cases.map(({ when }) => when?.[key]);
  return names.every((each) => Array.isArray(each)) ? { key, names: names.flat() as string[] } : undefined;
}

/** Tags by the constants of their cases, where a case has one tag and one constant text: `kind fall` to 15. */
export function constantsOf(cases: readonly CaseNode[]): ReadonlyMap<string, string | number> {
  const tags = new Map<string, string | number>();
  for (const { node, tags: own = [] } of cases) {
    const [tag] = own;
    if (own.length !== 1 || tag === undefined || node.kind !== "struct") continue;
    for (const { name, node: field } of node.fields) {
      if (field.kind === "constant" && typeof field.value === "string") tags.set(`${name} ${field.value}`, tag);
    }
  }
  return tags;
}

/** The names of all constants of cases. */
export function constantKeys(cases: readonly CaseNode[]): readonly string[] {
  const fields = cases.flatMap(({ node }) => (node.kind === "struct" ? node.fields : []));
  return [...new Set(fields.filter(({ node }) => node.kind === "constant").map(({ name }) => name))];
}
