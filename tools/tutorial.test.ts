/** The tutorial's game: its code is taken out of `docs/tutorial-new-game.md`, run chapter by chapter, and then beside the games of the table. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, test } from "vitest";
import { createRandom } from "wirewalk/motion";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { bundledCommand } from "../packages/cli/src/testing/bundled-command.ts";
import { describeProtocol } from "../packages/wirewalk/src/protocols/testing/protocol-suite.ts";
import type { SuiteOptions } from "../packages/wirewalk/src/protocols/testing/subject.ts";
import { pipeline, shellLines, words } from "./docs-blocks.ts";
import { wrongImports } from "./import-directions.ts";
import { insideFiles, outsideFiles, outsideSuite, tutorialBlock, tutorialBlocks } from "./tutorial-game.ts";

/** Of the first chapter, and of the whole game. */
const MAX_BYTES_LINES = 35;
const MAX_LINES = 300;

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = await bundledCommand();
const library = "packages/wirewalk/src";

/** The table of games with the tutorial's lines: its import after the last one, its row at the end. */
function extendedTable(): string {
  const added = Array.from(tutorialBlock("table.ts", "diff").matchAll(/^\+(.*)$/gm), ([, line]) => line);
  const [importLine = "", row = "", ...rest] = added;
  expect(rest).toEqual([]);
  const table = readFileSync(join(root, library, "protocols/table.ts"), "utf8");
  return table.replace(/^import /m, `${importLine}\nimport `).replace(/^\}\);$/m, `${row}\n});`);
}

/**
 * A copy of the library's sources by links, in which only the game's folder and the table are new; beside it the game as a package
 * of its own, after each chapter.
 */
const house = mkdtempSync(join(tmpdir(), "tutorial-"));
const source = join(house, library);
const game = join(source, "protocols/pebble");
function link(from: string, except: string): void {
  mkdirSync(join(house, from), { recursive: true });
  for (const name of readdirSync(join(root, from))) {
    if (name !== except) symlinkSync(join(root, from, name), join(house, from, name));
  }
}
function writeAll(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [name, code] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
}
link(library, "protocols");
link(`${library}/protocols`, "table.ts");
// It says that the files are modules of ECMAScript.
symlinkSync(join(root, library, "../package.json"), join(source, "../package.json"));
writeFileSync(join(source, "protocols/table.ts"), extendedTable());
const files = insideFiles();
writeAll(game, files);

const folderAfter = (chapter: number): string => join(house, `chapter-${chapter}`);
const chapters = [1, 2, 3, 4, 5];
mkdirSync(join(house, "node_modules"));
symlinkSync(join(root, "packages/wirewalk"), join(house, "node_modules/wirewalk"));
writeFileSync(join(house, "package.json"), '{ "type": "module" }');
for (const chapter of chapters) writeAll(folderAfter(chapter), outsideFiles(chapter));
afterAll(() => rmSync(house, { recursive: true }));

const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(path).href);
const table = (await load(join(source, "protocols/table.ts"))) as {
  protocols: Readonly<Record<string, PlayableProtocol>>;
};
const pebble = table.protocols.pebble as PlayableProtocol;

const linesOf = (all: ReadonlyMap<string, string>): readonly string[] =>
  [...all.values()].flatMap((code) => code.trimEnd().split("\n"));

test(`the first chapter has less than ${MAX_BYTES_LINES} lines, the game less than ${MAX_LINES}`, () => {
  expect([...outsideFiles(1).keys()]).toEqual(["pebble.ts"]);
  expect(linesOf(outsideFiles(1)).length).toBeLessThan(MAX_BYTES_LINES);
  expect(linesOf(files).length).toBeGreaterThan(200);
  expect(linesOf(files).length).toBeLessThan(MAX_LINES);
});

test("the table has the game and all others", () => {
  expect(Object.keys(table.protocols)).toEqual([...Object.keys(protocols), "pebble"]);
});

test("its types are right, after each chapter and in the library, and have declarations", () => {
  compile(...[...chapters.map(folderAfter), game].map((folder) => join(folder, "pebble.ts")));
});

/** Throws with what the compiler finds. */
function compile(...files: readonly string[]): void {
  const config = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: { noEmit: true, composite: false, incremental: false, rootDir: "/" },
    files,
  };
  writeFileSync(join(house, "tsconfig.json"), JSON.stringify(config));
  run("tsc", "-p", house);
}

test("it is formatted and free of lint, in the library once its imports are in order", () => {
  const check = ["check", `--config-path=${root}`, "--vcs-enabled=false"];
  for (const chapter of chapters) run("biome", ...check, folderAfter(chapter));
  run("biome", ...check, "--write", game);
});

/** Throws with the program's output when it finds something. */
function run(program: string, ...args: readonly string[]): void {
  try {
    execFileSync(join(root, "node_modules/.bin", program), args, { cwd: house, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${program}: ${stdout}${stderr}`);
  }
}

test("its imports go in the directions of the house", () => {
  const wrong = [...files].flatMap(([name, code]) =>
    wrongImports(`${library}/protocols/pebble/${name}`, code, new Map()),
  );
  expect(wrong).toEqual([]);
});

/** The commands with prompts of each chapter, and what the page says that they print. */
const commands = tutorialBlocks()
  .filter(({ language, code }) => language === "sh" && code.startsWith("$ "))
  .flatMap(({ chapter, code }) => shellLines(code).map(({ command, output }) => ({ chapter, command, output })));

describe("commands print what the page shows", () => {
  it("in the chapters that have them", () => {
    expect(commands.filter(({ chapter }) => chapter === 1).length).toBeGreaterThan(5);
    expect(commands.filter(({ chapter }) => chapter === 2).length).toBeGreaterThan(1);
  });

  // The files of a chapter are where its `mv` moves them.
  const running = commands.filter(({ command }) => !command.startsWith("mkdir "));

  it.concurrent.each(running)("$chapter: $command", async ({ chapter, command, output }) => {
    let input = "";
    for (const [program = "", ...args] of pipeline(command))
      input = await runIn(folderAfter(chapter), program, args, input);
    expect(input.trimEnd()).toBe(output);
  });
});

test("the generated codec of the first chapter compiles, and the program that uses it prints what its comment shows", async () => {
  const command = commands.find((each) => each.command.includes(" export typescript "))?.command ?? "";
  const cwd = folderAfter(1);
  expect(await runIn(cwd, "npx", words(command).slice(1), "")).toBe("codec/pebble.ts\n");
  compile(join(cwd, "codec/pebble.ts"));
  const code = tutorialBlock("read-step.js", "js");
  writeFileSync(join(cwd, "read-step.js"), code);
  const output = execFileSync(process.execPath, ["-C", "wirewalk-source", "read-step.js"], { cwd, encoding: "utf8" });
  expect(output.trim()).toBe(/console\.log\(.*\); \/\/ (.*)$/m.exec(code)?.[1]);
});

/** Runs a program of the page to its end. Both of its outputs, as a terminal shows them. */
function runIn(cwd: string, program: string, args: readonly string[], input: string): Promise<string> {
  if (program === "echo") return Promise.resolve(`${args.join(" ")}\n`);
  expect([program, args[0]]).toEqual(["npx", "wirewalk"]);
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [bin, ...args.slice(1)], { cwd }, (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
    child.stdin?.end(input);
  });
}

test("the suite of the first chapter checks the codec and skips the rest, each rule with the reason", () => {
  const cwd = folderAfter(1);
  writeFileSync(join(cwd, "pebble.test.ts"), outsideSuite);
  const args = ["-C", "wirewalk-source", "--test-reporter=tap", "pebble.test.ts"];
  const output = execFileSync(process.execPath, args, { cwd, encoding: "utf8" });
  expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).toBe(4);
  expect(Number(/^# skipped (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(15);
  expect(output).toContain("ignores unknown players (left out: pebble has no world (createWorld)) # SKIP");
});

describe("a step of two tiles", () => {
  const codec = pebble.codec("documented");
  const leap = { message: "step", value: { direction: "east", x: 502, y: 500 } };
  const payload = codec.write("client", leap);
  const play = (enforcement: "enforce" | "log") => {
    const world = pebble.createWorld({ dialect: "documented", seed: 1, enforcement });
    world.join(1, { account: "ann", name: "Ann" }, 0);
    world.takeEffects();
    const before = world.digest();
    world.receive(1, leap, payload, 100);
    return { effects: world.takeEffects(), isChanged: world.digest() !== before };
  };
  const verdict = { rule: "one-tile", measured: 1, allowed: 0, player: 1, message: payload };

  it("is refused, and the client is sent its place", () => {
    const { effects, isChanged } = play("enforce");
    expect(effects).toMatchObject([
      { effect: "verdict", verdict: { ...verdict, kind: "correct" } },
      { effect: "send", to: 1, message: { message: "stepped", value: { player: 1, x: 500, y: 500 } } },
    ]);
    expect(isChanged).toBe(false);
  });

  it("is flagged and relayed with enforcement log", () => {
    const { effects, isChanged } = play("log");
    expect(effects).toMatchObject([
      { effect: "verdict", verdict: { ...verdict, kind: "flag" } },
      { effect: "broadcast", except: 1, message: { message: "stepped", value: { player: 1, x: 502 } } },
    ]);
    expect(isChanged).toBe(true);
  });
});

describe("a bot", () => {
  const rulesAgainst = (cheat: string): ReadonlySet<string> => {
    const bot = pebble.bots.create({ dialect: "documented", random: createRandom(1), number: 0, cheat });
    const world = pebble.createWorld({ dialect: "documented", seed: 1 });
    const codec = pebble.codec("documented");
    const broken = new Set<string>();
    const take = (nowMs: number): void => {
      for (const effect of world.takeEffects()) {
        if (effect.effect === "verdict") broken.add(effect.verdict.rule);
        if (effect.effect === "send") bot.receive(effect.message, nowMs);
      }
    };
    world.join(1, { account: "ann", name: "Ann" }, 0);
    take(0);
    for (let nowMs = bot.stepMs; nowMs < 60_000; nowMs += bot.stepMs) {
      for (const message of bot.step(nowMs)) world.receive(1, message, codec.write("client", message), nowMs);
      take(nowMs);
    }
    expect(world.tracks(60_000)).not.toMatchObject([{ position: { x: 500, y: 500 } }]);
    return broken;
  };

  it("breaks no rule when it is honest", () => expect(rulesAgainst("none")).toEqual(new Set()));
  it("is found out when it leaps", () => expect(rulesAgainst("leap")).toEqual(new Set(["one-tile"])));
});

const suiteOptions: SuiteOptions = { rooms: [undefined, "2"] };

test("the suite's options are those of the page", () => {
  expect(tutorialBlock("suite-options.ts", "diff")).toBe(`+  pebble: { rooms: [undefined, "2"] },\n`);
});

describeProtocol({ describe, it }, pebble, { ...suiteOptions, durationMs: 4000 });
