import { describe, expect, it } from "vitest";
import { DurationBudget } from "./duration-budget.ts";

describe("a duration budget", () => {
  it("allows up to five seconds of delayed movement to arrive at once", () => {
    const budget = new DurationBudget(0);
    for (let index = 0; index < 9; index++) {
      expect(budget.available(60_000)).toBeGreaterThanOrEqual(510);
      budget.spend(510, 60_000);
    }
    expect(budget.available(60_000)).toBeLessThan(510);
  });

  it("detects a clock that runs twice as fast at once, and never one within 1 %", () => {
    const late = (factor: number): number | undefined => {
      const budget = new DurationBudget(0);
      for (let count = 1; count < 10_000; count++) {
        const nowMs = (count * 510) / factor;
        if (budget.available(nowMs) < 510) return count;
        budget.spend(510, nowMs);
      }
      return undefined;
    };
    expect(late(2)).toBe(1);
    expect(late(1.005)).toBeUndefined();
  });
});

it("goes on after save and restore as if nothing had happened", () => {
  const budget = new DurationBudget(100, 2000);
  budget.spend(700, 1300);
  const restored = DurationBudget.restore(budget.save(), 1.01);
  for (const each of [budget, restored]) each.spend(333, 1500.5);
  expect(restored.available(9000)).toBe(budget.available(9000));
  expect(restored.save()).toEqual(budget.save());
});
