/** The file that a search goes on from: the best streams of each game and dialect, as their scenes and changes. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Candidate } from "./searcher.ts";

/** By game and dialect: `maplestory/v62`. */
type KeptFile = Readonly<Record<string, readonly Candidate[]>>;

function read(path: string): KeptFile {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as KeptFile) : {};
}

/** Empty where there is no such file. Throws `SyntaxError` for a file that is not JSON. */
export function readKept(path: string, subject: string): readonly Candidate[] {
  return read(path)[subject] ?? [];
}

/** Replaces what is kept of one game and dialect. A run that is killed leaves the file as it was. */
export function writeKept(path: string, subject: string, kept: readonly Candidate[]): void {
  const all = { ...read(path), [subject]: kept };
  writeFileSync(`${path}.new`, `${JSON.stringify(all)}\n`);
  renameSync(`${path}.new`, path);
}
