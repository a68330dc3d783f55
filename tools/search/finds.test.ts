import { expect, it } from "vitest";
import { findNames, gainOf, playFind, readFind } from "./finds.ts";

it("there are finds", () => {
  expect(findNames()).not.toEqual([]);
});

it.each(findNames())("%s is flagged in time, or gains no more than its bound", (name) => {
  const find = readFind(name);
  const { gain, flaggedWithinSeconds } = find.bound;
  const played = playFind(find);
  if (flaggedWithinSeconds !== undefined) {
    expect(played.found?.rule).toBeDefined();
    expect((played.found?.atMs ?? Infinity) / 1000).toBeLessThanOrEqual(flaggedWithinSeconds);
  }
  expect(gainOf(find, played)).toBeLessThanOrEqual(gain);
});
