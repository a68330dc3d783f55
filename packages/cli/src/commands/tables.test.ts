import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, it } from "vitest";
import { protocols } from "wirewalk/protocols";
import { recordingTables, StrokeCutter, type TableName } from "../output/recording-tables.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";

const run = (...args: string[]): Promise<Ran> => startCommand(args, "", protocols).ended;
const corpus = (name: string): string => fileURLToPath(new URL(`../../../../corpus/${name}.mcap`, import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-tables-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Row = Readonly<Record<string, unknown>>;

function linesOf(table: TableName): readonly Row[] {
  const text = readFileSync(join(folder, `${table}.jsonl`), "utf8").trimEnd();
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line) as Row);
}

it.each([
  ["slime-online-2/cheat-speed", "verdicts"],
  ["osrs/cheat-linear", "strokes"],
] as const)("%s has the same rows in Parquet, read by another program, as in JSON lines", async (name, wanted) => {
  expect((await run("tables", corpus(name), "--to", folder, "--format", "jsonl")).code).toBe(0);
  const { code, stdout } = await run("tables", corpus(name), "--to", folder);
  expect(code).toBe(0);
  for (const table of Object.keys(recordingTables) as TableName[]) {
    const bytes = readFileSync(join(folder, `${table}.parquet`));
    const file = new Uint8Array(bytes).buffer;
    const columns = parquetMetadata(file).schema.slice(1);
    expect(columns.map((column) => column.name)).toEqual(recordingTables[table].map((column) => column.name));
    const rows = await parquetReadObjects({ file });
    const asJson = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, cell]) => [key, typeof cell === "bigint" ? String(cell) : cell]),
      ),
    );
    expect(asJson).toEqual(linesOf(table));
    expect(stdout).toContain(`${table}.parquet: ${rows.length} rows\n`);
  }
  expect(linesOf(wanted).length).toBeGreaterThan(0);
  expect(linesOf("positions").length).toBeGreaterThan(2);
  expect(linesOf(wanted)[0]).toMatchObject({ name: "cheat", player: 1 });
});

it("strokes are movements between two rests", () => {
  const cutter = new StrokeCutter();
  const at = (x: number, atMs: number, known = true) => cutter.push({ x, y: 0, atMs, known });
  for (let index = 0; index < 5; index += 1) expect(at(index * 10, index * 50)).toBeUndefined();
  expect(at(40, 500)).toMatchObject({ startMs: 0, durationMs: 200, pathPx: 40, chordPx: 40, restMs: undefined });
  for (let index = 1; index < 5; index += 1) at(40 - index * 10, 500 + index * 50);
  expect(at(0, 0, false)).toMatchObject({ startMs: 500, restMs: 300, chordPx: 40 });
  at(1, 900);
  // Too short for a stroke.
  expect(cutter.end()).toBeUndefined();
});

it("refuses what is no recording", async () => {
  expect((await run("tables", join(folder, "nothing"), "--to", folder)).code).toBe(1);
  expect((await run("tables", corpus("osrs/cheat-linear"))).code).toBe(2);
});
