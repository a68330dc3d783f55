/** Sessions of other tools, and files on the standard input, in every command that reads files. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRecordingFile } from "@wirewalk/recording/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { runCommand } from "../testing/run-command.ts";

let folder: string;
const path = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-sessions-"));
  const osrs = protocols.osrs?.capabilities?.settings?.configure({ revision: 239 }) as PlayableProtocol;
  const record = (name: string, protocol: PlayableProtocol, dialect: string) =>
    recordPlay({ protocol, dialect, bots: 3, durationMs: 8_000, to: { open: () => createRecordingFile(path(name)) } });
  await record("osrs.mcap", osrs, "client");
  await record("maple.mcap", protocols.maplestory as PlayableProtocol, "v83");
  for (const [from, to] of [
    ["osrs.mcap", "osrs.bin"],
    ["maple.mcap", "maple.msb"],
    ["maple.mcap", "maple.pcapng"],
  ] as const) {
    await runCommand(["convert", path(from), path(to), "--session", "bot-0", "--lossy"]);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A command with the bytes of a file on its standard input, in pieces. */
async function withInput(args: readonly string[], file: string, piece = 1000) {
  const bytes = readFileSync(path(file));
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += piece) pieces.push(bytes.subarray(at, at + piece));
  return runCommand(args, pieces as unknown as Iterable<string>);
}

interface Line {
  readonly time: string;
  readonly direction: string;
  readonly message?: string;
  readonly error?: object;
  readonly value?: object;
}
const linesOf = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

describe.each(["osrs.bin", "maple.msb"])("inspect %s", (file) => {
  it("prints one line per message, in both directions", async () => {
    const { code, stdout } = await runCommand(["inspect", path(file), "--json"]);
    expect(code).toBe(0);
    const lines = linesOf(stdout);
    expect(lines.length).toBeGreaterThan(15);
    expect(lines.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(new Set(lines.map(({ direction }) => direction))).toEqual(new Set(["client", "server"]));
    for (const { message, time } of lines) expect([typeof message, typeof time]).toEqual(["string", "string"]);
  });

  it("is the same from the standard input, whatever its pieces", async () => {
    const { stdout } = await runCommand(["inspect", path(file), "--json"]);
    for (const piece of [1, 7, 100_000]) {
      expect((await withInput(["inspect", "-", "--json"], file, piece)).stdout).toBe(stdout);
    }
    expect((await withInput(["inspect", "--json"], file)).stdout).toBe(stdout);
  });

  it("is what decode gives", async () => {
    const { stdout } = await runCommand(["inspect", path(file), "--json"]);
    expect((await runCommand(["decode", path(file)])).stdout).toBe(stdout);
    expect((await withInput(["decode", "-"], file)).stdout).toBe(stdout);
  });

  it("sums up: messages by name, time and players", async () => {
    const { code, stdout, stderr } = await runCommand(["inspect", path(file), "--summary", "--json"]);
    const summary = JSON.parse(stdout) as { messages: { message: string; count: number }[]; seconds: number };
    const lines = linesOf((await runCommand(["inspect", path(file), "--json"])).stdout);
    expect(summary.messages.reduce((sum, { count }) => sum + count, 0)).toBe(lines.length);
    expect(summary.seconds).toBeGreaterThan(5);
    expect([code, stderr]).toEqual([0, ""]);
    expect((await runCommand(["inspect", path(file), "--summary"])).stdout).toMatch(
      /connections, \d+\.\d{3} s, from 2026-/,
    );
  });

  it("that is cut says where, keeps what was before it, and ends with 3", async () => {
    const bytes = readFileSync(path(file));
    const name = `cut-${file}`;
    writeFileSync(path(name), bytes.subarray(0, bytes.length - 3));
    const { code, stdout, stderr } = await runCommand(["inspect", path(name), "--json"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^wirewalk: .*cut-\S+: byte \d+: Cannot read record \d+: /);
    const whole = (await runCommand(["inspect", path(file), "--json"])).stdout;
    expect(whole.startsWith(stdout)).toBe(true);
    expect(linesOf(stdout).length).toBe(linesOf(whole).length - 1);
  });

  it("takes no flags of captures", async () => {
    const { code, stderr } = await runCommand(["inspect", path(file), "--map", "5555=osrs"]);
    expect([code, stderr]).toEqual([2, "wirewalk: --map is for captures: a session of another tool names its game\n"]);
  });
});

it("a capture is read from the standard input, as tcpdump -w - writes it", async () => {
  const { stdout } = await runCommand(["inspect", path("maple.pcapng"), "--json"]);
  expect(linesOf(stdout).length).toBeGreaterThan(20);
  expect((await withInput(["inspect", "-", "--json"], "maple.pcapng", 13)).stdout).toBe(stdout);
});

it("a recording is read from the standard input", async () => {
  const { stdout } = await runCommand(["inspect", path("osrs.mcap"), "--json"]);
  expect((await withInput(["inspect", "-", "--json"], "osrs.mcap")).stdout).toBe(stdout);
});

describe.each([
  ["osrs.bin", "osrs"],
  ["maple.msb", "maplestory"],
])("%s", (file, game) => {
  it("replays, with the same verdicts as its recording", async () => {
    await runCommand(["convert", path(file), path(`${file}.mcap`)]);
    const replayed = await runCommand(["replay", path(file), "--json"]);
    expect(replayed.code).toBe(0);
    const verified = await runCommand(["replay", path(`${file}.mcap`), "--verify"]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining("are as they were")]);
    const listed = await runCommand(["verdicts", path(file), "--json"]);
    expect(listed).toEqual(await runCommand(["verdicts", path(`${file}.mcap`), "--json"]));
    const [first] = listed.stdout.split("\n");
    if (first !== undefined && first !== "") {
      const { id } = JSON.parse(first) as { id: string };
      expect((await runCommand(["verdict", path(file), id])).code).toBe(0);
    }
  });

  it("becomes tables, and is checked against expectations beside it", async () => {
    const to = path(`${game}-tables`);
    const { code, stdout } = await runCommand(["tables", path(file), "--to", to, "--format", "jsonl"]);
    expect(code).toBe(0);
    expect(Number(/positions\.jsonl: (\d+) rows/.exec(stdout)?.[1])).toBeGreaterThan(5);
    const checked = path(`${game}-check`);
    await runCommand(["convert", path(file), path(`${game}-copy.jsonl`)]);
    const { mkdirSync, copyFileSync } = await import("node:fs");
    mkdirSync(checked);
    copyFileSync(path(file), join(checked, file));
    writeFileSync(
      join(checked, `${file.split(".")[0]}.expect.json`),
      JSON.stringify({ expectations: [{ expect: "must-not-flag" }] }),
    );
    const result = await runCommand(["check", checked]);
    expect(result.stdout).toContain(`holds   ${join(checked, file)}`);
    expect(result.code).toBe(0);
  });
});

it("the dialect and the build of a session may be another than its file says, and are refused elsewhere", async () => {
  const v62 = await runCommand(["inspect", path("maple.msb"), "--dialect", "v62", "--json"]);
  expect(linesOf(v62.stdout).every((line) => (line as { dialect?: string }).dialect === "v62")).toBe(true);
  const built = await runCommand(["inspect", path("maple.msb"), "--build", "95", "--json"]);
  expect((linesOf(built.stdout)[0] as { dialect?: string }).dialect).toBe("v95");
  const unknown = await runCommand(["inspect", path("maple.msb"), "--build", "200"]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("maplestory has no dialect of its build, only v62, v83, v95, documented");
  expect((await runCommand(["replay", path("osrs.mcap"), "--dialect", "native"])).stderr).toContain("is none");
});

describe("--table", () => {
  const table = {
    revisions: {
      300: { fromServer: { PLAYER_INFO: [5, -2], OTHER: [6, 2] }, fromClient: { EVENT_MOUSE_MOVE: [9, -1] } },
    },
  };

  it("gives any command the messages of a revision that came out later", async () => {
    writeFileSync(path("300.json"), JSON.stringify(table));
    const bytes = readFileSync(path("osrs.bin"));
    // The head says revision 300; then a message of its table, twice.
    const made = Buffer.concat([headOf(bytes), Buffer.from("8931060102", "hex"), Buffer.from([0x01, 6, 1, 2])]);
    made.writeUInt32BE(300, 4);
    writeFileSync(path("late.bin"), made);
    const without = await runCommand(["inspect", path("late.bin")]);
    expect(without.stderr).toContain("--table");
    for (const flag of ["--table", "--sizes"]) {
      const { stdout, stderr } = await runCommand(["inspect", path("late.bin"), "--json", flag, path("300.json")]);
      expect(stderr).toBe("");
      expect(linesOf(stdout).at(-1)).toMatchObject({ message: "OTHER", size: 3, hex: "060102" });
    }
  });

  it.each([
    ["none.json", undefined, "none.json: no such file or folder"],
    ["bad.json", "{", "bad.json: "],
    ["wrong.json", '{"revisions":{"300":{}}}', "wrong.json: Cannot read revisions.300"],
  ])("refuses %s", async (name, text, why) => {
    if (text !== undefined) writeFileSync(path(name), text);
    const { code, stderr } = await runCommand(["inspect", path("osrs.bin"), "--table", path(name)]);
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });
});

/** The head of a file of RSProx: until its first record. */
function headOf(bytes: Buffer): Buffer {
  let at = 4 + 4 + 4 + 1 + 1 + 8 + 2 + 4 + 1;
  const text = (): void => {
    at = bytes.indexOf(0, at) + 1;
  };
  text();
  text();
  at += 2;
  at += 2 + bytes.readUInt16BE(at);
  text();
  at += 4 + bytes.readUInt32BE(at);
  return Buffer.from(bytes.subarray(0, at));
}
