/**
 * The results of benchmarks as a page: `RESULTS.md`, its data `RESULTS.json`, and its charts. Page and charts follow from
 * the data alone (`results.test.ts` in tools holds it).
 */
import { chartSvg, growthText } from "./chart.ts";
import {
  type Cell,
  type Column,
  cellText,
  lossesOf,
  quantile,
  type Report,
  type Table,
  withSeparators,
} from "./report.ts";

/** Where and how something was measured. */
export interface Circumstances {
  /** Processor and cores. */
  readonly machine: string;
  readonly system: string;
  readonly node: string;
  readonly v8: string;
  /** The commit of the sources; empty without one. */
  readonly commit: string;
  /** The day, as 2026-11-22. */
  readonly day: string;
  /** Too short for numbers to keep. */
  readonly isQuick: boolean;
  /** A process that takes all the time that it gets ran beside the benchmarks. */
  readonly hasNeighbour: boolean;
}

/** One benchmark's entry. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly circumstances: Circumstances;
  readonly seconds: number;
  /** Why there is no report. */
  readonly error?: string;
  readonly report?: Report;
}

/** All entries, in the order of the list of benchmarks. */
export interface Results {
  readonly entries: readonly Entry[];
}

/** Where it was measured, in a line. */
export function circumstancesText({
  machine,
  system,
  node,
  v8,
  commit,
  day,
  isQuick,
  hasNeighbour,
}: Circumstances): string {
  const words = [machine, system, `Node ${node} (V8 ${v8})`, day];
  if (commit !== "") words.push(`commit ${commit}`);
  if (hasNeighbour) words.push("**beside a busy process**");
  if (isQuick) words.push("**quick: too short for numbers to keep**");
  return words.join(", ");
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** A table in Markdown: the first column to the left, the others to the right. */
export function markdownTable(lines: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = lines;
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(" | ")} |`;
  const rule = `| ${head.map((_, index) => (index === 0 ? "---" : "---:")).join(" | ")} |`;
  return [line(head), rule, ...rest.map(line)].join("\n");
}

/** The medians of a table. */
export function tableMarkdown({ rowTitle, columns, rows }: Table): string {
  return markdownTable([
    [rowTitle, ...columns.map(({ title }) => title)],
    ...rows.map(({ name, cells }) => [name, ...columns.map((column) => cellText(column, cells[column.key]))]),
  ]);
}

/** Quartiles and range of the columns that are compared. */
function spreadMarkdown({ rowTitle, columns, rows }: Table): string | undefined {
  const lines = columns.flatMap((column) => {
    if (column.better === undefined) return [];
    return rows.flatMap(({ name, cells }) => {
      const cell = cells[column.key];
      if (cell === undefined || typeof cell === "string" || cell.length < 2) return [];
      return [[name, column.title, ...spreadCells(column, cell), String(cell.length)]];
    });
  });
  if (lines.length === 0) return undefined;
  return markdownTable([[rowTitle, "column", "median", "quartiles", "range", "rounds"], ...lines]);
}

function spreadCells(column: Column, cell: readonly number[]): readonly string[] {
  const show = (value: number): string => cellText(column, [value] satisfies Cell);
  const at = (share: number): string => show(quantile(cell, share));
  return [at(0.5), `${at(0.25)} to ${at(0.75)}`, `${at(0)} to ${at(1)}`];
}

/** The file name of a chart. */
export function chartFile(benchmark: string, chart: string): string {
  return `${benchmark}-${chart}.svg`;
}

/** All charts, by file name. */
export function charts({ entries }: Results): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ name, report }) =>
      (report?.charts ?? []).map((chart): [string, string] => [chartFile(name, chart.id), chartSvg(chart)]),
    ),
  );
}

function section({ name, summary, circumstances, seconds, error, report }: Entry, chartFolder: string): string {
  const command = `npm run bench -- ${name}${circumstances.isQuick ? " --quick" : ""}`;
  const parts = [
    `## ${name}`,
    `${summary[0]?.toUpperCase()}${summary.slice(1)}. \`${command}\`, ${withSeparators(seconds.toFixed(0))} s. ${circumstancesText(circumstances)}.`,
  ];
  if (report === undefined) return [...parts, `The benchmark broke off: ${error ?? "without a reason"}`].join("\n\n");
  parts.push(report.method);
  for (const table of report.tables) parts.push(`### ${table.title}`, tableMarkdown(table));
  parts.push(...report.notes);
  for (const chart of report.charts) {
    const growth = chart.series.map((series) => `${series.name} ${growthText(series)}`).join("; ");
    parts.push(`![${chart.title}](${chartFolder}/${chartFile(name, chart.id)})`, `${chart.title}, growth: ${growth}.`);
  }
  if (report.promises.length > 0) {
    parts.push(
      markdownTable([
        ["promise", "measured", "held"],
        ...report.promises.map(({ promise, measured, held }) => [promise, measured, held ? "yes" : "**no**"]),
      ]),
    );
  }
  if (report.contenders.length > 0) {
    parts.push(
      markdownTable([
        ["contestant", "version", "does", "does not"],
        ...report.contenders.map(({ name: who, version, does, doesNot }) => [who, version, does, doesNot]),
      ]),
    );
  }
  const spreads = report.tables.flatMap((table) => {
    const spread = spreadMarkdown(table);
    return spread === undefined ? [] : [`**${table.title}**`, spread];
  });
  if (spreads.length > 0) {
    parts.push("<details><summary>Quartiles and range of the rounds</summary>", ...spreads, "</details>");
  }
  return parts.join("\n\n");
}

/** The whole page. */
export function resultsMarkdown(results: Results, chartFolder: string): string {
  const { entries } = results;
  const losses = entries.flatMap(({ name, report }) =>
    (report?.tables ?? []).flatMap((table) => lossesOf(table).map((loss) => `- \`${name}\`, ${loss}`)),
  );
  const broken = entries.flatMap(({ name, report }) =>
    (report?.promises ?? []).flatMap(({ promise, measured, held }) =>
      held ? [] : [`- \`${name}\`: ${promise}; measured ${measured}`],
    ),
  );
  const promises = entries.reduce((sum, { report }) => sum + (report?.promises.length ?? 0), 0);
  return `${[
    "# Results of the benchmarks",
    "Written by `npm run bench -- all` from `RESULTS.json`; not edited by hand. `npm run bench -- <name> --save` measures one benchmark " +
      "again. Each contestant is a process of its own, and they take turns in an order that turns with every round; " +
      "numbers are medians of the rounds. Times of codecs and ticks are processor time of the thread that works; what " +
      "the collector does on other threads is not in them.",
    "## What we lose at",
    losses.length === 0
      ? "In no table is a contestant better that does the same work."
      : `Every row of ours that a contestant with the same work beats, with the best one:\n\n${losses.join("\n")}`,
    broken.length === 0
      ? `All ${promises} promises held.`
      : `Of ${promises} promises ${broken.length} did not hold:\n\n${broken.join("\n")}`,
    ...entries.map((entry) => section(entry, chartFolder)),
  ].join("\n\n")}\n`;
}
