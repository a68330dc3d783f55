import { expect, test } from "vitest";
import { ToldPlaces } from "./told-places.ts";

const START = { x: 100, y: 200 };

test("the message that a correction answers is the first after the place that is still believed", () => {
  const told = new ToldPlaces(0, START);
  told.tell(10, undefined, { x: 110, y: 200 });
  told.tell(20, undefined, { x: 900, y: 200 });
  told.tell(30, undefined, { x: 905, y: 200 });
  expect(told.corrected(40, 110, 200)?.frame).toBe(20);
  // The next one is refused too, and has an answer of its own.
  expect(told.corrected(41, 110, 200)?.frame).toBe(30);
  expect(told.corrected(42, 110, 200)).toEqual({ frame: undefined, key: undefined });
});

test("a place that was told twice was believed the second time", () => {
  const told = new ToldPlaces(0, START);
  told.tell(10, undefined, START);
  told.tell(11, undefined, START);
  told.tell(20, undefined, { x: 900, y: 200 });
  expect(told.corrected(30, 100, 200)?.frame).toBe(20);
});

test("a jump changes x alone, and keys in the air nothing", () => {
  const told = new ToldPlaces(0, START);
  told.tell(5, undefined, {});
  told.tell(10, undefined, { x: 104 });
  told.tell(20, undefined, { x: 800, y: 100 });
  expect(told.corrected(30, 104, 200)?.frame).toBe(20);
});

test("a place that was never told answers no message, and what follows is measured from it", () => {
  const told = new ToldPlaces(0, START);
  told.tell(10, undefined, { x: 110, y: 200 });
  expect(told.corrected(15, 500, 50)).toBeUndefined();
  told.tell(20, undefined, { x: 900, y: 50 });
  expect(told.corrected(25, 500, 50)?.frame).toBe(20);
});

test("what says the believed place itself is not refused: then nothing of ours was", () => {
  const told = new ToldPlaces(0, START);
  told.tell(10, undefined, { x: 110, y: 200 });
  told.tell(12, "left", { x: 110, y: 200 });
  expect(told.corrected(15, 110, 200)).toEqual({ frame: undefined, key: undefined });
});

test("remembers so many and no more", () => {
  const told = new ToldPlaces(0, START);
  for (let frame = 1; frame <= 200; frame++) told.tell(frame, undefined, { x: 100 + frame, y: 200 });
  expect(told.corrected(201, 101, 200)).toBeUndefined();
});

test("the key of a refused message is to be said again, unless it was told of since", () => {
  const say = (then: (told: ToldPlaces) => void) => {
    const told = new ToldPlaces(0, START);
    told.tell(10, "right", { x: 900, y: 200 });
    then(told);
    return told.corrected(30, START.x, START.y);
  };
  expect(say((told) => told.tell(20, "left", {}))).toEqual({ frame: 10, key: "right" });
  expect(say((told) => told.tell(20, "right", {}))).toEqual({ frame: 10, key: undefined });
  expect(say((told) => told.tell(20, undefined, { x: 905, y: 200 }))).toEqual({ frame: 10, key: "right" });
});
