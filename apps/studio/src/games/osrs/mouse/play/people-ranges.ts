/** Where people are in what the rules of the hand measure: 98 % of the minutes of 130 people (docs/hands.md 3), rounded outwards. */
import type { MouseFinding } from "wirewalk/osrs/mouse";

/** From the lowest to the highest, in the unit of the rule's measure. */
export const peopleRanges: Readonly<Partial<Record<MouseFinding["rule"], readonly [low: number, high: number]>>> = {
  "smooth-speed": [0.7, 2.7],
  "smooth-turns": [0.15, 1],
  "repeated-shapes": [0, 0.08],
};
