import { expect, it } from "vitest";
import { Allowance } from "./allowance.ts";

const limits = { most: 3, perSecond: 2 };

it("is spent down to nothing, grows back, and has a ceiling", () => {
  const allowance = new Allowance(limits, 0);
  expect([allowance.spend(2, 0), allowance.spend(2, 0), allowance.spend(1, 0), allowance.spend(0.1, 0)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(allowance.left(500)).toBe(1);
  expect(allowance.left(3_600_000)).toBe(3);
});

it("changes nothing where it refuses", () => {
  const allowance = new Allowance(limits, 0);
  allowance.spend(3, 0);
  const saved = allowance.save();
  expect(allowance.spend(1, 100)).toBe(false);
  expect(allowance.save()).toEqual(saved);
});

it("goes on after save and restore as if nothing had happened", () => {
  const allowance = new Allowance(limits, 100);
  allowance.spend(2.5, 200);
  const restored = Allowance.restore(limits, allowance.save());
  for (const each of [allowance, restored]) each.spend(0.3, 400);
  expect(restored.save()).toEqual(allowance.save());
});
