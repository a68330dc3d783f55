/** The bytes of `v95`, written here by hand from standard 3.6, 4.8 and 2.8. */
import { describe, expect, it, test } from "vitest";
import { formatHex, type JsonObject, parseHex, tilingFault } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import type { Side } from "../../codec.ts";
import { mapleCodec, pathBytesOf } from "./codec.ts";
import { boxOf, type Path } from "./messages.ts";
import { plainLook } from "./messages-v95.ts";

const codec = mapleCodec("v95");

// One path with a fragment of every kind, as little-endian text.
const start = { x: 108, y: 31, vx: 125, vy: -1 };
const offsets = { xOffset: 7, yOffset: -7 };
const fragments = [
  { type: 0, kind: "absolute", x: 1, y: 2, vx: -1, vy: 0, foothold: 5, ...offsets, state: 2, durationMs: 30 },
  {
    type: 12,
    kind: "fallDown",
    ...{ x: 1, y: 2, vx: 0, vy: 3, foothold: 0, fallStart: 5 },
    ...offsets,
    state: 6,
    durationMs: 30,
  },
  { type: 34, kind: "relative", vx: 100, vy: -500, state: 6, durationMs: 0 },
  { type: 10, kind: "instant", x: -7, y: -8, foothold: 9, state: 4, durationMs: 60 },
  { type: 11, kind: "startFallDown", vx: 0, vy: 1, fallStart: 5, state: 6, durationMs: 0 },
  { type: 17, kind: "flyingBlock", x: 3, y: 40, vx: 1, vy: 2, state: 12, durationMs: 90 },
  { type: 9, kind: "equipment", data: 6 },
  { type: 30, kind: "bare", state: 4, durationMs: 300 },
];
const PATH = [
  "6c 00 1f 00 7d 00 ff ff 08",
  "00 01 00 02 00 ff ff 00 00 05 00 07 00 f9 ff 02 1e 00",
  "0c 01 00 02 00 00 00 03 00 00 00 05 00 07 00 f9 ff 06 1e 00",
  "22 64 00 0c fe 06 00 00",
  "0a f9 ff f8 ff 09 00 04 3c 00",
  "0b 00 00 01 00 05 00 06 00 00",
  "11 03 00 28 00 01 00 02 00 0c 5a 00",
  "09 06",
  "1e 04 2c 01",
].join(" ");
const path = { start, fragments };
const box = { left: -7, top: -8, right: 108, bottom: 40 };
const TAIL = "03 44 01 f9 ff f8 ff 6c 00 28 00";
const up = { ...path, keypad: [4, 4, 1], box };

const lists = { ballTargets: [{ x: -2, y: 3 }], areaTimes: [100, 200] };
const LISTS = "01 00 00 00 fe ff ff ff 03 00 00 00 02 00 00 00 64 00 00 00 c8 00 00 00";
const spawn = {
  status: "controlled",
  template: 100_100,
  statusMask: new Uint8Array(16),
  x: 584,
  y: -387,
  state: 4,
  foothold: 42,
  originFoothold: 41,
  appear: -1,
  team: -1,
  effect: 0,
  phase: 2,
};
const SPAWN = `01 04 87 01 00 ${"00 ".repeat(16)}48 02 7d fe 04 2a 00 29 00`;
const map = {
  content: "map",
  notices: 0,
  revive: 0,
  mapId: 100_000_000,
  spawnPoint: 2,
  hp: 70_000,
  chase: 0,
  time: 0n,
};
const debug = { debug0: 0xffff_ffff, debug1: 1, debug2: 2, debug3: 3 };

const cases: readonly [sender: Side, message: string, value: object, hex: string][] = [
  [
    "client",
    "movePlayer",
    { ...debug, fieldKey: 3, fieldCrc: 0xdeadbeef, crcKey: 4, crc: 5, ...up },
    `2c 00 ff ff ff ff 01 00 00 00 03 02 00 00 00 03 00 00 00 ef be ad de 04 00 00 00 05 00 00 00 ${PATH} ${TAIL}`,
  ],
  [
    "client",
    "moveLife",
    {
      ...{ mobId: 1_000_001, moveId: 9, flags: 1, actionAndDirection: -1, target: parseHex("01020304"), ...lists },
      ...{ moveFlags: 0x10, unknown: 1, flyTargetX: 5, flyTargetY: -2, unknownCrc: 6, ...up },
      ...{ chasing: 1, hasTarget: 0, chasingNow: 1, chasingHack: 0, chaseMs: 500 },
    },
    `e3 00 41 42 0f 00 09 00 01 ff 01 02 03 04 ${LISTS} 10 01 00 00 00 05 00 00 00 fe ff ff ff 06 00 00 00 ${PATH} ${TAIL} 01 00 01 00 f4 01 00 00`,
  ],
  ["client", "movePet", { petId: 0x0102_0304_0506_0708n, ...up }, `c7 00 08 07 06 05 04 03 02 01 ${PATH} ${TAIL}`],
  ["client", "moveSummon", { summonId: 77, ...up }, `cf 00 4d 00 00 00 ${PATH} ${TAIL}`],
  ["client", "moveDragon", up, `d6 00 ${PATH} ${TAIL}`],
  ["client", "aggro", { mobId: 200, distance: 12 }, "e4 00 c8 00 00 00 0c 00 00 00"],
  ["client", "playerLoggedIn", { characterId: 7, rest: parseHex("0102") }, "14 00 07 00 00 00 01 02"],
  ["client", "pong", {}, "19 00"],
  ["server", "movePlayer", { characterId: 5, ...path }, `d2 00 05 00 00 00 ${PATH}`],
  [
    "server",
    "moveMonster",
    {
      ...{ mobId: 1_000_001, notForceLanding: 0, notChangeAction: 0, nextAttackPossible: 1, actionAndDirection: 24 },
      ...{ target: parseHex("feffffff"), ...lists, ...path },
    },
    `1f 01 41 42 0f 00 00 00 01 18 fe ff ff ff ${LISTS} ${PATH}`,
  ],
  ["server", "movePet", { characterId: 5, slot: 2, ...path }, `c9 00 05 00 00 00 02 ${PATH}`],
  ["server", "moveSummon", { characterId: 5, summonId: 77, ...path }, `18 01 05 00 00 00 4d 00 00 00 ${PATH}`],
  ["server", "moveDragon", { characterId: 5, ...path }, `cf 00 05 00 00 00 ${PATH}`],
  [
    "server",
    "moveMonsterResponse",
    { mobId: 5001, moveId: 42, nextAttack: 1, mp: 300, skillId: 10, skillLevel: 3 },
    "20 01 89 13 00 00 2a 00 01 2c 01 0a 03",
  ],
  [
    "server",
    "changeMap",
    { options: [], channel: 1, oldDriver: 0, fieldKey: 1, target: map },
    "8d 00 00 00 01 00 00 00 00 00 00 00 01 00 00 00 00 00 e1 f5 05 02 70 11 01 00 00 00 00 00 00 00 00 00 00",
  ],
  [
    "server",
    "changeMap",
    {
      ...{ options: [{ type: 2, value: 1 }], channel: 0, oldDriver: 9, fieldKey: 0 },
      target: { ...map, revive: 1, mapId: 1, spawnPoint: 0, hp: 50, chase: 1, chaseX: -5, chaseY: 6, time: 1n },
    },
    "8d 00 01 00 02 00 00 00 01 00 00 00 00 00 00 00 09 00 00 00 00 00 00 00 01 01 00 00 00 00 32 00 00 00 01 fb ff ff ff 06 00 00 00 01 00 00 00 00 00 00 00",
  ],
  [
    "server",
    "changeMap",
    {
      ...{ options: [], channel: 0, oldDriver: 0, fieldKey: 1 },
      target: { content: "character", notices: 0, seeds: [1, 2, 3], data: parseHex("aabb") },
    },
    "8d 00 00 00 00 00 00 00 00 00 00 00 01 01 00 00 01 00 00 00 02 00 00 00 03 00 00 00 aa bb",
  ],
  [
    "server",
    "showPlayer",
    { characterId: 5, level: 30, look: parseHex("0400546f6e79") },
    "b3 00 05 00 00 00 1e 04 00 54 6f 6e 79",
  ],
  ["server", "removePlayer", { characterId: 7 }, "b4 00 07 00 00 00"],
  ["server", "showMonster", { mobId: 200, spawn }, `1c 01 c8 00 00 00 ${SPAWN} ff ff 00 00 00 00 02 00 00 00`],
  ["server", "removeMonster", { mobId: 200, animation: 1, rest: parseHex("") }, "1d 01 c8 00 00 00 01"],
  [
    "server",
    "removeMonster",
    { mobId: 200, animation: 4, swallowedBy: 5, rest: parseHex("") },
    "1d 01 c8 00 00 00 04 05 00 00 00",
  ],
  ["server", "controlMonster", { mode: "stop", mobId: 200 }, "1e 01 00 c8 00 00 00"],
  [
    "server",
    "controlMonster",
    { mode: "control", mobId: 200, spawn: { ...spawn, appear: -3, appearFrom: 9 } },
    `1e 01 01 c8 00 00 00 ${SPAWN} fd 09 00 00 00 ff 00 00 00 00 02 00 00 00`,
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

describe("what differs from v83", () => {
  it("v83's numbers are no movement here", () => {
    for (const id of ["29 00", "bc 00", "a7 00", "af 00", "b5 00"]) {
      expect(wireErrorOf(() => codec.read("client", parseHex(`${id} ${PATH} ${TAIL}`)))?.code).toBe("unknown-message");
    }
  });

  it("a flying block is in the box, a bare fragment is not", () => {
    const { value } = codec.read("client", parseHex(`d6 00 ${PATH} ${TAIL}`));
    expect(boxOf(start, (value as Path).fragments)).toEqual(box);
  });

  it("a server relays the bytes of a path from its start to its last fragment, whatever lists stand before it", () => {
    for (const [sender, message, , hex] of cases) {
      if (sender !== "client" || !message.startsWith("move")) continue;
      const payload = parseHex(hex);
      const read = codec.read("client", payload);
      expect(formatHex(pathBytesOf(read as never, payload, "v95"))).toBe(PATH);
      // Others may be read before a message is relayed, by another codec too.
      mapleCodec("v62").read("server", parseHex("11 00"));
      expect(formatHex(pathBytesOf(read as never, payload, "v95"))).toBe(PATH);
    }
  });

  it("types above 36 are unknown", () => {
    const move = parseHex(`d6 00 00 00 00 00 00 00 00 00 01 25 04 00 00 00 ${TAIL}`);
    expect(wireErrorOf(() => codec.read("client", move))).toMatchObject({
      code: "unknown-variant",
      path: "fragments[0].type",
    });
  });

  it("a list that claims more than it may have is refused at once", () => {
    const life = parseHex("e3 00 41 42 0f 00 09 00 01 ff 01 02 03 04 ff ff ff ff 00 00 00 00");
    expect(wireErrorOf(() => codec.read("client", life))).toMatchObject({
      path: expect.stringContaining("ballTargets"),
    });
  });
});

it("a look has the bytes of an open server: name, effects, clothes, place, and what follows it", () => {
  const look = plainLook({ name: "Ann", x: 3, y: -4, state: 5 });
  // Name, guild, emblem, mask and two bytes, job, look with two empty lists, six numbers, place, extras.
  expect(look).toHaveLength(5 + 2 + 6 + 18 + 2 + (2 + 4 + 1 + 4 + 2 + 4 + 12) + 24 + 7 + 25);
  expect(formatHex(look.subarray(0, 7))).toBe("03 00 41 6e 6e 00 00");
  expect(formatHex(look.subarray(-32, -25))).toBe("03 00 fc ff 05 00 00");
});
