import { describe, expect, it } from "vitest";
import { suggest } from "./nearest.ts";

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
});
