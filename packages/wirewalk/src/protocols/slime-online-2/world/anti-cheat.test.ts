import { expect, test } from "vitest";
import { AntiCheat, maxLoggedViolations } from "./anti-cheat.ts";

function teleports(count: number, everyMs = 1000): AntiCheat<number> {
  const antiCheat = new AntiCheat<number>();
  for (let index = 0; index < count; index++) antiCheat.record("teleport", index * everyMs, index);
  return antiCheat;
}

test("five teleports in a minute are an accident, the sixth is detected (standard 8.8)", () => {
  expect(teleports(5).check(5000)).toEqual({ kind: "clean" });
  expect(teleports(6).check(5000)).toMatchObject({
    kind: "detected",
    reason: "Multiple speed violations",
    durationMs: 86_400_000,
  });
});

test("the evidence is the six, oldest first", () => {
  const result = teleports(8).check(7000);
  expect(result.kind === "detected" && result.evidence.map((violation) => violation.evidence)).toEqual([
    2, 3, 4, 5, 6, 7,
  ]);
});

test("a teleport exactly a minute old no longer counts", () => {
  expect(teleports(6, 1).check(59_999).kind).toBe("detected");
  expect(teleports(6, 1).check(60_000).kind).toBe("clean");
  expect(teleports(20, 12_000).check(19 * 12_000).kind).toBe("clean");
});

test("five a minute add up: the twenty-first correction within an hour is not an accident", () => {
  const detection = teleports(21, 12_000).check(20 * 12_000);
  expect(detection).toMatchObject({ kind: "detected", reason: "Corrected again and again" });
  expect(detection.kind === "detected" && detection.evidence).toHaveLength(6);
  expect(teleports(100, 200_000).check(99 * 200_000).kind).toBe("clean");
  // Corrections of one moment are one.
  expect(teleports(5, 60_000).check(240_000).kind).toBe("clean");
  const runner = new AntiCheat<number>();
  for (let index = 0; index < 100; index++) runner.record("unreachable", index * 1000, index);
  expect(runner.check(100_000).kind).toBe("clean");
  for (let index = 100; index < 102; index++) runner.record("unreachable", index * 1000, index);
  expect(runner.check(101_000).kind).toBe("detected");
});

test("other violations are logged and counted apart, and never detect", () => {
  const antiCheat = teleports(5);
  for (let index = 0; index < 100; index++) antiCheat.record("transition", 5000 + index, index);
  antiCheat.record("rate-limit", 6000, -1);
  expect(antiCheat.check(6000).kind).toBe("clean");
  expect(antiCheat.total("transition")).toBe(100);
  expect(antiCheat.total("teleport")).toBe(5);
  expect(antiCheat.logged()).toHaveLength(maxLoggedViolations);
  expect(antiCheat.logged().at(-1)).toEqual({ kind: "rate-limit", at: 6000, evidence: -1 });
});

test("a pardon clears what counts, not the totals", () => {
  const antiCheat = teleports(6);
  antiCheat.clear();
  expect(antiCheat.check(5000).kind).toBe("clean");
  expect(antiCheat.total("teleport")).toBe(6);
});
