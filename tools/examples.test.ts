/** Each program of `examples/` runs, and does what it says. `npm run check:install` runs them again, from packed packages. */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "@wirewalk/server";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pcapngHeader, pcapngPacket, TcpPackets } from "wirewalk/capture";
import { connectClient, runBot } from "wirewalk/client";
import { mapleStory } from "wirewalk/maplestory";
import { createRandom } from "wirewalk/motion";
import { systemClock } from "wirewalk/net";
import { connectTcp } from "wirewalk/node";
import { osrs } from "wirewalk/osrs";
import { defaultDialect, type PlayableProtocol } from "wirewalk/protocol";
import { moveMessage, slimeOnline2 } from "wirewalk/slime-online-2";

const examples = fileURLToPath(new URL("../examples/", import.meta.url));
const host = "127.0.0.1";
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-examples-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program plays for so long, unless a test ends this time: on a busy machine nothing may happen within a second. */
const SECONDS = 3_600;

/** Calls that wait for {@link SECONDS} are kept, and made by the result. */
function heldTimers(): { readonly end: () => void; readonly restore: () => void } {
  const { setTimeout: real } = globalThis;
  const held: (() => void)[] = [];
  const hold = (call: () => void, delayMs: number, ...rest: []): NodeJS.Timeout => {
    if (delayMs !== SECONDS * 1000) return real(call, delayMs, ...rest);
    held.push(call);
    return real(() => {}, 0);
  };
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(hold as typeof setTimeout);
  const end = (): void => {
    for (const call of held.splice(0)) call();
  };
  return { end, restore: () => spy.mockRestore() };
}

/** Runs a program in this process, which has loaded the games already, and gives the lines that it prints until the last one. */
async function printed(
  name: string,
  args: readonly string[],
  last: RegExp,
  onLine = () => {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...parts: unknown[]) => {
    lines.push(parts.join(" "));
    onLine();
  });
  const { argv } = process;
  try {
    process.argv = [process.execPath, join(examples, name), ...args];
    await import(`../examples/${name.slice(0, -3)}.ts`);
    await expect.poll(() => lines.at(-1)).toMatch(last);
    return lines;
  } finally {
    process.argv = argv;
    log.mockRestore();
  }
}

test("check-movement.ts flags the jump, and no move before it", async () => {
  expect(await printed("check-movement.ts", [], /1200 ms/)).toEqual([
    "100 ms: nothing is wrong",
    "1100 ms: nothing is wrong",
    "1200 ms: flag teleport: Moved 3440.0 px where 812.7 px were possible",
  ]);
});

test("read-mcap.ts reads with the plain reader what record-and-replay.ts has written", async () => {
  const file = join(folder, "play.mcap");
  const [line = ""] = await printed("record-and-replay.ts", [file], /differences$/);
  const [, inputs, effects, differences] = /^(\d+) inputs and (\d+) effects, (\d+) differences$/.exec(line) ?? [];
  expect(Number(inputs)).toBeGreaterThan(100);
  expect(Number(effects)).toBeGreaterThan(100);
  expect(differences).toBe("0");
  const places = await printed("read-mcap.ts", [file], /topics$/);
  expect(places.length).toBe(4);
  expect(places[0]).toMatch(/^player 1: room 1, -?[\d.]+ -?[\d.]+ [\d.]+$/);
});

test("read-capture.ts finds the game and prints its messages", async () => {
  const file = join(folder, "session.pcapng");
  const connection = new TcpPackets({
    client: { address: host, port: 50_000 },
    server: { address: host, port: 5555 },
  });
  const channel = slimeOnline2.openChannel({ side: "client", dialect: "documented", carrier: "stream" });
  const moves = [moveMessage("rightPress", 448, 160), moveMessage("rightRelease", 450, 160), moveMessage("upPress", 9)];
  const packets = [...connection.open(), ...moves.flatMap((move) => connection.data("client", channel.write(move)))];
  const header = pcapngHeader({ application: "test", interfaceName: "test" });
  writeFileSync(file, Buffer.concat([header, ...packets.map((packet, at) => pcapngPacket(BigInt(at), packet))]));
  const lines = await printed("read-capture.ts", [file], /refused$/);
  expect(lines[0]).toBe("127.0.0.1:50000-127.0.0.1:5555: slime-online-2/documented");
  expect(lines[1]).toBe('0 client movePlayer {"code":2,"direction":"rightPress","x":448,"y":160}');
  expect(lines.at(-1)).toBe("3 messages, 0 refused");
});

test("maplestory-bot.ts and read-player-info.ts play on a server and see its players", async () => {
  const listeners = [mapleStory, osrs].map((protocol) => ({ protocol: protocol as PlayableProtocol, port: 0 }));
  const server = await startServer({ listeners, demo: true });
  const portOf = (name: string): number => server.listeners.find(({ world }) => world === name)?.port ?? 0;
  const others = await Promise.all(
    [mapleStory, osrs].map(async (game, number) => {
      const protocol = game as PlayableProtocol;
      const dialect = defaultDialect(protocol);
      const part = game === osrs ? { part: "player-info" } : {};
      const bot = protocol.bots.create({ dialect, random: createRandom(number), number, cheat: "none", ...part });
      const transport = await connectTcp({ host, port: portOf(protocol.name) });
      return runBot({ protocol, dialect, transport, bot, clock: systemClock });
    }),
  );
  const timers = heldTimers();
  try {
    const walked = await printed("maplestory-bot.ts", [`${portOf("maplestory")}`, `${SECONDS}`], /^closed/, timers.end);
    expect(walked[0]).toMatch(/^player \d+ walks from -?\d+, -?\d+$/);
    expect(walked.at(-1)).toMatch(/^closed: enough; [1-9]\d* messages sent$/);
    const seen = await printed("read-player-info.ts", [`${portOf("osrs")}`, "2"], /^closed/);
    expect(seen[0]).toMatch(/^tick 1: \d+ players in view, \d+ of them new$/);
    expect(seen.join("\n")).toMatch(/\n {2}player \d+: (?:walk|run) to \d+, \d+\n/);
  } finally {
    timers.restore();
    for (const other of others) other.stop();
    await server.close();
  }
});

test("slime-server.ts relays moves, and a stream without frames ends its own connection alone", async () => {
  const child = spawn(process.execPath, ["-C", "wirewalk-source", "slime-server.ts", "0"], { cwd: examples });
  try {
    let output = "";
    child.stdout.on("data", (bytes) => {
      output += bytes;
    });
    await expect.poll(() => output).toMatch(/port: \d+/);
    const port = Number(/port: (\d+)/.exec(output)?.[1]);
    const received: unknown[] = [];
    const closed: string[] = [];
    const [ann, ben, eve] = await Promise.all(
      ["ann", "ben", "eve"].map(async (name) => {
        const transport = await connectTcp({ host, port });
        const client = connectClient({
          protocol: slimeOnline2,
          dialect: "documented",
          transport,
          onMessage: ({ value }) => void received.push({ name, ...value }),
          onClosed: () => void closed.push(name),
        });
        return { client, transport };
      }),
    );
    // A frame that is longer than any message.
    eve?.transport.send(Uint8Array.of(0xff, 0xff, 1, 2));
    await expect.poll(() => closed).toEqual(["eve"]);
    ann?.client.send(moveMessage("rightPress", 448, 160));
    await expect.poll(() => received.length).toBe(1);
    expect(received).toEqual([
      { name: "ben", playerId: expect.any(Number), code: 2, direction: "rightPress", x: 448, y: 160 },
    ]);
    await expect.poll(() => output).toMatch(/player \d: rightPress at 448, 160\n/);
    for (const { client } of [ann, ben].flatMap((each) => each ?? [])) client.close();
  } finally {
    child.kill();
  }
});

test("every example is listed in the README of the folder, and tested here", () => {
  const files = globSync("*.ts", { cwd: examples });
  const readme = readFileSync(join(examples, "README.md"), "utf8");
  const tests = readFileSync(fileURLToPath(import.meta.url), "utf8");
  expect(files.filter((file) => !readme.includes(`(${file})`) || !tests.includes(`"${file}`))).toEqual([]);
  expect(files.length).toBe(7);
});
