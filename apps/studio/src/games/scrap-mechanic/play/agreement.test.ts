import { expect, test } from "vitest";
import { AGREEMENT_MS, Agreement, showLength, showStepShare } from "./agreement.ts";

const agreed = { outcome: "agreed", error: 0.0001, replayed: 0 } as const;

test("summarises the last ten seconds without outdated updates", () => {
  const agreement = new Agreement();
  agreement.add({ outcome: "corrected", error: 0.5, replayed: 4 }, 0, 0);
  agreement.add({ outcome: "old", error: 9, replayed: 0 }, 9, 10);
  agreement.add({ outcome: "corrected", error: 0.2, replayed: 4 }, 0.0002, 5_000);
  agreement.add(agreed, 0.0001, 6_000);
  expect(agreement.summary(6_000)).toMatchObject({ reports: 3, corrected: 2, error: 0.0001, worst: 0.5, left: 0.0002 });
  expect(agreement.summary(AGREEMENT_MS + 1)).toMatchObject({ reports: 2, corrected: 1, worst: 0.2 });
  expect(agreement.summary(60_000)).toEqual({ reports: 0, corrected: 0, error: 0, worst: 0, left: 0, samples: [] });
});

test("holds no more than a burst brings", () => {
  const agreement = new Agreement();
  for (let count = 0; count < 5_000; count++) agreement.add(agreed, 0, 0);
  expect(agreement.summary(0).reports).toBe(600);
});

test.each([
  [0, "0 mm", "0 %"],
  [0.000_001, "0 mm", "0 %"],
  [0.000_04, "0.04 mm", "0.04 %"],
  [0.0042, "4.2 mm", "4.2 %"],
  [0.12, "120 mm", "120 %"],
  [1.25, "1.3 m", "1250 %"],
])("writes %f m as %s, and as %s of a step of 100 mm", (metres, length, share) => {
  expect(showLength(metres)).toBe(length);
  expect(showStepShare(metres)).toBe(share);
});
