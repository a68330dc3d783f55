import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { decodeCbor, type Recording, RecordKind, readWorldRecord } from "@wirewalk/recording";
import { readRecordingFile } from "@wirewalk/recording/node";
import { afterEach, describe, expect, it } from "vitest";
import type { Channel, PlayableProtocol, SavedChannel } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { scale } from "../../../wirewalk/src/testing/scale.ts";
import { bundledCommand } from "../testing/bundled-command.ts";
import { recorded } from "../testing/recorded.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";

/** How often a server is killed. */
const KILLS = scale < 1 ? 1 : 100;

const bin = await bundledCommand();

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "wirewalk-replay-"));
  cleaning.push(() => rmSync(path, { recursive: true }));
  return path;
}

const run = (...args: string[]): Promise<Ran> => startCommand(args, "", protocols).ended;

const slime = protocols["slime-online-2"] as PlayableProtocol;
const slimeAlone = { "slime-online-2": slime };

const recordingsIn = (path: string): readonly string[] =>
  readdirSync(path)
    .filter((name) => name.endsWith(".mcap"))
    .map((name) => join(path, name));

const serveFlags = ["serve", "--http", "0", "--listen", "slime-online-2=0", "--log-level", "silent", "--bots", "2"];

/** The address of the page in what `serve` prints. */
const pageIn = (printed: string): string => /http:\/\/\S+/.exec(printed)?.[0] ?? "";

/** Teleports until the server has ended the connection. */
async function untilBanned(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1").resume();
  let moves = 0;
  const timer = setInterval(() => {
    // rightPress and rightRelease, 3,000 px apart.
    moves += 1;
    socket.write(
      Uint8Array.of(7, 0, 0, 8, moves % 2 === 0 ? 6 : 2, ...(moves % 2 === 0 ? [0xb8, 0x0b] : [0, 0]), 160, 0),
    );
  }, 60);
  await once(socket, "close");
  clearInterval(timer);
}

/** Reads the carried bytes of each session by a channel of its own, and compares what comes out with the recorded messages. */
function carriedPayloads(recording: Recording): number {
  const channels = new Map<string, Channel>();
  let payloads = 0;
  for (const { topic, schema, data } of recording.messages()) {
    const record = schema === "wirewalk.Record" ? readWorldRecord(data) : undefined;
    if (record?.kind === RecordKind.channel) {
      const saved = decodeCbor(record.body) as SavedChannel;
      const [, dialect = "", , carrier] = saved.channel.split("/");
      const channel = slime.openChannel({ side: "server", dialect, carrier: carrier as "message" });
      channel.restore(saved);
      channels.set(topic, channel);
    } else if (record?.kind === RecordKind.carried) {
      channels.get(topic)?.push(record.body);
    } else if (record?.kind === RecordKind.message) {
      expect(channels.get(topic)?.next()?.payload).toEqual(record.body);
      payloads += 1;
    }
  }
  return payloads;
}

describe("a server that records", () => {
  it("leaves a file that replays as it was and holds no address", async () => {
    const path = join(folder(), "recordings");
    const running = startCommand([...serveFlags, "--record", path, "--record-carried"], "", slimeAlone);
    const printed = await running.printed(/ at http:.*\n/);
    expect(printed).toContain(`Worlds are recorded in ${path}.`);
    const metrics = await recorded(pageIn(printed), 60);
    expect(metrics).toMatch(/^wirewalk_recording_lost_total\{protocol="slime-online-2",world="slime-online-2"\} 0$/m);
    const second = await run(...serveFlags, "--record", path);
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/^wirewalk: Cannot record in .*: another server is using it/);
    running.signals.emit("SIGTERM", "SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
    const files = recordingsIn(path);
    expect(files.length).toBe(1);
    for (const file of files) {
      const { code, stdout, stderr } = await run("replay", file, "--verify");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/\nVerified: [1-9]\d* effects and [1-9]\d* key frames are as they were\.\n$/);
      const recording = await readRecordingFile(file);
      for (const { data } of recording.messages()) expect(Buffer.from(data).includes("address:127")).toBe(false);
      expect(carriedPayloads(recording)).toBeGreaterThan(3);
    }
  });

  it("loses nothing that was written when it is killed, and no ban that a player was told", async () => {
    const path = folder();
    const data = folder();
    const flags = [
      "--all",
      "--record",
      path,
      "--data",
      data,
      "--ban-loopback",
      "--dialect",
      "slime-online-2=documented",
      // As soon as a policy can.
      "--policy",
      "slime-online-2.*=ban,limit=4",
    ];
    const server: { process?: ChildProcess } = {};
    cleaning.push(() => server.process?.kill("SIGKILL"));
    let ticks = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = spawn(process.execPath, [bin, ...serveFlags, ...flags], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      server.process = child;
      let printed = "";
      child.stdout.on("data", (text) => (printed += String(text)));
      while (!/ at http:.*\n/.test(printed)) await once(child.stdout, "data");
      await recorded(pageIn(printed), 40);
      // The chunk with these records ends within a second.
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      const [, port] = /TCP +127\.0\.0\.1:(\d+)/.exec(printed) ?? [];
      await untilBanned(Number(port));
      child.kill("SIGKILL");
      await once(child, "exit");
      // Read by SQLite alone, and removed: the next server has to ban again.
      const database = new DatabaseSync(join(data, "wirewalk.sqlite"));
      const bans = database.prepare("SELECT key FROM records WHERE kind = 'typed-bans'").all();
      expect(bans.map(({ key }) => key)).toEqual([expect.stringContaining("address:127.0.0.1")]);
      database.exec("DELETE FROM records");
      database.close();
    }
    const files = recordingsIn(path);
    expect(files.length).toBe(KILLS * Object.keys(protocols).length);
    for (const file of files) {
      const { code, stdout } = await run("replay", file, "--verify", "--json");
      // It lacks its end, and nothing else.
      expect(code).toBe(3);
      const report = JSON.parse(stdout) as {
        isEnded: boolean;
        ticks: number;
        damage: { reason: string }[];
        missingRecords: number;
        differenceCount: number;
        gaps: unknown[];
      };
      const { isEnded, damage, missingRecords, differenceCount, gaps } = report;
      // Killed between a chunk and the index behind it: all records of the chunk are there.
      const harmful = damage.filter(({ reason }) => reason !== "the index of a chunk is missing");
      const lacking = { isEnded, damage: harmful, missingRecords, differenceCount, gaps };
      expect(lacking, JSON.stringify(lacking)).toEqual({
        isEnded: false,
        damage: [],
        missingRecords: 0,
        differenceCount: 0,
        gaps: [],
      });
      ticks += report.ticks;
    }
    expect(ticks).toBeGreaterThan(10 * KILLS);
  });
});

/** A recording of bots and cheats in a file. */
async function recordingFile(durationMs: number): Promise<string> {
  const { sink } = await recordPlay({ protocol: slime, bots: 4, durationMs });
  const file = join(folder(), "play.mcap");
  writeFileSync(file, sink.bytes());
  return file;
}

describe("replay", () => {
  it("verifies no file that is damaged or cut, and says in one line what is missing", async () => {
    const file = await recordingFile(6_000);
    const bytes = readFileSync(file);
    const { chunks } = await readRecordingFile(file);
    const { start, end } = chunks[3] as (typeof chunks)[number];
    const altered = async (change: (bytes: Buffer) => Buffer): Promise<Awaited<ReturnType<typeof run>>> => {
      writeFileSync(file, change(Buffer.from(bytes)));
      return run("replay", file, "--verify");
    };
    const flipped = (at: number) => (copy: Buffer) => {
      copy[at] = (copy[at] as number) ^ 1;
      return copy;
    };
    const inChunk = await altered(flipped((start + end) >> 1));
    expect([inChunk.code, inChunk.stderr]).toEqual([3, ""]);
    expect(inChunk.stdout).toMatch(new RegExp(`\nDamaged: bytes ${start} to ${end}: `));
    expect(inChunk.stdout).toMatch(
      /\nNot whole: 1 damaged place with \d+ bytes, \d+ records missing in 1 place; of what is left [1-9]\d* effects and \d+ key frames are as they were\.\n$/,
    );
    // Nothing that replay needs.
    const inHeader = await altered(flipped(20));
    expect(inHeader.code).toBe(3);
    expect(inHeader.stdout).toMatch(
      /\nDamaged: bytes 0 to \d+: the checksum of the records is .*\nNot whole: 1 damaged place/,
    );
    const cut = await altered((copy) => copy.subarray(0, copy.length - 1));
    expect(cut.code).toBe(3);
    expect(cut.stdout).toMatch(/\nDamaged: .* the index of the file: the file does not end as an MCAP file\nNot whole/);
    const json = await run("replay", file, "--verify", "--json");
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({ damage: [{ end: bytes.length - 1 }], missingRecords: 0 });
    // Without --verify what is left is played.
    expect((await run("replay", file)).code).toBe(0);
    writeFileSync(file, bytes);
    expect((await run("replay", file, "--verify")).code).toBe(0);
  });

  it("prints the verdicts as fast as it can, and with --speed at their times, until a signal", async () => {
    const file = await recordingFile(6_000);
    const { stdout } = await run("replay", file);
    const verdicts = stdout.split("\n").filter((line) => / player \d+ \w+ /.test(line));
    expect(verdicts.length).toBeGreaterThan(0);
    const paced = startCommand(["replay", file, "--speed", "16"], "", protocols);
    expect((await paced.ended).stdout).toBe(stdout);
    const stopped = startCommand(["replay", file, "--speed", "0.1"], "", protocols);
    await expect.poll(() => stopped.signals.listenerCount("SIGINT")).toBe(1);
    stopped.signals.emit("SIGINT", "SIGINT");
    const { code, stdout: part } = await stopped.ended;
    expect(code).toBe(0);
    expect(part).toMatch(/^slime-online-2, dialect \S+: 0\.\d s, /m);
  });

  it("plays to a page of this machine alone, until a signal", async () => {
    const file = await recordingFile(3_000);
    const running = startCommand(["replay", file, "--serve", "--http", "0", "--speed", "4"], "", protocols);
    const printed = await running.printed(/controls it\.\n/);
    const [, url = ""] = /^play\.mcap is played at (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(printed) ?? [];
    const socket = new WebSocket(new URL("/ws/studio", url.replace("http", "ws")));
    const playback = await new Promise<unknown>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(String(data)) as { type: string; playback: unknown };
        if (message.type === "playback") resolve(message.playback);
      });
    });
    expect(playback).toMatchObject({ isPlaying: true, speed: 4 });
    // A page of another site may not open the feed.
    const other = await fetch(new URL("/ws/studio", url), {
      headers: { upgrade: "websocket", connection: "upgrade", origin: "https://example.org" },
    }).catch(() => undefined);
    expect(other?.status).not.toBe(101);
    const taken = await run("replay", file, "--serve", "--http", new URL(url).port);
    expect(taken).toMatchObject({
      code: 1,
      stderr: `wirewalk: Cannot listen on ${new URL(url).host}: the port is in use\n`,
    });
    running.signals.emit("SIGTERM", "SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
    socket.close();
  });

  it.each([
    [["--serve", "--verify"], "--serve and --verify do not go together"],
    [["--serve", "--json"], "--serve prints no verdicts: --json does not go with it"],
    [["--http", "7410"], "--http needs --serve"],
    [["--to", "2", "--from", "3"], "--to 2 must be after --from 3"],
    [["--verify", "--speed", "2"], "--verify prints no verdicts: --speed does not go with it"],
  ])("refuses %j, in one sentence", async (flags, sentence) => {
    expect(await run("replay", "play.mcap", ...flags)).toMatchObject({ code: 2, stderr: `wirewalk: ${sentence}\n` });
  });

  it.each([[], ["--verify"], ["--serve", "--http", "0"]])("refuses to begin past the end: %j", async (...flags) => {
    const file = fileURLToPath(new URL("../../../../corpus/slime-online-2/cheat-teleport.mcap", import.meta.url));
    const stderr = expect.stringMatching(/^wirewalk: --from 60 is past the end: \S+ has \d+(?:\.\d+)? seconds\n$/);
    expect(await run("replay", file, "--from", "60", ...flags)).toEqual({ code: 2, stdout: "", stderr });
  });

  it("refuses what is no recording, in one sentence", async () => {
    const file = join(folder(), "text");
    writeFileSync(file, "hello");
    expect(await run("replay", file)).toMatchObject({
      code: 1,
      stderr: `wirewalk: ${file}: Cannot read a recording: the bytes do not begin as an MCAP file\n`,
    });
    expect((await run("replay", "/nothing/there")).stderr).toMatch(
      /^wirewalk: \/nothing\/there: no such file or folder \(ENOENT\)\n/,
    );
    expect((await run("replay", file, "--from", "soon")).code).toBe(2);
    expect((await run("serve", "--record-days", "3")).stderr).toBe("wirewalk: --record-days needs --record FOLDER\n");
  });
});
