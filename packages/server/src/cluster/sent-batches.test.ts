import { expect, test } from "vitest";
import { SentBatches } from "./sent-batches.ts";

const numbered = (batch: number): Uint8Array => new Uint8Array(new Uint32Array([batch]).buffer);
const numbersOf = (messages: readonly Uint8Array[]): number[] =>
  messages.map((bytes) => new DataView(bytes.buffer).getUint32(0, true));

test("batches are sent again from the one that was missed, some at a time", () => {
  const sent = new SentBatches();
  for (let batch = 5; batch < 1_005; batch += 1) sent.add(batch, [numbered(batch)]);
  const first = numbersOf(sent.again(100, 0));
  expect([first[0], first.length]).toEqual([100, 256]);
  expect(numbersOf(sent.again(356, 1_000))[0]).toBe(356);
  expect(numbersOf(sent.again(1, 2_000))[0]).toBe(5);
  expect(sent.again(1_005, 3_000)).toEqual([]);
});

test("gateways that have missed the same at once are sent it once", () => {
  const sent = new SentBatches();
  for (let batch = 1; batch <= 300; batch += 1) sent.add(batch, [numbered(batch)]);
  expect(numbersOf(sent.again(1, 0))).toHaveLength(256);
  // What is on its way reaches all.
  expect(numbersOf(sent.again(10, 50))[0]).toBe(257);
  expect(sent.again(10, 60)).toEqual([]);
  // One that has just come had no use for what left before its answer.
  expect(numbersOf(sent.again(10, 70, true))[0]).toBe(10);
  // It was lost: asked for again later.
  expect(numbersOf(sent.again(10, 400))[0]).toBe(10);
});

test("what is kept has a limit of batches and of bytes", () => {
  const [many, long] = [new SentBatches(), new SentBatches()];
  for (let batch = 1; batch <= 30_000; batch += 1) many.add(batch, [numbered(batch)]);
  expect(many.oldest).toBeGreaterThan(10_000);
  for (let batch = 1; batch <= 100; batch += 1) long.add(batch, [new Uint8Array(1024 * 1024)]);
  expect(long.oldest).toBeGreaterThan(60);
});
