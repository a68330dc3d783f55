import { describe, expect, it } from "vitest";
import { suggest, suggestNumbers } from "./nearest.ts";

describe("an unknown word", () => {
  const known = ["slime-online-2", "maplestory", "osrs/mouse"];

  it.each([
    ["slime-onlin-2", "slime-online-2"],
    ["slime", "slime-online-2"],
    ["Maplestroy", "maplestory"],
    ["osrs", "osrs/mouse"],
    ["osrs/muose", "osrs/mouse"],
  ])("%s means %s", (word, meant) => {
    expect(suggest(word, known)).toBe(`; did you mean ${meant}?`);
  });

  it("that is a game of several parts means one of them", () => {
    expect(suggest("osrs", [...known, "osrs/player-info"])).toBe("; did you mean osrs/mouse or osrs/player-info?");
  });

  it("that is near to none is answered with all of them", () => {
    expect(suggest("zz", known)).toBe("; known are slime-online-2, maplestory, osrs/mouse");
  });

  it("says so when none is known", () => {
    expect(suggest("zz", [])).toBe("; none is known");
  });

  it("that is a number among many is answered with the nearest ones, and how many there are", () => {
    const maps = Array.from({ length: 2_000 }, (_, index) => String(100_000_000 + index * 10));
    const nearest = "100000090, 100000100, 100000110, 100000120, 100000130, 100000140";
    expect(suggestNumbers("100000117", maps)).toBe(`; of 2,000 the nearest are ${nearest}`);
    expect(suggestNumbers("7", maps)).toContain("the nearest are 100000000, 100000010, ");
    expect(suggestNumbers("10000011x", maps)).toMatch(/^; did you mean 100000110\?$/);
    expect(suggestNumbers("10000090", maps)).toMatch(/ 100000900$/);
    expect(suggestNumbers("town", maps)).toBe("; all 2,000 are numbers");
    expect(suggestNumbers("4", ["1", "2"])).toBe("; known are 1, 2");
  });
});
