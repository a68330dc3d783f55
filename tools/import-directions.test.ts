import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { fileCircles, importsOf, type WorkspaceExports, wrongImports } from "./import-directions.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function workspaceExports(): WorkspaceExports {
  const bySpecifier = new Map<string, string>();
  for (const manifest of globSync("packages/*/package.json", { cwd: root })) {
    const { name, exports } = JSON.parse(readFileSync(`${root}${manifest}`, "utf8")) as {
      name: string;
      exports: Record<string, string | { "wirewalk-source"?: string }>;
    };
    for (const [subpath, target] of Object.entries(exports)) {
      const source = typeof target === "string" ? undefined : target["wirewalk-source"];
      if (source !== undefined) bySpecifier.set(posix.join(name, subpath), posix.join(posix.dirname(manifest), source));
    }
  }
  return bySpecifier;
}

const workspace = workspaceExports();

/** The objections to one made-up file, without its own name. */
function wrong(file: string, source: string): string[] {
  return wrongImports(file, source, workspace).map((each) => each.slice(file.length + 1));
}

const sources: ReadonlyMap<string, string> = new Map(
  globSync("{packages,apps}/*/{src,test}/**/*.{ts,tsx}", { cwd: root }).map((file) => {
    return [file, readFileSync(`${root}${file}`, "utf8")];
  }),
);

test("every import of the house goes in its direction", () => {
  expect(sources.size).toBeGreaterThan(10);
  expect([...sources].flatMap(([file, source]) => wrongImports(file, source, workspace))).toEqual([]);
});

test("no file of the house reaches itself by its imports", () => {
  expect(fileCircles(sources, workspace)).toEqual([]);
});

describe("circles of files", () => {
  const made = (files: Readonly<Record<string, string>>): readonly string[] =>
    fileCircles(new Map(Object.entries(files)), new Map([["wirewalk/wire", "b.ts"]]));

  test.each<[string, Record<string, string>, string[]]>([
    ["two files", { "a.ts": `import "./b.ts";`, "b.ts": `import "./a.ts";` }, ["a.ts -> b.ts -> a.ts"]],
    [
      "types only, and a type expression",
      { "a.ts": `import type { B } from "./b.ts";`, "b.ts": `type A = import("./a.ts").A;` },
      ["a.ts -> b.ts -> a.ts"],
    ],
    [
      "by a package's name",
      { "a.ts": `import "wirewalk/wire";`, "b.ts": `export * from "./a.ts";` },
      ["a.ts -> b.ts -> a.ts"],
    ],
    ["a file that imports itself", { "a.ts": `import "./a.ts";` }, ["a.ts -> a.ts"]],
    [
      "each file in one, the shortest; a file that only leads to a circle is in none",
      {
        "a.ts": `import "./b.ts";`,
        "b.ts": `import "./c.ts";`,
        "c.ts": `import "./d.ts";\nimport "./b.ts";`,
        "d.ts": `import "./b.ts";`,
      },
      ["b.ts -> c.ts -> b.ts", "d.ts -> b.ts -> c.ts -> d.ts"],
    ],
    [
      "none",
      { "a.ts": `import "./b.ts";\nimport "./c.ts";`, "b.ts": `import "./c.ts";`, "c.ts": `import "vite";` },
      [],
    ],
  ])("%s", (_rule, files, circles) => {
    expect(made(files)).toEqual(circles);
  });
});

test("imports of every kind are seen, with their lines, and nothing that only looks like one", () => {
  const source = `// import "./comment.ts";
import type { A } from "./type.ts";
import { type B } from "./inline-type.ts";
import { type C, d } from "./mixed.ts";
import "./effect.ts";
export * from "./all.ts";
export type { E } from "./type-again.ts";
export { f } from "./named.ts";
const text = "import './string.ts'", pattern = /from ".\\/pattern.ts"/;
const g = await import("./dynamic.ts"), h = await import(\`./template.ts\`);
const i = await import(text);
type J = import("./type-expression.ts").J;
new Worker(new URL("./worker.ts", import.meta.url));
export const element = <p>import "./markup.ts"</p>;
`;
  expect(importsOf("made-up.tsx", source)).toEqual([
    { specifier: "./type.ts", line: 2, typeOnly: true },
    { specifier: "./inline-type.ts", line: 3, typeOnly: true },
    { specifier: "./mixed.ts", line: 4, typeOnly: false },
    { specifier: "./effect.ts", line: 5, typeOnly: false },
    { specifier: "./all.ts", line: 6, typeOnly: false },
    { specifier: "./type-again.ts", line: 7, typeOnly: true },
    { specifier: "./named.ts", line: 8, typeOnly: false },
    { specifier: "./dynamic.ts", line: 10, typeOnly: false },
    { specifier: "./template.ts", line: 10, typeOnly: false },
    { specifier: "text", line: 11, typeOnly: false },
    { specifier: "./type-expression.ts", line: 12, typeOnly: true },
    { specifier: "./worker.ts", line: 13, typeOnly: false },
  ]);
});

test("a file that does not parse is not passed over", () => {
  expect(() => importsOf("made-up.ts", "import {")).toThrow(SyntaxError);
});

const library = "packages/wirewalk/src";

describe("wrong directions", () => {
  test.each([
    ["wire knows nobody", `${library}/wire/a.ts`, `import type { T } from "../motion/index.ts";`, "wire -> motion"],
    ["motion below protocols", `${library}/motion/a.ts`, `import("../protocols/protocol.ts");`, "motion -> protocols"],
    ["motion below host", `${library}/motion/a.ts`, `export * from "../host/index.ts";`, "motion -> host"],
    ["games below host", `${library}/protocols/osrs/a.ts`, `import "../../host/index.ts";`, "game osrs -> host"],
    ["games without net", `${library}/protocols/osrs/a.ts`, `import "../../net/clock.ts";`, "game osrs -> net"],
    [
      "games without the table",
      `${library}/protocols/osrs/mouse/a.ts`,
      `import "../../table.ts";`,
      "game osrs -> table",
    ],
    [
      "the contract without games",
      `${library}/protocols/protocol.ts`,
      `import "./osrs/a.ts";`,
      "protocols -> game osrs",
    ],
    ["hosts without games", `${library}/host/a.ts`, `import "../protocols/osrs/a.ts";`, "host -> game osrs"],
    ["hosts without the table", `${library}/host/a.ts`, `import "../protocols/table.ts";`, "host -> table"],
    ["net beside motion", `${library}/net/a.ts`, `import "../motion/index.ts";`, "net -> motion"],
    ["clients without games", `${library}/client/a.ts`, `import "../protocols/osrs/a.ts";`, "client -> game osrs"],
    ["clients without Node", `${library}/client/a.ts`, `import "../node/index.ts";`, "client -> node"],
    [
      "clients without servers, in tests too",
      `${library}/client/a.test.ts`,
      `import "@wirewalk/server";`,
      "client -> @wirewalk/server",
    ],
    [
      "servers without clients",
      "packages/server/src/a.ts",
      `import type { C } from "wirewalk/client";`,
      "server -> client",
    ],
    [
      "servers without games",
      "packages/server/src/a.ts",
      `import "wirewalk/slime-online-2";`,
      "server -> game slime-online-2",
    ],
    [
      "servers below cli, in tests too",
      "packages/server/src/a.test.ts",
      `import "../../cli/src/a.ts";`,
      "server -> packages/cli/src/a.ts",
    ],
    [
      "the command line without games",
      "packages/cli/src/a.ts",
      `import "wirewalk/slime-online-2";`,
      "cli -> game slime-online-2",
    ],
    ["the page without Node", "apps/studio/src/a.tsx", `import "wirewalk/node";`, "studio -> node"],
    ["the page without servers", "apps/studio/src/a.ts", `import "@wirewalk/server";`, "studio -> server"],
    [
      "only the page's game folders know games",
      "apps/studio/src/a.ts",
      `import "wirewalk/slime-online-2";`,
      "studio -> game slime-online-2",
    ],
    [
      "the contract without the world kit",
      `${library}/protocols/world.ts`,
      `import "./world-kit/index.ts";`,
      "protocols -> world-kit",
    ],
    [
      "the world kit without games",
      `${library}/protocols/world-kit/a.ts`,
      `import "../osrs/a.ts";`,
      "world-kit -> game osrs",
    ],
    [
      "games without inspect",
      `${library}/protocols/osrs/a.ts`,
      `import "../../inspect/index.ts";`,
      "game osrs -> inspect",
    ],
    ["inspect without the table", `${library}/inspect/a.ts`, `import "../protocols/table.ts";`, "inspect -> table"],
    ["lower rooms, in tests too", `${library}/wire/a.test.ts`, `import "../protocols/osrs/a.ts";`, "wire -> game osrs"],
  ])("%s", (_rule, file, source, arrow) => {
    expect(wrong(file, source)).toEqual([expect.stringMatching(`^1: ${arrow.replace("/", "\\/")}`)]);
  });

  test.each([
    ["wire without movement", "wire/a.ts", "../movement/b.ts", "osrs wire -> osrs movement: wrong direction"],
    ["wire without world", "wire/a.ts", "../world/b.ts", "osrs wire -> osrs world: wrong direction"],
    ["wire without bots", "wire/a.ts", "../bots/b.ts", "osrs wire -> osrs bots: wrong direction"],
    ["movement without world", "movement/a.ts", "../world/b.ts", "osrs movement -> osrs world: wrong direction"],
    ["movement without bots", "movement/a.ts", "../bots/b.ts", "osrs movement -> osrs bots: wrong direction"],
    ["world without bots", "world/a.ts", "../bots/b.ts", "osrs world -> osrs bots: wrong direction"],
    ["bots without world", "bots/a.ts", "../world/b.ts", "osrs bots -> osrs world: wrong direction"],
    ["in a part too", "mouse/wire/a.ts", "../movement/b.ts", "osrs wire -> osrs movement: wrong direction"],
    [
      "in a folder of a room too",
      "mouse/wire/masks/a.ts",
      "../../world/b.ts",
      "osrs wire -> osrs world: wrong direction",
    ],
    [
      "from a part to the game",
      "mouse/movement/a.ts",
      "../../world/b.ts",
      "osrs movement -> osrs world: wrong direction",
    ],
    ["from the game to a part", "world/a.ts", "../mouse/bots/b.ts", "osrs world -> osrs bots: wrong direction"],
    [
      "a part without the other",
      "mouse/world/a.ts",
      "../../player-info/world/b.ts",
      "osrs mouse -> osrs player-info: parts of a game do not know each other",
    ],
    [
      "a room without the game's names",
      "bots/a.ts",
      "../index.ts",
      "osrs bots -> osrs index.ts: a room does not import the files beside the rooms",
    ],
  ])("inside a game: %s", (_rule, file, specifier, why) => {
    const importing = `import type { T } from "${specifier}";`;
    expect(wrong(`${library}/protocols/osrs/${file}`, importing)).toEqual([`1: ${why} ("${specifier}")`]);
    expect(wrong(`${library}/protocols/osrs/${file.replace(".ts", ".test.ts")}`, importing)).toEqual([]);
  });

  test("inside a game: later rooms know earlier ones, the game's and the part's, and what stands beside rooms knows all", () => {
    for (const [file, specifier] of [
      ["mouse/world/a.ts", "../movement/b.ts"],
      ["mouse/world/a.ts", "../../wire/b.ts"],
      ["world/a.ts", "../mouse/world/b.ts"],
      ["osrs.ts", "./bots/b.ts"],
      ["mouse/lines.ts", "../wire/b.ts"],
    ] as const) {
      expect(wrong(`${library}/protocols/osrs/${file}`, `import "${specifier}";`)).toEqual([]);
    }
  });

  test("a message names file, line, arrow, reason and specifier", () => {
    expect(wrongImports(`${library}/wire/a.ts`, `\n\nimport "../host/index.ts";`, workspace)).toEqual([
      `${library}/wire/a.ts:3: wire -> host: wrong direction ("../host/index.ts")`,
    ]);
  });

  test("a game never imports another, in tests neither", () => {
    for (const file of ["a.ts", "a.test.ts"]) {
      expect(wrong(`${library}/protocols/osrs/${file}`, `import "../maplestory/b.ts";`)).toEqual([
        '1: game osrs -> game maplestory: games do not know each other ("../maplestory/b.ts")',
      ]);
    }
  });

  test("a page's game folder imports its own game only", () => {
    const file = "apps/studio/src/games/osrs/a.ts";
    expect(wrong(file, `import "wirewalk/slime-online-2";`)).toEqual([
      '1: studio-game osrs -> game slime-online-2: games do not know each other ("wirewalk/slime-online-2")',
    ]);
    expect(wrong("apps/studio/src/games/slime-online-2/a.ts", `import "wirewalk/slime-online-2";`)).toEqual([]);
  });

  test("the library has no dependency, Node's modules belong to its node room, and it imports itself by path", () => {
    expect(wrong(`${library}/wire/a.ts`, `import "node:buffer";\nimport "lodash";\nimport "wirewalk/wire";`)).toEqual([
      '1: wire -> node:buffer: the library has no dependency ("node:buffer")',
      '2: wire -> lodash: the library has no dependency ("lodash")',
      '3: wire -> wirewalk/wire: the library imports itself by path ("wirewalk/wire")',
    ]);
    expect(wrong(`${library}/node/a.ts`, `import "node:net";\nimport "ws";`)).toEqual([
      '2: node -> ws: the library has no dependency ("ws")',
    ]);
    expect(wrong(`${library}/wire/a.test.ts`, `import "vitest";\nimport "node:fs";`)).toEqual([]);
  });

  test("node takes types of the client, the page types of the feed, and no more", () => {
    expect(wrong(`${library}/node/a.ts`, `import type { C } from "../client/index.ts";`)).toEqual([]);
    expect(wrong(`${library}/node/a.ts`, `import { c } from "../client/index.ts";`)).toEqual([
      '1: node -> client: only types may be imported ("../client/index.ts")',
    ]);
    expect(wrong("apps/studio/src/a.ts", `import type { F } from "@wirewalk/server/feed";`)).toEqual([]);
    expect(wrong("apps/studio/src/a.ts", `import "@wirewalk/server/feed";`).length).toBe(1);
  });

  test("what is made for tests stays with tests", () => {
    expect(wrong(`${library}/wire/a.ts`, `import "./testing/b.ts";`)).toEqual([
      `1: wire -> wire: ${library}/wire/testing/b.ts is for tests alone ("./testing/b.ts")`,
    ]);
    expect(wrong(`${library}/wire/a.test.ts`, `import "./testing/b.ts";`)).toEqual([]);
    expect(wrong(`${library}/protocols/osrs/a.test.ts`, `import "../../testing/b.ts";`)).toEqual([]);
    expect(wrong(`${library}/protocols/osrs/a.ts`, `import "../../testing/b.ts";`).length).toBe(1);
    expect(wrong(`${library}/testing/a.ts`, `import "../host/index.ts";\nimport "../node/index.ts";`)).toEqual([]);
  });

  test("another package is reached by its name, but for suites that tests share", () => {
    const suite = `import "../../wirewalk/src/net/testing/suite.ts";`;
    expect(wrong("packages/server/src/a.test.ts", suite)).toEqual([]);
    expect(wrong("packages/server/src/a.ts", suite)).toEqual([
      `1: server -> ${library}/net/testing/suite.ts: a package is imported by its name ("../../wirewalk/src/net/testing/suite.ts")`,
    ]);
    expect(wrong("packages/server/src/a.test.ts", `import "../../wirewalk/src/net/clock.ts";`).length).toBe(1);
    expect(wrong(`${library}/net/a.test.ts`, `import "../../../server/src/testing/b.ts";`)).toEqual([
      '1: net -> server: wrong direction ("../../../server/src/testing/b.ts")',
    ]);
  });

  test("every file has a room and every workspace import an export", () => {
    expect(wrong(`${library}/index.ts`, "")).toEqual(["1: belongs to no room"]);
    expect(wrong("packages/server/src/a.ts", `import "wirewalk/nothing";`)).toEqual([
      '1: server -> wirewalk/nothing: no such export ("wirewalk/nothing")',
    ]);
  });

  test("tests may bring a game where the code may not", () => {
    expect(
      wrong("packages/server/src/a.test.ts", `import "wirewalk/slime-online-2";\nimport "wirewalk/client";`),
    ).toEqual([]);
    expect(wrong(`${library}/host/a.test.ts`, `import "../protocols/osrs/a.ts";`)).toEqual([]);
  });
});
