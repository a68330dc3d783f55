import { expect, test } from "vitest";
import { WireBatch } from "./wire-batch.ts";

test("of many messages the last 25 wait, and once", () => {
  const batch = new WireBatch();
  for (let number = 0; number < 30; number++) batch.add("client", 1, number, Uint8Array.of(number));
  expect(batch.take().map(({ atMs }) => atMs)).toEqual(Array.from({ length: 25 }, (_, index) => index + 5));
  expect(batch.take()).toEqual([]);
});

test("of long messages the last 64 KiB wait, and a longer one never", () => {
  const batch = new WireBatch();
  for (let number = 0; number < 4; number++) batch.add("server", 1, number, new Uint8Array(30_000));
  batch.add("server", 1, 4, new Uint8Array(65_537));
  expect(batch.take().map(({ atMs }) => atMs)).toEqual([2, 3]);
});
