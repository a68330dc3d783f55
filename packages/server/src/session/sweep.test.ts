import { expect, test } from "vitest";
import { Sweep } from "./sweep.ts";

test("a small set is looked at whole in every step", () => {
  const looked: number[] = [];
  const all = new Set([1, 2, 3]);
  const sweep = new Sweep(all, (each) => looked.push(each));
  sweep.step();
  all.delete(2);
  all.add(4);
  sweep.step();
  expect(looked).toEqual([1, 2, 3, 1, 3, 4]);
});

test("a large set is looked at in parts, each once in eleven steps, whatever comes and goes", () => {
  const all = new Set(Array.from({ length: 20_000 }, (_, index) => index));
  const looks = new Map<number, number>();
  let inStep = 0;
  const sweep = new Sweep(all, (each) => {
    inStep += 1;
    looks.set(each, (looks.get(each) ?? 0) + 1);
  });
  for (let step = 0; step < 11; step += 1) {
    inStep = 0;
    sweep.step();
    expect(inStep).toBeLessThanOrEqual(2_000);
    all.delete(step * 1_000);
  }
  const kept = [...all];
  expect(kept.filter((each) => looks.get(each) !== 1)).toEqual([]);
});

test("what a look removes is not looked at", () => {
  const all = new Set([1, 2, 3]);
  const looked: number[] = [];
  const sweep = new Sweep(all, (each) => {
    looked.push(each);
    all.delete(2);
  });
  sweep.step();
  expect(looked).toEqual([1, 3]);
});
