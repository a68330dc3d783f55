import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { expectEqual } from "../../../testing/inner-loops.ts";
import { scaled } from "../../../testing/scale.ts";
import { formatHex, type JsonObject, parseHex, tilingFault } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import type { PayloadCodec, Side } from "../../codec.ts";
import { generatedPayloads } from "../../testing/generated-payloads.ts";
import { readOrRefuse } from "../../testing/payloads.ts";
import { type MapleClientMessage, mapleCodec, pathBytesOf } from "./codec.ts";
import { dialectRules, mapleDialects } from "./dialect.ts";
import { plainPlayer, targetOf } from "./messages.ts";

type Move = Extract<MapleClientMessage, { message: "movePlayer" }>;

interface Vector {
  readonly name: string;
  readonly trust: string;
  readonly direction: "client->server" | "server->client";
  readonly opcode: string;
  readonly hex: string;
  readonly decoded?: {
    readonly fieldKey?: number;
    readonly mobId?: number;
    readonly moveId?: number;
    readonly flags?: number;
    readonly actionAndDir?: number;
    readonly target?: string;
    readonly moveFlags?: number;
    readonly hackedCode?: number;
    readonly path?: {
      readonly x: number;
      readonly y: number;
      readonly frags: readonly { readonly type: number; readonly [field: string]: number }[];
      readonly calcRect: readonly number[];
      readonly sumMs: number;
    };
    readonly tail?: {
      readonly keypadCount: number;
      readonly keys: readonly number[];
      readonly rect: readonly number[];
    };
  };
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../../../../vectors/maplestory-v62.json", import.meta.url), "utf8"),
) as readonly Vector[];
const v62 = mapleCodec("v62");

/** Older opcode numbers, and fixtures without one: as v62 numbers them. */
const opcodes: Readonly<Record<string, string>> = { "0x9a": "9d00", "0xa0": "b200" };

function payloadOf({ opcode, hex, name }: Vector): Uint8Array {
  if (name.includes("body only")) return parseHex(`${opcode.slice(2)}00${hex}`);
  return parseHex((opcodes[opcode] ?? hex.slice(0, 4)) + hex.slice(4));
}

const rect = ([left, top, right, bottom]: readonly number[]): object => ({ left, top, right, bottom });

describe("the vectors", () => {
  const plain = vectors.filter(({ trust }) => trust !== "captured-encrypted");

  test.each(plain)("$name ($trust), both ways", (vector) => {
    const sender: Side = vector.direction === "client->server" ? "client" : "server";
    const payload = payloadOf(vector);
    const message = v62.read(sender, payload);
    expect(formatHex(v62.write(sender, message))).toBe(formatHex(payload));
    const trace = v62.trace(sender, payload);
    expect(trace.message).toEqual(message);
    expect(tilingFault(trace.fields, payload.length)).toBeUndefined();
    const json = JSON.parse(JSON.stringify(v62.toJson(sender, message))) as JsonObject;
    expect(v62.fromJson(sender, json)).toEqual(message);

    const { decoded } = vector;
    if (decoded === undefined) return;
    const value = json.value as JsonObject;
    const { path, tail, actionAndDir, hackedCode, ...fields } = decoded;
    expect(value).toMatchObject(fields);
    if (actionAndDir !== undefined) expect(value.actionAndDirection).toBe(actionAndDir);
    if (hackedCode !== undefined) expect(value.unknown).toBe(hackedCode);
    if (path !== undefined) {
      expect(value.start).toEqual({ x: path.x, y: path.y });
      expect(value.fragments).toMatchObject(
        path.frags.map(({ fh, act, ms, ...fragment }) => ({
          ...fragment,
          state: act,
          durationMs: ms,
          ...(fh === undefined ? {} : { foothold: fh }),
        })),
      );
    }
    if (tail !== undefined) {
      expect(value.keypad).toEqual(tail.keys);
      expect(value.keypad).toHaveLength(tail.keypadCount);
      expect(value.box).toEqual(rect(tail.rect));
    }
  });

  it("the issue's line of JSON is what the captured player packet decodes to", () => {
    const [fall] = vectors;
    expect(v62.toJson("client", v62.read("client", payloadOf(fall as Vector)))).toEqual({
      message: "movePlayer",
      value: {
        fieldKey: 1,
        start: { x: 108, y: 31 },
        fragments: [
          { type: 0, kind: "absolute", x: 108, y: 45, vx: 0, vy: 240, foothold: 0, state: 6, durationMs: 120 },
          { type: 0, kind: "absolute", x: 108, y: 53, vx: 0, vy: 0, foothold: 0, state: 6, durationMs: 26 },
          { type: 0, kind: "absolute", x: 108, y: 53, vx: 0, vy: 0, foothold: 11, state: 4, durationMs: 364 },
        ],
        keypad: new Array(17).fill(0),
        box: { left: 108, top: 31, right: 108, bottom: 53 },
      },
    });
  });

  it("the skill of the captured monster stands beside its target, and may not contradict it", () => {
    const payload = payloadOf(vectors[2] as Vector);
    const json = v62.toJson("client", v62.read("client", payload));
    expect(json.value).toMatchObject({ target: "79018403", skill: { id: 121, level: 1, delay: 900 } });
    const value = json.value as JsonObject;
    const without = Object.fromEntries(Object.entries(value).filter(([key]) => key !== "skill"));
    expect(v62.fromJson("client", { ...json, value: without })).toEqual(v62.read("client", payload));
    const contradicting = { ...json, value: { ...value, skill: { id: 120, level: 1, delay: 900 } } };
    expect(wireErrorOf(() => v62.fromJson("client", contradicting))).toMatchObject({
      code: "bad-value",
      path: "skill",
    });
    const attack = { ...json, value: { ...value, attack: { x: 1, y: 2 } } };
    expect(wireErrorOf(() => v62.fromJson("client", attack))).toMatchObject({ code: "bad-value", path: "attack" });
  });
});

it("an attack goes to a place, a skill has a delay, anything else means nothing", () => {
  const target = parseHex("79 01 84 03");
  expect(targetOf(24, target)).toEqual({ attack: { x: 0x0179, y: 900 } });
  expect(targetOf(41, parseHex("FE FF FF FF"))).toEqual({ attack: { x: -2, y: -1 } });
  expect(targetOf(59, target)).toEqual({ skill: { id: 121, level: 1, delay: 900 } });
  for (const action of [-1, 0, 23, 60, 127]) expect(targetOf(action, target)).toBeUndefined();
});

describe("the nine packets of the document", () => {
  test.each(["v62", "documented"])("%s has them under the document's opcodes", (dialect) => {
    const nine = mapleCodec(dialect).messages.filter(({ message }) => message.startsWith("move"));
    expect(nine.map(({ sender, id }) => `${sender} 0x${id.toString(16).toUpperCase()}`)).toEqual([
      "client 0x26",
      "client 0x9D",
      "client 0x8C",
      "client 0x94",
      "server 0x8D",
      "server 0xB2",
      "server 0x81",
      "server 0x88",
      "server 0xB3",
    ]);
  });
});

const otherMessages: readonly { sender: Side; message: string; value: object; hex?: string }[] = [
  {
    sender: "client",
    message: "playerLoggedIn",
    value: { characterId: 7, reserved: 0 },
    hex: "14 00 07 00 00 00 00 00",
  },
  { sender: "client", message: "aggro", value: { mobId: 200, unknown: 0 }, hex: "9e 00 c8 00 00 00 00 00 00 00" },
  { sender: "client", message: "pong", value: {}, hex: "18 00" },
  { sender: "server", message: "ping", value: {}, hex: "11 00" },
  { sender: "server", message: "removePlayer", value: { characterId: 7 }, hex: "79 00 07 00 00 00" },
  { sender: "server", message: "removeMonster", value: { mobId: 200, animation: 1 }, hex: "b0 00 c8 00 00 00 01" },
  { sender: "server", message: "controlMonster", value: { mode: "stop", mobId: 200 }, hex: "b1 00 00 c8 00 00 00" },
  {
    sender: "server",
    message: "controlMonster",
    value: {
      mode: "control",
      mobId: 200,
      spawn: {
        status: "controlled",
        template: 100_100,
        statusMask: parseHex("0000000800000000"),
        x: 584,
        y: -387,
        state: 4,
        originFoothold: 41,
        foothold: 42,
        appear: -1,
        team: -1,
        effect: 0,
      },
    },
    hex: "b1 00 01 c8 00 00 00 01 04 87 01 00 00 00 00 08 00 00 00 00 48 02 7d fe 04 29 00 2a 00 ff ff 00 00 00 00",
  },
  {
    sender: "server",
    message: "changeMap",
    value: {
      channel: 0,
      fieldKey: 3,
      target: { content: "map", notices: 0, mapId: 100_000_000, spawnPoint: 1, hp: 50, chase: 0, time: 0n },
    },
  },
  {
    sender: "server",
    message: "changeMap",
    value: { channel: 1, fieldKey: 1, target: { content: "character", data: Uint8Array.of(1, 2, 3) } },
  },
  {
    sender: "server",
    message: "showPlayer",
    value: {
      ...plainPlayer({ characterId: 7, name: "Tony", x: 1, y: -2, state: 4 }),
      equipment: [{ slot: 5, item: 1_040_002 }],
    },
  },
];

test.each(otherMessages)("$sender $message: bytes, trace and JSON", ({ sender, message, value, hex }) => {
  const payload = v62.write(sender, { message, value } as never);
  if (hex !== undefined) expect(formatHex(payload)).toBe(hex);
  expect(v62.read(sender, payload)).toEqual({ message, value });
  const trace = v62.trace(sender, payload);
  expect(trace.message).toEqual({ message, value });
  expect(tilingFault(trace.fields, payload.length)).toBeUndefined();
  const json = JSON.parse(JSON.stringify(v62.toJson(sender, { message, value } as never))) as JsonObject;
  expect(v62.fromJson(sender, json)).toEqual({ message, value });
});

test.each(mapleDialects.map(({ name }) => name))(
  "in %s a server writes the bytes of a path as they came",
  (dialect) => {
    const codec = mapleCodec(dialect);
    let relayed = 0;
    for (const payload of generatedPayloads(codec as PayloadCodec, "client", createRandom(5), scaled(2_000, 200))) {
      const moved = readOrRefuse(codec as PayloadCodec, "client", payload) as Move | undefined;
      if (moved === undefined || !("fragments" in moved.value)) continue;
      const pathBytes = pathBytesOf(moved, payload, dialect);
      const relay = { message: "movePlayer", value: { characterId: 9, pathBytes } } as const;
      const bytes = codec.write("server", relay);
      expectEqual(bytes.subarray(bytes.length - pathBytes.length), pathBytes);
      const read = codec.read("server", bytes);
      expectEqual((read.value as Move["value"]).fragments, moved.value.fragments);
      expectEqual(codec.toJson("server", relay), codec.toJson("server", read));
      relayed += 1;
    }
    expect(relayed).toBeGreaterThan(50);
  },
);

it("a target within the trace of a monster's move shows what it means", () => {
  const skill = v62.trace("client", payloadOf(vectors[2] as Vector)).fields.map(({ path }) => path);
  expect(skill).toEqual(expect.arrayContaining(["skill.id", "skill.level", "skill.delay"]));
  expect(skill).not.toContain("target");
});

describe("what is refused", () => {
  const head = "26 00 01 6C 00 1F 00";
  test.each([
    ["", "truncated", "opcode"],
    ["99 00", "unknown-message", "opcode"],
    [`${head} 01 63`, "unknown-variant", "fragments[0].type"],
    [`${head} 02 0A 01 00`, "truncated", "fragments[1].x"],
    [`${head} 00 01 10 00 00 00 00 00 00 00 00`, "bad-value", "keypad.unused"],
    [`${head} 00 00 00 00 00 00 00 00 00 00 00`, "trailing", ""],
  ])("%s: %s at %s", (hex, code, path) => {
    expect(wireErrorOf(() => v62.read("client", parseHex(hex)))).toMatchObject({ code, path });
  });

  it("text that does not say what it means", () => {
    const json =
      (value: JsonObject): (() => unknown) =>
      () =>
        v62.fromJson("client", { message: "movePet", value });
    const fragment = { type: 0, kind: "absolute", x: 0, y: 0, vx: 0, vy: 0, foothold: 0, state: 0, durationMs: 0 };
    const box = { left: 0, top: 0, right: 0, bottom: 0 };
    const good = { petId: "5", start: { x: 0, y: 0 }, fragments: [fragment], keypad: [], box };
    expect(json(good)).not.toThrow();
    const refused: readonly [JsonObject, string][] = [
      [{ ...good, petId: 5 }, "petId"],
      [{ ...good, petId: "18446744073709551616" }, "petId"],
      [{ ...good, fragments: [{ ...fragment, data: 1 }] }, "fragments[0].data"],
      [{ ...good, fragments: [{ ...fragment, kind: "relative" }] }, "fragments[0].kind"],
      [{ ...good, fragments: [{ ...fragment, x: 40_000 }] }, "fragments[0].x"],
      [{ ...good, keypad: [16] }, "keypad[0]"],
      [{ ...good, fragments: "00" }, "fragments"],
    ];
    for (const [value, path] of refused)
      expect(wireErrorOf(json(value)), path).toMatchObject({ code: "bad-value", path });
  });

  it("documented has opcodes of one byte, movement messages, and one of ours that shows monsters", () => {
    expect(dialectRules("documented").movementOnly).toBe(true);
    const error = wireErrorOf(() => mapleCodec("documented").read("server", parseHex("5C 00")));
    expect(error?.message).toContain("sends 0x81, 0x88, 0x8D, 0xB2, 0xB3, 0xFF, not 0x5C");
  });
});
