import { expect, test } from "vitest";
import { SceneClock } from "./scene-clock.ts";

test("is the page's clock, until it is given another rate", () => {
  const clock = new SceneClock();
  expect(clock.at(1_234.5)).toBe(1_234.5);
  clock.setRate(2, 2_000);
  expect([clock.at(1_990), clock.at(2_000), clock.at(2_100)]).toEqual([2_000, 2_000, 2_200]);
  clock.setRate(0, 2_100);
  expect([clock.at(2_100), clock.at(9_000)]).toEqual([2_200, 2_200]);
  clock.setRate(0.5, 9_000);
  expect(clock.at(9_100)).toBe(2_250);
});
