import { expect, test } from "vitest";
import { caseActions, type KeptAction } from "./shown-verdict.ts";

const kept = (action: KeptAction["action"], more: Partial<KeptAction> = {}): KeptAction => {
  return { action, by: "ann", reason: "third time", atMs: 5, result: "done", detail: null, ...more };
};

test("a file about a verdict has what was done, and nothing that is for operators alone", () => {
  const actions = caseActions([
    kept("note"),
    kept("warn"),
    kept("dismiss", { detail: "recording /data/dismissed/x.mcap" }),
    kept("kick", { result: "failed", detail: "the player has left" }),
    kept("ban", { detail: "until 2026-01-09T11:00:00.000Z" }),
    kept("lift"),
  ]);
  expect(actions).toEqual([
    { action: "warn", atMs: 5, reason: "third time", untilMs: null },
    { action: "dismiss", atMs: 5, reason: "", untilMs: null },
    { action: "ban", atMs: 5, reason: "third time", untilMs: Date.UTC(2026, 0, 9, 11) },
    { action: "lift", atMs: 5, reason: "", untilMs: null },
  ]);
});
