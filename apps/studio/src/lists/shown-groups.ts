/** Which verdicts the list shows. Pure. */
import type { Studio } from "../app/studio.ts";
import type { VerdictGroup } from "../feed/verdict-book.ts";

/** The least serious kind in the list. */
export type Severity = "benign" | "flag" | "correct";

const ranks: Readonly<Record<string, number>> = { accept: 0, benign: 1, flag: 2, correct: 3, reject: 4 };

/** Whether a group is at least as serious. */
export function isShown({ verdicts: [{ kind }] }: VerdictGroup, severity: Severity): boolean {
  return (ranks[kind] ?? 0) >= (ranks[severity] ?? 0);
}

/** What the list is cut down to. */
export function filterGroups(studio: Studio, groups: readonly VerdictGroup[]): readonly VerdictGroup[] {
  const { player, rule, lastSeconds } = studio.filter.value;
  return groups.filter(({ verdicts: [newest] }) => {
    if (player !== undefined && newest.player !== player) return false;
    if (rule !== undefined && newest.rule !== rule) return false;
    return lastSeconds === undefined || (studio.agoOf(newest.atMs) ?? 0) <= lastSeconds * 1_000;
  });
}

/** Those that the list shows. */
export function shownGroups(studio: Studio, severity: Severity): readonly VerdictGroup[] {
  return filterGroups(studio, studio.verdicts.value).filter((group) => isShown(group, severity));
}
