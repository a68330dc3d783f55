/**
 * The programs of `docs/guides/`: the pages quote the files, and each file is run, in a process of its own, and checked from
 * outside. `UPDATE_DOCS=1 npx vitest run --project code tools/guides.test.ts` writes the quotes anew.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { bundledCommand } from "../packages/cli/src/testing/bundled-command.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const programs = join(root, "docs/guides/programs");
const bin = await bundledCommand();
/** Node with the sources of the workspace, for programs that import `wirewalk`. */
const node = ["-C", "wirewalk-source"];

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

/** Runs a program to its end. */
function run(program: string, args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd: programs }, (error, stdout, stderr) => {
      // Exit code 3: a line was refused, which the output names.
      if (error !== null && error.code !== 3) reject(new Error(`${program} ${args.join(" ")}: ${stderr}`));
      else resolve(stdout);
    });
    child.stdin?.end(input);
  });
}

describe("the pages quote the programs", () => {
  const pages = globSync("docs/guides/*.md", { cwd: root });
  test.each(pages)("%s", (page) => {
    const text = readFileSync(join(root, page), "utf8");
    const quoted = text.replaceAll(
      /^<!-- (programs\/\S+)(?: (\S+))? -->\n```(\w+)\n[\s\S]*?^```$/gm,
      (_, file: string, name: string | undefined, language) => {
        const whole = readFileSync(join(root, "docs/guides", file), "utf8");
        const [mark, code] = name === undefined ? [file, whole] : [`${file} ${name}`, partOf(whole, name)];
        return `<!-- ${mark} -->\n\`\`\`${language}\n${code}\`\`\``;
      },
    );
    if (process.env.UPDATE_DOCS !== undefined) writeFileSync(join(root, page), quoted);
    expect(readFileSync(join(root, page), "utf8")).toBe(quoted);
  });

  test("all of them", () => {
    const all = pages.map((page) => readFileSync(join(root, page), "utf8")).join("");
    const missing = globSync("*", { cwd: programs }).filter(
      (file) => !all.includes(`<!-- programs/${file} `) && !all.includes(`](programs/${file})`),
    );
    expect(missing).toEqual([]);
  });

  test("a part of a Python program: a function or a class, or one within a class", () => {
    const code =
      "def a():\n    pass\n\n\nclass B:\n    x = 1\n\n    def c(self):\n        return 1\n\n    def d(self):\n        pass\n";
    expect(partOf(code, "a")).toBe("def a():\n    pass\n");
    expect(partOf(code, "B.c")).toBe("def c(self):\n    return 1\n");
    expect(() => partOf(code, "c")).toThrow("There is no c");
  });

  /** A function or class of a Python program, without the indentation that it has there. */
  function partOf(code: string, name: string): string {
    let lines = code.split("\n");
    for (const [depth, part] of name.split(".").entries()) {
      const indent = " ".repeat(4 * depth);
      const start = lines.findIndex((line) => new RegExp(`^${indent}(def|class) ${part}\\b`).test(line));
      if (start < 0) throw new Error(`There is no ${name}`);
      const after = lines.findIndex((line, row) => row > start && line !== "" && !line.startsWith(`${indent} `));
      lines = lines.slice(start, after < 0 ? lines.length : after);
    }
    const indent = 4 * (name.split(".").length - 1);
    return `${lines
      .map((line) => line.slice(indent))
      .join("\n")
      .trimEnd()}\n`;
  }
});

describe("own-server.ts", () => {
  interface Vector {
    readonly name: string;
    readonly hex: string;
  }

  test("relays paths in frames of its own, and disconnects alone who sends another thing", async () => {
    const child = spawn(process.execPath, [...node, "own-server.ts", "0"], { cwd: programs });
    children.push(child);
    let printed = "";
    child.stdout.on("data", (bytes: Buffer) => {
      printed += String(bytes);
    });
    await expect.poll(() => printed).toMatch(/listening on port \d+\n/);
    const port = Number(/port (\d+)/.exec(printed)?.[1]);
    const [mover, watcher, stranger] = [await dial(port), await dial(port), await dial(port)];

    // A captured move of a player: opcode 0x26, a key of the map, the path, then keys and box.
    const vectors: readonly Vector[] = JSON.parse(readFileSync(join(root, "vectors/maplestory-v62.json"), "utf8"));
    const captured = vectors.find(({ name }) => name === "player falls on spawn and lands");
    const body = Buffer.from(captured?.hex ?? "", "hex").subarray(2);
    mover.socket.write(Buffer.concat([Buffer.of(1, body.length & 255, body.length >> 8), body.subarray(0, 5)]));
    mover.socket.write(body.subarray(5));
    await expect.poll(() => watcher.received().length).toBeGreaterThan(7);
    const [kind, low = 0, high = 0, ...id] = watcher.received().subarray(0, 7);
    expect([kind, low + 256 * high, id]).toEqual([2, watcher.received().length - 3, [1, 0, 0, 0]]);
    // The path as it came: its start, its count and its fragments, without keys and box.
    const path = watcher.received().subarray(7);
    expect(path.length).toBe(4 + 1 + 3 * 14);
    expect(path).toEqual(body.subarray(1, 1 + path.length));

    stranger.socket.write(Buffer.of(1, 2, 0, 7, 7));
    await expect.poll(() => stranger.isClosed()).toBe(true);
    expect(watcher.isClosed()).toBe(false);
    await expect
      .poll(() => printed)
      .toMatch(/player 1 is at 108, 53\nplayer 3 is disconnected: Cannot read start\.x: .*\n/);
  });

  interface Dialled {
    readonly socket: Socket;
    readonly received: () => Buffer;
    readonly isClosed: () => boolean;
  }

  async function dial(port: number): Promise<Dialled> {
    const socket = connect(port, "127.0.0.1");
    let received = Buffer.alloc(0);
    let closed = false;
    socket.on("data", (bytes) => {
      received = Buffer.concat([received, bytes]);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      closed = true;
    });
    await new Promise((resolve) => socket.once("connect", resolve));
    return { socket, received: () => received, isClosed: () => closed };
  }
});

test("player-info.ts: what it prints is read with the same revision", async () => {
  const lines = await run(process.execPath, [...node, "player-info.ts"]);
  const decoded = await run(
    process.execPath,
    [bin, "decode", "osrs/player-info", "--revision", "my-revision.json"],
    lines,
  );
  const [init, ...ticks] = decoded
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(init).toMatchObject({ ok: true });
  expect(ticks.map(({ players }) => players)).toEqual([
    { 5: [0, 3200, 3200], 6: [0, 3204, 3201] },
    { 5: [0, 3200, 3200], 6: [0, 3205, 3201] },
    { 5: [0, 3200, 3200], 6: [0, 3206, 3201], 7: [0, 3205, 3205] },
  ]);
  expect(ticks[0].masks[6]).toEqual({ appearance: { bytes: "06010203" } });
  expect(ticks[1].masks[6]).toEqual({ say: { text: "hello" } });
});

const python = (() => {
  try {
    return execFileSync("python3", ["--version"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return undefined;
  }
})();

test.skipIf(python === undefined)(
  `engine.py: a server in ${python ?? "Python, which is not installed here"}`,
  async () => {
    const engine = [process.execPath, bin, "engine", "osrs/player-info", "--revision", "206"];
    const output = await run("python3", ["engine.py", ...engine]);
    expect(output).toMatch(/^20 ticks, \d{4,} bytes to 100 players\n/);
    expect(output).toMatch(/\nrefused: move\[0\]: Slot 2047 has no player\nthe engine ended with 3\n$/);
  },
);

test("study.ts: a client and a server with the relay between them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guides-"));
  const record = join(folder, "session.pcapng");
  const started = async (
    args: readonly string[],
    pattern: RegExp,
    env = {},
  ): Promise<[ChildProcess, string, () => string]> => {
    const child = spawn(process.execPath, args, { cwd: programs, env: { ...process.env, ...env } });
    children.push(child);
    let printed = "";
    child.stdout.on("data", (bytes: Buffer) => {
      printed += String(bytes);
    });
    await expect.poll(() => printed).toMatch(pattern);
    return [child, pattern.exec(printed)?.[1] ?? "", () => printed];
  };
  const serve = ["serve", "--http", "0", "--listen", "slime-online-2=0", "--log-level", "silent"];
  const [, port] = await started([bin, ...serve], /TCP +127\.0\.0\.1:(\d+)/);
  const [study, relayPort, printed] = await started(
    [...node, "study.ts", `127.0.0.1:${port}`, "0", process.execPath, bin],
    /"listening".*?127\.0\.0\.1:(\d+)/,
    { CAPTURE: record },
  );
  const play = [bin, "bots", "slime-online-2", "--port", relayPort, "--count", "2"];
  const bots = spawn(process.execPath, play, { stdio: "ignore" });
  children.push(bots);
  await expect.poll(printed).toMatch(/^1: \w+ at [\s\S]*^2: \w+ at |^2: \w+ at [\s\S]*^1: \w+ at /m);
  bots.kill("SIGINT");
  await expect.poll(printed).toMatch(/2: closed/);
  const exited = new Promise((resolve) => study.once("close", resolve));
  study.kill("SIGTERM");
  expect(await exited).toBe(0);
  expect(printed()).toMatch(/^1: \w+ at \d+, \d+$/m);
  expect(printed()).toMatch(/\{[^}]*'client login': 2/);
  expect(printed()).not.toMatch(/unreadable|reject|correct/);
  // A section header block of pcapng, and more than two logins behind it.
  expect(readFileSync(record).readUInt32LE(0)).toBe(0x0a0d0d0a);
  expect(statSync(record).size).toBeGreaterThan(500);
  rmSync(folder, { recursive: true });
});

test("docs/engine.md: its example answers what it shows", async () => {
  const page = readFileSync(join(root, "docs/engine.md"), "utf8");
  const [, line = "", name = "", shown = ""] =
    /^\$ echo '(.*)' \| npx wirewalk engine (\S+) \| .*\n(.*)$/m.exec(page) ?? [];
  expect((await run(process.execPath, [bin, "engine", name], line)).slice(0, 60)).toBe(shown);
});
