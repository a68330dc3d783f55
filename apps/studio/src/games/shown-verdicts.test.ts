import type { FeedVerdict } from "@wirewalk/server/feed";
import { expect, test } from "vitest";
import { shownVerdicts } from "./shown-verdicts.ts";

const verdict = (player: number, atMs: number): FeedVerdict => ({
  kind: "flag",
  rule: "pitch",
  reason: "",
  player,
  name: null,
  room: "1",
  atMs,
  measured: null,
  allowed: null,
  unit: null,
  message: "",
  stateBefore: {},
});

test("shows the newest verdict of each player, for two and a half seconds", () => {
  const verdicts = [verdict(1, 9_000), verdict(2, 8_500), verdict(1, 8_000), verdict(3, 7_000)];
  const shown = shownVerdicts(verdicts, 10_000);
  expect([...shown.keys()]).toEqual([1, 2]);
  expect(shown.get(1)).toMatchObject({ verdict: { atMs: 9_000 }, age: 0.4 });
});

test("a verdict from the future of a clock that is a little behind is new", () => {
  expect(shownVerdicts([verdict(1, 10_050)], 10_000).get(1)?.age).toBe(0);
});

test("a verdict that was found after the time that is looked at is not drawn yet", () => {
  const shown = shownVerdicts([verdict(1, 14_000), verdict(2, 9_900), verdict(1, 9_500)], 10_000);
  expect(shown.get(1)?.verdict.atMs).toBe(9_500);
  expect([...shown.keys()]).toEqual([2, 1]);
});
