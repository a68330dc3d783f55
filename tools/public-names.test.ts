/**
 * The names that the packages publish. `tools/public-names.txt` lists them by subpath; a name that is added or removed
 * changes it: `UPDATE_NAMES=1 npx vitest run tools/public-names.test.ts` writes it anew.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type PublicName, publicNames } from "./public-names.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const listFile = `${root}tools/public-names.txt`;

interface Subpath {
  /** `wirewalk/wire`. */
  readonly name: string;
  /** The source file behind it. */
  readonly file: string;
  readonly names: readonly PublicName[];
}

const subpaths: readonly Subpath[] = [
  "packages/wirewalk",
  "packages/recording",
  "packages/postgres",
  "packages/nats",
  "packages/server",
].flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(`${root}${folder}/package.json`, "utf8")) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | { readonly "wirewalk-source"?: string }>>;
  };
  return Object.entries(exports).flatMap(([subpath, target]): readonly Subpath[] => {
    const source = typeof target === "string" ? undefined : target["wirewalk-source"];
    if (source === undefined) return [];
    const file = posix.join(folder, source);
    return [{ name: posix.join(name, subpath), file, names: publicNames(root, file) }];
  });
});

const namesOf = (subpath: string): readonly string[] =>
  subpaths.find(({ name }) => name === subpath)?.names.map(({ name }) => name) ?? [];

/** The list as text: subpaths in the order of the manifests, names in alphabetical order, types in a list of their own. */
function showList(): string {
  const show = (names: readonly PublicName[], isType: boolean): string =>
    names
      .filter((each) => each.isType === isType)
      .map(({ name }) => `  ${isType ? "type " : ""}${name}\n`)
      .join("");
  return subpaths
    .map(({ name, names }) => `${name}: ${names.length}\n${show(names, false)}${show(names, true)}`)
    .join("\n");
}

test("every subpath publishes the names of the list, and no others", () => {
  const list = showList();
  if (process.env.UPDATE_NAMES !== undefined) writeFileSync(listFile, list);
  expect(list).toBe(readFileSync(listFile, "utf8"));
});

/** What each game has in a subpath of its own: `wirewalk/osrs/maps`. */
const ofEachGame: ReadonlySet<string> = new Set(["loadMaps"]);

test("no name means two things", () => {
  const origins = new Map<string, Set<string>>();
  for (const { names } of subpaths) {
    for (const { name, origin } of names)
      if (!ofEachGame.has(name)) origins.set(name, (origins.get(name) ?? new Set()).add(origin));
  }
  expect([...origins].filter(([, found]) => found.size > 1)).toEqual([]);
});

describe("a game", () => {
  const games = subpaths.filter(({ file }) => /^packages\/wirewalk\/src\/protocols\/[^/]+\//.test(file));

  test.each(games)("$name publishes at most 40 chosen names", ({ file, names }) => {
    expect(names.length).toBeLessThanOrEqual(40);
    expect(readFileSync(`${root}${file}`, "utf8")).not.toContain("export *");
  });

  test.each([
    ["slime-online-2", "slimeOnline2", "slime"],
    ["osrs", "osrs", "osrs"],
    ["maplestory", "mapleStory", "maple"],
    ["scrap-mechanic", "scrapMechanic", "scrap"],
  ])("%s has the same shape as the others", (game, protocol, lower) => {
    const upper = `${lower[0]?.toUpperCase()}${lower.slice(1)}`;
    expect(namesOf(`wirewalk/${game}`)).toEqual(
      expect.arrayContaining([
        protocol,
        `${lower}Codec`,
        `open${upper}Channel`,
        `${upper}World`,
        `${upper}Bot`,
        `${lower}Dialects`,
        `${upper}Dialect`,
        `${lower}Rules`,
        `${upper}Rule`,
        `${lower}Layouts`,
      ]),
    );
  });
});

test("documents and examples import only what is published", () => {
  const files = globSync(["*.md", "docs/**/*.md", "packages/*/*.md", "packages/*/src/**/*.ts"], { cwd: root });
  const wrong = files.flatMap((file) => {
    const text = readFileSync(`${root}${file}`, "utf8");
    // In sources the imports of examples; those of the code are tsc's.
    const imports = /^( \* )?import (?:type )?\{([^}]*)\} from "((?:@wirewalk|wirewalk)\/[\w/-]+)";$/gm;
    return [...text.matchAll(imports)].flatMap(([, comment, list = "", subpath = ""]) => {
      if (file.endsWith(".ts") && comment === undefined) return [];
      const published = namesOf(subpath);
      return list
        .split(",")
        .map((name) => name.replace(/ \* |\n|type /g, "").trim())
        .filter((name) => name !== "" && !published.includes(name))
        .map((name) => `${file}: ${name} of ${subpath}`);
    });
  });
  expect(wrong).toEqual([]);
});
