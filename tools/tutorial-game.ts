/** The tutorial's game as files: its code in `docs/tutorial-new-game.md`, as part of the library or as a package of its own. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The tutorial. */
export const tutorialPage = readFileSync(
  fileURLToPath(new URL("../docs/tutorial-new-game.md", import.meta.url)),
  "utf8",
);

/** Its code blocks by the name of their file: the last heading before them. */
export function tutorialBlocks(language: string): ReadonlyMap<string, string> {
  const blocks = new Map<string, string>();
  let name = "";
  for (const [, heading, fence, code = ""] of tutorialPage.matchAll(/^### `(.+?)`$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (heading !== undefined) name = heading;
    else if (fence === language) blocks.set(name, code);
  }
  return blocks;
}

/** Checks the game that is beside it by the contract suite, with the runner of Node; with the argument `broken` one that breaks a rule. */
export const outsideSuite = `import { describe, it } from "node:test";
import { describeProtocol } from "wirewalk/testing";
import { pebble } from "./pebble.ts";

const broken = { ...pebble, name: "broken", codec: () => pebble.codec("documented") };
const options = { rooms: [undefined, "2"], durationMs: 500, restores: 20 };
describeProtocol({ describe, it }, process.argv[2] === "broken" ? broken : pebble, options);
`;

/** The published subpath of a file of the library that the tutorial imports. */
const subpaths: readonly (readonly [RegExp, string])[] = [
  [/"(?:\.\.\/)+wire\/index\.ts"/g, '"wirewalk/wire"'],
  [/"(?:\.\.\/)+motion\/index\.ts"/g, '"wirewalk/motion"'],
  [/"(?:\.\.\/)+world-kit\/index\.ts"/g, '"wirewalk/world-kit"'],
  [/"(?:\.\.\/)+(?:bot|codec|framed-channel|message-table|payload-stream|protocol|world)\.ts"/g, '"wirewalk/protocol"'],
];

/** The same files as a package outside of the library: the imports are those of its subpaths. */
export function outsideFiles(): ReadonlyMap<string, string> {
  return new Map(
    [...tutorialBlocks("ts")].map(([name, code]) => {
      // `./wire/codec.ts` and `../wire/codec.ts` are the game's own.
      const own = /"\.\.?\/(?:wire|movement|world|bots)\/[\w-]+\.ts"/g;
      const kept = code.replace(own, (found) => found.replace("/", "//"));
      const outside = subpaths.reduce((text, [pattern, subpath]) => text.replace(pattern, subpath), kept);
      return [name, outside.replace(/"(\.\.?)\/\//g, '"$1/')];
    }),
  );
}
