/** Contestants that take turns at the same kinds of work, each in a process of its own. */
import { Contestant, interleaved } from "../harness.ts";
import { type Cell, type Chart, median, type Row, type Series, type Table } from "../report.ts";
import type { CodecReport, CodecTask, WorkReport } from "./work.ts";

/** A contestant at one direction of work: `read: wirewalk`. */
export interface Lane {
  readonly contestant: string;
  readonly isOurs: boolean;
  /** Those of one group do the same work, and must see or write the same. */
  readonly group: string;
  readonly works: readonly string[];
}

/** Lanes of one group, ours first: their contestants are called `group: name`. */
export function lanesOf(
  group: string,
  works: readonly string[],
  ours: readonly string[],
  others: readonly string[],
): readonly Lane[] {
  const lane = (name: string, isOurs: boolean): Lane => ({ contestant: `${group}: ${name}`, isOurs, group, works });
  return [...ours.map((name) => lane(name, true)), ...others.map((name) => lane(name, false))];
}

/** What a lane took, by kind of work: a value for each round. */
export interface Measured {
  readonly ns: ReadonlyMap<string, readonly number[]>;
  readonly bytes: ReadonlyMap<string, readonly number[]>;
  readonly sums: ReadonlyMap<string, ReadonlySet<number>>;
  /** Why it could not run. */
  readonly missing: string | undefined;
}

export type Race = ReadonlyMap<Lane, Measured>;

/** The lanes of some groups. */
export function withGroup(results: Race, ...groups: readonly string[]): Race {
  return new Map([...results].filter(([lane]) => groups.includes(lane.group)));
}

/** How long is measured. */
export interface Effort {
  readonly rounds: number;
  readonly measureMs: number;
  /** Kinds of work whose memory is measured too: that takes twice as long as their time. */
  readonly counted?: readonly string[];
}

/** Lets them take turns. */
export async function race(
  module: URL,
  lanes: readonly Lane[],
  { rounds, measureMs, counted = [] }: Effort,
): Promise<Race> {
  const measure = async ({ contestant, works }: Lane): Promise<CodecReport> => {
    const task: CodecTask = { module: module.href, contestant, works, measureMs, counted };
    const process = new Contestant(new URL("./process.ts", import.meta.url), task, { keepsCode: true });
    try {
      return await process.next<CodecReport>();
    } finally {
      await process.end();
    }
  };
  const results = await interleaved(lanes, rounds, measure);
  return new Map(Array.from(results, ([lane, reports]) => [lane, gather(lane, reports)]));
}

function gather({ works }: Lane, reports: readonly CodecReport[]): Measured {
  const missing = reports.flatMap((report) => ("missing" in report ? [report.missing] : []))[0];
  const good = reports.flatMap((report) => ("works" in report ? [report.works] : []));
  const valuesOf = (field: keyof WorkReport): ReadonlyMap<string, readonly number[]> =>
    new Map(works.map((work, index) => [work, good.map((each) => each[index]?.[field] ?? Number.NaN)]));
  const sums = new Map(Array.from(valuesOf("sum"), ([work, values]) => [work, new Set(values)]));
  return { ns: valuesOf("ns"), bytes: valuesOf("bytes"), sums, missing };
}

/** The rounds of a contestant's work. Empty when it could not run. */
export function nsOf(results: Race, contestant: string, work: string): readonly number[] {
  for (const [lane, { ns }] of results) {
    if (lane.contestant === contestant && lane.works.includes(work)) return ns.get(work) ?? [];
  }
  return [];
}

/** Less than this is what asking for the heap's size costs, spread over the packets. */
const NOTHING_BYTES = 1;

/** The median of the allocated bytes; 0 for less than can be measured. */
export function allocatedBytes({ bytes }: Measured, work: string): number {
  const middle = median(bytes.get(work) ?? []);
  return middle < NOTHING_BYTES ? 0 : middle;
}

/** Some kinds of work as a table: time, and allocated memory of the first. */
export function tableOf(
  results: Race,
  table: Pick<Table, "id" | "title" | "rowTitle">,
  works: readonly {
    readonly work: string;
    readonly title: string;
    readonly bytes?: boolean;
    readonly digits?: number;
  }[],
): Table {
  const columns = works.flatMap(({ work, title, bytes = false, digits = 1 }) => [
    { key: work, title: `ns per ${title}`, better: "less" as const, digits },
    ...(bytes ? [{ key: `${work} bytes`, title: "bytes allocated", digits: 0 }] : []),
  ]);
  const rows = Array.from(results).flatMap(([lane, measured]): Row[] => {
    const done = works.filter(({ work }) => lane.works.includes(work));
    if (done.length === 0) return [];
    const cells = done.flatMap(({ work }, index): [string, Cell][] => {
      if (measured.missing !== undefined) return index === 0 ? [[work, measured.missing]] : [];
      return [
        [work, measured.ns.get(work) ?? []],
        [`${work} bytes`, [allocatedBytes(measured, work)]],
      ];
    });
    return [{ name: lane.contestant, isOurs: lane.isOurs, group: lane.group, cells: Object.fromEntries(cells) }];
  });
  return { ...table, columns, rows };
}

/** Cost against size: kinds of work with their sizes. */
export function chartOf(
  results: Race,
  chart: Omit<Chart, "series">,
  sizes: readonly { readonly work: string; readonly size: number }[],
): Chart {
  const series = Array.from(results).flatMap(([{ contestant, isOurs, works }, { ns, missing }]): Series[] => {
    const points = sizes
      .filter(({ work }) => works.includes(work))
      .map(({ work, size }) => ({ x: size, y: median(ns.get(work) ?? []) }));
    return points.length < 2 || missing !== undefined ? [] : [{ name: contestant, isOurs, points }];
  });
  return { ...chart, series };
}

/** Says which kinds of work not all of a group saw or wrote alike. */
export function disagreements(results: Race): readonly string[] {
  const sums = new Map<string, Set<number>>();
  for (const [{ group, works }, measured] of results) {
    if (measured.missing !== undefined) continue;
    for (const work of works) {
      const key = `${group}, ${work}`;
      const all = sums.get(key) ?? new Set<number>();
      for (const sum of measured.sums.get(work) ?? []) all.add(sum);
      sums.set(key, all);
    }
  }
  return Array.from(sums).flatMap(([key, { size }]) =>
    size > 1 ? [`The contestants do not agree on what they read or wrote (${key}): its numbers mean nothing.`] : [],
  );
}
