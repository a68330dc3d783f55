/** MapleStory through the command line: every vector, the nine packets in both dialects, and bots at a real server. */
import { readFileSync } from "node:fs";
import { type RunningServer, startServer } from "@wirewalk/server";
import { afterEach, describe, expect, it } from "vitest";
import { mapleStory } from "wirewalk/maplestory";
import { getText } from "../testing/get-text.ts";
import { type Ran, runCommand, startCommand } from "../testing/run-command.ts";

interface Vector {
  readonly name: string;
  readonly trust: string;
  readonly direction: "client->server" | "server->client";
  readonly opcode: string;
  readonly hex: string;
  readonly decoded?: { readonly iv?: string };
}

interface CarrierVectors {
  readonly serverPing: { readonly iv: string; readonly plain: string; readonly frame: string };
  readonly clientPong: { readonly iv: string; readonly plain: string; readonly cipher: string };
  readonly hello: { readonly bytes: string };
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../vectors/${name}`, import.meta.url), "utf8"));
const vectors = read("maplestory-v62.json") as readonly Vector[];
const carrier = read("maplestory-v62-carrier.json") as CarrierVectors;

const maple = (command: string, flags: string, input = ""): Promise<Ran> =>
  runCommand([command, "maplestory", ...flags.split(" ").filter((flag) => flag !== "")], input);
const lines = (messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify({ ok: true, ...message })}\n`).join("");

/** Decodes, encodes back to the same hex, and gives the message. */
async function bothWays(flags: string, hex: string): Promise<{ message: string; value: Record<string, unknown> }> {
  const decoded = await maple("decode", flags, `${hex}\n`);
  expect(decoded).toMatchObject({ code: 0, stderr: "" });
  const encoded = await maple("encode", flags, decoded.stdout);
  expect(encoded).toEqual({ code: 0, stdout: `${hex.replaceAll(" ", "").toLowerCase()}\n`, stderr: "" });
  const shown = await runCommand(["inspect", "maplestory", ...flags.split(" ").filter(Boolean), hex]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).not.toContain("(not read)");
  const { ok, ...message } = JSON.parse(decoded.stdout);
  expect(ok).toBe(true);
  return message;
}

const fall = vectors[0]?.hex ?? "";
const fragment = (change: object): object => ({ type: 0, kind: "absolute", x: 108, vx: 0, foothold: 0, ...change });
const box = { left: 108, top: 31, right: 108, bottom: 53 };

describe("policies of MapleStory", () => {
  it.each([
    ["maplestory.fall=kick", "--policy maplestory.fall=kick: maplestory has no rule fall: it is speed now"],
    ["maplestory.jump=drop", "--policy maplestory.jump=drop: maplestory has no rule jump: it is speed now"],
  ])("%s, of an earlier version, is refused with the rule of today", async (policy, why) => {
    const args = ["serve", "--http", "0", "--listen", "maplestory=0", "--policy", policy];
    expect(await runCommand(args)).toMatchObject({ code: 2, stdout: "", stderr: `wirewalk: ${why}\n` });
  });
});

describe("the issue's example", () => {
  it("decodes to its line, word for word, and encodes back", async () => {
    const flags = "--dialect v62 --direction client";
    const { stdout } = await maple("decode", flags, `${fall}\n`);
    expect(stdout).toBe(
      '{"ok":true,"message":"movePlayer","value":{"fieldKey":1,"start":{"x":108,"y":31},"fragments":[' +
        '{"type":0,"kind":"absolute","x":108,"y":45,"vx":0,"vy":240,"foothold":0,"state":6,"durationMs":120},' +
        '{"type":0,"kind":"absolute","x":108,"y":53,"vx":0,"vy":0,"foothold":0,"state":6,"durationMs":26},' +
        '{"type":0,"kind":"absolute","x":108,"y":53,"vx":0,"vy":0,"foothold":11,"state":4,"durationMs":364}],' +
        '"keypad":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"box":{"left":108,"top":31,"right":108,"bottom":53}}}\n',
    );
    expect((await maple("encode", flags, stdout)).stdout).toBe(`${fall}\n`);
  });

  it("is shown field by field, and the nibbles bit by bit", async () => {
    const { stdout } = await maple("inspect", fall);
    for (const row of [
      / {4}0 {2}26 00 {2}opcode +38 {2}movePlayer\n/,
      / {3}15 {2}f0 00 {2}fragments\[0\]\.vy +240\n/,
      / {3}19 {2}06 {5}fragments\[0\]\.state +6 {2}6, jump right\n/,
      / {2}51 {2}0000 {3}keypad\[1\] +0 {2}no key\n {2}51\.4 {2}0000 {3}keypad\[0\] /,
    ]) {
      expect(stdout).toMatch(row);
    }
  });
});

describe("the vectors", () => {
  /** Older opcode numbers and fixtures without one, as v62 numbers them. */
  const opcodes: Readonly<Record<string, string>> = { "0x9a": "9d00", "0xa0": "b200" };
  const plain = vectors.filter(({ trust }) => trust !== "captured-encrypted");

  it.each(plain)("$name, both ways", async ({ name, direction, opcode, hex }) => {
    const number = opcodes[opcode] ?? `${opcode.slice(2)}00`;
    const payload = name.includes("body only") ? `${number}${hex}` : `${number}${hex.slice(4)}`;
    await bothWays(`--direction ${direction === "client->server" ? "client" : "server"}`, payload);
  });

  it("the encrypted packet is the plain one, with the header that its IV asks for", async () => {
    const encrypted = vectors.find(({ trust }) => trust === "captured-encrypted");
    // 0x2BC4 of the IV, XOR 62; the same, XOR 68 bytes.
    const frame = `fa2bbe2b${encrypted?.hex}`;
    const message = await bothWays(`--framed --iv ${encrypted?.decoded?.iv}`, frame);
    expect(lines([message])).toBe((await maple("decode", "", fall)).stdout);
  });

  it("ping and pong as they were carried, and the hello before a server's first frame", async () => {
    const { serverPing, clientPong, hello } = carrier;
    expect(await bothWays(`--framed --direction server --iv ${serverPing.iv}`, serverPing.frame)).toEqual({
      message: "ping",
      value: {},
    });
    expect(await bothWays(`--framed --iv ${clientPong.iv}`, `d2ddd0dd${clientPong.cipher}`)).toEqual({
      message: "pong",
      value: {},
    });
    const { stdout } = await maple("encode", "--framed --direction server", lines([{ message: "ping", value: {} }]));
    expect(stdout.startsWith(hello.bytes)).toBe(true);
    await bothWays("--framed --direction server", stdout.trim());
  });
});

const tail = "11 000000000000000000 6C00 1F00 6C00 3500";
const path = "6C00 1F00 01 00 6C00 2D00 0000 F000 0000 06 7800";
const start = { x: 108, y: 31 };
const fragments = [fragment({ y: 45, vy: 240, state: 6, durationMs: 120 })];
const keypad = new Array(17).fill(0);
const life = { mobId: 5, moveId: 7, flags: 1, actionAndDirection: 24, target: "01000200", moveFlags: 16, unknown: 9 };
const monster = { mobId: 5, flags: 1, actionAndDirection: -1, target: "00000000" };
const response = { mobId: 5, moveId: 7, nextAttack: 1, mp: 300, skillId: 120, skillLevel: 2 };

/** The document prints no foothold but "unknown", and no start in the section. */
const section = "01 00 6C00 2D00 0000 F000 0B00 06 7800";
const printed = [{ type: 0, kind: "absolute", x: 108, y: 45, vx: 0, vy: 240, unknown: 11, state: 6, durationMs: 120 }];
const opaque = "6c001f00";

describe("the nine packets", () => {
  it.each<[string, string, string, string, object]>([
    ["v62", "client", `26 00 01 ${path} ${tail}`, "movePlayer", { fieldKey: 1, start, fragments, keypad, box }],
    [
      "v62",
      "client",
      `9D 00 05000000 0700 01 18 01000200 10 09000000 ${path} 00 6C00 1F00 6C00 3500`,
      "moveLife",
      { ...life, attack: { x: 1, y: 2 }, start, fragments, keypad: [], box },
    ],
    [
      "v62",
      "client",
      `8C 00 FFFFFFFFFFFFFFFF ${path} ${tail}`,
      "movePet",
      { petId: "18446744073709551615", start, fragments, keypad, box },
    ],
    ["v62", "client", `94 00 05000000 ${path} ${tail}`, "moveSummon", { summonId: 5, start, fragments, keypad, box }],
    ["v62", "server", `8D 00 05000000 ${path}`, "movePlayer", { characterId: 5, start, fragments }],
    ["v62", "server", `B2 00 05000000 01 FF 00000000 ${path}`, "moveMonster", { ...monster, start, fragments }],
    ["v62", "server", `81 00 05000000 02 ${path}`, "movePet", { characterId: 5, slot: 2, start, fragments }],
    [
      "v62",
      "server",
      `88 00 05000000 06000000 ${path}`,
      "moveSummon",
      { characterId: 5, summonId: 6, start, fragments },
    ],
    ["v62", "server", "B3 00 05000000 0700 01 2C01 78 02", "moveMonsterResponse", response],
    [
      "documented",
      "client",
      `26 0102030405 ${section} ${"EE".repeat(18)}`,
      "movePlayer",
      { head: "0102030405", fragments: printed, tail: "ee".repeat(18) },
    ],
    [
      "documented",
      "client",
      `9D 05000000 0700 01 18 01000200 10 09000000 ${opaque} ${section} AABB`,
      "moveLife",
      { ...life, attack: { x: 1, y: 2 }, opaque, fragments: printed, rest: "aabb" },
    ],
    ["documented", "client", `8C 0500000000000000 ${opaque} ${section}`, "movePet", { petId: "5", opaque, rest: "" }],
    ["documented", "client", `94 05000000 ${opaque} ${section} 01`, "moveSummon", { summonId: 5, opaque, rest: "01" }],
    ["documented", "server", `8D 05000000 ${opaque} ${section}`, "movePlayer", { characterId: 5, fragments: printed }],
    ["documented", "server", `B2 05000000 01 FF 00000000 ${opaque} ${section}`, "moveMonster", { ...monster, opaque }],
    ["documented", "server", `81 05000000 02 ${opaque} ${section}`, "movePet", { characterId: 5, slot: 2, opaque }],
    [
      "documented",
      "server",
      `88 05000000 06000000 ${opaque} ${section}`,
      "moveSummon",
      { characterId: 5, summonId: 6 },
    ],
    ["documented", "server", "B3 05000000 0700 01 2C01 78 02", "moveMonsterResponse", response],
  ])("%s, %s: %s is %s", async (dialect, direction, hex, message, value) => {
    const flags = `--dialect ${dialect} --direction ${direction}`;
    expect(await bothWays(flags, hex)).toMatchObject({ message, value });
    // Cut anywhere it is refused; what a `documented` packet ends with is not known, and may be shorter.
    const bytes = hex.replaceAll(" ", "");
    const required = dialect === "documented" ? bytes.indexOf(section.replaceAll(" ", "")) : -1;
    const whole =
      required < 0 || message === "movePlayer" ? bytes.length : required + section.replaceAll(" ", "").length;
    const cut = Array.from({ length: whole / 2 - 1 }, (_, index) => bytes.slice(0, 2 + index * 2)).slice(0, -1);
    const { code, stdout } = await maple("decode", flags, cut.map((each) => `${each}\n`).join(""));
    expect(code).toBe(3);
    expect(stdout.match(/"ok":false/g)).toHaveLength(cut.length);
  });

  it("every kind of fragment has the names of standard 4.2", async () => {
    const kinds = async (dialect: string, hex: string): Promise<unknown> => {
      const { value } = await bothWays(`--dialect ${dialect}`, hex);
      return (value.fragments as { kind: string }[]).map((each) =>
        Object.keys(each).join(" ").replace("kind", each.kind),
      );
    };
    const places = "0100 0200 0300 0400";
    const v62 = [
      `00 ${places} 0500 06 0700`,
      `0F ${places} 0500 0600 06 0700`,
      "01 0100 0200 06 0000",
      "03 0100 0200 0500 06 0000",
      "0B 0100 0200 0500 14 0000",
      "0E 0100 0200 0600 06 0000",
      "0A 05",
    ];
    expect(await kinds("v62", `26 00 01 0000 0000 07 ${v62.join(" ")} 00 0000 0000 0000 0000`)).toEqual([
      "type absolute x y vx vy foothold state durationMs",
      "type fallDown x y vx vy foothold fallStart state durationMs",
      "type relative vx vy state durationMs",
      "type instant x y foothold state durationMs",
      "type instant x y foothold state durationMs",
      "type startFallDown vx vy fallStart state durationMs",
      "type equipment data",
    ]);
    const documented = [
      `00 ${places} 0500 06 0700`,
      `0B ${places} 0500 0600 06 0700`,
      "01 0100 0200 06 0000",
      `0E ${places} 06`,
      "0A 05",
    ];
    expect(await kinds("documented", `26 0102030405 05 ${documented.join(" ")} ${"00".repeat(18)}`)).toEqual([
      "type absolute x y vx vy unknown state durationMs",
      "type jumpDown x y vx vy unknown foothold state durationMs",
      "type relative vx vy state durationMs",
      "type instant x y vx vy state",
      "type equipment data",
    ]);
  });
});

describe("what is not a message", () => {
  it.each([
    ["decode", "26 00 01 0000 0000 01 63", "unknown-variant", "fragments[0].type", "99"],
    [
      "decode --dialect documented",
      `26 0102030405 01 0F ${"00".repeat(40)}`,
      "unknown-variant",
      "fragments[0].type",
      "15",
    ],
    ["decode", "26 00 01 6C 00", "truncated", "start.y", "byte 5"],
    ["decode", "FF 00", "unknown-message", "opcode", "0xFF"],
    ["decode --direction server", "26 00", "unknown-message", "opcode", "0x26"],
    ["decode", "26 0", "bad-hex", "", "hex"],
    ["decode --framed", "00 00 00 00", "bad-checksum", "", "IV"],
    ["decode --framed --direction server", "FF FF", "limit", "", "hello"],
    ["encode", '{"message":"movePet","value":{"petId":"5","start":{"x":1,"y":1}}}', "bad-value", "fragments", "list"],
    ["encode", '{"message":"walk","value":{}}', "bad-value", "message", "movePlayer"],
    ["encode", "{", "bad-value", "", "JSON"],
  ])("%s refuses %j: %s at %s", async (command, line, code, where, words) => {
    const [name = "", ...flags] = command.split(" ");
    const { code: exit, stdout, stderr } = await maple(name, flags.join(" "), `${line}\n`);
    expect({ exit, stderr }).toEqual({ exit: 3, stderr: "" });
    const { ok, error } = JSON.parse(stdout);
    expect({ ok, code: error.code, path: error.path }).toEqual({ ok: false, code, path: where });
    expect(error.message).toContain(words);
  });

  it("a packet of the other dialect is named as such", async () => {
    const { code, stdout } = await maple("inspect", `26 0102030405 ${section} ${"EE".repeat(18)}`);
    expect(code).toBe(0);
    expect(stdout).toContain("\nfits documented (client)");
  });
});

describe("bots at a real server", () => {
  const servers: RunningServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close({ graceMs: 0 });
  });

  const WAIT_MS = 120_000;

  /** Lets bots play at a server of their own until a verdict of the rule is counted; gives all that are counted. */
  async function play(flags: string, rule: RegExp, dialect = "v62"): Promise<string> {
    const listeners = [{ protocol: mapleStory, dialect, port: 0 }];
    const server = await startServer({ http: 0, demo: true, listeners });
    servers.push(server);
    const { host, port } = server.httpAddress ?? { host: "", port: 0 };
    const args = ["bots", "maplestory", "--dialect", dialect, "--port", String(server.listeners[0]?.port)];
    const running = startCommand([...args, ...flags.split(" ")]);
    const verdicts = async (): Promise<string> => {
      const text = await getText(`http://${host}:${port}/metrics`);
      return text.match(/wirewalk_verdicts_total\{.*/g)?.join("\n") ?? "";
    };
    const startMs = performance.now();
    while (!rule.test(await verdicts()) && performance.now() - startMs < WAIT_MS) {
      const over = await Promise.race([running.ended, new Promise((resolve) => setTimeout(resolve, 300))]);
      if (over !== undefined) break;
    }
    running.signals.emit("SIGINT");
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
    return verdicts();
  }

  /** Four bots on two maps: on one of them is somebody who does not drive the monsters. */
  const found: readonly (readonly [cheat: string, count: number, rule: RegExp])[] = [
    ["speed", 2, /rule="speed",kind="flag"/],
    ["speed-1.05", 2, /rule="(speed|gain)",kind="flag"/],
    ["speed-1.1", 2, /rule="(speed|gain)",kind="flag"/],
    ["speed-5", 2, /rule="teleport",kind="correct"/],
    ["clock-1.5", 2, /rule="wall-clock",kind="flag"/],
    ["idle-burst", 2, /rule="wall-clock",kind="flag"/],
    ["float", 2, /rule="gain",kind="correct"/],
    ["hover", 2, /rule="gain",kind="correct"/],
    ["teleport", 2, /rule="teleport",kind="correct"/],
    ["leap", 2, /rule="teleport",kind="correct"/],
    ["reconnect", 2, /rule="teleport",kind="correct"/],
    ["vacuum", 1, /rule="vacuum-box",kind="flag"/],
    ["aggro", 4, /rule="aggro-rate",kind="reject"/],
    ["spoofed-box", 2, /rule="box",kind="flag"/],
    ["replayed-path", 2, /rule="teleport",kind="correct"/],
    ["foreign-monster", 4, /rule="monster-control",kind="reject"/],
    ["herd", 1, /rule="vacuum-pull",kind="flag"/],
    ["false-velocity", 2, /rule="gain",kind="correct"/],
    ["air-stairs", 2, /rule="flight",kind="flag"/],
  ];

  it("honest ones are left alone, each cheat is found", async () => {
    expect(found.map(([cheat]) => cheat)).toEqual(mapleStory.bots.cheats);
    // All at the same time, since they play in real time.
    const honest = ["v62", "documented"].map((dialect) => play("--count 4 --duration 6", /rule="nothing"/, dialect));
    const cheats = found.map(async ([cheat, count, rule]) => {
      const flags = `--count ${count} --seed 3 --cheat ${cheat}`;
      return rule.test(await play(flags, rule)) ? "found" : "not found";
    });
    expect(await Promise.all(cheats)).toEqual(found.map(() => "found"));
    for (const counted of await Promise.all(honest)) expect(counted).not.toMatch(/kind="(?!benign)/);
  });
});
