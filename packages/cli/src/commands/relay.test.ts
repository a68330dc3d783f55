import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { protocols } from "wirewalk/protocols";
import { bundledCommand } from "../testing/bundled-command.ts";
import { type Ran, type Running, startCommand } from "../testing/run-command.ts";

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0)) await clean();
});

/** A server that keeps what it received. */
async function listen(): Promise<{ readonly port: number; readonly accepted: Promise<Socket> }> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection").then(([socket]: Socket[]) => socket as Socket);
  cleaning.push(async () => {
    server.close();
  });
  void accepted.then((socket) => {
    cleaning.push(() => socket.destroy());
    socket.on("error", () => {});
  });
  return { port: (server.address() as AddressInfo).port, accepted };
}

async function dial(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  cleaning.push(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

function run(...args: string[]): Promise<Ran> {
  return startCommand(args, "", protocols).ended;
}

interface Relaying extends Running {
  readonly port: number;
}

async function start(...args: string[]): Promise<Relaying> {
  const running = startCommand(
    ["relay", "slime-online-2", "--dialect", "v0106", "--listen", "0", ...args],
    "",
    protocols,
  );
  const text = await Promise.race([running.printed(/\n/), running.ended.then(({ stderr }) => stderr)]);
  return { ...running, port: Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1]) };
}

async function stop(running: Running): Promise<Ran> {
  running.signals.emit("SIGTERM");
  return running.ended;
}

/** MOVE_PLAYER leftPressAir of a client of v0106, enciphered and framed. */
const MOVE = Buffer.from("030060a20f", "hex");

describe("what passes is printed", () => {
  it("as text, with what was started", async () => {
    const server = await listen();
    const running = await start("--to", `127.0.0.1:${server.port}`);
    const client = await dial(running.port);
    client.write(MOVE);
    const far = await server.accepted;
    const [bytes] = (await once(far, "data")) as [Buffer];
    expect(bytes.equals(MOVE)).toBe(true);
    await running.printed(/movePlayer/);
    client.end();
    far.end();
    await running.printed(/closed/);
    const { code, stdout, stderr } = await stop(running);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [title, unchanged, verdicts, ...lines] = stdout.trimEnd().split("\n");
    expect(title).toBe(`Slime Online 2, dialect v0106: 127.0.0.1:${running.port} -> 127.0.0.1:${server.port}`);
    expect(unchanged).toBe("Bytes pass unchanged.");
    expect(verdicts).toBe("Verdicts are those of a world of its own, which touches nothing.");
    expect(
      lines.map((line) => line.replace(/^\d\d:\d\d:\d\d\.\d{3} /, "")).filter((line) => !/ended|open/.test(line)),
    ).toEqual([
      '1 client movePlayer {"code":10,"direction":"leftPressAir"}',
      "1 is not judged: no login has been seen that could be read, so that the shadow world does not have it",
      "1 closed: client sent 5 bytes, 1 messages; server sent 0 bytes, 0 messages",
    ]);
  });

  it("as JSON, with time, flow and direction", async () => {
    const server = await listen();
    const running = await start("--to", `127.0.0.1:${server.port}`, "--json", "--impair", "delay=1ms");
    const client = await dial(running.port);
    client.write(MOVE);
    client.write(Buffer.from("0200ffff", "hex"));
    await running.printed(/"error"/);
    const { stdout } = await stop(running);
    const [started, ...lines] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(started).toMatchObject({ event: "listening", impair: "delay=1ms", record: null });
    expect(lines.find(({ message }) => message === "movePlayer")).toEqual({
      time: expect.stringMatching(/^\d{10}\.\d{9}$/),
      connection: 1,
      flow: expect.stringMatching(`^127\\.0\\.0\\.1:\\d+-127\\.0\\.0\\.1:${server.port}$`),
      direction: "client",
      protocol: "slime-online-2",
      dialect: "v0106",
      message: "movePlayer",
      value: { code: 10, direction: "leftPressAir" },
    });
    expect(lines.find(({ error }) => error !== undefined)).toMatchObject({
      error: { code: "unknown-message", byteOffset: 0 },
    });
  });
});

it("--capture keeps what passed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-relay-"));
  cleaning.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "a.pcapng");
  const server = await listen();
  const running = await start("--to", `127.0.0.1:${server.port}`, "--capture", file);
  const client = await dial(running.port);
  client.end(MOVE);
  (await server.accepted).end();
  await running.printed(/closed/);
  await stop(running);
  const bytes = readFileSync(file);
  expect(bytes.readUInt32LE(0)).toBe(0x0a0d0d0a);
  expect(bytes.includes(MOVE)).toBe(true);
});

it("--record keeps the judging world, which replays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-relay-"));
  cleaning.push(() => rmSync(folder, { recursive: true }));
  const server = await listen();
  const running = await start("--dialect", "documented", "--to", `127.0.0.1:${server.port}`, "--record", folder);
  const client = await dial(running.port);
  // rightPress at x 500, y 160.
  client.write(Uint8Array.of(7, 0, 0, 8, 2, 1, 0xf4, 0, 160));
  await running.printed(/movePlayer|unreadable/);
  (await server.accepted).end();
  client.end();
  await running.printed(/closed/);
  expect(await stop(running)).toMatchObject({ code: 0, stderr: "" });
  const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".mcap"));
  const path = join(folder, file);
  expect(file).toMatch(/^slime-online-2-/);
  expect(await run("replay", path, "--verify")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nVerified: \d+ effects and [1-9]\d* key frames are as they were\.\n$/) as string,
  });
  expect((await run("verdicts", path)).code).toBe(0);
  const second = await run("inspect", path);
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("client") as string });
});

it.each([
  [["--record", "a", "--no-judge"], "--record records the world that --no-judge leaves out: give one of them"],
  [["--record-days", "3"], "--record-days needs --record FOLDER"],
  [["--record", "a.pcapng"], "--record takes a folder for MCAP files: --capture a.pcapng writes a capture"],
])("%j is wrong usage", async (flags, sentence) => {
  const ran = await run("relay", "slime-online-2", "--listen", "0", "--to", "localhost:1", ...flags);
  expect(ran).toMatchObject({ code: 2, stderr: `wirewalk: ${sentence}\n` });
});

it("--rules drops and changes messages, and says so", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-relay-"));
  cleaning.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "rules.json");
  writeFileSync(file, '[{"direction":"client","message":"movePlayer","where":{"code":10},"drop":true}]');
  const server = await listen();
  const running = await start("--to", `127.0.0.1:${server.port}`, "--rules", file);
  const client = await dial(running.port);
  const unknown = Buffer.from("0200ffff", "hex");
  client.write(MOVE);
  client.write(unknown);
  const [bytes] = (await once(await server.accepted, "data")) as [Buffer];
  expect(bytes.equals(unknown)).toBe(true);
  const text = await running.printed(/dropped by/);
  expect(text).toContain(`Messages are dropped and changed by the rules in ${file}.`);
  expect(text).toMatch(/ 1 client movePlayer \{.*\n(?:.*\n)*.* 1 client movePlayer dropped by rule 1\n/);
  await stop(running);
  writeFileSync(file, '[{"message":"chatt","drop":true}]');
  const wrong = await run("relay", "slime-online-2", "--listen", "0", "--to", "localhost:1", "--rules", file);
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`--rules ${file}: rule 1: no message 'chatt'`),
  });
});

it("--http serves the page, on a free port", async () => {
  const server = await listen();
  const running = await start("--to", `127.0.0.1:${server.port}`, "--http", "0");
  // In a clone whose page is not built, the rest is there.
  const head = await running.printed(/The page is .*http.*\n/);
  const origin = /The page is .*(http:\S+)\/\n/.exec(head)?.[1] ?? "";
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  await stop(running);
  await expect(fetch(`${origin}/livez`)).rejects.toThrow();
});

it.each([
  [["--to", "127.0.0.1:1"], "required option '--listen <port>' not specified; see wirewalk relay --help"],
  [["--listen", "0"], "required option '--to <host:port>' not specified; see wirewalk relay --help"],
  [["--listen", "0", "--to", "localhost"], "It must be a host and a port, as 127.0.0.1:5555 or [::1]:5555"],
  [["--listen", "70000", "--to", "localhost:1"], "It must be a whole number from 0 to 65535"],
  [["--listen", "0", "--to", "localhost:1", "--dialect", "v9"], "unknown dialect 'v9' of slime-online-2"],
  [["--listen", "0", "--to", "localhost:1", "--impair", "delay=x"], "--impair: delay must be a time up to 60s"],
  [
    ["--listen", "0", "--to", "localhost:1", "--rules", "/nowhere"],
    "--rules /nowhere: no such file or folder (ENOENT)",
  ],
  [
    ["--listen", "0", "--to", "localhost:1", "--http", "0", "--no-judge"],
    "--http shows the world that --no-judge leaves out",
  ],
  [["--listen", "0", "--to", "localhost:1", "--isaac", "00"], "unknown option '--isaac'"],
])("%j is wrong usage", async (args, why) => {
  const { code, stderr } = await run("relay", "slime-online-2", ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
});

it.each([
  [["--isaac", "0011"], "--isaac 0011: it must have 16 bytes, got 2"],
  [["--isaac", "zz"], "--isaac zz:"],
  [["--login-bytes", "0"], "--login-bytes 0: it must be an integer in 1..16384"],
  [["--set", "osrs.mouseOpcode=900"], "osrs.mouseOpcode must be an opcode"],
])("osrs %j is wrong usage", async (args, why) => {
  const { code, stderr } = await run("relay", "osrs", "--listen", "0", "--to", "localhost:1", ...args);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
});

it("an unknown game is wrong usage, a port in use and a file in no folder are failures", async () => {
  const unknown = await run("relay", "slime", "--listen", "0", "--to", "localhost:1");
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown protocol 'slime'") });
  const { port } = await listen();
  const used = await run("relay", "slime-online-2", "--listen", String(port), "--to", "localhost:1");
  expect(used).toMatchObject({ code: 1, stderr: `wirewalk: Cannot listen on 127.0.0.1:${port}: the port is in use\n` });
  const file = await run("relay", "slime-online-2", "--listen", "0", "--to", "localhost:1", "--capture", "/nowhere/a");
  expect(file).toMatchObject({ code: 1, stderr: "wirewalk: Cannot write /nowhere/a: ENOENT\n" });
});

const bin = await bundledCommand();

/** The first line that the child prints. The rest is read and dropped, so that its output stays open. */
async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = "";
  stdout?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  while (stdout !== null && !text.includes("\n")) await once(stdout, "data");
  return text;
}

it("a relay that is killed leaves both ends a closed connection", async () => {
  const server = await listen();
  const args = ["relay", "slime-online-2", "--dialect", "v0106", "--listen", "0", "--to", `127.0.0.1:${server.port}`];
  const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  cleaning.push(() => child.kill("SIGKILL"));
  const port = Number(/127\.0\.0\.1:(\d+) ->/.exec(await firstLine(child))?.[1]);
  const client = await dial(port);
  const far = await server.accepted;
  // In the middle of a stream in both directions.
  client.on("data", () => {});
  far.on("data", () => {});
  const flows = setInterval(() => {
    client.write(MOVE);
    far.write(MOVE);
  }, 1);
  cleaning.push(() => clearInterval(flows));
  await once(far, "data");
  // The system closes what the process leaves: an end, or a reset where bytes were not read.
  const closed = Promise.all([client, far].map((each) => new Promise((resolve) => void each.once("close", resolve))));
  far.once("end", () => far.end());
  child.kill("SIGKILL");
  await closed;
  expect([client.destroyed, far.destroyed]).toEqual([true, true]);
});
