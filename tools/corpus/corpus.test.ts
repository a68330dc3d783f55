/** The corpus holds: what must be found is found in time, and nothing else is. */
import { readFileSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, it } from "vitest";
import { protocols } from "wirewalk/protocols";
import { checkFile, corpusFiles, corpusPage, withTable } from "./files.ts";
import { type CheckedRecording, corpusTable } from "./make.ts";

/** A cheat takes about 20 kB. */
const MAX_BYTES = 1_950_000;

const checked: CheckedRecording[] = [];

it.each(corpusFiles().map((file) => [`${basename(dirname(file))}/${basename(file)}`, file]))(
  "%s",
  async (_name, file) => {
    const result = await checkFile(file);
    checked.push(result);
    expect(result.results.filter(({ holds }) => !holds)).toEqual([]);
  },
);

it("has honest play and every cheat of every game, and is small", () => {
  const plays = (game: string, isHonest: boolean): string[] =>
    checked.filter((each) => each.game === game && each.isHonest === isHonest).map(({ play }) => play);
  for (const [game, { bots }] of Object.entries(protocols)) {
    expect(plays(game, true).length).toBeGreaterThan(2);
    expect(plays(game, false)).toEqual(expect.arrayContaining([...bots.cheats]));
  }
  expect(corpusFiles().reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(MAX_BYTES);
});

it("gives the table of the documentation", () => {
  const page = readFileSync(corpusPage, "utf8");
  expect(withTable(page, corpusTable(checked))).toBe(page);
});
