/** The tutorial's game: its code is taken out of `docs/tutorial-new-game.md` and run beside the games of the table. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, test } from "vitest";
import { decodeLines } from "wirewalk/inspect";
import { createRandom } from "wirewalk/motion";
import type { PacketStream, PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { describeNode } from "wirewalk/wire";
import { describeProtocol } from "../packages/wirewalk/src/protocols/testing/protocol-suite.ts";
import type { SuiteOptions } from "../packages/wirewalk/src/protocols/testing/subject.ts";
import { wrongImports } from "./import-directions.ts";
import { tutorialBlocks, tutorialPage } from "./tutorial-game.ts";

const MAX_LINES = 300;

const root = fileURLToPath(new URL("..", import.meta.url));
const library = "packages/wirewalk/src";
const files = tutorialBlocks("ts");

/** The table of games with the tutorial's lines: its import after the last one, its row at the end. */
function extendedTable(): string {
  const added = [...(tutorialBlocks("diff").get("table.ts") ?? "").matchAll(/^\+(.*)$/gm)].map(([, line]) => line);
  const [importLine = "", row = "", ...rest] = added;
  expect(rest).toEqual([]);
  const table = readFileSync(join(root, library, "protocols/table.ts"), "utf8");
  return table.replace(/^import /m, `${importLine}\nimport `).replace(/^\}\);$/m, `${row}\n});`);
}

/** A copy of the library's sources by links, in which only the game's folder and the table are new. */
const house = mkdtempSync(join(tmpdir(), "tutorial-"));
const source = join(house, library);
const game = join(source, "protocols/pebble");
function link(from: string, except: string): void {
  mkdirSync(join(house, from), { recursive: true });
  for (const name of readdirSync(join(root, from))) {
    if (name !== except) symlinkSync(join(root, from, name), join(house, from, name));
  }
}
link(library, "protocols");
link(`${library}/protocols`, "table.ts");
// It says that the files are modules of ECMAScript.
symlinkSync(join(root, library, "../package.json"), join(source, "../package.json"));
writeFileSync(join(source, "protocols/table.ts"), extendedTable());
for (const [name, code] of files) {
  mkdirSync(dirname(join(game, name)), { recursive: true });
  writeFileSync(join(game, name), code);
}
afterAll(() => rmSync(house, { recursive: true }));

const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(path).href);
const table = (await load(join(source, "protocols/table.ts"))) as {
  protocols: Readonly<Record<string, PlayableProtocol>>;
};
const pebble = table.protocols.pebble as PlayableProtocol;
const setup = { dialect: "documented", framed: false, options: {} };

test(`the game has less than ${MAX_LINES} lines`, () => {
  const lines = [...files.values()].flatMap((code) => code.trimEnd().split("\n"));
  expect(lines.length).toBeGreaterThan(200);
  expect(lines.length).toBeLessThan(MAX_LINES);
});

test("the table has the game and all others", () => {
  expect(Object.keys(table.protocols)).toEqual([...Object.keys(protocols), "pebble"]);
});

test("its types are right", () => {
  const config = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: { noEmit: true, composite: false, incremental: false, rootDir: "/" },
    files: [join(game, "pebble.ts")],
  };
  writeFileSync(join(house, "tsconfig.json"), JSON.stringify(config));
  run("tsc", "-p", house);
});

test("it is formatted and free of lint", () => {
  run("biome", "check", `--config-path=${root}`, "--vcs-enabled=false", game);
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

test("the fields are those of the page's table", () => {
  const rows = Array.from(tutorialPage.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \| (.*) \| (.*) \|$/gm), ([, ...row]) =>
    row.map((cell) => cell.trim()),
  );
  const stepped = pebble.codec("documented").layouts?.server.stepped;
  const fields = describeNode(stepped?.node ?? { kind: "struct", fields: [] });
  expect(fields.map(({ path, type, size, unit, meaning }) => [path, type, size, unit, meaning])).toEqual(rows);
});

test("the page's packets are read as it says", () => {
  const examples = [...tutorialPage.matchAll(/^\$ echo (\w+) \| npx wirewalk decode pebble(.*)\n(.*)$/gm)];
  expect(examples).toHaveLength(2);
  for (const [, hex = "", flags, line = ""] of examples) {
    const sender = flags === " --direction server" ? "server" : "client";
    const [result] = decodeLines(pebble.streams[""] as PacketStream, { ...setup, sender }).line(hex);
    const { ok, ...message } = JSON.parse(line);
    expect({ ok, result }).toEqual({ ok: true, result: { json: message } });
  }
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
  expect(tutorialBlocks("diff").get("suite-options.ts")).toBe(`+  pebble: { rooms: [undefined, "2"] },\n`);
});

describeProtocol({ describe, it }, pebble, { ...suiteOptions, durationMs: 4000 });
