import { expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { rulesOf } from "./rules.ts";

test.each(Object.keys(protocols))(
  "every rule of %s is in the glossary, and a limit that this server has set says so",
  (name) => {
    const { capabilities } = protocols[name] ?? {};
    const { rules = [], settings } = capabilities ?? {};
    expect(rules.length).toBeGreaterThan(0);
    const glossary = rulesOf(capabilities ?? {}, {});
    expect(glossary.map(({ rule }) => rule)).toEqual(rules);
    // Each says what it finds, in a sentence, and no other rule is described.
    for (const { rule, finds } of glossary) expect(finds, rule).toMatch(/^[A-Z0-9].*[^.]\.$/);
    expect(Object.keys(capabilities?.glossary ?? {}).toSorted()).toEqual([...rules].sort());
    const limits = glossary.flatMap((each) => each.limits);
    expect(limits.some(({ isSet }) => isSet)).toBe(false);
    // Each limit is of a rule that the game has.
    const named = Object.entries(settings?.values ?? {}).flatMap(([limit, info]) =>
      info.kind === "rule" ? [limit] : [],
    );
    expect(named.filter((limit) => !limits.some((each) => each.name === limit))).toEqual([]);
    const [limit = "", info] = Object.entries(settings?.values ?? {}).find(([, each]) => each.kind === "rule") ?? [];
    const value = (info?.default ?? 0) + 1;
    const set = rulesOf(capabilities ?? {}, { [limit]: value })
      .flatMap((each) => each.limits)
      .filter(({ isSet }) => isSet);
    expect(new Set(set.map((each) => each.name))).toEqual(new Set([limit]));
    expect(set[0]).toMatchObject({ value, unit: info?.unit, source: info?.source });
  },
);
