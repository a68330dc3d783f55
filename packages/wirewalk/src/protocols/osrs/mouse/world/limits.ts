/**
 * The limits of the rules: names, units, defaults, bounds and sources. Everything that shows or sets them goes by this table.
 *
 * A rule has a strength from 0 (`Allowed`: the measure from which it counts, well above what synthetic humans reach in an hour)
 * to its most (`Full`: where bots are).
 *
 * Source: docs/protocols/osrs-mouse.md 8.2.
 */
import { type RuleLimit, type RuleLimits, ruleLimits } from "../../../settings.ts";
import { type MouseRule, mouseRuleNames } from "./rule-names.ts";

interface MouseLimit extends RuleLimit {
  readonly rules: readonly MouseRule[];
}

const SOURCE = "osrs-mouse 8.2";
const shapes = [
  "identical-strokes",
  "constant-speed",
  "straight-lines",
  "abrupt-stops",
  "perfect-sampling",
  "jumps",
] as const;

/** A measure that bots exceed or, with `most`, fall short of. */
function measure<R extends MouseRule>(
  rule: R,
  what: string,
  [allowed, full]: readonly [number, number],
  unit = "share",
  most = 1,
): readonly [allowed: MouseLimit, full: MouseLimit] {
  const common = { unit, least: 0, most, source: SOURCE, rules: [rule] } as const;
  return [
    { ...common, summary: `${what}: counts from here on`, default: allowed },
    { ...common, summary: `${what}: counts in full from here on`, default: full },
  ];
}

const identical = measure("identical-strokes", "Strokes with the shape of an earlier one", [0.15, 0.5]);
const constant = measure("constant-speed", "Strokes that keep one speed", [0.25, 0.7]);
const straight = measure("straight-lines", "Strokes that are straight lines without a correction", [0.35, 0.8]);
const abrupt = measure("abrupt-stops", "Strokes that stop dead", [0.4, 0.9]);
const rhythm = measure("perfect-rhythm", "Variation of the rests between strokes", [0.15, 0.03]);
const jumps = measure("jumps", "Far moves without a way between", [0.3, 0.8]);
const sampling = measure("perfect-sampling", "Variation of the times between samples", [0.04, 0.005]);
const speed = measure("smooth-speed", "Roughness of the speed", [0.72, 0.5], "variation");
const turns = measure("smooth-turns", "Mean turn between two samples", [0.15, 0.08], "rad");
const repeated = measure("repeated-shapes", "Strokes whose shape was repeated", [0.08, 0.2]);
const remade = measure("repeated-strokes", "Strokes that were made before", [0.02, 0.06]);
const unlike = measure("unlike-people", "Distance from people", [1.75, 2.85], "sd", 100);

export const mouseLimitTable = {
  minStrokes: {
    summary: "Strokes that a finding needs",
    unit: "strokes",
    default: 10,
    least: 1,
    most: 128,
    isWhole: true,
    source: SOURCE,
    rules: mouseRuleNames,
  },
  scoreEveryStrokes: {
    summary: "A score is taken after so many strokes each time",
    unit: "strokes",
    default: 5,
    least: 1,
    most: 128,
    isWhole: true,
    source: "ours",
    rules: mouseRuleNames,
  },
  flagStrength: {
    summary: "A finding of this strength is a verdict",
    unit: "share",
    default: 0.5,
    least: 0,
    most: 1,
    source: SOURCE,
    rules: mouseRuleNames,
  },
  longStrokePx: {
    summary: "Shorter strokes are too few pixels to have a shape",
    unit: "px",
    default: 150,
    least: 20,
    most: 10_000,
    source: SOURCE,
    rules: shapes,
  },
  twinPx: {
    summary: "Two strokes have one shape when no two of their points are further apart",
    unit: "px",
    default: 2,
    least: 0,
    most: 1000,
    source: SOURCE,
    rules: ["identical-strokes"],
  },
  twinShare: {
    summary: "The same as a share of the path, where that is more",
    unit: "share",
    default: 0.01,
    least: 0,
    most: 1,
    source: SOURCE,
    rules: ["identical-strokes"],
  },
  constantVariation: {
    summary: "A stroke whose speed varies by less keeps one speed: rounding of times alone is 0.12, a human 0.5",
    unit: "variation",
    default: 0.2,
    least: 0,
    most: 10,
    source: SOURCE,
    rules: ["constant-speed"],
  },
  straightPx: {
    summary: "A stroke this near to the line between its ends is straight",
    unit: "px",
    default: 1.5,
    least: 0,
    most: 1000,
    source: SOURCE,
    rules: ["straight-lines"],
  },
  straightShare: {
    summary: "The same as a share of the line, where that is more",
    unit: "share",
    default: 0.005,
    least: 0,
    most: 1,
    source: SOURCE,
    rules: ["straight-lines"],
  },
  abruptShare: {
    summary:
      "A stroke whose last speed is more than this share of its peak stops dead: a human's last samples are the slowest",
    unit: "share",
    default: 0.7,
    least: 0,
    most: 1,
    source: SOURCE,
    rules: ["abrupt-stops"],
  },
  rhythmMaxMs: {
    summary: "Longer rests are pauses in play, not its rhythm",
    unit: "ms",
    default: 10_000,
    least: 200,
    most: 600_000,
    source: SOURCE,
    rules: ["perfect-rhythm"],
  },
  identicalStrokesAllowed: identical[0],
  identicalStrokesFull: identical[1],
  constantSpeedAllowed: constant[0],
  constantSpeedFull: constant[1],
  straightLinesAllowed: straight[0],
  straightLinesFull: straight[1],
  abruptStopsAllowed: abrupt[0],
  abruptStopsFull: abrupt[1],
  perfectRhythmAllowed: rhythm[0],
  perfectRhythmFull: rhythm[1],
  perfectSamplingAllowed: sampling[0],
  perfectSamplingFull: sampling[1],
  jumpsAllowed: jumps[0],
  jumpsFull: jumps[1],
  jumpsMaxIntervalMs: {
    summary: "Jumps are not judged where samples of a moving pointer are farther apart: remote desktops send too few",
    unit: "ms",
    default: 75,
    least: 50,
    most: 1000,
    source: SOURCE,
    rules: ["jumps"],
  },
  smoothSpeedAllowed: speed[0],
  smoothSpeedFull: speed[1],
  smoothTurnsAllowed: turns[0],
  smoothTurnsFull: turns[1],
  repeatedShapesAllowed: repeated[0],
  repeatedShapesFull: repeated[1],
  repeatedStrokesAllowed: remade[0],
  repeatedStrokesFull: remade[1],
  unlikePeopleAllowed: unlike[0],
  unlikePeopleFull: unlike[1],
} as const satisfies Readonly<Record<string, MouseLimit>>;

/** Values by the names of {@link mouseLimitTable}. */
export type MouseLimits = RuleLimits<typeof mouseLimitTable>;

const pairs = {
  "identical-strokes": ["identicalStrokesAllowed", "identicalStrokesFull"],
  "constant-speed": ["constantSpeedAllowed", "constantSpeedFull"],
  "straight-lines": ["straightLinesAllowed", "straightLinesFull"],
  "abrupt-stops": ["abruptStopsAllowed", "abruptStopsFull"],
  "perfect-rhythm": ["perfectRhythmAllowed", "perfectRhythmFull"],
  "perfect-sampling": ["perfectSamplingAllowed", "perfectSamplingFull"],
  jumps: ["jumpsAllowed", "jumpsFull"],
  "smooth-speed": ["smoothSpeedAllowed", "smoothSpeedFull"],
  "smooth-turns": ["smoothTurnsAllowed", "smoothTurnsFull"],
  "repeated-shapes": ["repeatedShapesAllowed", "repeatedShapesFull"],
  "repeated-strokes": ["repeatedStrokesAllowed", "repeatedStrokesFull"],
  "unlike-people": ["unlikePeopleAllowed", "unlikePeopleFull"],
} as const satisfies Readonly<Record<MouseRule, readonly [keyof MouseLimits, keyof MouseLimits]>>;

/** From where to where the strength of a rule grows. */
export function measureLimits(
  rule: MouseRule,
  limits: MouseLimits,
): { readonly allowed: number; readonly full: number } {
  const [allowed, full] = pairs[rule];
  return { allowed: limits[allowed], full: limits[full] };
}

/** Throws `RangeError` for an unknown name, an invalid value, and a rule whose two measures are equal. */
export function mouseLimits(given: Partial<MouseLimits> = {}): MouseLimits {
  const values = ruleLimits("osrs", mouseLimitTable, given);
  for (const [allowed, full] of Object.values(pairs)) {
    if (values[allowed] !== values[full]) continue;
    throw new RangeError(
      `osrs.${allowed} and osrs.${full} are both ${values[full]}: a strength grows from one to the other`,
    );
  }
  return values;
}

/** The game's own. */
export const mouseLimitDefaults: MouseLimits = mouseLimits();
