import { expect, test } from "vitest";
import type { Verdict, VerdictKind } from "wirewalk/motion";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { dryRun } from "./dry-run.ts";

const verdict = (player: number, atMs: number, kind: VerdictKind = "flag"): Verdict => ({
  kind,
  rule: "teleport",
  reason: "",
  player,
  room: "1",
  atMs,
  stateBefore: {},
  message: Uint8Array.of(1),
});
const of = (player: number, times: readonly number[], kind?: VerdictKind) =>
  times.map((atMs) => ({ verdict: verdict(player, atMs, kind), account: `a${player}`, name: `n${player}` }));

test("says what a score leads to and when; what comes after a kick is an estimate", () => {
  const actions = dryRun(
    slimeOnline2,
    { teleport: { action: "kick", limit: 4 } },
    of(1, [10, 20, 30, 40, 50, 60, 70, 80]),
  );
  expect(actions.map(({ atMs, action, name, isCertain }) => [atMs, action, name, isCertain])).toEqual([
    [40, "kick", "n1", true],
    [80, "kick", "n1", false],
  ]);
});

test("honest verdicts, and those too far apart, lead to nothing", () => {
  const policies = { "*": { action: "ban", limit: 4, halfLifeMs: 60_000 } } as const;
  expect(dryRun(slimeOnline2, policies, of(1, [1, 2, 3, 4, 5], "benign"))).toEqual([]);
  expect(dryRun(slimeOnline2, policies, of(1, [1, 120_000, 240_000, 360_000, 480_000]))).toEqual([]);
});

test("each message that would have been held back is named", () => {
  const actions = dryRun(slimeOnline2, { teleport: { response: "drop" } }, of(1, [10, 20]));
  expect(actions.map(({ action, isCertain }) => [action, isCertain])).toEqual([
    ["drop", true],
    ["drop", false],
  ]);
});

test("an unknown rule is refused", () => {
  expect(() => dryRun(slimeOnline2, { speling: { action: "kick" } }, [])).toThrow("has no rule speling");
});
