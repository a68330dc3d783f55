import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bans, sqliteStore } from "@wirewalk/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Bot, BotOptions, PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { WireError } from "wirewalk/wire";
import { getText } from "../testing/get-text.ts";
import { type Ran, type Running, startCommand } from "../testing/run-command.ts";

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0)) await clean();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "wirewalk-cli-"));
  cleaning.push(() => rmSync(path, { recursive: true }));
  return path;
}

interface Serving extends Running {
  /** What it printed once it was up. */
  readonly printedAtStart: string;
  readonly http: string;
  readonly tcp: number;
}

function serve(...flags: string[]): Promise<Serving> {
  return serveThese(protocols, ...flags);
}

async function serveThese(table: Readonly<Record<string, PlayableProtocol>>, ...flags: string[]): Promise<Serving> {
  const free = ["--http", "0", "--listen", "slime-online-2=0", "--log-level", "silent"];
  const running = startCommand(["serve", ...free, ...flags], "", table);
  const printedAtStart = await Promise.race([
    running.printed(/ at http:.*\n/),
    running.ended.then(({ stderr }) => stderr),
  ]);
  const http = /http:\/\/\S+/.exec(printedAtStart)?.[0] ?? "";
  return { ...running, printedAtStart, http, tcp: Number(/TCP +\S+:(\d+)/.exec(printedAtStart)?.[1]) };
}

function run(...args: string[]): Promise<Ran> {
  return startCommand(args, "", protocols).ended;
}

async function stop(running: Running): Promise<Ran> {
  running.signals.emit("SIGTERM", "SIGTERM");
  return running.ended;
}

async function dial(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  cleaning.push(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

describe("serve", () => {
  it("prints where everything is, and drains at a signal", async () => {
    const running = await serve();
    expect(running.printedAtStart).toMatch(
      /^Slime Online 2, dialect v0106\n {2}TCP {8}127\.0\.0\.1:\d+\n {2}WebSocket {2}ws:\/\/127\.0\.0\.1:\d+\/ws\/slime-online-2\n(?:.*\n)*Bans and accounts are lost/,
    );
    expect((await fetch(new URL("/livez", running.http))).status).toBe(200);
    const { code, stdout, stderr } = await stop(running);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/\nDisconnecting all sessions, .*\n$/);
  });

  it("opens a port for each room that has one", async () => {
    const running = await serve(
      "--all",
      "--room-port",
      "maplestory=channel-2:0",
      "--room-port",
      "maplestory=channel-3:0",
    );
    const ports = running.printedAtStart.match(/ {2}TCP {8}127\.0\.0\.1:\d+ for room channel-[23]\n/g);
    expect(ports).toHaveLength(2);
    expect(await stop(running)).toMatchObject({ code: 0 });
  });

  it("lets bots play, in rooms, over sockets of their own", async () => {
    const running = await serve("--bots", "6", "--seed", "5");
    expect(running.printedAtStart).toContain("  Bots       6\n");
    const metrics = async (): Promise<string> => getText(new URL("/metrics", running.http));
    // A bot that logs in is a player when its password is hashed.
    await expect.poll(metrics).toMatch(/players\{protocol="slime-online-2",world="slime-online-2"\} 6\n/);
    expect(await stop(running)).toMatchObject({ code: 0 });
  });

  it("speaks the dialect that is asked for, and bans nobody in log-only mode", async () => {
    const running = await serve("--dialect", "slime-online-2=documented", "--log-only", "--bots", "1");
    expect(running.printedAtStart).toContain("dialect documented\n");
    expect(running.printedAtStart).toContain("no player is corrected");
    expect(await stop(running)).toMatchObject({ code: 0 });
  });

  it.each([
    [["600"], "Old School RuneScape, dialect client, 600 ms a tick"],
    [["osrs=50"], "Old School RuneScape, dialect client, 50 ms a tick"],
    [["20", "osrs=7"], "Old School RuneScape, dialect client, 7 ms a tick"],
  ])("lets a game tick as it is asked to where the game leaves the choice: --tick-ms %o", async (ticks, line) => {
    const running = await serve("--all", ...ticks.flatMap((tick) => ["--tick-ms", tick]));
    expect(running.printedAtStart).toContain(`${line}\n`);
    expect(running.printedAtStart).toContain("Slime Online 2, dialect v0106\n");
    expect(await stop(running)).toMatchObject({ code: 0 });
  });

  it("makes a world of each port, and gives worlds names and options of their own", async () => {
    const running = await serve(
      ...["--listen", "maplestory=0,0", "--world", "main=osrs", "--world", "side=osrs", "--listen", "main=0"],
      ...[
        "--dialect",
        "maplestory=v83",
        "--dialect",
        "maplestory-2=v62",
        "--tick-ms",
        "osrs=50",
        "--tick-ms",
        "side=70",
      ],
      ...["--set", "osrs.mouseOpcode=34", "--set", "side.mouseOpcode=35"],
    );
    const lines = running.printedAtStart.split("\n");
    expect(lines.filter((line) => /^(?:Maple|Old)/.test(line))).toEqual([
      "Old School RuneScape, world main, dialect client, 50 ms a tick",
      "Old School RuneScape, world side, dialect client, 70 ms a tick",
      "MapleStory, dialect v83",
      "MapleStory, world maplestory-2, dialect v62",
    ]);
    // The first Slime Online 2, two of MapleStory, and one of OSRS.
    expect(lines.filter((line) => line.includes(" TCP "))).toHaveLength(4);
    const feed = new WebSocket(new URL("/ws/studio", running.http.replace("http", "ws")));
    const [{ data }] = (await once(feed, "message")) as [{ readonly data: string }];
    feed.close();
    const { worlds } = JSON.parse(data) as {
      readonly worlds: readonly { name: string; settings: Record<string, number> }[];
    };
    const opcodes = worlds.map(({ name, settings }) => [name, settings.mouseOpcode]);
    expect(opcodes).toEqual(
      expect.arrayContaining([
        ["main", 34],
        ["side", 35],
      ]),
    );
    expect(await stop(running)).toMatchObject({ code: 0 });
  });

  it("gives threads to the games that have work for them", async () => {
    const running = await serve("--all", "--threads", "2");
    expect(running.printedAtStart).toContain("Old School RuneScape, dialect client, 2 threads\n");
    expect(running.printedAtStart).toContain("Slime Online 2, dialect v0106\n");
    expect(await stop(running)).toMatchObject({ code: 0 });
  });

  it("says why a bot of its own is gone, and the others play on", async () => {
    const slime = protocols["slime-online-2"] as PlayableProtocol;
    const create = (options: BotOptions): Bot => {
      const bot = slime.bots.create(options);
      const refuse = (): never => {
        throw new WireError("bad-state", "Cannot read anything: this bot believes nothing", 0);
      };
      return options.number === 1 ? { ...bot, start: (now) => bot.start(now), step: () => [], receive: refuse } : bot;
    };
    const table = { "slime-online-2": { ...slime, bots: { ...slime.bots, create } } };
    const running = await serveThese(table, "--bots", "12", "--log-level", "warn");
    const metrics = async (): Promise<string> => getText(new URL("/metrics", running.http));
    await expect.poll(metrics).toMatch(/players\{[^}]*\} 11\n/);
    const { stderr } = await stop(running);
    expect(JSON.parse(stderr.split("\n")[0] ?? "")).toMatchObject({
      level: 40,
      world: "slime-online-2",
      bot: 1,
      reason: "Cannot read anything: this bot believes nothing",
      msg: "a bot was disconnected",
    });
  });

  it("logs to the standard error, as JSON lines", async () => {
    const running = await serve("--log-level", "info");
    const { stderr } = await stop(running);
    const messages = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).msg);
    expect(messages).toEqual(expect.arrayContaining(["listening", "closed"]));
  });

  it("ends at once at a second signal, but not at an echo of the first", async () => {
    const running = await serve();
    // Who does not hang up holds the drain.
    const socket = await dial(running.tcp);
    const exits: number[] = [];
    running.signals.on("exit", (code: number) => exits.push(code));
    const signalAt = (nowMs: number): void => {
      const now = vi.spyOn(performance, "now").mockReturnValue(nowMs);
      running.signals.emit("SIGINT", "SIGINT");
      now.mockRestore();
    };
    signalAt(1_000);
    signalAt(1_050);
    expect(exits).toEqual([]);
    signalAt(1_150);
    expect(exits).toEqual([130]);
    socket.destroy();
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  it("takes as many as come where only this machine can connect: they share its address", async () => {
    // Without a login each connection is a player.
    const running = await serve("--dialect", "slime-online-2=documented");
    const sockets = await Promise.all(Array.from({ length: 80 }, () => dial(running.tcp)));
    const metrics = async (): Promise<string> => getText(new URL("/metrics", running.http));
    await expect.poll(metrics).toMatch(/players\{protocol="slime-online-2",world="slime-online-2"\} 80\n/);
    for (const socket of sockets) socket.destroy();
    expect(await stop(running)).toMatchObject({ code: 0 });
  });

  it("says that a port is in use", async () => {
    const running = await serve();
    expect(await run("serve", "--http", "0", "--listen", `slime-online-2=${running.tcp}`)).toEqual({
      code: 1,
      stdout: "",
      stderr: `wirewalk: Cannot listen on 127.0.0.1:${running.tcp}: the port is in use\n`,
    });
    await stop(running);
  });

  it("says that another server is using a data folder", async () => {
    const data = folder();
    const running = await serve("--data", data);
    const flags = ["--http", "0", "--listen", "slime-online-2=0", "--log-level", "silent"];
    expect(await run("serve", ...flags, "--data", data)).toEqual({
      code: 1,
      stdout: "",
      stderr: `wirewalk: Cannot keep data in ${data}: another server is using it (process ${process.pid})\n`,
    });
    await stop(running);
    expect(await stop(await serve("--data", data))).toMatchObject({ code: 0 });
  });

  it("says that a data folder cannot be used", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const { code, stderr } = await run("serve", "--http", "0", "--listen", "slime-online-2=0", "--data", file);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^wirewalk: Cannot keep data in .*\n$/);
  });

  it.each([
    ["--listen slime-online-3=1", "unknown protocol 'slime-online-3'; did you mean slime-online-2?"],
    ["--listen slime-online-2", "--listen slime-online-2 needs a value: slime-online-2=…"],
    ["--listen slime-online-2=x", "--listen slime-online-2=x needs a port from 0 to 65535"],
    ["--listen slime-online-2=65536", "--listen slime-online-2=65536 needs a port from 0 to 65535"],
    ["--world w=osrs --listen w=1 --listen w=2", "--listen is given twice for w"],
    ["--world w=osr", "unknown protocol 'osr'; did you mean osrs?"],
    ["--world w", "--world w needs a game: w=maplestory"],
    ["--world w=osrs --world w=osrs", "--world is given twice for w"],
    [
      "--world osrs=osrs",
      "--world osrs=osrs needs a name of small letters, digits and hyphens that is not the name of a game",
    ],
    ["--dialect maplestory-2=v83", "unknown protocol 'maplestory-2'; did you mean maplestory?"],
    ["--dialect slime-online-2=v0107", "unknown dialect 'v0107' of slime-online-2; did you mean v0106?"],
    [
      "--trust-proxy 10.0.0.0/33",
      "--trust-proxy 10.0.0.0/33 is neither an address nor a network: it must look like 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32",
    ],
    ["--ban-address hard", "--ban-address hard is unknown; known are off, soft, on"],
    ["--ban-address osrs=hard", "--ban-address hard is unknown; known are off, soft, on"],
    ["--ban-address on --ban-address off", "--ban-address is given twice: on and off"],
    [
      "--allow-origin example.org",
      "--allow-origin example.org is not an origin: it must be a scheme and a host, as https://example.org",
    ],
    ["--bots many", "option '--bots <number>' argument 'many' is invalid. It must be a whole number from 0 to 1000"],
    ["--threads 17", "option '--threads <number>' argument '17' is invalid. It must be a whole number from 1 to 16"],
    ["--tick-ms 0", "--tick-ms 0 needs a whole number of milliseconds from 1 to 60000"],
    ["--tick-ms soon", "--tick-ms soon needs a whole number of milliseconds from 1 to 60000"],
    ["--tick-ms osrs=60001", "--tick-ms osrs=60001 needs a whole number of milliseconds from 1 to 60000"],
    ["--tick-ms osrs=", "--tick-ms osrs= needs a value: osrs=…"],
    ["--tick-ms 5 --tick-ms 6", "--tick-ms is given twice: 5 and 6"],
    ["--tick-ms osrs=5 --tick-ms osrs=6", "--tick-ms is given twice for osrs"],
    ["--room-port maplestory=7576", "--room-port maplestory=7576 needs a room and a port: maplestory=ROOM:PORT"],
    ["--room-port maplestory=2:70000", "--room-port maplestory=2:70000 needs a room and a port: maplestory=ROOM:PORT"],
    ["--listen osrs=7000 --all --room-port maplestory=2:7000", "port 7000 is given twice: for osrs and for room 2"],
    ...[
      "--room-port maplestory=2:7000",
      "--dialect maplestory=v83",
      "--set maplestory.startMap=1",
      "--policy maplestory.*=ban",
      "--maps maplestory=wz",
    ].map((flag): [string, string] => [
      `--listen osrs=0 ${flag}`,
      `${flag} is for maplestory, which does not start: --listen maplestory=PORT starts it`,
    ]),
    ["--listen osrs=7000,7000", "port 7000 is given twice: for osrs and for osrs-2"],
    [
      "--dialect v83",
      "--dialect v83 needs a world and a value, as slime-online-2=v83; worlds are slime-online-2, osrs, maplestory, scrap-mechanic",
    ],
    [
      "--nats http://a --node a",
      "--nats is not the address of a broker: it must look like nats://127.0.0.1:4222 or tls://user:password@host:4222",
    ],
    ["--record package.json", "--record package.json is a file: recordings go to a folder"],
    ["--room-port mapl=2:1", "unknown protocol 'mapl'; did you mean maplestory?"],
    ["--tick-ms slime-online-2=5", "the tick of slime-online-2 is the game's own; --tick-ms is for osrs"],
    ["--tick-ms osr=5", "unknown protocol 'osr'; did you mean osrs?"],
    ["--log-levl info", "unknown option '--log-levl'; did you mean --log-level?"],
    ["5555", "too many arguments for 'serve'. Expected 0 arguments but got 1: 5555; see wirewalk serve --help"],
  ])("%s is wrong usage", async (flags, sentence) => {
    expect(await run("serve", ...flags.split(" "))).toEqual({ code: 2, stdout: "", stderr: `wirewalk: ${sentence}\n` });
  });
});

describe("bans", () => {
  it("are listed with their evidence, and lifted, while the server runs", async () => {
    const data = folder();
    const running = await serve("--data", data);
    const store = sqliteStore(data, { shared: true });
    const evidence = [
      {
        kind: "reject",
        rule: "teleport",
        reason: "4000 px",
        player: 1,
        room: "1",
        atMs: 0,
        message: Uint8Array.of(0, 8),
        stateBefore: {},
      } as const,
    ];
    const ban = { reason: "6 teleports in 60 s", durationMs: 1e9, evidence };
    const bans = new Bans(store);
    bans.add("slime-online-2", { ...ban, key: "login:mal\u001bice", name: "mal\u001bice" });
    bans.add("slime-online-2", { ...ban, key: "address:192.0.2.7", name: "Victim" });
    store.close();

    const { code, stdout } = await run("bans", "list", "--data", data);
    expect(code).toBe(0);
    const verdict = " {2}reject by teleport: 4000 px; message 0008\n";
    const why = "teleport: 6 teleports in 60 s\n";
    expect(stdout).toMatch(
      new RegExp(
        `^slime-online-2 {2}address:192\\.0\\.2\\.7 {2}as Victim {2}until 20.*Z {2}${why}${verdict}` +
          `slime-online-2 {2}login:mal\\\\x1bice {2}until 20.*Z {2}${why}${verdict}$`,
      ),
    );

    expect(await run("bans", "lift", "login:malice", "--data", data)).toMatchObject({
      code: 1,
      stderr: "wirewalk: 'login:malice' is not banned; did you mean login:mal\\x1bice?\n",
    });
    expect(await run("bans", "lift", "Victim", "--data", data)).toMatchObject({ code: 2 });
    expect(await run("bans", "lift", "login:mal\u001bice", "--data", data)).toMatchObject({
      code: 0,
      stdout: "slime-online-2: login:mal\\x1bice is no longer banned\n",
    });
    expect(await run("bans", "lift", "address:::ffff:192.0.2.7", "--data", data)).toMatchObject({ code: 0 });
    expect(await run("bans", "list", "--data", data)).toMatchObject({ code: 0, stdout: "Nobody is banned.\n" });
    await stop(running);
  });

  it("in a missing folder fail, and the folder is not made", async () => {
    const data = join(folder(), "none");
    const failure = { code: 1, stdout: "", stderr: `wirewalk: there is no folder ${data}\n` };
    expect(await run("bans", "list", "--data", data)).toEqual(failure);
    expect(await run("bans", "lift", "a", "--data", data)).toEqual(failure);
  });

  it("need the folder", async () => {
    expect(await run("bans", "list")).toEqual({
      code: 2,
      stdout: "",
      stderr: "wirewalk: required option '--data <folder>' not specified; see wirewalk bans list --help\n",
    });
  });

  it("in a folder that has other files fail, and leave it as it is", async () => {
    const data = folder();
    writeFileSync(join(data, "notes.txt"), "");
    expect(await run("bans", "list", "--data", data)).toMatchObject({
      code: 1,
      stderr: `wirewalk: ${data} is not the data folder of a server: it has no wirewalk.sqlite\n`,
    });
    expect(readdirSync(data)).toEqual(["notes.txt"]);
  });
});
