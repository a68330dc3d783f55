import { expect, test } from "vitest";
import { WireBatch } from "./wire-batch.ts";

test("of many messages the last 25 wait, and once", () => {
  const batch = new WireBatch<number>();
  for (let number = 0; number < 30; number++) batch.add(number, 1);
  expect(batch.take()).toEqual(Array.from({ length: 25 }, (_, index) => index + 5));
  expect(batch.take()).toEqual([]);
});

test("of long messages the last 64 KiB wait, and a longer one never", () => {
  const batch = new WireBatch<number>();
  for (let number = 0; number < 4; number++) batch.add(number, 30_000);
  batch.add(4, 65_537);
  expect(batch.take()).toEqual([2, 3]);
});
