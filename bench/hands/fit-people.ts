/** Makes a model of people (`people-likeness.ts`) from windows of their play, and writes it as a source file of number tables. */
import {
  COARSE_MS,
  mahalanobis,
  PEOPLE_NUMBERS,
  type PeopleModel,
  type PeopleTables,
  triangle,
} from "../../packages/wirewalk/src/protocols/osrs/mouse/world/people-likeness.ts";
import { strokeMeasures } from "../../packages/wirewalk/src/protocols/osrs/mouse/world/stroke-measures.ts";

/** A window of a person's play. */
export interface PersonWindow {
  readonly person: string;
  /** Of `peoplePoint`. */
  readonly point: readonly number[];
  readonly strokes: number;
  readonly intervalMs: number;
}

/** Values farther from the median than this, in standard deviations, count as that far: an accident is not a covariance. */
const MOST_DEVIATIONS = 4;
/** A normal distribution's standard deviation by its median absolute deviation. */
const BY_MEDIAN = 1.4826;
/** Windows of one person count as so many at most, so that who was recorded for hours does not decide what a hand does within itself. */
const MOST_WINDOWS = 30;
/** Added to each variance, as shares: few people leave some directions of a covariance too narrow. */
const RIDGE = { within: 0.1, between: 0.05 };
/** Strokes of a window, about: what the ridge of `within` adds to `between`. */
const WINDOW_STROKES = 40;
const LEAST_PEOPLE = 3;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** Undefined where there are too few people. */
export function fitTables(windows: readonly PersonWindow[]): PeopleTables | undefined {
  const people = [...Map.groupBy(windows, ({ person }) => person).values()];
  if (people.length < LEAST_PEOPLE) return undefined;
  const columns = Array.from({ length: PEOPLE_NUMBERS }, (_, at) => windows.map(({ point }) => point[at] as number));
  const middle = columns.map(median);
  const most = columns.map(
    (values, at) =>
      MOST_DEVIATIONS * BY_MEDIAN * median(values.map((value) => Math.abs(value - (middle[at] as number)))),
  );
  const near = (point: readonly number[]): number[] =>
    point.map((value, at) => {
      const [centre, away] = [middle[at] as number, most[at] as number];
      return Math.min(Math.max(value, centre - away), centre + away);
    });
  const own = people.map((all) => ({
    points: all.map(({ point }) => near(point)),
    strokes: all.map((one) => one.strokes),
  }));
  const means = own.map(({ points }) => middle.map((_, at) => meanOf(points.map((point) => point[at] as number))));
  const mean = middle.map((_, at) => meanOf(means.map((point) => point[at] as number)));
  const size = triangle(PEOPLE_NUMBERS, 0);
  const [between, within] = [new Array<number>(size).fill(0), new Array<number>(size).fill(0)];
  let freedom = 0;
  for (const [number, { points, strokes }] of own.entries()) {
    const centre = means[number] as number[];
    const weight = Math.min(1, MOST_WINDOWS / points.length);
    freedom += weight * (points.length - 1);
    // A window of so many strokes is off by a stroke's covariance, by their number.
    for (const [at, point] of points.entries()) addSquares(within, point, centre, weight * (strokes[at] as number));
    addSquares(between, centre, mean, 1 / (people.length - 1));
  }
  for (let row = 0; row < PEOPLE_NUMBERS; row++) {
    for (let column = 0; column <= row; column++) {
      const at = triangle(row, column);
      within[at] = (within[at] as number) / Math.max(freedom, 1);
    }
    const at = triangle(row, row);
    const added = RIDGE.within * (within[at] as number);
    within[at] = (within[at] as number) + added;
    between[at] = (between[at] as number) * (1 + RIDGE.between) + added / WINDOW_STROKES;
  }
  return { people: people.length, mean, between, within };
}

function addSquares(sums: number[], point: readonly number[], centre: readonly number[], weight: number): void {
  const away = point.map((value, at) => value - (centre[at] as number));
  for (let row = 0; row < away.length; row++) {
    for (let column = 0; column <= row; column++) {
      const at = triangle(row, column);
      sums[at] = (sums[at] as number) + weight * (away[row] as number) * (away[column] as number);
    }
  }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** People with a device that is seen often, and those behind remote desktops, are two crowds. */
export function fitPeople(windows: readonly PersonWindow[], made: string): PeopleModel {
  const fine = fitTables(windows.filter(({ intervalMs }) => intervalMs <= COARSE_MS));
  const coarse = fitTables(windows.filter(({ intervalMs }) => intervalMs > COARSE_MS));
  return { made, ...(fine && { fine }), ...(coarse && { coarse }) };
}

/** The distance of a window from people, by some of the measures alone. Undefined where the model has none with such a device. */
export function distanceBy(
  model: PeopleModel,
  { point, strokes, intervalMs }: Omit<PersonWindow, "person">,
  uses: (measure: (typeof strokeMeasures)[number]) => boolean,
): number | undefined {
  const tables = intervalMs > COARSE_MS ? model.coarse : model.fine;
  return tables === undefined ? undefined : distanceIn(tables, { point, strokes }, uses);
}

/** The same in tables that are given. */
export function distanceIn(
  tables: PeopleTables,
  { point, strokes }: Pick<PersonWindow, "point" | "strokes">,
  uses: (measure: (typeof strokeMeasures)[number]) => boolean,
): number {
  const count = strokeMeasures.length;
  const chosen = Array.from({ length: PEOPLE_NUMBERS }, (_, at) => at).filter((at) =>
    uses(strokeMeasures[at % count] as (typeof strokeMeasures)[number]),
  );
  const covariance = chosen.flatMap((row, index) =>
    chosen.slice(0, index + 1).map((column) => {
      const at = triangle(row, column);
      return (tables.between[at] as number) + (tables.within[at] as number) / strokes;
    }),
  );
  const away = chosen.map((at) => (point[at] as number) - (tables.mean[at] as number));
  return Math.sqrt(mahalanobis(covariance, away) / chosen.length);
}

/** The source file of a model, in the place of `people-model.ts`. */
export function modelSource(model: PeopleModel): string {
  const numbers = (values: readonly number[]): string =>
    values.map((value) => Number(value.toPrecision(5)).toString()).join(", ");
  const tables = (name: string, of: PeopleTables | undefined): string =>
    of === undefined
      ? ""
      : `  ${name}: {
    people: ${of.people},
    mean: [${numbers(of.mean)}],
    between: [${numbers(of.between)}],
    within: [${numbers(of.within)}],
  },
`;
  return `/**
 * What people are like at a mouse, as tables of numbers: see \`PeopleLikeness\`. Made by a program.
 *
 * ${model.made}
 */
import type { PeopleModel } from "./people-likeness.ts";

/** Used by every \`MouseKinematics\` that is given no other. */
export const peopleModel: PeopleModel | null = {
  made: ${JSON.stringify(model.made)},
${tables("fine", model.fine)}${tables("coarse", model.coarse)}};
`;
}
