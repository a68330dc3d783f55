import { expect, test } from "vitest";
import { ReportedPlaces } from "./reported-places.ts";

const START = { x: 100, y: 200 };

test("a correction answers the message that reports the nearest place", () => {
  const places = new ReportedPlaces(0, START);
  places.report(10, { x: 200, y: 200 });
  places.report(20, { x: 300, y: 200 });
  places.report(30, { x: 400, y: 200 });
  expect(places.corrected(40, 291, 200)).toBe(20);
  // Earlier messages can no longer be refused.
  expect(places.corrected(41, 205, 200)).toBeUndefined();
});

test("of messages that report one place it answers the last", () => {
  const places = new ReportedPlaces(0, START);
  places.report(10, START);
  places.report(20, START);
  expect(places.corrected(30, 100, 200)).toBe(20);
});

test("a jump changes x alone, and keys in the air nothing", () => {
  const places = new ReportedPlaces(0, START);
  places.report(5, {});
  places.report(10, { x: 104 });
  places.report(20, { x: 800, y: 100 });
  expect(places.corrected(30, 104, 200)).toBe(10);
});

test("a place far from all that was reported answers no message, and later ones are measured from it", () => {
  const places = new ReportedPlaces(0, START);
  places.report(10, { x: 110, y: 200 });
  expect(places.corrected(15, 500, 50)).toBeUndefined();
  places.report(20, { x: 900, y: 50 });
  expect(places.corrected(25, 890, 50)).toBe(20);
  expect(places.corrected(26, 500, 50)).toBeUndefined();
});

test("remembers 128 reports", () => {
  const places = new ReportedPlaces(0, START);
  for (let frame = 1; frame <= 200; frame++) places.report(frame, { x: 100 + 100 * frame, y: 200 });
  expect(places.corrected(201, 200, 200)).toBeUndefined();
});
