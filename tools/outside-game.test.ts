/**
 * A game as an outside package: the tutorial's game in a folder of its own, which imports published subpaths alone. It is decoded,
 * served and played by the command, and checked by the contract suite, each in a process of its own.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { bundledCommand } from "../packages/cli/src/testing/bundled-command.ts";
import { outsideFiles, outsideSuite } from "./tutorial-game.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = await bundledCommand();

const folder = mkdtempSync(join(tmpdir(), "outside-game-"));
const game = join(folder, "pebble.ts");
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
for (const [name, code] of outsideFiles()) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), code);
}
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true });
});

/** The suite on the game with a codec that takes any dialect. */
const brokenSuite = outsideSuite.replace(
  /^describeProtocol\(.*$/m,
  `const broken = { ...pebble, name: "broken", codec: () => pebble.codec("documented") };
describeProtocol({ describe, it }, broken);`,
);

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of Node in the folder to its end. */
function run(args: readonly string[], input = ""): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
    child.stdin?.end(input);
  });
}

test("it imports nothing of the library but its published subpaths", () => {
  const imports = [...outsideFiles().values()].flatMap((code) =>
    Array.from(code.matchAll(/ from "(.+)";$/gm), ([, specifier = ""]) => specifier),
  );
  const outside = new Set(imports.filter((specifier) => !specifier.startsWith(".")));
  const relative = imports.filter((specifier) => specifier.startsWith("."));
  expect([...outside].toSorted()).toEqual([
    "wirewalk/motion",
    "wirewalk/protocol",
    "wirewalk/wire",
    "wirewalk/world-kit",
  ]);
  expect(relative.filter((specifier) => specifier.includes("../.."))).toEqual([]);
});

test.concurrent.each<[string, string, string]>([
  ["exports nothing", "export {};", "it exports no game: an object with name, title, summary, dialects and codec"],
  ["has no codec", "export const { codec, ...game } = pebble;", "pebble: codec must be a function, got nothing"],
  ["is there twice", "export const other = { ...pebble };\nexport { pebble };", "pebble is there twice"],
  ["does not run", 'throw new Error("no pebbles today");', "no pebbles today"],
])("a module that %s is refused", async (name, code, why) => {
  const file = `${name.replaceAll(" ", "-")}.ts`;
  writeFileSync(join(folder, file), `import { pebble } from "./pebble.ts";\n${code}\n`);
  expect(await run([bin, "protocols", "--protocol", file])).toEqual({
    code: 2,
    output: `wirewalk: --protocol ${file}: ${why}\n`,
  });
});

test.concurrent("its packets are decoded, encoded and inspected", async () => {
  const hex = "0101f501f401";
  const line = '{"ok":true,"message":"step","value":{"direction":"east","x":501,"y":500}}';
  const [decoded, encoded, inspected, missing] = await Promise.all([
    run([bin, "decode", "pebble", "--protocol", "./pebble.ts"], hex),
    run([bin, `--protocol=${game}`, "encode", "pebble"], line),
    run([bin, "inspect", "--protocol", game, "pebble", "02"]),
    run([bin, "decode", "pebble", "--protocol", "./missing.ts"], hex),
  ]);
  expect(decoded).toEqual({ code: 0, output: `${line}\n` });
  expect(encoded).toEqual({ code: 0, output: `${hex}\n` });
  expect(inspected.code).toBe(3);
  expect(inspected.output).toContain(
    "unknown-message: Cannot read type: a client of dialect documented sends 1, not 2",
  );
  expect(missing).toEqual({ code: 2, output: "wirewalk: --protocol ./missing.ts: no such file\n" });
});

test.concurrent("its world is served, and its bots play in it", async ({ expect }) => {
  const flags = ["--http", "0", "--listen", "pebble=0", "--log-level", "warn", "--protocol", game];
  const server = spawn(process.execPath, [bin, "serve", ...flags], { cwd: folder });
  children.push(server);
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    server.stdout.on("data", (bytes: Buffer) => {
      printed += String(bytes);
      if (printed.includes("http://")) resolve();
    });
    server.stderr.on("data", (bytes: Buffer) => reject(new Error(String(bytes))));
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
  const port = /Pebble, dialect documented\n +TCP +\S+:(\d+)/.exec(printed)?.[1] ?? "none";
  const bots = ["bots", "pebble", "--count", "3", "--port", port, "--protocol", game];
  const playing = spawn(process.execPath, [bin, ...bots], { cwd: folder });
  children.push(playing);
  let output = "";
  for (const stream of [playing.stdout, playing.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      output += bytes;
    });
  }
  // Each bot is sent its place, and the steps of the others.
  const lines = /3 of 3 connected, [1-9]\d* sent, (\d+) received/g;
  const received = (): number => Math.max(0, ...Array.from(output.matchAll(lines), ([, count]) => Number(count)));
  await expect.poll(received).toBeGreaterThan(3);
  playing.kill("SIGINT");
  const [code] = await once(playing, "close");
  expect(code, output).toBe(0);
});

test.concurrent("the contract suite checks it, with the runner of Node", async () => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "packages/wirewalk"), join(folder, "node_modules/wirewalk"));
  writeFileSync(join(folder, "suite.ts"), outsideSuite);
  writeFileSync(join(folder, "broken.ts"), brokenSuite);
  const node = ["-C", "wirewalk-source", "--test-reporter=tap", "suite.ts"];
  const unknown = "--test-name-pattern=every member refuses unknown dialects";
  const [good, broken] = await Promise.all([run(node), run([unknown, ...node.with(-1, "broken.ts")])]);
  expect(good.code, good.output).toBe(0);
  expect(Number(/^# pass (\d+)$/m.exec(good.output)?.[1])).toBeGreaterThan(20);
  expect(good.output).toContain("\n# skipped 0\n");
  expect(broken.code).toBe(1);
  expect(broken.output).toContain("not ok 1 - every member refuses unknown dialects");
});
