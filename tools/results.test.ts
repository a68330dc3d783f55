/** The page of results, its charts, and the numbers of README and docs follow from the data. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filesWithBlocks, fillBlocks } from "../bench/blocks.ts";
import { chartSvg } from "../bench/chart.ts";
import { type Chart, cellText, exponentOf, lossesOf, quantile, type Report, type Table } from "../bench/report.ts";
import { type Results, resultsMarkdown } from "../bench/results.ts";
import { blockFiles, dataText, loadResults, pageFiles, parseData, RESULTS, root } from "../bench/store.ts";

const kept = loadResults(`${root}${RESULTS}`);

test("RESULTS.md and its charts are those of RESULTS.json", () => {
  expect(kept.entries.length).toBeGreaterThan(0);
  const files = pageFiles(`${root}${RESULTS}`, kept);
  for (const [path, text] of files) {
    expect(existsSync(path), path).toBe(true);
    expect(readFileSync(path, "utf8"), path).toBe(text);
  }
  const charts = globSync(`${root}bench/RESULTS-charts/*`);
  expect(charts.filter((path) => !files.has(path))).toEqual([]);
});

test("README and docs have the numbers of RESULTS.json: npm run bench -- readme", () => {
  const files = blockFiles(kept);
  for (const [path, text] of files) expect(readFileSync(path, "utf8"), path).toBe(text);
  const withBlocks = globSync(["*.md", "docs/**/*.md"], { cwd: root }).filter((file) =>
    readFileSync(`${root}${file}`, "utf8").includes("<!-- bench "),
  );
  expect(withBlocks.toSorted()).toEqual(filesWithBlocks.toSorted());
});

const table: Table = {
  id: "work",
  title: "work",
  rowTitle: "who",
  columns: [
    { key: "ns", title: "ns", better: "less" },
    { key: "text", title: "text" },
  ],
  rows: [
    { name: "ours", isOurs: true, cells: { ns: [30, 10, 20], text: "a | b" } },
    { name: "theirs", isOurs: false, cells: { ns: [10, 11, 12] } },
    { name: "of another group", isOurs: false, group: "x", cells: { ns: [1] } },
  ],
};
const chart: Chart = {
  id: "growth",
  title: "Cost & size",
  xTitle: "n",
  yTitle: "ns",
  series: [{ name: "ours", isOurs: true, points: [10, 100, 1000].map((x) => ({ x, y: 3 * x ** 1.5 })) }],
};
const report: Report = {
  method: "Once.",
  tables: [table],
  charts: [chart],
  promises: [{ promise: "fast", measured: "slow", held: false }],
  contenders: [],
  notes: [],
};
const results: Results = {
  entries: [
    {
      name: "fake",
      summary: "a fake",
      seconds: 1,
      circumstances: {
        machine: "CPU",
        system: "Linux",
        node: "v24",
        v8: "13",
        commit: "",
        day: "2026-01-01",
        isQuick: false,
        hasNeighbour: false,
      },
      report,
    },
  ],
};

test("a row that another beats at the same work is a loss, and a promise that did not hold is named", () => {
  expect(lossesOf(table)).toEqual(["work: ours 20.0, theirs 11.0 (ns, 1.82 x)"]);
  const page = resultsMarkdown(results, "charts");
  expect(page).toContain("- `fake`, work: ours 20.0, theirs 11.0 (ns, 1.82 x)");
  expect(page).toContain("Of 1 promises 1 did not hold:\n\n- `fake`: fast; measured slow");
  expect(page).toContain("![Cost & size](charts/fake-growth.svg)");
  expect(page).toContain("| ours | ns | 20.0 | 15.0 to 25.0 | 10.0 to 30.0 | 3 |");
});

test("quartiles lie between values, and the exponent of a power is found", () => {
  expect([0, 0.25, 0.5, 1].map((share) => quantile([4, 1, 2, 3], share))).toEqual([1, 1.75, 2.5, 4]);
  expect(quantile([], 0.5)).toBeNaN();
  expect(exponentOf(chart.series[0]?.points ?? [])).toBeCloseTo(1.5, 10);
  expect(cellText({ key: "a", title: "a", digits: 0, suffix: " x" }, [1234.4])).toBe("1,234 x");
  expect(cellText({ key: "a", title: "a" }, [Number.NaN])).toBe("-");
});

test("a chart has a line, its growth, and colours for light and dark pages", () => {
  const svg = chartSvg(chart);
  expect(svg).toContain("<title>Cost &amp; size</title>");
  expect(svg).toContain("ours  n^1.50");
  expect(svg.match(/<circle/g)).toHaveLength(3);
  expect(svg).toContain("prefers-color-scheme:dark");
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

test("data is read as it was written, what could not be measured included", () => {
  const { report: _, ...entry } = results.entries[0] as Results["entries"][number];
  const data = { entries: [{ ...entry, seconds: Number.NaN }] };
  expect(parseData(dataText(data))).toEqual(data);
});

test("blocks are filled with the rows and columns that they name", () => {
  const text = 'a\n<!-- bench fake/work rows="theirs" columns="ns" -->\nold\n<!-- /bench -->\nb\n';
  const filled = fillBlocks(text, results, "bench/RESULTS.md");
  expect(filled).toContain(
    "| `npm run bench -- fake`: work | ns |\n| --- | ---: |\n| theirs | 11.0 |\n<!-- /bench -->\nb",
  );
  expect(fillBlocks(filled, results, "bench/RESULTS.md")).toBe(filled);
  const image = fillBlocks("<!-- bench fake/growth chart -->\n<!-- /bench -->", results, "../bench/RESULTS.md");
  expect(image).toContain("![Cost & size](../bench/RESULTS-charts/fake-growth.svg)");
  const wrong = '<!-- bench fake/work rows="nobody" -->\n<!-- /bench -->';
  expect(() => fillBlocks(wrong, results, "")).toThrow("No nobody among ours; theirs; of another group");
  expect(fillBlocks("<!-- bench other/work -->\n<!-- /bench -->", results, "")).toContain("Not measured yet");
});
