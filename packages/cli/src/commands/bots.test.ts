import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { runCommand, startCommand } from "../testing/run-command.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server on a free port of this machine that only listens. */
async function listen(
  received: (bytes: Buffer, socket: Socket) => void,
  connected: (socket: Socket) => void = () => {},
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    connected(socket);
    socket.on("data", (bytes) => received(bytes, socket));
    socket.on("error", () => {});
  });
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return String((server.address() as AddressInfo).port);
}

it("bots play until a signal, and what they did is printed", async () => {
  const { promise: allHeard, resolve } = Promise.withResolvers<void>();
  const speakers = new Set<Socket>();
  const port = await listen((_bytes, socket) => {
    speakers.add(socket);
    if (speakers.size === 3) resolve();
  });
  const running = startCommand(["bots", "fake", "--count", "3", "--port", port]);
  await allHeard;
  running.signals.emit("SIGINT");
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\d+ s: 3 of 3 connected, \d+ sent, 0 received\n$/);
});

it("that the server disconnected every bot is a failure; they are counted by reason", async () => {
  const port = await listen((_bytes, socket) => socket.end());
  const { code, stdout, stderr } = await runCommand(["bots", "fake", "--count", "2", "--port", port]);
  expect(code).toBe(1);
  expect(stdout).toContain("0 of 2 connected");
  expect(stdout).toMatch(/\n2 x closed by peer\n$/);
  expect(stderr).toBe("wirewalk: the server disconnected every bot: 2 x closed by peer\n");
});

it("a run in which some bots stay connected is no failure", async () => {
  let first: Socket | undefined;
  const { promise: twoHeard, resolve } = Promise.withResolvers<void>();
  const port = await listen((_bytes, socket) => {
    if (first === undefined) {
      first = socket;
      socket.end();
    } else if (socket !== first) resolve();
  });
  const running = startCommand(["bots", "fake", "--count", "2", "--port", port]);
  await twoHeard;
  await running.printed(/ 1 of 2 connected/);
  running.signals.emit("SIGINT");
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/\n1 x closed by peer\n$/);
});

describe("bots of a game whose server greets, at another game's server", () => {
  const question = (port: string): string =>
    `wirewalk: no bot received a greeting: is there a server of MapleStory, dialect v62 at 127.0.0.1:${port}?\n`;

  it("fail when it speaks first, with one place in the reason", async () => {
    // A move of Slime Online 2 in its frame.
    const port = await listen(
      () => {},
      (socket) => socket.write(Buffer.from("0900000805000280c001a000", "hex")),
    );
    const { code, stdout, stderr } = await runCommand(["bots", "maplestory", "--port", port]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n1 x Cannot read \w+: \d+ bytes needed, \d+ left at byte 11\n$/);
    expect(stderr).toBe(question(port));
  });

  it("fail when it waits for them", async () => {
    const port = await listen(() => {});
    const running = startCommand(["bots", "maplestory", "--port", port]);
    await running.printed(/1 of 1 connected/);
    running.signals.emit("SIGINT");
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: question(port) });
    expect(stdout).toMatch(/1 of 1 connected, 0 sent, 0 received\n$/);
  });
});

it("they cheat as asked, in the dialect that was asked for", async () => {
  const { promise: first, resolve } = Promise.withResolvers<Buffer>();
  const port = await listen(resolve);
  const flags = ["--dialect", "ciphered", "--cheat", "leap", "--port", port];
  const running = startCommand(["bots", "fake", ...flags]);
  const bytes = await first;
  running.signals.emit("SIGTERM");
  await running.ended;
  expect(bytes.subarray(0, 5).toString("hex")).toBe("03007e17fc");
});

it("that none could connect is a failure", async () => {
  const port = await listen(() => {});
  for (const close of closing.splice(0)) close();
  expect(await runCommand(["bots", "fake", "--count", "2", "--port", port])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      `wirewalk: no bot could connect: 2 x Cannot connect to 127.0.0.1:${port}: ECONNREFUSED; no server listens there: ` +
      `"wirewalk serve --listen fake=${port}" starts one\n`,
  });
});

describe("bots that are banned", () => {
  const serve = async (...flags: string[]) => {
    const free = ["--http", "0", "--listen", "fake=0", "--log-level", "silent", "--ban-address", "on", ...flags];
    const running = startCommand(["serve", ...free]);
    closing.push(() => void running.signals.emit("SIGTERM", "SIGTERM"));
    const printed = await running.printed(/ at http:.*\n/);
    const port = /TCP +\S+:(\d+)/.exec(printed)?.[1] ?? "";
    const http = / at http:\/\/[^:]+:(\d+)/.exec(printed)?.[1] ?? "";
    return ["bots", "fake", "--cheat", "leap", "--port", port, "--http", http] as const;
  };
  const lift = "where it runs, `wirewalk bans lift address:127.0.0.1 --data FOLDER` lifts the ban";
  const until = String.raw`banned until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC by rule \S+; applies to address:127\.0\.0\.1`;
  const sentence = new RegExp(`^wirewalk: the server disconnected every bot: ${until}; ${lift}\n$`);

  it("say until when, by what, and how the ban is lifted, then and when they come back", async () => {
    const command = await serve("--ban-loopback");
    for (const each of [command, command]) {
      const { code, stderr } = await runCommand(each);
      expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    }
  });

  it("say that only their session has ended where nobody is banned", async () => {
    const { code, stderr } = await runCommand(await serve());
    expect(code).toBe(1);
    expect(stderr).toMatch(/^wirewalk: the server disconnected every bot: this session alone, by rule \S+\n$/);
  });
});
