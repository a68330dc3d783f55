/**
 * Numbers in README and docs, out of `RESULTS.json`: each block between two markers is written by `npm run bench -- readme`
 * and never by hand.
 *
 * ```md
 * <!-- bench maplestory/packets rows="read: wirewalk; read: kaitai" columns="ns" -->
 * <!-- /bench -->
 * <!-- bench player-info/town chart -->
 * <!-- /bench -->
 * <!-- bench machine -->
 * <!-- /bench -->
 * ```
 *
 * A table's `rows` are names and its `columns` keys, each list separated by `;`; without them all are there.
 */

import type { Table } from "./report.ts";
import { chartFile, circumstancesText, type Results, tableMarkdown } from "./results.ts";

/** Files with blocks, from the root of the workspace. */
export const filesWithBlocks: readonly string[] = [
  "README.md",
  "docs/maplestory.md",
  "docs/osrs-mouse.md",
  "docs/osrs-player-info.md",
  "docs/performance.md",
  "docs/scrap-mechanic.md",
  "docs/slime-online-2.md",
];

const BLOCK = /<!-- bench ([\w/-]+)((?: \w+(?:="[^"]*")?)*) -->\n[\s\S]*?<!-- \/bench -->/g;

/** The text with all its blocks filled from the results. `toPage` is the way from the file to `RESULTS.md`. */
export function fillBlocks(text: string, results: Results, toPage: string): string {
  return text.replace(BLOCK, (_, name: string, options: string) => {
    const filled = blockText(name, optionsOf(options), results, toPage);
    return `<!-- bench ${name}${options} -->\n${filled}\n<!-- /bench -->`;
  });
}

function optionsOf(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Array.from(text.matchAll(/ (\w+)(?:="([^"]*)")?/g), ([, key = "", list]) => [
      key,
      list === undefined ? [] : list.split(";").map((each) => each.trim()),
    ]),
  );
}

function blockText(
  name: string,
  options: ReadonlyMap<string, readonly string[]>,
  results: Results,
  toPage: string,
): string {
  if (name === "machine") {
    const [entry] = results.entries;
    if (entry === undefined) return "Nothing was measured yet.";
    const where = circumstancesText(entry.circumstances);
    return `${where}; medians of interleaved rounds. [${toPage}](${toPage}) has quartiles, charts, what each contestant does, and what we lose at.`;
  }
  const [benchmark = "", id = ""] = name.split("/");
  const report = results.entries.find((entry) => entry.name === benchmark)?.report;
  const missing = `Not measured yet: \`npm run bench -- ${benchmark} --save\`.`;
  if (report === undefined) return missing;
  if (options.has("chart")) {
    const chart = report.charts.find((each) => each.id === id);
    return chart === undefined
      ? missing
      : `![${chart.title}](${toPage.replace(/\.md$/, "-charts")}/${chartFile(benchmark, id)})`;
  }
  const table = report.tables.find((each) => each.id === id);
  if (table === undefined) return missing;
  const { rows, columns } = table;
  const chosen: Table = {
    ...table,
    rowTitle: `\`npm run bench -- ${benchmark}\`: ${table.title}`,
    rows: choose(rows, options.get("rows"), (row) => row.name),
    columns: choose(columns, options.get("columns"), (column) => column.key),
  };
  return tableMarkdown(chosen);
}

/** Those that are named, in the order of the names. Throws `RangeError` for a name that none has. */
function choose<T>(all: readonly T[], names: readonly string[] | undefined, nameOf: (each: T) => string): readonly T[] {
  if (names === undefined) return all;
  return names.map((name) => {
    const found = all.find((each) => nameOf(each) === name);
    if (found === undefined) throw new RangeError(`No ${name} among ${all.map(nameOf).join("; ")}`);
    return found;
  });
}
