/** Where people are in what the rules of the hand measure: 98 % of the minutes of 130 people (docs/hands.md 3), rounded outwards. */
import type { MouseFinding } from "wirewalk/osrs/mouse";

/** From the lowest to the highest, in the unit of the rule's measure. */
export const peopleRanges: Readonly<Partial<Record<MouseFinding["rule"], readonly [low: number, high: number]>>> = {
  "smooth-speed": [0.7, 2.7],
  "smooth-turns": [0.15, 1],
  "repeated-shapes": [0, 0.08],
  "repeated-strokes": [0, 0.03],
};

type Range = readonly [low: number, high: number];

/** What a minute of a person has of a measure: its mean over the strokes, and its spread (standard deviation) over them. */
export interface PeopleRange {
  readonly mean: Range;
  readonly spread: Range;
}

/** By the names and in the units of the summary's measures: the same people, the same share of their minutes. */
export const peopleMeasures: Readonly<Record<string, PeopleRange>> = {
  path: { mean: [4.4, 7.2], spread: [0.5, 1.8] },
  straightness: { mean: [-3.2, -0.9], spread: [0.7, 1.6] },
  bend: { mean: [-3.2, -1.8], spread: [0.4, 1.2] },
  "bend-at": { mean: [0.4, 0.7], spread: [0.13, 0.32] },
  complexity: { mean: [-4.9, -3.8], spread: [0.35, 0.95] },
  duration: { mean: [5.8, 7.2], spread: [0.3, 1.1] },
  "peak-at": { mean: [0.2, 0.55], spread: [0.12, 0.35] },
  peak: { mean: [0.6, 1.3], spread: [0.15, 0.6] },
  start: { mean: [0.2, 0.55], spread: [0.09, 0.33] },
  end: { mean: [0.14, 0.35], spread: [0.05, 0.25] },
  roughness: { mean: [-0.35, 0.45], spread: [0.15, 0.75] },
  turn: { mean: [-2.1, -0.2], spread: [0.3, 1.4] },
};
