/** Games that lack members on the command line: what works with them, and how each command refuses what they cannot do. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingFile } from "@wirewalk/recording/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pcapngHeader, pcapngPacket, TcpPackets } from "wirewalk/capture";
import { messageTable, type PlayableProtocol, type PlayMember, type Protocol } from "wirewalk/protocol";
import { struct, u8 } from "wirewalk/wire";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { bytesGame, fakeWithout } from "../../../wirewalk/src/protocols/testing/fake-bytes.ts";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";

const NO_CHANNEL = "no channel (openChannel)";
const NO_WORLD = "no world (createWorld)";
const NO_BOTS = "no bots (bots)";

/** Runs a command line with these games alone. */
function run(games: readonly Protocol[], command: string, input = ""): Promise<Ran> {
  const table = Object.fromEntries(games.map((game) => [game.name, game]));
  return startCommand(command.split(" "), input, table).ended;
}

const refusal = (sentence: string): Ran => ({ code: 2, stdout: "", stderr: `wirewalk: ${sentence}\n` });

let folder: string;
let recording: string;
let verdictId: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-bytes-only-"));
  recording = join(folder, "play.mcap");
  const protocol = fakeProtocol as PlayableProtocol;
  await recordPlay({ protocol, bots: 2, durationMs: 3_000, to: { open: () => createRecordingFile(recording) } });
  const { stdout } = await run([fakeProtocol as Protocol], `verdicts ${recording} --json`);
  verdictId = (JSON.parse(stdout.slice(0, stdout.indexOf("\n"))) as { readonly id: string }).id;
  writeFileSync(join(folder, "play.expect.json"), JSON.stringify({ expectations: [{ expect: "must-not-flag" }] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a game of bytes only", () => {
  const step = '{"ok":true,"message":"step","value":{"x":258}}';

  it("is decoded and encoded", async () => {
    const { code, stdout: hex } = await run([bytesGame], "encode bytes", step);
    expect([code, hex]).toEqual([0, expect.stringMatching(/^[\da-f]{2}0201\n$/)]);
    expect(await run([bytesGame], "decode bytes", hex)).toEqual({ code: 0, stdout: `${step}\n`, stderr: "" });
  });

  it("is inspected, by its name and among the others", async () => {
    const { stdout: hex } = await run([bytesGame], "encode bytes", step);
    for (const name of ["bytes ", ""]) {
      const { code, stdout } = await run([bytesGame], `inspect ${name}${hex.trim()}`);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Bytes, dialect plain, from the client, 3 bytes\n/);
      expect(stdout).toMatch(/\n +1 {2}02 01 {2}x +258\n/);
      expect(stdout).not.toContain("framed");
    }
  });

  it.each([
    ["json-schema", 5],
    ["kaitai", 10],
    ["markdown", 1],
    ["typescript", 1],
  ])("is exported as %s", async (format, files) => {
    const to = join(folder, format);
    const { code, stdout, stderr } = await run([bytesGame], `export ${format} bytes --dialect all --out ${to}/`);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.trim().split("\n")).toHaveLength(files);
    for (const name of readdirSync(to)) expect(readFileSync(join(to, name), "utf8")).toContain("Bytes");
  });

  it("is exported as a diagram", async () => {
    const { code, stdout } = await run([bytesGame], "export svg bytes --message step");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^<svg /)]);
  });

  it("has no dissector, which is made for the built-in games only", async () => {
    const games = "slime-online-2, osrs, maplestory, scrap-mechanic";
    expect(await run([bytesGame], "export wireshark bytes --out x/")).toEqual(
      refusal(`wireshark of bytes: it is made for the built-in games only: ${games}`),
    );
  });

  it("is inspected from the side that sends alone", async () => {
    const rows = [{ sender: "client", id: 1, message: "step", summary: "a step", layout: struct({ x: u8 }) }] as const;
    const codec = messageTable({ dialect: "plain", idName: "type", id: u8, rows });
    const { code, stdout } = await run([{ ...bytesGame, codec: () => codec }], "inspect bytes 01");
    expect(code).toBe(3);
    expect(stdout).not.toContain("server");
  });

  it("is refused with one sentence where a message cannot be compiled", async () => {
    const layout = struct({ "a|b": u8 });
    const codec = messageTable({
      dialect: "plain",
      idName: "type",
      id: u8,
      rows: [{ sender: "client", id: 1, message: "step", layout, summary: "" }],
    });
    const game: Protocol = {
      ...bytesGame,
      dialects: [{ name: "plain", source: "document", summary: "" }],
      codec: () => codec,
    };
    const { code, stdout, stderr } = await run([game], "export typescript bytes");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^wirewalk: typescript of bytes: plain step: Cannot compile .*a\|b.*\n$/);
  });

  it("is listed with what it lacks", async () => {
    const { stdout } = await run([bytesGame], "protocols");
    expect(stdout).toMatch(/^bytes: Bytes\n/);
    expect(stdout).toMatch(
      new RegExp(`\n {2}bytes has ${NO_CHANNEL}, ${NO_WORLD} and ${NO_BOTS}\n$`.replace(/[()]/g, "\\$&")),
    );
    const { stdout: json } = await run([bytesGame], "protocols --json");
    const listed = JSON.parse(json) as Readonly<Record<string, unknown>>;
    expect(listed).toMatchObject({ name: "bytes", defaultDialect: "plain", settings: [], cheats: [] });
    expect(listed).not.toHaveProperty("defaultPort");
    expect(await run([bytesGame], "rules")).toMatchObject({ code: 0 });
  });

  it.each<[string, string]>([
    ["decode bytes --framed", `${NO_CHANNEL}: it cannot be read or written in frames`],
    ["encode bytes --framed", `${NO_CHANNEL}: it cannot be read or written in frames`],
    ["inspect bytes --framed 01", `${NO_CHANNEL}: it cannot be read or written in frames`],
    ["inspect game.pcapng --map 4747=bytes", `${NO_CHANNEL}: it cannot be read in a capture`],
    ["serve", `${NO_CHANNEL} and ${NO_WORLD}: it cannot be served`],
    ["serve --listen bytes=0", `${NO_CHANNEL} and ${NO_WORLD}: it cannot be served`],
    ["serve --world other=bytes", `${NO_CHANNEL} and ${NO_WORLD}: it cannot be served`],
    ["serve --workers 2", `${NO_CHANNEL} and ${NO_WORLD}: it cannot be served`],
    ["serve --print-config", `${NO_CHANNEL} and ${NO_WORLD}: it cannot be served`],
    ["bots bytes", `${NO_CHANNEL} and ${NO_BOTS}: it cannot be played by bots`],
    ["bots bytes --port 4747", `${NO_CHANNEL} and ${NO_BOTS}: it cannot be played by bots`],
    ["relay bytes --listen 0 --to 127.0.0.1:4747", `${NO_CHANNEL}: it cannot be relayed`],
    ["relay bytes --listen 0 --to 127.0.0.1:4747 --no-judge", `${NO_CHANNEL}: it cannot be relayed`],
    ["engine bytes", `${NO_WORLD}: it cannot be run as an engine`],
    ["attack --all", `${NO_CHANNEL}, ${NO_WORLD} and ${NO_BOTS}: it cannot be attacked`],
  ])("is refused by: %s", async (command, sentence) => {
    expect(await run([bytesGame], command)).toEqual(refusal(`bytes has ${sentence}`));
  });

  it("is refused by a config file that names it, with everything else that is wrong", async () => {
    const config = join(folder, "serve.json");
    writeFileSync(config, JSON.stringify({ worlds: [{ game: "bytes" }] }));
    expect(await run([bytesGame, fakeProtocol as Protocol], `serve --config ${config} --allow-origin x`)).toEqual(
      refusal(
        `bytes has ${NO_CHANNEL} and ${NO_WORLD}: it cannot be served\n` +
          "  --allow-origin x is not an origin: it must be a scheme and a host, as https://example.org",
      ),
    );
  });

  it("is left out of a capture, which the other games read", async () => {
    const file = captureOf(["time", { now: "5" }], ["step", { x: 258 }]);
    const games = [bytesGame, fakeWithout("createWorld", "bots", "defaultPort")];
    const { code, stdout } = await run(games, `inspect ${file} --json`);
    expect(code).toBe(0);
    const lines = stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { protocol: "fake", message: "time" },
      { protocol: "fake", message: "step" },
    ]);
    const alone = await run([bytesGame], `inspect ${file} --json`);
    expect(alone.stdout).not.toContain('"message"');
  });
});

/** A capture of a client of the fake protocol. */
function captureOf(...messages: readonly (readonly [message: string, value: object])[]): string {
  const client = { address: "127.0.0.1", port: 50_000 };
  const tcp = new TcpPackets({ client, server: { address: "127.0.0.1", port: 4999 } });
  const channel = fakeProtocol.openChannel({ side: "client", dialect: "plain", carrier: "stream" });
  const codec = (fakeProtocol as Protocol).codec("plain");
  const opened = [...tcp.open()];
  const packets = messages.flatMap(([message, value]) => {
    const payload = codec.write("client", codec.fromJson("client", { message, value: value as Record<string, never> }));
    return tcp.data("client", channel.frame(payload));
  });
  const head = pcapngHeader({ application: "test", interfaceName: "test" });
  const blocks = [...opened, ...packets].map((packet, index) => pcapngPacket(BigInt(index), packet));
  const file = join(folder, "game.pcapng");
  writeFileSync(file, Buffer.concat([head, ...blocks]));
  return file;
}

describe("a game that lacks a member", () => {
  const relay = "relay fake --listen 0 --to 127.0.0.1:4747";

  it.each<[PlayMember, string, string]>([
    ["createWorld", "serve", `${NO_WORLD}: it cannot be served`],
    ["createWorld", relay, `${NO_WORLD}: it cannot be judged; --no-judge relays it all the same`],
    ["createWorld", "engine fake", `${NO_WORLD}: it cannot be run as an engine`],
    ["openChannel", "serve", `${NO_CHANNEL}: it cannot be served`],
    ["openChannel", relay, `${NO_CHANNEL}: it cannot be relayed`],
    ["openChannel", "bots fake", `${NO_CHANNEL}: it cannot be played by bots`],
    ["bots", "bots fake", `${NO_BOTS}: it cannot be played by bots`],
    ["bots", "serve --bots 2 --http 0", `${NO_BOTS}: it cannot be played by bots`],
    ["bots", "attack http-foreign-host", `${NO_BOTS}: it cannot be attacked`],
    ["defaultPort", "serve", "no port (defaultPort): it cannot be served over TCP without --listen fake=PORT"],
    ["defaultPort", "bots fake", "no port (defaultPort): it cannot be connected to without --port"],
  ])("%s is refused by: %s", async (member, command, sentence) => {
    expect(await run([fakeWithout(member)], command)).toEqual(refusal(`fake has ${sentence}`));
  });

  it("is taken by an engine, which has no channel", async () => {
    const line = '{"now":0,"join":[{"player":1,"account":"ann","name":"Ann"}]}';
    const { code, stdout } = await run([fakeWithout("openChannel", "bots", "defaultPort")], "engine fake", line);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^{"ok":true,"effects":\[/)]);
  });

  it.each<[string, PlayMember[], RegExp]>([
    [`${relay} --no-judge`, ["createWorld", "bots", "defaultPort"], /Bytes pass unchanged\.\n$/],
    ["serve --http 0 --listen fake=0 --log-level silent", ["bots", "defaultPort"], / at http:.*\n$/],
  ])("is taken by %s, which has no %o", async (command, members, started) => {
    const { signals, printed, ended } = startCommand(command.split(" "), "", { fake: fakeWithout(...members) });
    await printed(started);
    // It listens to signals after it has printed.
    await new Promise((resolve) => setImmediate(resolve));
    signals.emit("SIGINT");
    expect((await ended).code).toBe(0);
  });

  it.each(["replay", "replay --verify", "verdict ID", "tables --to TO", "check"])(
    "createWorld is refused by: %s",
    async (command) => {
      const [name = "", ...flags] = command.replace("ID", verdictId).replace("TO", join(folder, "tables")).split(" ");
      const file = name === "check" ? folder : recording;
      const ran = await run([fakeWithout("createWorld")], [name, file, ...flags].join(" "));
      expect(ran).toEqual(refusal(`fake has ${NO_WORLD}: it cannot be replayed`));
    },
  );

  it("has the messages and verdicts of its recordings shown all the same", async () => {
    const { code, stdout } = await run(
      [fakeWithout("createWorld", "openChannel", "bots")],
      `inspect ${recording} --stats`,
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("step")]);
    const verdicts = await run([fakeWithout("createWorld")], `verdicts ${recording}`);
    expect([verdicts.code, verdicts.stdout]).toEqual([0, expect.stringContaining(verdictId)]);
  });
});
