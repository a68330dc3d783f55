/** The rules that a score is made of. */
export const mouseRuleNames = [
  "identical-strokes",
  "constant-speed",
  "straight-lines",
  "abrupt-stops",
  "perfect-rhythm",
  "perfect-sampling",
  "jumps",
  "smooth-speed",
  "smooth-turns",
  "repeated-shapes",
  "repeated-strokes",
  "unlike-people",
] as const;

export type MouseRule = (typeof mouseRuleNames)[number];
