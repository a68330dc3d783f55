/** The tutorial's game as files: its code in `docs/tutorial-new-game.md`, as a package of its own or as a part of the library. */
import { readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The tutorial. */
export const tutorialPage = readFileSync(
  fileURLToPath(new URL("../docs/tutorial-new-game.md", import.meta.url)),
  "utf8",
);

/** A fenced block of the page. */
export interface TutorialBlock {
  /** From 1. */
  readonly chapter: number;
  /** Its file, named by the last heading before it. Empty if the chapter has no such heading before it. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

/** The blocks of the page, in order. */
export function tutorialBlocks(): readonly TutorialBlock[] {
  const blocks: TutorialBlock[] = [];
  let [chapter, name] = [0, ""];
  for (const [, next, heading, language, code = ""] of tutorialPage.matchAll(
    /^## (\d)\. |^### `(.+?)`$|^```(\w+)\n([\s\S]*?)^```$/gm,
  )) {
    if (next !== undefined) [chapter, name] = [Number(next), ""];
    else if (heading !== undefined) name = heading;
    else if (language !== undefined) blocks.push({ chapter, name, language, code });
  }
  return blocks;
}

/** The code of a block by the name of its file. */
export function tutorialBlock(name: string, language: string): string {
  return tutorialBlocks().find((block) => block.name === name && block.language === language)?.code ?? "";
}

/** The files after a chapter, by default the last one, as a package of its own. A later block of a file takes the place of an earlier one. */
export function outsideFiles(last = Number.POSITIVE_INFINITY): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { chapter, name, language, code } of tutorialBlocks()) {
    if (chapter > last) break;
    if (language === "ts") files.set(name, code);
    for (const [, from = "", to = ""] of language === "sh" ? code.matchAll(/\bmv (\S+) (\S+)$/gm) : []) {
      files.set(to, files.get(from) ?? "");
      files.delete(from);
    }
  }
  return files;
}

/** Checks the game that is beside it by the contract suite, with the runner of Node: a file of the page, with shorter plays. */
export const outsideSuite = tutorialBlock("pebble.test.ts", "js").replace(
  " });\n",
  ", durationMs: 500, restores: 20 });\n",
);

/** Where the library has what a package imports, from the folder of protocols. */
const rooms: Readonly<Record<string, string>> = {
  "wirewalk/wire": "../wire/index.ts",
  "wirewalk/motion": "../motion/index.ts",
  "wirewalk/protocol": "index.ts",
  "wirewalk/world-kit": "world-kit/index.ts",
};

/** The same files as a part of the library, in `protocols/pebble/`: their imports are relative. */
export function insideFiles(): ReadonlyMap<string, string> {
  return new Map(
    [...outsideFiles()].map(([name, code]) => {
      const folder = posix.join("pebble", dirname(name));
      const relative = code.replace(/"(wirewalk\/[\w-]+)"/g, (found, subpath: string) => {
        const room = rooms[subpath];
        return room === undefined ? found : `"${posix.relative(folder, room)}"`;
      });
      return [name, relative];
    }),
  );
}
