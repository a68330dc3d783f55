/** A session's measures beside those of people: in words, and as places on a strip. Pure. */
import type { MouseSummary } from "wirewalk/osrs/mouse";
import { showNumber } from "../../../../ui/format.ts";
import { type PeopleRange, peopleMeasures } from "./people-ranges.ts";

/** Places on a strip, 0 to 1. */
export interface Strip {
  /** Where people's means are. */
  readonly people: readonly [from: number, to: number];
  /** The session's mean, and one standard deviation to both sides. */
  readonly mean: number;
  readonly spread: readonly [from: number, to: number];
}

export interface BesidePeople {
  readonly name: string;
  /** `50 ± 1 %` */
  readonly own: string;
  /** `20 to 55 %, ± 12 to 35 %` */
  readonly people: string;
  /** How far out of people's ranges, by the width of the range: 0 within both. */
  readonly outside: number;
  /** In words: what is out of the range. */
  readonly out: "" | "mean" | "too alike" | "too varied";
  readonly strip: Strip;
}

interface Shown {
  readonly label: string;
  /** From the measure's own unit to what is shown. Absent spread: it is a factor, since the measure is a logarithm. */
  readonly of: (value: number) => number;
  readonly unit: string;
  readonly isLinear?: true;
}

const shown: Readonly<Record<string, Shown>> = {
  path: { label: "path", of: Math.exp, unit: "px" },
  straightness: { label: "straightness", of: (value) => 100 * (1.02 - Math.exp(value)), unit: "%" },
  bend: { label: "widest bend", of: (value) => 100 * (Math.exp(value) - 0.01), unit: "% of the path" },
  "bend-at": { label: "widest bend comes at", of: (value) => 100 * value, unit: "%", isLinear: true },
  complexity: { label: "bends beside two arcs", of: (value) => 100 * (Math.exp(value) - 0.003), unit: "% of the path" },
  duration: { label: "duration", of: Math.exp, unit: "ms" },
  "peak-at": { label: "peak speed comes at", of: (value) => 100 * value, unit: "%", isLinear: true },
  peak: { label: "peak speed", of: Math.exp, unit: "times the mean" },
  start: { label: "first eighth of the time", of: (value) => 100 * value * value, unit: "% of the path" },
  end: { label: "last eighth of the time", of: (value) => 100 * value * value, unit: "% of the path" },
  roughness: { label: "roughness", of: (value) => Math.exp(value) - 0.05, unit: "" },
  turn: { label: "turn a sample", of: (value) => Math.exp(value) - 0.02, unit: "rad" },
};

/** All that is known of people, the most unusual first. */
export function besidePeople(measures: MouseSummary["measures"]): readonly BesidePeople[] {
  return measures
    .flatMap(({ name, mean, spread }): BesidePeople[] => {
      const [how, range] = [shown[name], peopleMeasures[name]];
      return how === undefined || range === undefined ? [] : [beside(how, range, mean, spread)];
    })
    .sort((a, b) => b.outside - a.outside);
}

function beside(how: Shown, range: PeopleRange, mean: number, spread: number): BesidePeople {
  const [ofMean, ofSpread] = [outsideOf(range.mean, mean), outsideOf(range.spread, spread)];
  const out =
    ofMean === 0 && ofSpread === 0
      ? ""
      : ofMean >= ofSpread
        ? "mean"
        : spread < range.spread[0]
          ? "too alike"
          : "too varied";
  return {
    name: how.label,
    own: withSpread(how, rounded(how.of(mean)), [spread, spread]),
    people: withSpread(how, between(how, range.mean), range.spread),
    outside: Math.max(ofMean, ofSpread),
    out,
    strip: stripOf(range, mean, spread),
  };
}

const rounded = (value: number): string => showNumber(Math.abs(value) >= 10 ? Math.round(value) : value);
const unitText = ({ unit }: Shown): string => (unit === "" ? "" : ` ${unit}`);

function between({ of }: Shown, [low, high]: readonly [number, number]): string {
  const [a, b] = [of(low), of(high)];
  return `${rounded(Math.min(a, b))} to ${rounded(Math.max(a, b))}`;
}

/** With a standard deviation; of a logarithm the factor by which two thirds of the strokes differ at most. */
function withSpread(how: Shown, means: string, [low, high]: readonly [number, number]): string {
  const of = how.isLinear ? how.of : Math.exp;
  const spread = low === high ? rounded(of(low)) : `${rounded(of(low))} to ${rounded(of(high))}`;
  if (!how.isLinear) return `${means}${unitText(how)}, factor ${spread}`;
  return `${means}${low === high ? "" : ","} ± ${spread}${unitText(how)}`;
}

/** How far a value is out of a range, by the range's width. */
function outsideOf([low, high]: readonly [number, number], value: number): number {
  return Math.max(low - value, value - high, 0) / (high - low);
}

/** The strip shows people's means and their widest spread to both sides; what is beyond stands at its end. */
function stripOf({ mean: [low, high], spread: [, widest] }: PeopleRange, mean: number, spread: number): Strip {
  const [from, to] = [low - widest, high + widest];
  const place = (value: number): number => Math.min(Math.max((value - from) / (to - from), 0), 1);
  return { people: [place(low), place(high)], mean: place(mean), spread: [place(mean - spread), place(mean + spread)] };
}
