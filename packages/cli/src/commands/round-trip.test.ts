/** `encode` takes what `decode` prints, for the vectors of every protocol, and gives the bytes that `decode` was given. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCommand } from "../testing/run-command.ts";

function vectorsOf<V>(file: string): readonly V[] {
  return JSON.parse(readFileSync(new URL(`../../../../vectors/${file}`, import.meta.url), "utf8"));
}

const bare = (hex: string): string => hex.replaceAll(" ", "").toLowerCase();

/** A protocol with flags, and packets of it. */
type Packets = readonly [args: readonly string[], hex: readonly string[]];

interface MapleVector {
  readonly name: string;
  readonly trust: string;
  readonly direction: string;
  readonly opcode: string;
  readonly hex: string;
}

/** Older opcode numbers, as v62 numbers them. */
const opcodes: Readonly<Record<string, string>> = { "0x9a": "9d00", "0xa0": "b200" };

/** Of some there is the body alone. */
const maple = vectorsOf<MapleVector>("maplestory-v62.json")
  .filter(({ trust }) => !trust.includes("encrypted"))
  .map(({ name, direction, opcode, hex }) => {
    const [start, body] = name.includes("body only") ? [`${opcode.slice(2)}00`, hex] : [hex.slice(0, 4), hex.slice(4)];
    return { direction, hex: (opcodes[opcode] ?? start) + body };
  });
const slime = vectorsOf<{ readonly dialect: string; readonly sender: string; readonly hex: string }>(
  "slime-online-2.json",
);
const scrap = vectorsOf<{ readonly sender: string; readonly wire: string }>("scrap-mechanic.json");

const packets: readonly Packets[] = [
  ...["client", "server"].map((sender): Packets => {
    const own = maple.filter(({ direction }) => direction.startsWith(sender));
    return [["maplestory", "--direction", sender], own.map(({ hex }) => hex)];
  }),
  ...["client", "server"].flatMap((sender) =>
    ["documented", "documentedLittleEndian", "v0106"].map((dialect): Packets => {
      const own = slime.filter((each) => each.dialect === dialect && each.sender === sender);
      return [["slime-online-2", "--dialect", dialect, "--direction", sender], own.map(({ hex }) => hex)];
    }),
  ),
  ...["client", "server"].map((sender): Packets => {
    const own = scrap.filter((each) => each.sender === sender);
    return [["scrap-mechanic", "--direction", sender], own.map(({ wire }) => wire)];
  }),
];

describe.each(packets.filter(([, hex]) => hex.length > 0))("%o", (args, hex) => {
  it("what is decoded encodes back", async () => {
    const decoded = await runCommand(["decode", ...args], hex.join("\n"));
    expect(decoded).toMatchObject({ code: 0, stderr: "" });
    const encoded = await runCommand(["encode", ...args], decoded.stdout);
    expect(encoded).toMatchObject({ code: 0, stderr: "" });
    const again = await runCommand(["decode", ...args], encoded.stdout);
    // A block of Scrap Mechanic may be packed in several ways.
    if (args.includes("scrap-mechanic") && args.includes("server")) expect(again.stdout).toBe(decoded.stdout);
    else expect(encoded.stdout).toBe(`${hex.map(bare).join("\n")}\n`);
  });
});

it("there are vectors of each", () => {
  expect(packets.filter(([, hex]) => hex.length > 0).length).toBeGreaterThanOrEqual(8);
});

describe("a refusal names its line", () => {
  it("in decode and in encode, blank lines counted", async () => {
    const decoded = await runCommand(
      ["decode", "scrap-mechanic", "--direction", "server"],
      "1e80 0000303904400040\n\nf2 01\n",
    );
    const lines = decoded.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ line, error }) => [line, error.code, error.path])).toEqual([
      [1, "unknown-message", "id"],
      [3, "truncated", expect.any(String)],
    ]);
    const encoded = await runCommand(["encode", "slime-online-2"], '\n\n{"message":"movePlayer"}\n');
    expect(JSON.parse(encoded.stdout)).toMatchObject({ ok: false, line: 3, error: { path: "value" } });
  });

  it.each<[string, string, string]>([
    ["maplestory", '{"message":"movePlayer","value":{"fragments":[null]}}', "fieldKey"],
    [
      "maplestory --dialect documented",
      '{"message":"movePlayer","value":{"head":"0102030405","fragments":[null],"tail":""}}',
      "fragments[0]",
    ],
    [
      "maplestory --dialect documented",
      '{"message":"movePlayer","value":{"head":"0","fragments":[],"tail":""}}',
      "head",
    ],
    [
      "maplestory --dialect documented",
      '{"message":"movePlayer","value":{"head":"0102030405","fragments":[{"type":"10"}],"tail":""}}',
      "fragments[0].type",
    ],
    [
      "maplestory --dialect documented",
      '{"message":"movePlayer","value":{"head":"0102030405","fragments":[{"type":[14]}],"tail":""}}',
      "fragments[0].type",
    ],
    [
      "scrap-mechanic",
      '{"message":"unreliableUpdate","value":{"serverTick":1,"currentTick":1,"updates":[{"kind":"opaque","type":9,"data":"0"}]}}',
      "updates[0].data",
    ],
    ["scrap-mechanic", '{"message":"hello","value":{"version":1,"name":"x"}}', "name"],
    ["slime-online-2", '{"message":"chat","value":{"text":"hi","to":5}}', "to"],
    ["slime-online-2", "nothing", ""],
    ["slime-online-2", "[]", ""],
    ["slime-online-2", '{"ok":1,"message":"ping","value":{}}', "ok"],
    ["slime-online-2", '{"note":1,"message":"ping","value":{}}', "note"],
  ])("encode %s %s: in our words, with its path", async (args, line, path) => {
    const { code, stdout } = await runCommand(["encode", ...args.split(" ")], line);
    expect(code).toBe(3);
    const { error } = JSON.parse(stdout);
    expect(error.path).toBe(path);
    expect(error.message).toMatch(/^Cannot write /);
    expect(error.message).not.toMatch(/undefined|Cannot read|of null/);
  });
});

it("a block that no encoder writes is noted, and encodes all the same", async () => {
  // Two ticks and no updates: as literals; and nine zeros by a match to the end.
  const usual = "18 90 0000001000003039 00";
  const matched = "18 14 00 0100 00";
  const { stdout } = await runCommand(["decode", "scrap-mechanic", "--direction", "server"], `${usual}\n${matched}\n`);
  const [first, second] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).not.toHaveProperty("note");
  expect(second).toMatchObject({ ok: true, note: expect.stringMatching(/^block: its last match /) });
  const encoded = await runCommand(["encode", "scrap-mechanic"], JSON.stringify(second));
  expect(encoded.code).toBe(0);
});
