import { expect, test } from "vitest";
import { type ReaderHolder, ReaderMemory } from "./reader-memory.ts";

/** Half of all memory. */
const HALF = 55_000_000;

class Holder implements ReaderHolder {
  isForgotten = false;
  forget(): void {
    this.isForgotten = true;
  }
}

test("readers have places until the memory is used up, and give them back", () => {
  const memory = new ReaderMemory();
  const [first, second, third] = [new Holder(), new Holder(), new Holder()];
  expect([memory.use(first, HALF), memory.use(second, HALF), memory.use(third, HALF)]).toEqual([true, true, false]);
  expect(memory.use(first, HALF)).toBe(true);
  memory.release(second);
  memory.release(second);
  expect([memory.use(third, HALF), memory.use(second, HALF)]).toEqual([true, false]);
  expect([first, second, third].some(({ isForgotten }) => isForgotten)).toBe(false);
});

test("a reader that has long been idle gives its place away", () => {
  const memory = new ReaderMemory();
  const [idle, busy, late] = [new Holder(), new Holder(), new Holder()];
  memory.use(idle, HALF);
  for (let count = 0; count < 40_000; count++) memory.use(busy, HALF);
  expect(memory.use(late, HALF)).toBe(true);
  expect([idle.isForgotten, busy.isForgotten]).toEqual([true, false]);
  expect(memory.use(idle, HALF)).toBe(false);
});
