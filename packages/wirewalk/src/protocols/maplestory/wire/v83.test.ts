/** The bytes of `v83`, written here by hand from standard 3.5, 4.7 and 2.7. */
import { describe, expect, it, test } from "vitest";
import { formatHex, type JsonObject, parseHex, tilingFault } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import type { Side } from "../../codec.ts";
import { mapleCodec } from "./codec.ts";
import { boxOf, type Path } from "./messages.ts";
import { NO_FLY_TARGET, plainLook } from "./messages-v83.ts";

const codec = mapleCodec("v83");

// One path with a fragment of every kind, as little-endian text.
const start = { x: 108, y: 31 };
const fragments = [
  { type: 0, kind: "absolute", x: 1, y: 2, vx: -1, vy: 0, foothold: 5, state: 2, durationMs: 30 },
  { type: 15, kind: "fallDown", x: 1, y: 2, vx: 0, vy: 3, foothold: 0, fallStart: 5, state: 6, durationMs: 30 },
  { type: 18, kind: "relative", vx: 100, vy: -500, state: 6, durationMs: 0 },
  { type: 22, kind: "relative", vx: 1, vy: 2, state: 4, durationMs: 0 },
  { type: 3, kind: "instant", x: -7, y: -8, foothold: 9, state: 4, durationMs: 60 },
  { type: 14, kind: "startFallDown", vx: 0, vy: 1, fallStart: 5, state: 6, durationMs: 0 },
  { type: 10, kind: "equipment", data: 6 },
  { type: 21, kind: "bare", state: 4, durationMs: 300 },
];
const PATH = [
  "6c 00 1f 00 08",
  "00 01 00 02 00 ff ff 00 00 05 00 02 1e 00",
  "0f 01 00 02 00 00 00 03 00 00 00 05 00 06 1e 00",
  "12 64 00 0c fe 06 00 00",
  "16 01 00 02 00 04 00 00",
  "03 f9 ff f8 ff 09 00 04 3c 00",
  "0e 00 00 01 00 05 00 06 00 00",
  "0a 06",
  "15 04 2c 01",
].join(" ");
const path = { start, fragments };
const keypad = [4, 4, 1];
const box = { left: -7, top: -8, right: 108, bottom: 31 };
const TAIL = "03 44 01 f9 ff f8 ff 6c 00 1f 00";
const up = { ...path, keypad, box };

const spawn = {
  status: "controlled",
  template: 100_100,
  statusMask: new Uint8Array(16),
  x: 584,
  y: -387,
  state: 4,
  originFoothold: 41,
  foothold: 42,
  appear: -1,
  team: -1,
  effect: 0,
};
const SPAWN_HEAD = "01 04 87 01 00";
const ZEROS = "00 ".repeat(16).trim();
const PLACE = "48 02 7d fe 04 29 00 2a 00";

const cases: readonly [sender: Side, message: string, value: object, hex: string][] = [
  ["client", "movePlayer", { fieldKey: 3, fieldCrc: 0xdeadbeef, ...up }, `29 00 03 ef be ad de ${PATH} ${TAIL}`],
  [
    "client",
    "moveLife",
    {
      mobId: 1_000_001,
      moveId: 9,
      flags: 1,
      actionAndDirection: -1,
      target: parseHex("01020304"),
      moveFlags: 0x10,
      unknown: 1,
      flyTargetX: NO_FLY_TARGET,
      flyTargetY: -2,
      ...up,
    },
    `bc 00 41 42 0f 00 09 00 01 ff 01 02 03 04 10 01 00 00 00 cc dd ff 00 fe ff ff ff ${PATH} ${TAIL}`,
  ],
  ["client", "movePet", { petId: 0x0102_0304_0506_0708n, ...up }, `a7 00 08 07 06 05 04 03 02 01 ${PATH} ${TAIL}`],
  ["client", "moveSummon", { summonId: 77, ...up }, `af 00 4d 00 00 00 ${PATH} ${TAIL}`],
  ["client", "moveDragon", up, `b5 00 ${PATH} ${TAIL}`],
  ["client", "aggro", { mobId: 200, distance: 12 }, "bd 00 c8 00 00 00 0c 00 00 00"],
  ["client", "playerLoggedIn", { characterId: 7, rest: parseHex("0102") }, "14 00 07 00 00 00 01 02"],
  ["client", "pong", {}, "18 00"],
  ["server", "movePlayer", { characterId: 5, ...path }, `b9 00 05 00 00 00 ${PATH}`],
  [
    "server",
    "moveMonster",
    {
      mobId: 1_000_001,
      notForceLanding: 0,
      nextAttackPossible: 1,
      actionAndDirection: 24,
      target: parseHex("feffffff"),
      ...path,
    },
    `ef 00 41 42 0f 00 00 01 18 fe ff ff ff ${PATH}`,
  ],
  ["server", "movePet", { characterId: 5, slot: 2, ...path }, `aa 00 05 00 00 00 02 ${PATH}`],
  ["server", "moveSummon", { characterId: 5, summonId: 77, ...path }, `b1 00 05 00 00 00 4d 00 00 00 ${PATH}`],
  ["server", "moveDragon", { characterId: 5, ...path }, `b6 00 05 00 00 00 ${PATH}`],
  [
    "server",
    "moveMonsterResponse",
    { mobId: 5001, moveId: 42, nextAttack: 1, mp: 300, skillId: 10, skillLevel: 3 },
    "f0 00 89 13 00 00 2a 00 01 2c 01 0a 03",
  ],
  [
    "server",
    "changeMap",
    {
      channel: 1,
      fieldKey: 1,
      target: { content: "map", notices: 0, revive: 0, mapId: 100_000_000, spawnPoint: 2, hp: 50, chase: 0, time: 0n },
    },
    "7d 00 01 00 00 00 01 00 00 00 00 00 e1 f5 05 02 32 00 00 00 00 00 00 00 00 00 00",
  ],
  [
    "server",
    "changeMap",
    {
      channel: 0,
      fieldKey: 0,
      target: {
        content: "map",
        notices: 0,
        revive: 1,
        mapId: 1,
        spawnPoint: 0,
        hp: 50,
        chase: 1,
        chaseX: -5,
        chaseY: 6,
        time: 1n,
      },
    },
    "7d 00 00 00 00 00 00 00 00 00 01 01 00 00 00 00 32 00 01 fb ff ff ff 06 00 00 00 01 00 00 00 00 00 00 00",
  ],
  [
    "server",
    "changeMap",
    {
      channel: 0,
      fieldKey: 1,
      target: { content: "character", notices: 0, seeds: [1, 2, 3], data: parseHex("aabb") },
    },
    "7d 00 00 00 00 00 01 01 00 00 01 00 00 00 02 00 00 00 03 00 00 00 aa bb",
  ],
  [
    "server",
    "showPlayer",
    { characterId: 5, level: 30, look: parseHex("0400546f6e79") },
    "a0 00 05 00 00 00 1e 04 00 54 6f 6e 79",
  ],
  ["server", "removePlayer", { characterId: 7 }, "a1 00 07 00 00 00"],
  [
    "server",
    "showMonster",
    { mobId: 200, spawn },
    `ec 00 c8 00 00 00 ${SPAWN_HEAD} ${ZEROS} ${PLACE} ff ff 00 00 00 00`,
  ],
  ["server", "removeMonster", { mobId: 200, animation: 1, rest: parseHex("01") }, "ed 00 c8 00 00 00 01 01"],
  ["server", "removeMonster", { mobId: 200, animation: 1, rest: parseHex("") }, "ed 00 c8 00 00 00 01"],
  [
    "server",
    "removeMonster",
    { mobId: 200, animation: 4, swallowedBy: 5, rest: parseHex("") },
    "ed 00 c8 00 00 00 04 05 00 00 00",
  ],
  ["server", "controlMonster", { mode: "stop", mobId: 200 }, "ee 00 00 c8 00 00 00"],
  [
    "server",
    "controlMonster",
    { mode: "control", mobId: 200, spawn: { ...spawn, appear: -3, appearFrom: 9 } },
    `ee 00 01 c8 00 00 00 ${SPAWN_HEAD} ${ZEROS} ${PLACE} fd 09 00 00 00 ff 00 00 00 00`,
  ],
  [
    "server",
    "controlMonster",
    { mode: "controlWithAggro", mobId: 200, spawn: { ...spawn, appear: 2, appearDelay: 7 } },
    `ee 00 02 c8 00 00 00 ${SPAWN_HEAD} ${ZEROS} ${PLACE} 02 07 00 00 00 ff 00 00 00 00`,
  ],
  [
    "server",
    "showMonster",
    {
      mobId: 200,
      spawn: {
        status: "controlled",
        template: 100_100,
        statusMask: parseHex(`${"00".repeat(15)}80`),
        withStatuses: parseHex("010203"),
      },
    },
    `ec 00 c8 00 00 00 ${SPAWN_HEAD} ${"00 ".repeat(15)}80 01 02 03`,
  ],
  ["server", "ping", {}, "11 00"],
];

test.each(cases)("%s %s: bytes, trace and JSON", (sender, message, value, hex) => {
  const payload = parseHex(hex);
  const expected = { message, value };
  expect(codec.toJson(sender, codec.read(sender, payload))).toEqual(codec.toJson(sender, expected as never));
  expect(formatHex(codec.write(sender, expected as never))).toBe(hex);
  const trace = codec.trace(sender, payload);
  expect(tilingFault(trace.fields, payload.length)).toBeUndefined();
  const json = JSON.parse(JSON.stringify(codec.toJson(sender, expected as never))) as JsonObject;
  expect(formatHex(codec.write(sender, codec.fromJson(sender, json)))).toBe(hex);
});

describe("what differs from v62", () => {
  it("v62's numbers are no movement here", () => {
    for (const id of ["26 00", "9d 00", "8c 00", "94 00"]) {
      expect(wireErrorOf(() => codec.read("client", parseHex(`${id} ${PATH} ${TAIL}`)))?.code).toBe("unknown-message");
    }
  });

  it("a bare fragment is not in the box", () => {
    const { value } = codec.read("client", parseHex(`b5 00 ${PATH} ${TAIL}`));
    expect(boxOf(start, (value as Path).fragments)).toEqual(box);
  });

  it("a monster with status effects has no readable place, and its bytes survive", () => {
    const hex = `${SPAWN_HEAD} 01 ${"00 ".repeat(15)}`;
    const { value } = codec.read("server", parseHex(`ec 00 c8 00 00 00 ${hex}aa`)) as never;
    expect(value).toMatchObject({ spawn: { withStatuses: parseHex("aa") } });
    expect((value as { spawn: object }).spawn).not.toHaveProperty("x");
    const contradiction = { mobId: 1, spawn: { ...spawn, statusMask: new Uint8Array(16).fill(1) } };
    expect(() => codec.write("server", { message: "showMonster", value: contradiction as never })).toThrow(TypeError);
  });
});

it("a look has the bytes of the open servers: name, place, and a mount of level 1 near the end", () => {
  const look = plainLook({ name: "Ann", x: 3, y: -4, state: 5 });
  // Name, guild, emblem, effects, job, look with six ends and numbers, place, extras.
  expect(look).toHaveLength(5 + 2 + 6 + 128 + 2 + (2 + 4 + 1 + 4 + 2 + 4 + 12) + 12 + 5 + 2 + 23);
  expect(formatHex(look.subarray(0, 7))).toBe("03 00 41 6e 6e 00 00");
  expect(formatHex(look.subarray(-30))).toBe(`03 00 fc ff 05 00 00 00 00 01 00 00 00 ${"00 ".repeat(17).trim()}`);
});
