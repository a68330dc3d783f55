import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pcapngHeader, pcapngPacket, TcpPackets } from "wirewalk/capture";
import { parseHex } from "wirewalk/wire";
import { runCommand } from "../testing/run-command.ts";

let folder = "";
const path = (name: string): string => join(folder, name);

/** A capture of one connection of Slime Online 2 `v0106`, with pieces of bytes of each side, or a number of bytes that are missing. */
function capture(name: string, pieces: readonly (readonly ["client" | "server", string | number])[]): string {
  const tcp = new TcpPackets({
    client: { address: "127.0.0.1", port: 50_000 },
    server: { address: "::1", port: 5555 },
  });
  const packets = [...tcp.open()];
  for (const [sender, piece] of pieces) {
    if (typeof piece === "number") tcp.skip(sender, piece);
    else packets.push(...tcp.data(sender, parseHex(piece)));
  }
  const blocks = packets.map((packet, index) =>
    pcapngPacket(1_700_000_000_000_000_000n + BigInt(index) * 1_000_000n, packet),
  );
  writeFileSync(path(name), Buffer.concat([pcapngHeader({ application: "test", interfaceName: "test" }), ...blocks]));
  return path(name);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-captures-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const MOVE = "03 00 60 a2 0f";
const MAP = ["--map", "5555=slime-online-2:v0106"];

describe("inspect of a capture", () => {
  test("writes one object a line, and exits with 0 when all was read", async () => {
    const file = capture("whole.pcapng", [
      ["client", MOVE],
      ["client", MOVE],
    ]);
    const { code, stdout } = await runCommand(["inspect", file, "--json", ...MAP]);
    expect(code).toBe(0);
    const line =
      '{"time":"1700000000.003000000","flow":"[::ffff:127.0.0.1]:50000-[::1]:5555","direction":"client","protocol":"slime-online-2",' +
      '"dialect":"v0106","message":"movePlayer","value":{"code":10,"direction":"leftPressAir"}}';
    expect(stdout).toBe(`${line}\n${line.replace(".003", ".004")}\n`);
  });

  test("names what was refused and what is missing, and exits with 3", async () => {
    const file = capture("gap.pcapng", [
      ["client", MOVE],
      ["client", 7],
      ["client", `${MOVE} ${MOVE}`],
      ["client", "03 00 60 a2 ff"],
    ]);
    const { code, stdout } = await runCommand(["inspect", file, "--json", ...MAP]);
    expect(code).toBe(3);
    const records = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(records.map((record) => Object.keys(record).join())).toEqual([
      "time,flow,direction,protocol,dialect,message,value",
      "gap,flow,direction",
      "time,flow,direction,protocol,dialect,message,value",
      "time,flow,direction,protocol,dialect,message,value",
      "time,flow,direction,protocol,dialect,error,hex",
    ]);
    expect(records[1]).toMatchObject({ gap: 7, direction: "client" });
    expect(records[4]).toMatchObject({
      error: { code: "unknown-variant", path: "code", byteOffset: 2 },
      hex: "0200fa",
    });
  });

  test("filters, chooses columns, and counts", async () => {
    const file = capture("two.pcapng", [
      ["client", MOVE],
      ["client", `${MOVE} ${MOVE}`],
    ]);
    const filtered = await runCommand([
      "inspect",
      file,
      ...MAP,
      "--filter",
      "time > 3500us",
      "--columns",
      "packet,value.code,message",
    ]);
    expect(filtered.stdout.split("\n").map((line) => line.trim().split(/\s+/).join(" "))).toEqual([
      "packet value.code message",
      "5 10 movePlayer",
      "5 10 movePlayer",
      "",
    ]);
    expect(filtered.stderr).toContain("5 packets, 1 connections, 3 messages, 0 refused, no gaps");
    const stats = await runCommand(["inspect", file, ...MAP, "--stats", "--json"]);
    expect(JSON.parse(stats.stdout)).toMatchObject({
      messages: [
        { protocol: "slime-online-2", message: "movePlayer", count: 3, bytes: 9, bitsPerField: { type: 16, code: 8 } },
      ],
      players: [{ client: { count: 3, bytes: 9 }, server: { count: 0 }, refused: 0, gapBytes: 0 }],
    });
    const flows = await runCommand(["inspect", file, "--flows"]);
    expect(flows.stdout).toContain("50000-[::1]:5555  slime-online-2/v0106");
    expect(flows.stdout).toMatch(
      /not slime-online-2\/documented: client: Cannot read type: a client of dialect documented sends 8/,
    );
  });

  test("exports", async () => {
    const file = capture("export.pcapng", [["client", `${MOVE} ${MOVE}`]]);
    const out = path("out");
    const exported = async (format: string): Promise<string> => {
      const { code } = await runCommand(["inspect", file, ...MAP, "--export", format, "--out", out]);
      expect(code).toBe(0);
      return readFileSync(out, "utf8");
    };
    expect(await exported("jsonl")).toContain('"message":"movePlayer"');
    expect((await exported("csv")).split("\r\n")).toHaveLength(4);
    expect(JSON.parse(await exported("vectors"))).toMatchObject([
      { dialect: "v0106", sender: "client", hex: "02 00 0a" },
    ]);
    // The frames without RC4.
    await exported("pcapng");
    expect(readFileSync(out).toString("hex").split("030002000a")).toHaveLength(3);
  });

  test("exports Parquet that another reader reads, with the types of its columns", async () => {
    const file = capture("parquet.pcapng", [
      ["client", MOVE],
      ["client", 7],
      ["client", `${MOVE} ${MOVE}`],
      ["client", "03 00 60 a2 ff"],
    ]);
    const out = path("records.parquet");
    const { code } = await runCommand(["inspect", file, ...MAP, "--export", "parquet", "--out", out]);
    expect(code).toBe(3);
    const bytes = readFileSync(out);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const rows = await parquetReadObjects({ file: buffer });
    expect(rows.map(({ kind }) => kind)).toEqual(["message", "gap", "message", "message", "refused"]);
    expect(rows[0]).toEqual({
      time_ns: 1_700_000_000_003_000_000n,
      packet: 4n,
      kind: "message",
      flow: "[::ffff:127.0.0.1]:50000-[::1]:5555",
      direction: "client",
      protocol: "slime-online-2",
      dialect: "v0106",
      message: "movePlayer",
      value: '{"code":10,"direction":"leftPressAir"}',
      bytes: 3,
      hex: "02000a",
      error_code: null,
      error_path: null,
      error: null,
      gap: null,
    });
    expect(rows[1]).toMatchObject({ gap: 7n, message: null, bytes: null, hex: null });
    expect(rows[4]).toMatchObject({ error_code: "unknown-variant", error_path: "code", value: null, hex: "0200fa" });
    const { schema, row_groups: groups } = parquetMetadata(buffer);
    expect(
      schema.slice(1).map(({ name, type, repetition_type: repetition }) => `${name} ${type} ${repetition}`),
    ).toContain("time_ns INT64 REQUIRED");
    expect(groups).toHaveLength(1);
  });

  test("exports Parquet in groups of rows, as many as there are records", async () => {
    const file = capture("many.pcapng", [["client", `${MOVE} `.repeat(25_000)]]);
    const out = path("many.parquet");
    await runCommand(["inspect", file, ...MAP, "--export", "parquet", "--out", out]);
    const bytes = readFileSync(out);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    expect(parquetMetadata(buffer).row_groups.map(({ num_rows: rows }) => rows)).toEqual([20_000n, 5_000n]);
    expect(await parquetReadObjects({ file: buffer, columns: ["hex"], rowStart: 19_999, rowEnd: 20_001 })).toEqual([
      { hex: "02000a" },
      { hex: "02000a" },
    ]);
  });

  test("reads a capture that gzip has compressed, and one that is cut up to there", async () => {
    const file = capture("plain.pcapng", [["client", `${MOVE} `.repeat(2000)]]);
    const packed = gzipSync(readFileSync(file));
    writeFileSync(path("packed.gz"), packed);
    const plain = await runCommand(["inspect", file, ...MAP, "--json"]);
    expect(await runCommand(["inspect", path("packed.gz"), ...MAP, "--json"])).toEqual(plain);
    writeFileSync(path("cut.pcapng.gz"), packed.subarray(0, packed.length - 9));
    const cut = await runCommand(["inspect", path("cut.pcapng.gz"), ...MAP, "--json"]);
    expect(cut.code).toBe(3);
    expect(cut.stderr).toContain("the compressed file is cut; nothing follows");
    expect(plain.stdout.startsWith(cut.stdout)).toBe(true);
  });

  test.each([
    ["a file that is missing", "missing.pcap", 1, "ENOENT"],
    ["a folder", "folder.pcap", 1, "it is a folder"],
    ["an empty file", "empty.pcapng", 2, "its first bytes are missing"],
    ["a compressed file that is no capture", "text.pcap.gz", 2, "Cannot read capture: its first bytes are 68 65 6c 6c"],
  ])("%s is one sentence", async (_name, file, wanted, text) => {
    mkdirSync(path("folder.pcap"), { recursive: true });
    writeFileSync(path("empty.pcapng"), "");
    writeFileSync(path("text.pcap.gz"), gzipSync("hello"));
    const { code, stdout, stderr } = await runCommand(["inspect", path(file)]);
    expect(stderr).toMatch(/^wirewalk: [^\n]+\n$/);
    expect(stderr).toContain(text);
    expect({ code, stdout }).toEqual({ code: wanted, stdout: "" });
  });

  test.each([
    ["a file that is no capture", ["text.pcap"], "Cannot read capture: its first bytes are 68 65 6c 6c"],
    ["a filter that cannot be read", ["ok.pcapng", "--filter", "message = x"], 'unexpected "=" at character 9'],
    ["a mapping that cannot be read", ["ok.pcapng", "--map", "slime"], "it must be PORT=PROTOCOL"],
    ["an unknown protocol", ["ok.pcapng", "--map", "1=slim"], "unknown protocol 'slim'"],
    ["an unknown column", ["ok.pcapng", "--columns", "x"], 'there is no field "x"'],
    ["an unknown option", ["ok.pcapng", "--option", "osrs/mouse.x=1"], "osrs/mouse has no option x"],
    [
      "an unknown option of connections",
      ["ok.pcapng", "--tap", "osrs.key=1"],
      "connections of osrs have no option key",
    ],
    ["an option of connections that a game refuses", ["ok.pcapng", "--tap", "osrs.isaac=00"], "--tap osrs"],
    ["a value that is no number", ["ok.pcapng", "--tap", "osrs.loginBytes=x"], "--tap osrs.loginBytes=x: it must be a"],
    [
      "a switch that is neither",
      ["ok.pcapng", "--tap", "osrs.skipLogin=x"],
      "--tap osrs.skipLogin=x: it must be true or",
    ],
    [
      "an option that a stream refuses",
      ["ok.pcapng", "--option", "osrs/player-info.revision=abc"],
      "--option osrs/player-info",
    ],
    [
      "another revision than that of the game",
      ["ok.pcapng", "--set", "osrs.revision=239", "--option", "osrs/player-info.revision=240"],
      "the revision is a setting of the game: --set osrs.revision=240",
    ],
    ["a setting that the game refuses", ["ok.pcapng", "--set", "osrs.revision=100"], "osrs.revision must be one of"],
    [
      "another table of frames than that of the game",
      ["ok.pcapng", "--option", "osrs/mouse.revision=240"],
      "--option osrs/mouse.revision=240: the revision is a setting of the game",
    ],
    ["an initialisation without an index", ["ok.pcapng", "--initial", "00"], "--initial and --local need each other"],
    [
      "an initialisation that is too short",
      ["ok.pcapng", "--initial", "0011", "--local", "5"],
      "bytes needed, 2 given",
    ],
    ["an initialisation that is neither", ["ok.pcapng", "--initial", "none.bin", "--local", "5"], "it is no file and"],
    ["an export without a file", ["ok.pcapng", "--export", "csv"], "--export needs --out FILE"],
  ])("%s is wrong usage", async (_name, [name = "", ...flags], text) => {
    writeFileSync(path("text.pcap"), "hello");
    capture("ok.pcapng", [["client", MOVE]]);
    const { code, stderr } = await runCommand(["inspect", path(name), ...flags]);
    expect(stderr).toContain(text);
    expect(code).toBe(2);
  });
});
