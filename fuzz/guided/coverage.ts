/**
 * What the committed inputs reach of the decoders, by themselves. All targets run in this one process, so that every source is
 * instrumented once. Prints a `CoverageReport`.
 */
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { readCorpus } from "./corpus.ts";
import { instrument } from "./instrument.ts";
import { decoders } from "./targets/sources.ts";
import { targets } from "./targets.ts";

/** A branch of a decoder that no input reaches. */
export interface MissedBranch {
  readonly file: string;
  readonly line: number;
  /** Kind and number of the branch, and its line: `if.0 if (length > limit) {`. It stays the same when other lines change. */
  readonly place: string;
}

export interface CoverageReport {
  readonly files: readonly { readonly file: string; readonly branches: number; readonly reached: number }[];
  /** Branches that run only while the sources are loaded, and tables and codecs made. They are in no other number. */
  readonly setUp: number;
  readonly missed: readonly MissedBranch[];
  /** By target: its committed inputs, and those of them that break its rule. */
  readonly targets: readonly {
    readonly name: string;
    readonly inputs: number;
    readonly failures: readonly { readonly hex: string; readonly error: string }[];
  }[];
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const coverage = instrument(decoders);
const sources = globSync("packages/*/src/**/*.ts", { cwd: root }).filter((file) => decoders.test(file));
for (const file of sources) await import(join(root, file));
const { protocols } = await import("wirewalk/protocols");
for (const { dialects, codec, capabilities } of Object.values(protocols)) {
  for (const { name } of dialects) codec(name);
  // Tables of messages are read when they are asked for; the second time they are there.
  for (const revision of capabilities?.revisions?.known ?? [])
    for (const _ of "12") capabilities?.revisions?.table(revision);
}
const loaded = new Uint8Array(coverage.hits.length);
coverage.takeReached(loaded);

const opened = [];
for (const target of targets) opened.push({ name: target.name, opened: await target.open() });
coverage.clear();
const reached = new Uint8Array(coverage.hits.length);
const results = opened.map(({ name, opened: { run, check } }) => {
  const inputs = readCorpus(name);
  const failures = inputs.flatMap((input) => {
    try {
      run(input);
      check?.(input);
      return [];
    } catch (error) {
      return [{ hex: Buffer.from(input).toString("hex"), error: String(error) }];
    } finally {
      coverage.takeReached(reached);
    }
  });
  return { name, inputs: inputs.length, failures };
});

const files = new Map<string, { branches: number; reached: number }>();
const missed: MissedBranch[] = [];
const lines = new Map(sources.map((file) => [file, readFileSync(join(root, file), "utf8").split("\n")]));
let setUp = 0;
coverage.places.forEach(({ file: path, line, kind, branch }, counter) => {
  if (kind === "function") return;
  const isReached = reached[counter] !== 0;
  if (!isReached && loaded[counter] !== 0) {
    setUp += 1;
    return;
  }
  const file = relative(root, path);
  const entry = files.get(file) ?? { branches: 0, reached: 0 };
  files.set(file, entry);
  entry.branches += 1;
  if (isReached) entry.reached += 1;
  else missed.push({ file, line, place: `${kind}.${branch} ${lines.get(file)?.[line - 1]?.trim()}` });
});
const report: CoverageReport = {
  files: [...files].map(([file, entry]) => ({ file, ...entry })).sort((a, b) => (a.file < b.file ? -1 : 1)),
  setUp,
  missed,
  targets: results,
};
process.stdout.write(JSON.stringify(report));
