import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingFile } from "@wirewalk/recording/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mapleSharkVersions } from "wirewalk/capture";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { sampled } from "../../../wirewalk/src/testing/scale.ts";
import { runCommand } from "../testing/run-command.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-convert-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);
const run = (args: readonly string[]) => runCommand(args);

async function convert(from: string, to: string, ...flags: readonly string[]) {
  return run(["convert", path(from), path(to), ...flags]);
}

/** Time in whole milliseconds, direction and bytes of each message: without what a file says of its session. */
function messagesOf(file: string): readonly string[] {
  const lines = readFileSync(path(file), "utf8").trimEnd().split("\n");
  return lines
    .map((line) => JSON.parse(line) as Readonly<Record<string, string>>)
    .filter((line) => line.session === undefined)
    .map(({ time, direction, hex }) => `${Math.floor(Number(time) * 1000 + 1e-6)} ${direction} ${hex}`);
}

const digest = (file: string): string =>
  createHash("sha256")
    .update(readFileSync(path(file)))
    .digest("hex");

async function played(name: string, protocol: PlayableProtocol, dialect: string): Promise<void> {
  const to = { open: () => createRecordingFile(path(name)) };
  await recordPlay({ protocol, dialect, bots: 2, durationMs: 6_000, to });
}

const revisions = protocols.osrs?.capabilities?.revisions?.known ?? [];

it("has tables of revisions to try", () => expect(revisions.length).toBeGreaterThanOrEqual(18));

describe.each(sampled(revisions, 3))("a session of our bots in revision %i", (revision) => {
  it("becomes a file of RSProx and comes back with equal messages and times", async () => {
    const osrs = protocols.osrs as PlayableProtocol;
    const game = osrs.capabilities?.settings?.configure({ revision }) as PlayableProtocol;
    const name = `osrs-${revision}`;
    await played(`${name}.mcap`, game, "client");
    const first = await convert(`${name}.mcap`, `${name}.bin`, "--session", "bot-0");
    expect(first.stderr).not.toContain("lost: Cannot");
    const lossy =
      first.code === 0 ? first : await convert(`${name}.mcap`, `${name}.bin`, "--session", "bot-0", "--lossy");
    expect(lossy.code, lossy.stderr).not.toBe(1);
    expect((await convert(`${name}.mcap`, `${name}-own.jsonl`, "--session", "bot-0", "--lossy")).stderr).toContain(
      "messages",
    );
    expect((await convert(`${name}.bin`, `${name}.jsonl`)).code).toBe(0);
    expect(messagesOf(`${name}.jsonl`)).toEqual(messagesOf(`${name}-own.jsonl`));
    expect(messagesOf(`${name}.jsonl`).length).toBeGreaterThan(10);
    // A recording that is made of the file gives the file again.
    expect((await convert(`${name}.bin`, `${name}-again.mcap`)).code).toBe(0);
    expect((await convert(`${name}-again.mcap`, `${name}-again.bin`)).code).toBe(0);
    expect(digest(`${name}-again.bin`)).toBe(digest(`${name}.bin`));
  });
});

describe.each(["v62", "v83", "v95"])("a session of our bots in MapleStory %s", (dialect) => {
  beforeAll(async () => {
    await played(`${dialect}.mcap`, protocols.maplestory as PlayableProtocol, dialect);
    await convert(`${dialect}.mcap`, `${dialect}-own.jsonl`, "--session", "bot-0", "--lossy");
  });

  it.each(sampled(mapleSharkVersions, 3).map((version) => `0x${version.toString(16)}`))(
    "becomes a file of MapleShark, version %s, and comes back with equal messages and times",
    async (version) => {
      const name = `${dialect}-${version}`;
      const flags = ["--session", "bot-0", "--lossy", ...(version === "0x0" ? [] : ["--format-version", version])];
      const written = await convert(`${dialect}.mcap`, `${name}.msb`, ...flags);
      expect(written.stderr).toMatch(/\d+ messages\n$/);
      const read = await convert(`${name}.msb`, `${name}.jsonl`);
      expect(read.code, read.stderr).toBe(0);
      expect(messagesOf(`${name}.jsonl`)).toEqual(messagesOf(`${dialect}-own.jsonl`));
    },
  );

  it("becomes a capture, with greeting and ciphers, and comes back", async () => {
    expect((await convert(`${dialect}.mcap`, `${dialect}.pcapng`, "--session", "bot-0", "--lossy")).stderr).toContain(
      "192.0.2.1",
    );
    expect((await convert(`${dialect}.pcapng`, `${dialect}-c.jsonl`)).code).toBe(0);
    expect(messagesOf(`${dialect}-c.jsonl`)).toEqual(messagesOf(`${dialect}-own.jsonl`));
  });
});

describe("convert", () => {
  beforeAll(() => played("two.mcap", protocols["slime-online-2"] as PlayableProtocol, "v0106"));

  it("asks which of several sessions a file of one is to hold", async () => {
    const { code, stderr } = await convert("two.mcap", "two.msb");
    expect(code).toBe(2);
    expect(stderr).toContain("two.mcap has 2 sessions, and the file holds one: --session names it: bot-0 (session 1)");
    expect((await convert("two.mcap", "two.msb", "--session", "ann")).stderr).toContain("--session ann:");
  });

  it("names what would be lost before it writes, and writes nothing without --lossy", async () => {
    const { code, stderr } = await convert("two.mcap", "two.jsonl", "--session", "bot-0");
    expect(stderr).toContain("lost: other sessions (first: bot-1 (session 2))");
    expect(stderr).toContain("two.jsonl was not written, since 1 kinds of things would be lost: --lossy writes it");
    expect(code).toBe(2);
    expect(() => readFileSync(path("two.jsonl"))).toThrow("ENOENT");
    expect((await convert("two.mcap", "two.jsonl", "--session", "bot-0", "--lossy")).code).toBe(3);
  });

  const header = { format: "rsprox", protocol: "osrs", dialect: "client", settings: {}, flow: "a", fields: {} };

  it.each([
    ["two.mcap", "two.txt.x", "what it is follows from the end of its name"],
    ["two.mcap", "two.mcap", "is the file that is read"],
    ["none.bin", "none.mcap", "none.bin is no capture"],
  ])("refuses %s to %s", async (from, to, why) => {
    const { code, stderr } = await convert(from, to);
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });

  it("says which file of JSON lines cannot be read", async () => {
    const { code, stderr } = await convert("none.jsonl", "none.mcap");
    expect(stderr).toMatch(/^wirewalk: Cannot read .+none\.jsonl: no such file or folder \(ENOENT\)\n$/);
    expect(code).toBe(1);
  });

  it("names the line that has no message", async () => {
    writeFileSync(path("bad.jsonl"), `${JSON.stringify({ session: header })}\n{"time":1}\n`);
    expect((await convert("bad.jsonl", "bad.mcap")).stderr).toContain(
      "bad.jsonl: line 2: it has no flow, protocol and dialect",
    );
  });

  it.each([
    ["null", "it must be an object, got null"],
    ['{"session":[]}', '"session" must be an object, got []'],
    ['{"session":{}}', '"session.protocol" must be a text, got nothing'],
    [{ protocol: "constructor" }, "unknown protocol constructor"],
    [{ settings: undefined }, '"session.settings" must be an object, got nothing'],
    [{ settings: { revision: 999 } }, "osrs.revision must be one of 0, 206, 223 to"],
    [{ settings: { speed: 1 } }, "unknown setting 'osrs.speed'"],
    [{ startMs: "now" }, '"session.startMs" must be a number, got "now"'],
    [{ flow: 7 }, '"session.flow" must be a text, got 7'],
    [{ fields: 7 }, '"session.fields" must be an object, got 7'],
    ['{"flow":"a","protocol":["osrs"],"dialect":"client"}', "it has no flow, protocol and dialect"],
    ['{"flow":"a","protocol":"toString","dialect":"client"}', "unknown protocol toString"],
  ])("refuses a line %j, and names it", async (line, why) => {
    const second = typeof line === "string" ? line : JSON.stringify({ session: { ...header, ...line } });
    writeFileSync(path("bad.jsonl"), `\n${second}\n`);
    const { code, stderr } = await convert("bad.jsonl", "bad.mcap");
    expect(stderr).toContain(`bad.jsonl: line 2: ${why}`);
    expect(code).toBe(2);
  });
});

describe("--pseudonyms", () => {
  const text = (name: string): string => readFileSync(path(name), "utf8");

  beforeAll(async () => {
    const osrs = protocols.osrs as PlayableProtocol;
    const game = osrs.capabilities?.settings?.configure({ revision: 223 }) as PlayableProtocol;
    await played("crowd.mcap", game, "client");
    await convert("crowd.mcap", "crowd.bin", "--session", "bot-0", "--lossy");
    await played("names.mcap", protocols["slime-online-2"] as PlayableProtocol, "v0106");
  });

  it("leaves no name in lines of JSON, and says how many messages it changed", async () => {
    const plain = await convert("names.mcap", "plain.jsonl", "--session", "bot-0", "--lossy");
    expect(plain.stderr).toMatch(/\d+ messages\n$/);
    expect(text("plain.jsonl")).toContain('"name":"bot-1"');
    const { stderr } = await convert("names.mcap", "private.jsonl", "--session", "bot-0", "--lossy", "--pseudonyms");
    expect(stderr).toMatch(/\d+ messages, [1-9]\d* of them with names, chat or looks replaced\n$/);
    expect(text("private.jsonl")).not.toContain("bot-1");
    expect(text("private.jsonl")).toContain('"name":"player-1"');
    expect(messagesOf("private.jsonl")).toHaveLength(messagesOf("plain.jsonl").length);
  });

  it("leaves the tables of a session of another tool as they were", async () => {
    const tables = async (to: string, ...flags: readonly string[]): Promise<readonly string[]> => {
      const { code, stderr } = await run([
        "tables",
        path("crowd.bin"),
        "--to",
        path(to),
        "--format",
        "jsonl",
        ...flags,
      ]);
      expect(code, stderr).toBe(0);
      return ["positions", "strokes"].map((name) => text(`${to}/${name}.jsonl`));
    };
    const plain = await tables("plain");
    expect(await tables("private", "--pseudonyms", "all")).toEqual(plain);
    expect(plain[0]).not.toBe("");
  });

  it("shows a session and a recording without names", async () => {
    for (const name of ["crowd.bin", "names.mcap"]) {
      const { code, stdout, stderr } = await run(["inspect", path(name), "--json", "--pseudonyms", "all"]);
      expect(code, stderr).toBe(0);
      expect(stdout.length).toBeGreaterThan(1000);
      expect(stdout).not.toMatch(/bot-[01]/);
    }
  });

  it("plays a recording that was made of a session, and refuses one of a world, whose states have names", async () => {
    await convert("crowd.bin", "crowd-own.mcap");
    expect((await run(["replay", path("crowd-own.mcap"), "--pseudonyms"])).code).toBe(0);
    const { code, stderr } = await run(["replay", path("names.mcap"), "--pseudonyms"]);
    expect(stderr).toContain("names.mcap is the recording of a world, whose states have names in them");
    expect(code).toBe(2);
  });

  it("takes others and all", async () => {
    const { code, stderr } = await run(["inspect", path("crowd.bin"), "--pseudonyms", "some"]);
    expect(stderr).toContain("others, all");
    expect(code).toBe(2);
  });
});
