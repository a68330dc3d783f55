import { expect, test } from "vitest";
import { MIN_STROKES, type MouseSummary } from "wirewalk/osrs/mouse";
import { handFigures } from "./hand-figures.ts";

const session = (score: number, straightness: number, speedVariation: number, strokes = MIN_STROKES) => ({
  score,
  findings: [],
  summary: { strokes, jumps: 0, straightness, speedVariation } as MouseSummary,
});

test("compares the sessions that look like a hand with those that look like a machine", () => {
  const figures = handFigures([
    session(0, 0.9, 0.6),
    session(0.1, 0.94, 0.8),
    session(1, 1, 0.1),
    // Neither is one of the two.
    session(0.3, 0.1, 0.1),
    session(1, 0.1, 0.1, MIN_STROKES - 1),
    undefined,
    // Jumps are not strokes: they have no shape.
    {
      ...session(1, 0, 0),
      summary: { strokes: 0, jumps: MIN_STROKES, straightness: 0, speedVariation: 0 } as MouseSummary,
    },
  ]);
  expect(figures.map(({ value }) => value)).toEqual(["2 and 2", "92 % and 100 %", "70 % and 10 %", "0.05 and 1"]);
});

test("says nothing before the first score, and of one kind alone only that", () => {
  expect(handFigures([undefined, session(0, 1, 1, 3)])).toEqual([]);
  expect(handFigures([session(0, 0.9, 0.5)])[1]?.value).toBe("90 % and –");
});
