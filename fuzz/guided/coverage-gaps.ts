/**
 * The branches of the decoders that no committed input reaches, each with the reason why: `fuzz/coverage-gaps.txt`. A line without
 * indent names a file, one with two spaces a branch as `MissedBranch.place` has it, and one with four the reason of the branches
 * before it.
 */
import { readFileSync } from "node:fs";
import type { MissedBranch } from "./coverage.ts";

export interface Gap {
  readonly file: string;
  readonly place: string;
  readonly reason: string;
}

export function parseGaps(text: string): readonly Gap[] {
  const gaps: Gap[] = [];
  let file = "";
  let places: string[] = [];
  text.split("\n").forEach((line, at) => {
    const bad = (why: string): Error => new Error(`Cannot read coverage-gaps.txt: ${why} at line ${at + 1}`);
    if (line === "" || line.startsWith("#")) return;
    if (line.startsWith("    ")) {
      if (places.length === 0) throw bad("a reason without a branch");
      gaps.push(...places.map((place) => ({ file, place, reason: line.trim() })));
      places = [];
    } else if (line.startsWith("  ")) {
      if (file === "") throw bad("a branch without a file");
      places.push(line.trim());
    } else {
      if (places.length > 0) throw bad("a branch without a reason");
      file = line;
    }
  });
  if (places.length > 0) throw new Error("Cannot read coverage-gaps.txt: the last branch has no reason");
  return gaps;
}

export function readGaps(): readonly Gap[] {
  return parseGaps(readFileSync(new URL("../coverage-gaps.txt", import.meta.url), "utf8"));
}

/** What is missed and not explained, and what is explained and not missed. A line with several such branches is listed as often. */
export function compareGaps(
  missed: readonly MissedBranch[],
  gaps: readonly Gap[],
): { readonly unexplained: readonly MissedBranch[]; readonly needless: readonly Gap[] } {
  const keyOf = ({ file, place }: { readonly file: string; readonly place: string }): string => `${file} ${place}`;
  const left = new Map<string, Gap[]>();
  for (const gap of gaps) left.set(keyOf(gap), [...(left.get(keyOf(gap)) ?? []), gap]);
  const unexplained = missed.filter((branch) => left.get(keyOf(branch))?.pop() === undefined);
  return { unexplained, needless: [...left.values()].flat() };
}
