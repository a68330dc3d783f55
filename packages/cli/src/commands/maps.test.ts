import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listVerdicts, openRecording, type RecordedVerdict } from "@wirewalk/recording";
import { nodeDecompress } from "@wirewalk/recording/node";
import { type BanKey, Bans, parseBanKey, sqliteStore } from "@wirewalk/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMaps } from "wirewalk/protocol";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { runCommand, startCommand } from "../testing/run-command.ts";

let folder = "";
const at = (...names: string[]): string => join(folder, ...names);

function rooms(name: string, texts: Readonly<Record<string, string>>): void {
  mkdirSync(at(name));
  for (const [room, text] of Object.entries(texts)) writeFileSync(at(name, `${room}.room`), text);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-maps-"));
  rooms("town", { 1: "width 20\nx", 2: "width 3000" });
  rooms("other", { 1: "width 21", 2: "width 3000" });
  rooms("half", { 1: "wide", 2: "width 5" });
  rooms("broken", { 1: "width 20", 2: "wide", 3: "width 5" });
  mkdirSync(at("empty"));
  for (const [file, maps] of [
    ["with", "town"],
    ["without", undefined],
  ] as const) {
    const given = maps === undefined ? {} : { maps: openMaps(fakeProtocol, at(maps)) };
    const { sink } = await recordPlay({
      protocol: fakeProtocol,
      dialect: "plain",
      bots: 2,
      durationMs: 6_000,
      ...given,
    });
    mkdirSync(at(`${file}-folder`));
    const path = at(`${file}-folder`, `${file}.mcap`);
    writeFileSync(path, sink.bytes());
    symlinkSync(path, at(`${file}.mcap`));
    writeFileSync(at(`${file}-folder`, `${file}.expect.json`), '{"expectations":[{"expect":"must-flag"}]}');
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("wirewalk maps", () => {
  it("prints a line for each place, and the totals", async () => {
    const { code, stdout, stderr } = await runCommand(["maps", "fake", at("town")]);
    expect(stdout).toBe(
      "room  width  omitted\n   1     20        1\n   2   3000        0\n\n2 places, 1 omissions.\n  omitted 1 x chair: no legs\n",
    );
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("prints JSON, of the wanted places alone", async () => {
    const { stdout } = await runCommand(["maps", "fake", at("town"), "1", "--json"]);
    expect(stdout).toBe('{"room":"1","width":20,"omitted":[{"what":"chair","id":1,"line":2,"reason":"no legs"}]}\n');
  });

  it("names a broken place on the standard error, prints the others, and exits with 3", async () => {
    const { code, stdout, stderr } = await runCommand(["maps", "fake", at("broken"), "--json"]);
    expect(stdout.split("\n").map((line) => line.slice(0, 11))).toEqual(['{"room":"1"', '{"room":"3"', ""]);
    expect(stderr).toMatch(/^wirewalk: .*broken: 2: .*2\.room, line 1: no width\n$/);
    expect(code).toBe(3);
  });

  it.each([
    [["fake", "town", "7"], "unknown place '7' of"],
    [["fake", "nowhere"], "nowhere"],
    [["fake", "empty"], "has no rooms"],
    [["osrs-none", "town"], "unknown protocol 'osrs-none'"],
  ])("refuses %s with 2 and a sentence", async ([game = "", set = "", ...ids], message) => {
    const { code, stdout, stderr } = await runCommand(["maps", game, at(set), ...ids]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).not.toContain("--maps");
    expect([code, stdout]).toEqual([2, ""]);
  });
});

describe("--maps", () => {
  const server = ["--listen", "0", "--to", "127.0.0.1:1"];
  const file = (): string => at("with.mcap");

  it.each([
    ["relay", ["relay", "fake", ...server]],
    ["engine", ["engine", "fake"]],
    ["bots", ["bots", "fake", "--port", "1"]],
    ["serve", ["serve", "--http", "0", "--listen", "fake=0"]],
    ["replay", ["replay", "with.mcap"]],
    ["verdicts", ["verdicts", "with.mcap"]],
    ["verdict", ["verdict", "with.mcap", "1-1"]],
    ["check", ["check", "with-folder"]],
    ["inspect", ["inspect", "with.mcap"]],
    ["tables", ["tables", "with.mcap", "--to", "out"]],
    ["convert", ["convert", "with.mcap", "out.jsonl"]],
  ])("of %s refuses a path that is no set, with 2 and a sentence", async (_name, words) => {
    const args = words.map((word) => (/^with|^out/.test(word) ? at(word) : word));
    for (const [set, message] of [
      ["nowhere", "nowhere"],
      ["empty", "has no rooms"],
    ] as const) {
      const { code, stderr } = await runCommand([...args, "--maps", `fake=${at(set)}`]);
      expect(stderr).toContain(message);
      expect(stderr).toContain("--maps");
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(code).toBe(2);
    }
  });

  it("refuses an unknown game, another game, and two paths", async () => {
    const wrong = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await runCommand(args);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await wrong("replay", file(), "--maps", `fak=${at("town")}`)).toContain(
      "unknown game 'fak'; did you mean fake?",
    );
    expect(await wrong("relay", "fake", ...server, "--maps", `osrs=${at("town")}`)).toContain("another game than fake");
    expect(await wrong("replay", file(), "--maps", at("town"), "--maps", at("other"))).toContain("given twice");
    expect(await wrong("relay", "fake", ...server, "--demo", "--maps", at("town"))).toContain("--demo");
    expect(await wrong("inspect", "--maps", at("town"), at("with.mcap"), "--map", "1=fake")).toContain("--map");
  });

  it("replays a recording with its maps alone, and says which place differs", async () => {
    const right = await runCommand(["replay", file(), "--verify", "--maps", at("town")]);
    expect([right.code, right.stderr]).toEqual([0, ""]);
    const none = await runCommand(["replay", file(), "--verify"]);
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/recorded with town \(1 was 0{14}14.*--maps PATH gives them/);
    const other = await runCommand(["replay", file(), "--maps", `fake=${at("other")}`]);
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/1 was 0{14}14 in town, .*other has 0{14}15\. --maps PATH/);
    const served = await runCommand(["replay", file(), "--serve", "--http", "0", "--maps", at("other")]);
    expect([served.code, served.stderr]).toEqual([1, other.stderr]);
  });

  it("lists verdicts without maps, and refuses those of another world", async () => {
    const list = await runCommand(["verdicts", file(), "rule == outside", "--json"]);
    const [first = "{}"] = list.stdout.split("\n");
    const { id } = JSON.parse(first) as { readonly id: string };
    expect((await runCommand(["verdicts", file(), "--maps", at("other")])).stderr).toContain("other has");
    const opened = await runCommand(["verdict", file(), id, "--json", "--maps", at("town")]);
    expect(JSON.parse(opened.stdout).replay.isReproduced).toBe(true);
    expect((await runCommand(["verdict", file(), id, "--maps", at("other")])).code).toBe(1);
    expect((await runCommand(["verdict", file(), id])).stdout).toContain("--maps PATH gives them");
    const inspected = await runCommand(["inspect", file(), "--maps", at("town"), "--summary"]);
    expect(inspected.stderr).toMatch(/played with \d places of the maps town/);
    expect((await runCommand(["inspect", file(), "--maps", at("other")])).code).toBe(1);
  });

  it("is of a game in check, and those of other recordings are left alone", async () => {
    expect((await runCommand(["check", at("with-folder"), "--maps", `fake=${at("town")}`])).code).toBe(0);
    const other = await runCommand(["check", at("with-folder"), "--maps", `fake=${at("other")}`]);
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining("other has")]);
    const without = await runCommand(["check", at("without-folder"), "--maps", `fake=${at("town")}`]);
    expect(without.code).toBe(0);
    expect(without.stderr).toContain("was recorded without maps: it is replayed without them");
  });

  it("reaches the world of an engine, and broken places are named once", async () => {
    const lines = [
      '{"now":0,"join":[{"player":1,"account":"a","name":"a"}]}',
      ...[10, 20, 25].map((x, at) => `{"now":${at},"receive":[[1,"01${x.toString(16).padStart(2, "0")}00"]]}`),
      '{"receive":[[1,"732f726f6f6d2032"]]}',
    ];
    const { stdout, stderr } = await runCommand(["engine", "fake", "--maps", at("broken")], `${lines.join("\n")}\n`);
    expect(stdout.match(/"rule":"outside"/g)).toHaveLength(1);
    expect(stderr.match(/2 cannot be read, its rules are off: /g)).toHaveLength(1);
  });

  it("reaches the judging world of a relay", async () => {
    const serving = startCommand(["serve", "--http", "0", "--listen", "fake=0", "--log-level", "silent"]);
    const [, port] = /TCP +127\.0\.0\.1:(\d+)/.exec(await serving.printed(/TCP/)) ?? [];
    const relay = startCommand(["relay", "fake", "--listen", "0", "--to", `127.0.0.1:${port}`, "--maps", at("town")]);
    const text = await relay.printed(/places\./);
    expect(text).toMatch(/It has the maps of .*town: 2 places\./);
    const [, listen] = /127\.0\.0\.1:(\d+) ->/.exec(text) ?? [];
    const socket = connect(Number(listen), "127.0.0.1");
    for (const x of [10, 20, 25]) socket.write(Uint8Array.of(3, 0, 1, x, 0));
    expect(await relay.printed(/outside/)).toContain("The room ends before");
    socket.destroy();
    for (const { signals } of [relay, serving]) signals.emit("SIGTERM", "SIGTERM");
    await Promise.all([relay.ended, serving.ended]);
  }, 30_000);

  it("reaches the worlds of a server and their recordings; a broken place is logged once", async () => {
    const record = at("recordings");
    const args = ["serve", "--http", "0", "--listen", "fake=0", "--bots", "2", "--record", record];
    const serving = startCommand([...args, "--maps", `fake=${at("half")}`]);
    expect(await serving.printed(/The page/)).toContain(`Maps       ${at("half")}`);
    serving.signals.emit("SIGTERM", "SIGTERM");
    const { stderr } = await serving.ended;
    expect(
      stderr.match(/"place":"1","reason":".*no width","msg":"a place cannot be read: its rules are off"/g),
    ).toHaveLength(1);
    const [file = ""] = readdirSync(record).filter((name) => name.startsWith("fake"));
    const none = await runCommand(["replay", join(record, file)]);
    expect(none.stderr).toContain("recorded with half (no place used)");
    expect((await runCommand(["replay", join(record, file), "--verify", "--maps", at("half")])).code).toBe(0);
  }, 30_000);

  it("is a member of a world in the config file, from the folder of the file", async () => {
    const config = at("wirewalk.json");
    writeFileSync(config, '{"http":0,"worlds":[{"game":"fake","maps":"town"}]}');
    const { stdout } = await runCommand(["serve", "--config", config, "--print-config"]);
    expect(JSON.parse(stdout).worlds).toMatchObject([{ game: "fake", maps: at("town") }]);
    writeFileSync(config, '{"http":0,"worlds":[{"game":"fake"}],"maps":["fake=other"]}');
    const flagged = await runCommand(["serve", "--config", config, "--print-config"]);
    expect(JSON.parse(flagged.stdout).worlds).toMatchObject([{ maps: at("other") }]);
    writeFileSync(config, '{"http":0,\n"worlds":[{"game":"fake","maps":"nowhere"}]}');
    const wrong = await runCommand(["serve", "--config", config, "--print-config"]);
    expect(wrong.stderr).toMatch(/wirewalk\.json:2:\d+: worlds\[0\]\.maps: --maps .*nowhere/);
    expect(wrong.code).toBe(2);
  });
});

describe("wirewalk bans export", () => {
  it("judges a ban's recording again by the maps, names what is missing, and refuses others", async () => {
    const recording = openRecording(readFileSync(at("with.mcap")), { decompress: nodeDecompress });
    const { verdict } = listVerdicts(recording).next().value as RecordedVerdict;
    const store = sqliteStore(at("data"));
    const key = parseBanKey("login:ann") as BanKey;
    const bans = new Bans(store);
    bans.add("fake", { key, name: "Ann", reason: "seen", durationMs: 3_600_000, evidence: [verdict] });
    bans.keepRecording("fake", key, readFileSync(at("with.mcap")));
    store.close();
    const exported = async (...flags: string[]) => {
      const args = ["bans", "export", "login:ann", "--data", at("data"), "--out", at("appeal")];
      const { code, stderr } = await runCommand([...args, ...flags]);
      const [statement = "", appeal = ""] = readdirSync(at("appeal")).sort().reverse();
      return { code, stderr, appeal, text: readFileSync(at("appeal", statement), "utf8") };
    };
    const without = await exported();
    expect([without.code, without.appeal]).toEqual([0, "fake-login-ann.mcap"]);
    expect(without.stderr).toBe(
      "wirewalk: fake-login-ann.mcap: it was recorded with the maps of town, and is not judged again without them: give --maps\n",
    );
    expect(without.text).toContain("  wirewalk replay fake-login-ann.mcap --verify --maps PATH\n");
    expect(without.text).toMatch(/ {2}replayed {2}no: Cannot replay without maps/);
    for (const maps of [at("town"), `fake=${at("town")}`]) {
      const { code, stderr, text } = await exported("--maps", maps);
      expect([code, stderr]).toEqual([0, ""]);
      expect(text).toMatch(/ {2}replayed {2}[\d.]+ s: the same world finds the same\n/);
    }
    const other = await exported("--maps", at("other"));
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(
      /^wirewalk: fake-login-ann\.mcap: Cannot replay with other maps: 1 was [0-9a-f]{16} in town/,
    );
    expect((await exported("--maps", at("nowhere"))).code).toBe(2);
  });
});
