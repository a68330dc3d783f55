import { describe, expect, test } from "vitest";
import type { WordRule } from "./node.ts";
import { namedNumbers, wordsFor } from "./words.ts";

const all = (rules: readonly WordRule[], ...numbers: number[]): unknown[] =>
  numbers.map((number) => wordsFor(rules, number));

describe("words for numbers", () => {
  test("the first rule that covers the number gives its words; a number without a rule has no words", () => {
    const rules = [...namedNumbers({ none: 0, left: 2 }), { from: 2, to: 5, text: "more" }, { from: 9, text: "many" }];
    expect(all(rules, 0, 1, 2, 5, 6, 9, 1000)).toEqual(["none", undefined, "left", "more", undefined, "many", "many"]);
  });

  test("a text shows the number shifted, scaled and rounded, or as it is", () => {
    const turn: WordRule[] = [{ text: "{} degrees", offset: 64, factor: 360 / 256, digits: 1 }];
    expect(all(turn, 64, 65, 96)).toEqual(["0 degrees", "1.4 degrees", "45 degrees"]);
    expect(wordsFor([{ text: "{number}, {}", factor: 0.5 }], 46)).toBe("46, 23");
  });

  test("a rule may cover every second number alone", () => {
    const halves: WordRule[] = [
      { from: 22, every: 2, text: "stance {} right", factor: 0.5 },
      { from: 23, every: 2, text: "stance {} left", factor: 0.5, offset: 1 },
    ];
    expect(all(halves, 21, 22, 23, 254, 255)).toEqual([
      undefined,
      "stance 11 right",
      "stance 11 left",
      "stance 127 right",
      "stance 127 left",
    ]);
    expect(all([{ every: 3, text: "third" }], -3, 0, 1, 3)).toEqual(["third", "third", undefined, "third"]);
  });
});
