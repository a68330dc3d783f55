import { expect, test } from "vitest";
import { replacedBy, ruleOfToday } from "../../renamed.ts";
import { slimeLimitTable, slimeRuleLimits } from "./limits.ts";
import { slimeRenamed, slimeRules } from "./rules.ts";
import { SlimeWorld } from "./world.ts";

test("every old rule has a rule of today, and every old setting one or none", () => {
  for (const [old, now] of Object.entries(slimeRenamed.rules)) {
    expect(slimeRules).not.toContain(old);
    expect(slimeRules).toContain(now);
    expect(ruleOfToday(slimeRenamed, old)).toBe(now);
  }
  for (const [old, now] of Object.entries(slimeRenamed.settings)) {
    expect(Object.keys(slimeLimitTable)).not.toContain(old);
    if (now !== undefined) expect(Object.keys(slimeLimitTable)).toContain(now);
  }
  expect(ruleOfToday(slimeRenamed, "teleport")).toBe("teleport");
  expect(replacedBy(slimeRenamed, "rules", "telport")).toBeUndefined();
});

test("old names of settings and responses are refused with the new one", () => {
  const given = (name: string): object => ({ [name]: 1 });
  expect(() => slimeRuleLimits(given("savedShare"))).toThrow(
    new RangeError("slime-online-2 has no setting savedShare: it is heldBackShare now"),
  );
  expect(() => slimeRuleLimits(given("coastPx"))).toThrow(
    new RangeError("slime-online-2 has no setting coastPx: it follows from the game's motion"),
  );
  expect(() => new SlimeWorld({ dialect: "documented", seed: 1, responses: { "no-key": "drop" } })).toThrow(
    new RangeError("slime-online-2 has no rule no-key: it is unreachable now"),
  );
});
