/** Results in files: the page, its data and its charts, and the blocks of README and docs. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { filesWithBlocks, fillBlocks } from "./blocks.ts";
import { charts, type Entry, type Results, resultsMarkdown } from "./results.ts";

/** The root of the workspace. */
export const root = fileURLToPath(new URL("..", import.meta.url));
/** Where results are kept. */
export const RESULTS = "bench/RESULTS.md";

/** The files of a page of results, by its name: `bench/RESULTS.md`. */
function filesOf(page: string): { readonly data: string; readonly charts: string; readonly toCharts: string } {
  const base = page.replace(/\.md$/, "");
  const folder = `${base}-charts`;
  return { data: `${base}.json`, charts: folder, toCharts: relative(dirname(page), folder) };
}

/** The results beside a page; none where there is no such file. */
export function loadResults(page: string): Results {
  try {
    return parseData(readFileSync(filesOf(page).data, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { entries: [] };
    throw error;
  }
}

/** All files that follow from results, by path: the page and its charts. */
export function pageFiles(page: string, results: Results): ReadonlyMap<string, string> {
  const { charts: folder, toCharts } = filesOf(page);
  const files = new Map([[page, resultsMarkdown(results, toCharts)]]);
  for (const [name, svg] of charts(results)) files.set(`${folder}/${name}`, svg);
  return files;
}

/** Puts an entry into the results of a page, in the order of `names`, and writes all of its files. */
export function saveEntry(page: string, entry: Entry, names: readonly string[]): void {
  const others = loadResults(page).entries.filter(({ name }) => name !== entry.name && names.includes(name));
  const entries = [...others, entry].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  const { data, charts: folder } = filesOf(page);
  mkdirSync(folder, { recursive: true });
  const text = dataText({ entries });
  writeFileSync(data, text);
  // From the data as it is read again, so that page and data agree to the last digit.
  const files = pageFiles(page, parseData(text));
  for (const name of readdirSync(folder)) if (!files.has(`${folder}/${name}`)) rmSync(`${folder}/${name}`);
  for (const [path, content] of files) writeFileSync(path, content);
}

/** JSON with six digits: more is noise. NaN, of what could not be measured, is null there. */
export function dataText(results: Results): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
  return `${JSON.stringify(results, rounded)}\n`;
}

/** The reverse of {@link dataText}. */
export function parseData(text: string): Results {
  return JSON.parse(text, (_, value: unknown) => (value === null ? Number.NaN : value)) as Results;
}

/** The files with blocks, as they should be for these results. */
export function blockFiles(results: Results): ReadonlyMap<string, string> {
  return new Map(
    filesWithBlocks.map((file): [string, string] => {
      const toPage = relative(dirname(`${root}${file}`), `${root}${RESULTS}`);
      return [`${root}${file}`, fillBlocks(readFileSync(`${root}${file}`, "utf8"), results, toPage)];
    }),
  );
}

/** Writes README's and docs' numbers anew from the kept results. */
export function writeBlocks(): void {
  for (const [path, text] of blockFiles(loadResults(`${root}${RESULTS}`))) writeFileSync(path, text);
}
