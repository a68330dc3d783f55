/** The sizes in `docs/packages.md`: a table between two markers that `npm run sizes` writes, read again to compare. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Bytes by what is measured and how: `{ "wirewalk/osrs/codec": { gzip: 4711 } }`. */
export type Sizes = Readonly<Record<string, Readonly<Record<string, number>>>>;

const page = fileURLToPath(new URL("../docs/packages.md", import.meta.url));
const BLOCK = /<!-- sizes -->\n([\s\S]*?)<!-- \/sizes -->/;

/** The share by which a size may differ from the table before the table is wrong. Compressors and dependencies change a little. */
const TOLERANCE = 0.15;

const TABLES = [
  {
    title: "Page: what a browser loads before it shows something",
    names: /^page/,
    columns: { br: "brotli", gzip: "gzip", plain: "uncompressed", files: "files" },
  },
  {
    title: "Package",
    names: /^(?:@wirewalk\/\w+|wirewalk)$/,
    columns: {
      packed: "tarball",
      unpacked: "unpacked",
      files: "files",
      installed: "installed, with dependencies",
      packages: "packages",
    },
  },
  {
    title: "Codec of one game, bundled by Rolldown and minified",
    names: /\/codec(?:\/|$)/,
    columns: { gzip: "gzip", minified: "minified" },
  },
] as const;

/** Whole kilobytes of 1,000 bytes; a count as it is. */
function cell(column: string, value: number | undefined): string {
  if (value === undefined) return "";
  if (column === "files" || column === "packages") return `${value}`;
  const digits = value < 100_000 ? 1 : 0;
  return `${(value / 1000).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} kB`;
}

export function sizesMarkdown(sizes: Sizes): string {
  const tables = TABLES.map(({ title, names, columns }) => {
    const rows = Object.keys(sizes).filter((name) => names.test(name));
    return [
      `| ${[title, ...Object.values(columns)].join(" | ")} |`,
      `| --- |${" ---: |".repeat(Object.keys(columns).length)}`,
      ...rows.map((name) => {
        const cells = Object.keys(columns).map((column) => cell(column, sizes[name]?.[column]));
        return `| ${[name.startsWith("page") ? name : `\`${name}\``, ...cells].join(" | ")} |`;
      }),
    ].join("\n");
  });
  return `${tables.join("\n\n")}\n`;
}

export function writeSizes(sizes: Sizes): void {
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(BLOCK, () => `<!-- sizes -->\n${sizesMarkdown(sizes)}<!-- /sizes -->`),
  );
}

/** What the table says, as exactly as it says it. */
export function readSizes(): Sizes {
  const [, block = ""] = BLOCK.exec(readFileSync(page, "utf8")) ?? [];
  const sizes: Record<string, Record<string, number>> = {};
  for (const table of block.split("\n\n")) {
    const columns = TABLES.find(({ title }) => table.startsWith(`| ${title} |`))?.columns ?? {};
    for (const row of table.trim().split("\n").slice(2)) {
      const [name = "", ...cells] = row.slice(2, -2).split(" | ");
      const numbers = Object.keys(columns).map((column, at): [string, number] => {
        const [, digits = "", unit] = /^([\d,.]+)( kB)?$/.exec(cells[at]?.trim() ?? "") ?? [];
        return [column, Number(digits.replaceAll(",", "")) * (unit === undefined ? 1 : 1000)];
      });
      sizes[name.replaceAll("`", "")] = Object.fromEntries(numbers);
    }
  }
  return sizes;
}

/** What was measured and differs from the table by more than the tolerance. What was not measured is not compared. */
export function outdated(table: Sizes, measured: Sizes): readonly string[] {
  return Object.entries(measured).flatMap(([name, columns]) =>
    Object.entries(columns).flatMap(([column, value]) => {
      const said = table[name]?.[column];
      if (said !== undefined && Math.abs(value - said) <= TOLERANCE * said) return [];
      return [`${name}, ${column}: ${value}, but docs/packages.md has ${said}: npm run sizes`];
    }),
  );
}
