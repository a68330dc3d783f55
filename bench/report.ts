/**
 * What a benchmark found, as data. Printing, `RESULTS.md`, charts and the tables of README all come from it: a benchmark
 * that returns a report appears in all of them.
 */

/** The values of a cell, one for each round, or a text. */
export type Cell = readonly number[] | string;

export interface Column {
  /** The key of {@link Row.cells}. */
  readonly key: string;
  /** With its unit: `ns per packet`. */
  readonly title: string;
  /** Digits after the point; default 1. */
  readonly digits?: number;
  /** Follows the number: ` %`, `x`. */
  readonly suffix?: string;
  /** Which values are better. With it, the column's quartiles are listed, and where others are better than we are. */
  readonly better?: "less" | "more";
}

export interface Row {
  readonly name: string;
  /** Ours: what others are compared with. */
  readonly isOurs: boolean;
  /** Rows of one group do the same work. Without it all rows of the table do. */
  readonly group?: string;
  readonly cells: Readonly<Record<string, Cell>>;
}

export interface Table {
  /** For README: `<benchmark>/<id>`. */
  readonly id: string;
  readonly title: string;
  /** What a row is: `reader`, `scene`. */
  readonly rowTitle: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A promise, and whether this run held it. */
export interface Promised {
  readonly promise: string;
  readonly measured: string;
  readonly held: boolean;
}

/** Somebody who took part. */
export interface Contender {
  readonly name: string;
  /** `wirewalk` or a package with its version. */
  readonly version: string;
  readonly does: string;
  readonly doesNot: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Series {
  readonly name: string;
  readonly isOurs: boolean;
  readonly points: readonly Point[];
}

/** Cost against size, on two logarithmic scales. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly series: readonly Series[];
}

export interface Report {
  /** What was measured, in a sentence or two: rounds, windows, which time. */
  readonly method: string;
  readonly tables: readonly Table[];
  readonly promises: readonly Promised[];
  readonly charts: readonly Chart[];
  readonly contenders: readonly Contender[];
  /** What has to be known beside the numbers. */
  readonly notes: readonly string[];
}

/** The middle value; of an even number the mean of the two in the middle. NaN of nothing. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which a share of the others lies, between two of them in proportion. NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

/** `a[i] / b[i]`, round by round: what slowed the machine in a round slowed both. */
export function ratios(a: readonly number[], b: readonly number[]): readonly number[] {
  return a.slice(0, b.length).map((value, index) => value / (b[index] ?? Number.NaN));
}

/** The least value of each round: the best of several contestants. */
export function leastOf(values: readonly (readonly number[])[]): readonly number[] {
  const rounds = Math.min(...values.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => Math.min(...values.map((each) => each[round] ?? Number.NaN)));
}

/** A promise that the median of some ratios is at least so large. */
export function promiseAtLeast(promise: string, least: number, values: readonly number[], also = true): Promised {
  const middle = median(values);
  const rounds = values.filter((value) => value >= least).length;
  return {
    promise,
    measured: `${middle.toFixed(1)} x, reached in ${rounds} of ${values.length} rounds`,
    held: also && middle >= least,
  };
}

/** The exponent k of y = c x^k by least squares of the logarithms. NaN of fewer than two sizes. */
export function exponentOf(points: readonly Point[]): number {
  const logs = points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const mean = (of: (point: Point) => number): number => logs.reduce((sum, each) => sum + of(each), 0) / logs.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const spread = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

/** A cell as it is printed: the median of its rounds. */
export function cellText({ digits = 1, suffix = "" }: Column, cell: Cell | undefined): string {
  if (cell === undefined) return "-";
  if (typeof cell === "string") return cell;
  const middle = median(cell);
  return Number.isNaN(middle) ? "-" : `${withSeparators(middle.toFixed(digits))}${suffix}`;
}

/** `1234.5` as `1,234.5`. */
export function withSeparators(digits: string): string {
  const [whole = "", rest] = digits.split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest === undefined ? "" : `.${rest}`);
}

/** Where others are better than one of our rows that does the same work: the best of them. */
export function lossesOf({ title, columns, rows }: Table): readonly string[] {
  return columns.flatMap((column) => {
    if (column.better === undefined) return [];
    const middleOf = ({ cells }: Row): number => {
      const cell = cells[column.key];
      return cell === undefined || typeof cell === "string" ? Number.NaN : median(cell);
    };
    const isBetter = (a: number, b: number): boolean => (column.better === "less" ? a < b : a > b);
    return rows.flatMap((row) => {
      const ours = middleOf(row);
      if (!row.isOurs || Number.isNaN(ours)) return [];
      const better = rows
        .filter((other) => !other.isOurs && other.group === row.group && isBetter(middleOf(other), ours))
        .toSorted((a, b) => (isBetter(middleOf(a), middleOf(b)) ? -1 : 1));
      const [best] = better;
      if (best === undefined) return [];
      const factor = column.better === "less" ? ours / middleOf(best) : middleOf(best) / ours;
      const [own, theirs] = [row, best].map((each) => cellText(column, each.cells[column.key]));
      return [`${title}: ${row.name} ${own}, ${best.name} ${theirs} (${column.title}, ${factor.toFixed(2)} x)`];
    });
  });
}
