/** `wirewalk relay osrs` between a server and a client of the game that share nothing with the library, and what it leaves behind. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { OsrsClient } from "../../../server/src/relay/strangers/testing/osrs-client.ts";
import { type OsrsSession, startOsrsServer } from "../../../server/src/relay/strangers/testing/osrs-server.ts";
import { until } from "../../../server/src/testing/clients.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";

const isaac = "0000000100000002ffffffff00000004";
const flags = ["--revision", "239", "--isaac", isaac, "--skip-login"];
const TICKS = 25;

function run(...args: string[]): Promise<Ran> {
  return startCommand(args, "", protocols).ended;
}

/** A session of {@link TICKS} ticks through the command, to its end. */
async function relayed(...more: string[]) {
  const server = await startOsrsServer({ seed: 5, tickMs: 0 });
  onTestFinished(() => server.close());
  const to = `127.0.0.1:${server.port}`;
  const running = startCommand(["relay", "osrs", "--listen", "0", "--to", to, ...more], "", protocols);
  let text = "";
  const reads = async (pattern: RegExp): Promise<void> => {
    void running.printed(pattern).then((all) => {
      text = all;
    });
    await until(`it prints ${pattern}`, () => pattern.test(text));
  };
  await reads(/\n/);
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
  const client = await OsrsClient.login({ port, publicKey: server.publicKey, seeds: [1, 2, -1, 4], seed: 6 });
  onTestFinished(() => client.close());
  const [session] = server.sessions;
  for (let tick = 1; tick <= TICKS; tick++) {
    server.tick();
    client.play(600);
    await until("the tick arrives", () => client.ticks.length === tick);
  }
  await until("everything arrived", () => session?.received.length === client.sent.length);
  client.close();
  await reads(/ closed: |"close"/);
  running.signals.emit("SIGTERM");
  const ran = await running.ended;
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return { lines: ran.stdout.trimEnd().split("\n"), session, client };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "wirewalk-relay-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const picturesOf = (session: OsrsSession | undefined): unknown =>
  session?.ticks.map((tick) => Object.fromEntries(tick.map(({ index, level, x, z }) => [index, [level, x, z]])));

const nothingLost = /lost|unreadable|not judged|not read|in part/;

test("the lines have every message by its name", async () => {
  const { lines, session, client } = await relayed(...flags);
  const bodies = lines.map((line) => line.replace(/^\S+ 1 /, ""));
  expect(bodies.filter((line) => nothingLost.test(line))).toEqual([]);
  const count = (start: string): number => bodies.filter((line) => line.startsWith(`${start} `)).length;
  const messages = bodies.filter((line) => /^(client|server) [A-Za-z_\d]+ \{/.test(line));
  // The index is in the login.
  expect(messages.length).toBe(client.sent.length + (session?.sent.length ?? 0) + 1);
  const perTick = ["playerInfo", "serverTickEnd"].map((name) => count(`server ${name}`));
  expect([...perTick, count("server rebuildNormal")]).toEqual([TICKS, TICKS, 1]);
  const some = ["client mouseMove", "client moveGameClick", "server URL_OPEN"].map(count);
  expect(Math.min(...some)).toBeGreaterThan(0);
  expect(bodies.find((line) => line.startsWith("server playerInfo "))).toContain('{"players":{"');
});

test("--json has the players in view at every tick", async () => {
  const { lines, session } = await relayed(...flags, "--json");
  const objects = lines.map((line) => JSON.parse(line) as { message?: string; value?: { players?: unknown } });
  const shown = objects.flatMap(({ message, value }) => (message === "playerInfo" ? [value?.players] : []));
  expect(shown).toEqual(picturesOf(session));
  expect(lines.filter((line) => /"event":"(lost|unseen|unjudged)"|"error"/.test(line))).toEqual([]);
});

test("--record keeps a world that replays without differences", async () => {
  const path = folder();
  await relayed(...flags, "--record", path);
  const [file = ""] = readdirSync(path).filter((name) => name.endsWith(".mcap"));
  expect(await run("replay", join(path, file), "--verify")).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/\nVerified: \d+ effects and [1-9]\d* key frames are as they were\.\n$/) as string,
  });
});

test("--capture is read by inspect, with the revision as a setting", async () => {
  const file = join(folder(), "a.pcapng");
  const { session } = await relayed(...flags, "--capture", file);
  const port = await serverPortOf(file);
  const args = ["--map", `${port}=osrs:client`, "--set", "osrs.revision=239"];
  const taps = ["--tap", `osrs.isaac=${isaac}`, "--tap", "osrs.skipLogin=true"];
  const { code, stdout } = await run("inspect", file, "--json", ...args, ...taps);
  const records = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { message?: string; value?: { players?: unknown } });
  expect(code).toBe(0);
  expect(records.flatMap(({ message, value }) => (message === "playerInfo" ? [value?.players] : []))).toEqual(
    picturesOf(session),
  );
});

async function serverPortOf(file: string): Promise<string> {
  const { stdout } = await run("inspect", file, "--flows");
  return /-127\.0\.0\.1:(\d+)/.exec(stdout)?.[1] ?? "";
}

test("--revision takes one that --table gives", async () => {
  const file = join(folder(), "table.json");
  const messages = { fromServer: { PLAYER_INFO: [17, -2] }, fromClient: { EVENT_MOUSE_MOVE: [3, -1] } };
  writeFileSync(file, JSON.stringify({ revisions: { 242: messages } }));
  const args = ["relay", "osrs", "--listen", "0", "--to", "127.0.0.1:1", "--revision", "242"];
  for (const flag of ["--table", "--sizes"]) {
    const running = startCommand([...args, flag, file], "", protocols);
    let isListening = false;
    void running.printed(/Old School RuneScape, dialect client/).then(() => {
      isListening = true;
    });
    await until("it listens", () => isListening);
    running.signals.emit("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
  }
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining("--revision 242") });
});

test.each([
  [["--revision", "222", "--revision", "198"], "--revision 198"],
  [["--revision", "239", "--set", "osrs.revision=240"], "--revision and --set osrs.revision say the same"],
])("%j is wrong usage", async (args, why) => {
  const { code, stderr } = await run("relay", "osrs", "--listen", "0", "--to", "localhost:1", ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
});
