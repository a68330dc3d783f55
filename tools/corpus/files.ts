/** The files of the corpus, and its table in the documentation. */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { checkExpectations, checkRecording, expectationsFile } from "@wirewalk/recording";
import { readRecordingFile } from "@wirewalk/recording/node";
import { protocols } from "wirewalk/protocols";
import type { CheckedRecording } from "./make.ts";

export const corpusFolder = fileURLToPath(new URL("../../corpus/", import.meta.url));
export const corpusPage = fileURLToPath(new URL("../../docs/fairness.md", import.meta.url));

/** Paths of all recordings, in the order of their names. */
export function corpusFiles(): readonly string[] {
  return globSync("*/*.mcap", { cwd: corpusFolder })
    .sort()
    .map((name) => `${corpusFolder}${name}`);
}

/** Checks a recording as `wirewalk check` does. */
export async function checkFile(file: string): Promise<CheckedRecording> {
  const expectations = checkExpectations(JSON.parse(readFileSync(expectationsFile(file), "utf8")));
  const results = checkRecording(await readRecordingFile(file), expectations, { protocols });
  const isHonest = basename(file).startsWith("honest-");
  return { game: basename(dirname(file)), play: expectations.play ?? "", isHonest, results };
}

const BLOCK = /(<!-- corpus -->\n)[\s\S]*?(\n<!-- \/corpus -->)/;

/** The page with another table. Throws `Error` for a page without the block. */
export function withTable(page: string, table: string): string {
  if (!BLOCK.test(page)) throw new Error("docs/fairness.md has no block <!-- corpus -->");
  return page.replace(BLOCK, (_all, head: string, tail: string) => `${head}${table}${tail}`);
}
