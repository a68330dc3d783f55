import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { CoverageReport } from "../fuzz/guided/coverage.ts";
import { compareGaps, parseGaps, readGaps } from "../fuzz/guided/coverage-gaps.ts";
import { targets } from "../fuzz/guided/targets.ts";

let report: CoverageReport;

/** The sources are instrumented as they are loaded: that needs a process of its own, in which all inputs run once. */
beforeAll(async () => {
  const script = fileURLToPath(new URL("../fuzz/guided/coverage.ts", import.meta.url));
  const child = spawn(process.execPath, ["--no-warnings", "-C", "wirewalk-source", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  report = JSON.parse(await text(child.stdout)) as CoverageReport;
});

describe("every committed input of the fuzzer keeps its target's rule", () => {
  test.each(targets.map(({ name }) => name))("%s", (name) => {
    const result = report.targets.find((each) => each.name === name);
    expect(result?.inputs).toBeGreaterThan(0);
    const again = ({ hex, error }: { hex: string; error: string }): string =>
      `npm run fuzz:guided -- --only "${name}" --input ${hex}: ${error}`;
    expect(result?.failures.map(again)).toEqual([]);
  });
});

describe("the sources that are instrumented", () => {
  const sources = globSync("packages/*/src/**/*.ts", { cwd: fileURLToPath(new URL("..", import.meta.url)) });

  test.each(targets.map(({ name, cover }) => [name, cover] as const))("of %s are there", (_, cover) => {
    expect(sources.filter((file) => cover.test(file))).not.toEqual([]);
  });
});

describe("the branches of the decoders", () => {
  test("that no committed input reaches are those that fuzz/coverage-gaps.txt explains", () => {
    const { unexplained, needless } = compareGaps(report.missed, readGaps());
    const [open, listed] = [unexplained, needless].map((each) => each.map(({ file, place }) => `${file} ${place}`));
    // `npm run fuzz:guided -- --coverage` prints both with their lines.
    expect({ "not reached and not explained": open, "explained and reached, or gone": listed }).toEqual({
      "not reached and not explained": [],
      "explained and reached, or gone": [],
    });
  });

  test("are reached to 95 %", () => {
    const sum = (of: (file: CoverageReport["files"][number]) => number): number =>
      report.files.reduce((total, file) => total + of(file), 0);
    expect(sum(({ reached }) => reached) / sum(({ branches }) => branches)).toBeGreaterThanOrEqual(0.95);
  });
});

describe("the list of gaps", () => {
  const missed = { file: "a.ts", line: 3, place: "if.1 if (b) {" };

  test("has a reason for each, and each as often as it is missed", () => {
    const gaps = parseGaps("# remark\n\na.ts\n  if.1 if (b) {\n  if.0 if (c) {\n    Because.\n");
    expect(gaps).toEqual([
      { file: "a.ts", place: "if.1 if (b) {", reason: "Because." },
      { file: "a.ts", place: "if.0 if (c) {", reason: "Because." },
    ]);
    expect(compareGaps([missed, missed], gaps)).toEqual({ unexplained: [missed], needless: [gaps[1]] });
  });

  test.each([
    ["a.ts\n  if.1 if (b) {\nb.ts\n", "a branch without a reason at line 3"],
    ["a.ts\n  if.1 if (b) {\n", "the last branch has no reason"],
    ["a.ts\n    Because.\n", "a reason without a branch at line 2"],
    ["  if.1 if (b) {\n", "a branch without a file at line 1"],
  ])("%j is refused", (list, why) => {
    expect(() => parseGaps(list)).toThrow(why);
  });
});
