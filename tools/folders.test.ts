/** The folders of the server, the command line and the page: each begins with a README, and none has more files than one can look through. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = ["packages/server/src", "packages/cli/src", "apps/studio/src"];

/** Files at the top of the sources of a package, and of one folder. */
const MOST_AT_ROOT = 8;
const MOST_IN_FOLDER = 25;

/** Folders with more files, and why. */
const larger: Readonly<Record<string, string>> = {
  "packages/cli/src/commands": "a file for each command",
  "packages/server/src/cluster": "the two ends of a world and what decides who owns it, which change together",
};

const filesIn = (folder: string): string[] =>
  readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name !== "README.md" ? [entry.name] : [],
  );

const foldersIn = (folder: string): string[] =>
  readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${folder}/${entry.name}`] : [],
  );

/** Those that explain themselves; what is for tests alone says it by its name. */
const explained = sources.flatMap(foldersIn).filter((folder) => !folder.endsWith("/testing"));

test.each(explained)("%s begins with a README that names the file to read first", (folder) => {
  const readme = `${root}${folder}/README.md`;
  expect(existsSync(readme)).toBe(true);
  const [, first = ""] = /^\* \*\*Read first:\*\* `([^`]+)`/m.exec(readFileSync(readme, "utf8")) ?? [];
  expect(first).not.toBe("");
  expect(existsSync(`${root}${folder}/${first}`), first).toBe(true);
});

test("the files that such a README names exist", () => {
  const known = new Set(
    globSync("{packages/*,apps/*,tools}/{,src/**/}*.{ts,tsx}", { cwd: root }).map((file) => basename(file)),
  );
  for (const folder of explained) {
    const text = readFileSync(`${root}${folder}/README.md`, "utf8");
    const named = Array.from(text.matchAll(/`([\w./-]+\.tsx?)`/g), ([, path = ""]) => basename(path));
    expect(
      named.filter((file) => !known.has(file)),
      folder,
    ).toEqual([]);
  }
});

test.each(["packages/server/src", "packages/cli/src"])("few files are at the top of %s", (source) => {
  expect(filesIn(source).length).toBeLessThanOrEqual(MOST_AT_ROOT);
});

test("no folder has too many files, but for those with a reason", () => {
  const folders = sources.flatMap((source) => globSync(`${source}/**/`, { cwd: root }));
  const large = folders.filter((folder) => filesIn(folder).length > MOST_IN_FOLDER);
  expect(large.toSorted()).toEqual(Object.keys(larger).toSorted());
});
