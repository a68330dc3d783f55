import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CaptureBlocks } from "../capture/capture-blocks.ts";
import { type Running, runCommand, startCommand } from "../testing/run-command.ts";

let folder = "";
const path = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-capture-command-"));
  writeFileSync(path("token"), "a-token-of-many-characters\n");
  writeFileSync(path("other"), "another-token-of-many-characters\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Served {
  readonly command: Running;
  readonly url: string;
  readonly game: string;
}

async function serve(...flags: readonly string[]): Promise<Served> {
  const fixed = ["--http", "0", "--listen", "slime-online-2=0", "--dialect", "slime-online-2=documented"];
  const command = startCommand(["serve", ...fixed, "--log-level", "silent", ...flags]);
  const text = await command.printed(/(?:served|page is) at http:\/\/\S+/);
  return {
    command,
    url: /(?:served|page is) at (http:\/\/[^/\s]+)/.exec(text)?.[1] ?? "",
    game: /TCP\s+127\.0\.0\.1:(\d+)/.exec(text)?.[1] ?? "",
  };
}

async function stop({ command }: Served): Promise<void> {
  command.signals.emit("SIGTERM");
  expect((await command.ended).code).toBe(0);
}

/** Two bots play until a file has so many bytes. */
async function play({ game }: Served, isEnough: () => boolean): Promise<void> {
  const bots = startCommand(["bots", "slime-online-2", "--dialect", "documented", "--port", game, "--count", "2"]);
  const startMs = performance.now();
  while (!isEnough()) {
    if (performance.now() - startMs > 60_000) throw new Error("The bots have not sent enough");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  bots.signals.emit("SIGTERM");
  await bots.ended;
}

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

describe("capture", () => {
  test("writes the sessions of a running server for its owner alone, and inspect reads all of it", async () => {
    const server = await serve("--admin-token-file", path("token"));
    const file = path("a.pcapng");
    const flags = ["--server", server.url, "--token-file", path("token")];
    const capture = startCommand(["capture", "--out", file, ...flags]);
    const toOutput = startCommand(["capture", "--out", "-", "--seconds", "1", ...flags]);
    while (bytesOf(file) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await play(server, () => bytesOf(file) > 2000);
    // The ends of the sessions are in it.
    const sessions = (): number => readFileSync(file, "latin1").split("the session ended").length - 1;
    while (sessions() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    capture.signals.emit("SIGINT");
    const { code, stderr } = await capture.ended;
    expect(stderr).toMatch(/^wirewalk: \d+ packets, \d+ bytes in .*a\.pcapng\n$/);
    expect(code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await toOutput.ended).stdout).toContain("wirewalk capture");
    const inspected = await runCommand([
      "inspect",
      file,
      "--map",
      `${server.game}=slime-online-2:documented`,
      "--json",
    ]);
    expect(inspected.code).toBe(0);
    expect(inspected.stdout).toContain('"message":"movePlayer"');
    // Refusals have a sentence.
    for (const [wrong, text] of [
      [["--token-file", path("other")], "401 This needs the admin token"],
      [["--token-file", path("token"), "--game", "osrs-2"], '400 The game "osrs-2" is not served here'],
      [["--token-file", path("none")], "ENOENT"],
    ] as const) {
      const refused = await runCommand(["capture", "--out", path("b.pcapng"), "--server", server.url, ...wrong]);
      expect(refused.stderr).toContain(text);
      expect(refused.code).toBe(1);
    }
    await stop(server);
  });

  test("of serve begins with the server, and rotates its files", async () => {
    const rotation = ["--capture-rotate", "10kB", "--capture-keep", "2"];
    const server = await serve("--capture", path("s.pcapng"), ...rotation, "--bots", "2");
    const files = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith("s-"));
    while (!files().some((name) => name > "s-00002.pcapng")) await new Promise((resolve) => setTimeout(resolve, 20));
    await stop(server);
    expect(files()).toHaveLength(2);
    const [older, newest] = [...files()].sort().map((name) => {
      const blocks = new CaptureBlocks();
      blocks.push(readFileSync(path(name)));
      return blocks;
    });
    // The newest may have begun just before the server ended.
    expect(older?.packets).toBeGreaterThan(0);
    expect([older?.dropped, newest?.dropped]).toEqual([0, 0]);
  });

  test.each([
    [["--rotate", "1"], "at least 10000 bytes"],
    [["--keep", "2"], "--keep needs --rotate SIZE"],
    [["--server", "localhost"], "http://127.0.0.1:7400"],
  ])("%s is wrong usage", async (flags, text) => {
    const ran = await runCommand(["capture", "--out", path("x.pcapng"), "--token-file", path("token"), ...flags]);
    expect(ran.stderr).toContain(text);
    expect(ran.code).toBe(2);
  });

  test("an address without a server, and one of another program, are named", async () => {
    const other = createServer((_request, response) => void response.end("hello, this is no capture"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    const args = ["capture", "--out", path("x.pcapng"), "--token-file", path("token"), "--server"];
    expect(await runCommand([...args, `http://127.0.0.1:${port}`])).toMatchObject({
      code: 1,
      stderr: `wirewalk: http://127.0.0.1:${port}: it is no capture\n`,
    });
    await new Promise((resolve) => other.close(resolve));
    expect(await runCommand([...args, `http://127.0.0.1:${port}`])).toMatchObject({
      code: 1,
      stderr: `wirewalk: Cannot connect to http://127.0.0.1:${port}: ECONNREFUSED\n`,
    });
  });
});
