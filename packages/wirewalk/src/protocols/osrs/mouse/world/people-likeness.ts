/**
 * How far a session is from people, over all that is measured of its strokes at once. It knows nothing of machines: so it also sees
 * those that no rule knows.
 *
 * A session is a point: the mean of each of `strokeMeasures` over its strokes, and the logarithm of its spread. People are a cloud of such
 * points: a person is not like another (`between`), and few strokes are not like many of the same hand (`within`, by the number of
 * strokes). The distance is Mahalanobis's in that cloud, so it grows sharper with every stroke.
 */
import { expOf, logOf } from "../../../world-kit/exact-math.ts";
import type { HandEvidence } from "./hand.ts";
import { strokeMeasures } from "./stroke-measures.ts";

/** Coordinates of a session's point. */
export const PEOPLE_NUMBERS: number = strokeMeasures.length * 2;
/** Keeps the logarithm of no spread at all in bounds. */
const LEAST_SPREAD = 0.02;
/** Pointers whose samples are farther apart on average are seen through a remote desktop or at a low frame rate: people of their own. */
export const COARSE_MS = 75;
/** Above this the means know a session no better: the hand itself changes. */
const MOST_STROKES = 128;

/** Numbers of people at one kind of device. */
export interface PeopleTables {
  readonly people: number;
  /** A person's point, on average. */
  readonly mean: readonly number[];
  /** Covariance of persons, and of one stroke within a person: the lower triangles, row by row. */
  readonly between: readonly number[];
  readonly within: readonly number[];
}

/** A model, and how it was made. */
export interface PeopleModel {
  /** Data sets, people, seed and command. */
  readonly made: string;
  readonly fine?: PeopleTables;
  readonly coarse?: PeopleTables;
}

/** A measure of a session beside people. */
export interface MeasureBeside {
  readonly name: string;
  readonly mean: number;
  readonly spread: number;
  /** The same of people: the mean person's mean and spread, and the standard deviation of both between sessions of so many strokes. */
  readonly people: {
    readonly mean: number;
    readonly spread: number;
    readonly meanDeviation: number;
    readonly spreadDeviation: number;
  };
}

/** A session beside people. */
export interface Likeness {
  /** In standard deviations: a person has about 1. */
  readonly distance: number;
  readonly strokes: number;
  /** All measures, the most unusual first. */
  readonly measures: readonly MeasureBeside[];
}

/** The coordinates of a session's point. */
export function peoplePoint(hand: HandEvidence): number[] {
  return [
    ...strokeMeasures.map((_, at) => hand.mean(at)),
    ...strokeMeasures.map((_, at) => logOf(hand.spread(at) + LEAST_SPREAD)),
  ];
}

/** Undefined where the model has no people with such a device. */
export function likenessOf(hand: HandEvidence, model: PeopleModel): Likeness | undefined {
  const tables = hand.intervalMs > COARSE_MS ? model.coarse : model.fine;
  if (tables === undefined) return undefined;
  const strokes = Math.min(hand.strokes, MOST_STROKES);
  const covariance = tables.between.map((value, at) => value + (tables.within[at] as number) / strokes);
  const point = peoplePoint(hand);
  const away = point.map((value, at) => value - (tables.mean[at] as number));
  const squares = mahalanobis(covariance, away);
  const deviation = (at: number): number => Math.sqrt(covariance[triangle(at, at)] as number);
  const count = strokeMeasures.length;
  const unusual = (at: number): number =>
    Math.max(
      Math.abs(away[at] as number) / deviation(at),
      Math.abs(away[at + count] as number) / deviation(at + count),
    );
  const measures = strokeMeasures
    .map(({ name }, at) => ({ at, name }))
    .sort((a, b) => unusual(b.at) - unusual(a.at))
    .map(({ at, name }): MeasureBeside => {
      const [mean, logSpread] = [tables.mean[at] as number, tables.mean[at + count] as number];
      const people = {
        mean,
        spread: expOf(logSpread) - LEAST_SPREAD,
        meanDeviation: deviation(at),
        spreadDeviation: expOf(logSpread) * deviation(at + count),
      };
      return { name, mean: hand.mean(at), spread: hand.spread(at), people };
    });
  return { distance: Math.sqrt(squares / PEOPLE_NUMBERS), strokes: hand.strokes, measures };
}

/** The place of a number in a lower triangle, row by row; `column` is at most `row`. */
export function triangle(row: number, column: number): number {
  return (row * (row + 1)) / 2 + column;
}

/** The square of the distance: away' C^-1 away, by Cholesky's factors. Infinite where C is not positive definite. */
export function mahalanobis(covariance: readonly number[], away: readonly number[]): number {
  const size = away.length;
  const factor = new Float64Array(covariance.length);
  const solved = new Float64Array(size);
  let squares = 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let rest = covariance[triangle(row, column)] as number;
      for (let at = 0; at < column; at++)
        rest -= (factor[triangle(row, at)] as number) * (factor[triangle(column, at)] as number);
      if (column < row) factor[triangle(row, column)] = rest / (factor[triangle(column, column)] as number);
      else if (rest > 0) factor[triangle(row, row)] = Math.sqrt(rest);
      else return Number.POSITIVE_INFINITY;
    }
    let rest = away[row] as number;
    for (let at = 0; at < row; at++) rest -= (factor[triangle(row, at)] as number) * (solved[at] as number);
    solved[row] = rest / (factor[triangle(row, row)] as number);
    squares += (solved[row] as number) ** 2;
  }
  return squares;
}
