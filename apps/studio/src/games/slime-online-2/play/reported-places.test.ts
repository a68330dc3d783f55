import { expect, test } from "vitest";
import { ReportedPlaces } from "./reported-places.ts";

const START = { x: 100, y: 200 };

test("a correction answers the first message after the place that the server still believes", () => {
  const places = new ReportedPlaces(0, START);
  places.report(10, undefined, { x: 110, y: 200 });
  places.report(20, undefined, { x: 900, y: 200 });
  places.report(30, undefined, { x: 905, y: 200 });
  expect(places.corrected(40, 110, 200)?.frame).toBe(20);
  // The next one is refused too, with a correction of its own.
  expect(places.corrected(41, 110, 200)?.frame).toBe(30);
  expect(places.corrected(42, 110, 200)).toEqual({ frame: undefined, key: undefined });
});

test("a place that was reported twice was believed the second time", () => {
  const places = new ReportedPlaces(0, START);
  places.report(10, undefined, START);
  places.report(11, undefined, START);
  places.report(20, undefined, { x: 900, y: 200 });
  expect(places.corrected(30, 100, 200)?.frame).toBe(20);
});

test("a jump changes x alone, and keys in the air nothing", () => {
  const places = new ReportedPlaces(0, START);
  places.report(5, undefined, {});
  places.report(10, undefined, { x: 104 });
  places.report(20, undefined, { x: 800, y: 100 });
  expect(places.corrected(30, 104, 200)?.frame).toBe(20);
});

test("a place that was never reported answers no message, and later ones are measured from it", () => {
  const places = new ReportedPlaces(0, START);
  places.report(10, undefined, { x: 110, y: 200 });
  expect(places.corrected(15, 500, 50)).toBeUndefined();
  places.report(20, undefined, { x: 900, y: 50 });
  expect(places.corrected(25, 500, 50)?.frame).toBe(20);
});

test("a message that reports the believed place itself is not refused: then no message was", () => {
  const places = new ReportedPlaces(0, START);
  places.report(10, undefined, { x: 110, y: 200 });
  places.report(12, "left", { x: 110, y: 200 });
  expect(places.corrected(15, 110, 200)).toEqual({ frame: undefined, key: undefined });
});

test("remembers 128 reports", () => {
  const places = new ReportedPlaces(0, START);
  for (let frame = 1; frame <= 200; frame++) places.report(frame, undefined, { x: 100 + frame, y: 200 });
  expect(places.corrected(201, 101, 200)).toBeUndefined();
});

test("the key of a refused message is to be sent again, unless a later message was about it", () => {
  const answerAfter = (then: (places: ReportedPlaces) => void) => {
    const places = new ReportedPlaces(0, START);
    places.report(10, "right", { x: 900, y: 200 });
    then(places);
    return places.corrected(30, START.x, START.y);
  };
  expect(answerAfter((places) => places.report(20, "left", {}))).toEqual({ frame: 10, key: "right" });
  expect(answerAfter((places) => places.report(20, "right", {}))).toEqual({ frame: 10, key: undefined });
  expect(answerAfter((places) => places.report(20, undefined, { x: 905, y: 200 }))).toEqual({
    frame: 10,
    key: "right",
  });
});
