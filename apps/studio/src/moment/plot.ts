/** What a verdict's plot has: time against time, messages in a second, or a figure and its limit. Pure. Times count from the verdict, in milliseconds. */
import type { FeedMoment } from "@wirewalk/server/feed";
import { showNumber } from "../ui/format.ts";
import { showMeasure } from "../ui/measure.ts";

interface PlotPoint {
  readonly ms: number;
  readonly value: number;
}

export interface TimePlot {
  readonly shape: "time";
  readonly title: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly least: number;
  readonly most: number;
  /** What the client's messages said, in order. */
  readonly line: readonly PlotPoint[];
  /** What is allowed is below this line. */
  readonly limit: readonly [PlotPoint, PlotPoint];
  readonly at: PlotPoint;
  readonly limitWords: string;
  readonly atWords: string;
}

export interface BarPlot {
  readonly shape: "bars";
  readonly title: string;
  readonly measured: number;
  readonly allowed: number;
  /** The limit is the least that people have. */
  readonly isLeast: boolean;
  readonly limitWords: string;
  readonly atWords: string;
}

export type Plot = TimePlot | BarPlot;

const titles: Partial<Record<FeedMoment["picture"], string>> = {
  strokes: "This player beside people",
  places: "The measured way, and the allowed one",
};

/** Of places it is for a way that leads out of the picture. Undefined for a rule without a figure. */
export function plotOf(moment: FeedMoment): Plot | undefined {
  switch (moment.picture) {
    case "clock":
      return clockPlot(moment) ?? barPlot(moment);
    case "rate":
      return ratePlot(moment);
    case "strokes":
    case "amount":
    case "places":
      return barPlot(moment);
    default:
      return undefined;
  }
}

/** How far the client's time is ahead of the server's, since the first message of these seconds, in seconds. */
function clockPlot(moment: FeedMoment): TimePlot | undefined {
  const { verdict, claimed } = moment;
  const { measured, allowed, unit } = verdict;
  const timed = claimed.flatMap(({ ms, clockMs }) => (clockMs === null ? [] : [{ ms, clockMs }]));
  const [first] = timed;
  if (first === undefined || measured === null || allowed === null) return undefined;
  const line = timed.map(({ ms, clockMs }) => ({ ms, value: (clockMs - first.clockMs - (ms - first.ms)) / 1000 }));
  const at = { ms: 0, value: line.findLast(({ ms }) => ms <= 0)?.value ?? 0 };
  const isRate = unit === "s/s";
  const { fromMs, toMs } = windowOf(moment);
  // A rate is a slope; time that is ahead is a height.
  const limitAt = (ms: number): number =>
    isRate ? ((allowed - 1) * (ms - first.ms)) / 1000 : at.value - (measured - allowed) / 1000;
  const limit = [first.ms, toMs].map((ms) => ({ ms, value: limitAt(ms) })) as [PlotPoint, PlotPoint];
  const percent = (rate: number): string => `${showNumber((rate - 1) * 100)} %`;
  return {
    shape: "time",
    title: "The player's time ahead of the server's, in seconds",
    fromMs,
    toMs,
    ...rangeOf([...line, ...limit]),
    line,
    limit,
    at,
    limitWords: isRate ? `allowed: ${percent(allowed)} too fast` : "allowed up to here",
    atWords: isRate ? `${percent(measured)} too fast` : `${showMeasure(measured - allowed, "ms")} too far ahead`,
  };
}

/** How many messages came in the second before each. */
function ratePlot(moment: FeedMoment): Plot | undefined {
  const { verdict, claimed } = moment;
  const { measured, allowed, unit } = verdict;
  if (measured === null || allowed === null) return undefined;
  const judged = claimed.find(({ isJudged }) => isJudged);
  const isAll = unit === "messages/s" || judged === undefined;
  // Refused ones as well: a rule that counts those that it took alone says one over the limit, however many come.
  const times = claimed.flatMap(({ ms, message }) => (isAll || message === judged.message ? [ms] : []));
  if (times.length < 2) return barPlot(moment);
  let first = 0;
  const line = times.map((ms, index) => {
    while ((times[first] ?? ms) < ms - 1000) first += 1;
    return { ms, value: index - first + 1 };
  });
  const { fromMs, toMs } = windowOf(moment);
  const limit = [fromMs, toMs].map((ms) => ({ ms, value: allowed })) as [PlotPoint, PlotPoint];
  const sent = line.findLast(({ ms }) => ms <= 0)?.value ?? measured;
  const at = { ms: 0, value: Math.max(sent, measured) };
  return {
    shape: "time",
    title: `${isAll ? "Messages" : "Messages like this one"} sent in the second before, refused ones as well`,
    fromMs,
    toMs,
    ...rangeOf([...line, ...limit, at]),
    line,
    limit,
    at,
    limitWords: `allowed: ${showNumber(allowed)}`,
    atWords: `sent: ${showNumber(at.value)}`,
  };
}

function barPlot({ verdict: { measured, allowed, unit }, picture }: FeedMoment): BarPlot | undefined {
  if (measured === null || allowed === null) return undefined;
  const isLeast = measured < allowed && (unit === "variation" || unit === "rad");
  const limit = showMeasure(allowed, unit);
  const ofPeople = `people: at ${isLeast ? "least" : "most"} ${limit}`;
  return {
    shape: "bars",
    title: titles[picture] ?? "What was measured, and the limit",
    measured,
    allowed,
    isLeast,
    limitWords: picture === "strokes" ? ofPeople : `allowed: ${limit}`,
    atWords: `measured: ${showMeasure(measured, unit)}`,
  };
}

function windowOf({ atMs, fromMs, toMs }: FeedMoment): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: fromMs - atMs, toMs: toMs - atMs };
}

function rangeOf(points: readonly PlotPoint[]): { readonly least: number; readonly most: number } {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(0, ...values), Math.max(...values)];
  const room = Math.max(1e-9, most - least) * 0.15;
  return { least, most: most + room };
}
