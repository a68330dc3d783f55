import { expect, test } from "vitest";
import { errorHeight } from "./error-chart.ts";

test("each power of ten is as high as the next, from a tenth of a millimetre to ten metres", () => {
  expect(errorHeight(0)).toBe(0);
  expect(errorHeight(0.0001)).toBe(0);
  const steps = [0.001, 0.01, 0.1, 1, 10].map(errorHeight);
  for (const [index, height] of steps.entries()) expect(height).toBeCloseTo((index + 1) / 5, 9);
  expect(errorHeight(500)).toBe(1);
});
