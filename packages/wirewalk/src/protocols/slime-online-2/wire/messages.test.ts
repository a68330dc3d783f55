import { describe, expect, it, test } from "vitest";
import { decode, encode, formatHex, type Infer, type Layout, parseHex, traceLayout } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import {
  chat,
  chatNotice,
  login,
  loginResult,
  logoutNotice,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  newPlayer,
  newPlayerAnswer,
  playerStop,
  playerStopNotice,
  position,
  warp,
  warpNotice,
} from "./messages.ts";

const failures = [
  "noAccount",
  "wrongPassword",
  "alreadyOnline",
  "wrongVersion",
  "banned",
  "addressBanned",
  "macBanned",
] as const;
describe("WARP of a server (standard 4.3.5)", () => {
  test.each<[string, Infer<typeof warpNotice>]>([
    ["05 00 02", { playerId: 5, kind: "left" }],
    ["05 00 01 c0 01 a0 00", { playerId: 5, kind: "arrived", x: 448, y: 160 }],
    ["c0 01 a0 00 07 00", { kind: "command", x: 448, y: 160, room: 7 }],
    // Six bytes are a command, even where the third could be a kind.
    ["05 00 01 c0 01 a0", { kind: "command", x: 5, y: 49_153, room: 40_961 }],
  ])("%s", (hex, value) => {
    expect(decode(warpNotice, parseHex(hex))).toEqual(value);
    expect(formatHex(encode(warpNotice, value))).toBe(hex);
  });

  test.each([
    ["", "truncated", "playerId", 0],
    ["05 00", "truncated", "kind", 16],
    ["05 00 01 c0", "truncated", "x", 24],
    ["05 00 01 c0 01", "truncated", "y", 40],
    ["05 00 01", "unknown-variant", "kind", 16],
    ["05 00 02 c0 01 a0 00", "unknown-variant", "kind", 16],
    ["05 00 03 c0 01 a0 00", "unknown-variant", "kind", 16],
    ["05 00 01 c0 01 a0 00 00", "trailing", "", 56],
  ])("%s is refused: %s %s", (hex, code, path, bitOffset) => {
    const error = wireErrorOf(() => decode(warpNotice, parseHex(hex)));
    expect(error).toMatchObject({ code, path, bitOffset });
  });
});

describe("widths", () => {
  const plain = { room: 3, name: "ab", body: 1, accessory1: 0, accessory2: 0 };

  it("LOGIN of a server that accepts", () => {
    const each = (path: string, count: number, width: number): [string, number][] =>
      Array.from({ length: count }, (_, index) => [`${path}[${index}]`, width]);
    /** Field paths and widths in bytes, in wire order; texts are empty. */
    const widths: readonly [string, number][] = [
      ["result", 1],
      ["playerId", 2],
      ["time", 4],
      ["motd", 1],
      ["day", 1],
      ["hour", 1],
      ["minute", 1],
      ["name", 1],
      ["x", 2],
      ["y", 2],
      ["room", 2],
      ["body", 2],
      ["accessory1", 2],
      ["accessory2", 2],
      ["points", 4],
      ["signature", 1],
      ["quest", 2],
      ["questStep", 1],
      ["trees", 2],
      ["built", 2],
      ...each("emotes", 5, 1),
      ...each("outfits", 9, 2),
      ...each("accessories", 9, 2),
      ...each("items", 9, 2),
      ...each("tools", 9, 1),
    ];
    const bytes = widths.reduce((sum, [, width]) => sum + width, 0);
    const { fields, error } = traceLayout(loginResult, Uint8Array.of(1, ...new Uint8Array(bytes - 1)));
    expect(error).toBeUndefined();
    expect(fields.map(({ path, bitLength }) => [path, bitLength / 8])).toEqual(widths);
  });

  it("LOGIN of a server that does not: one byte, 2 to 8", () => {
    failures.forEach((result, index) => {
      expect(encode(loginResult, { result })).toEqual(Uint8Array.of(2 + index));
    });
    for (const byte of [0, 9, 255]) {
      expect(wireErrorOf(() => decode(loginResult, Uint8Array.of(byte)))).toMatchObject({
        code: "unknown-variant",
        path: "result",
      });
    }
  });

  const at = { x: 448, y: 160 };
  const newcomer = { ...at, playerId: 5, ...plain };
  const held = { left: true, right: false, up: true, down: false, upPress: true };
  const looks = "03 00 61 62 00 01 00 00 00 00 00";
  test.each<[string, Layout<object>, object, string]>([
    [
      "LOGIN of a client",
      login,
      { version: "0.106", user: "ann", password: "pw", mac: "" },
      "30 2e 31 30 36 00 61 6e 6e 00 70 77 00 00",
    ],
    ["NEW_PLAYER, announced", newPlayer, { kind: "announce", ...newcomer }, `01 c0 01 a0 00 05 00 ${looks}`],
    [
      "NEW_PLAYER, present",
      newPlayer,
      { kind: "present", ...newcomer, ...held },
      `02 c0 01 a0 00 05 00 01 00 01 00 01 ${looks}`,
    ],
    ["NEW_PLAYER of a client", newPlayerAnswer, { playerId: 5, ...at }, "05 00 c0 01 a0 00"],
    ["WARP of a client", warp, { room: 7, ...at }, "07 00 c0 01 a0 00"],
    ["PLAYER_STOP of a client", playerStop, at, "c0 01 a0 00"],
    ["PLAYER_STOP of a server", playerStopNotice, { playerId: 5, ...at }, "05 00 c0 01 a0 00"],
    ["LOGOUT of a server", logoutNotice, { playerId: 5 }, "05 00"],
    ["CHAT of a client", chat, { text: "hi" }, "68 69 00"],
    ["CHAT of a server", chatNotice, { playerId: 5, text: "hi" }, "05 00 68 69 00"],
    [
      "POSITION",
      position,
      { kind: "correction", playerId: 5, ...at, left: false, right: true, up: false, down: true, upPress: false },
      "02 05 00 c0 01 a0 00 00 01 00 01 00",
    ],
  ])("%s", (_, layout, value, hex) => expect(formatHex(encode(layout, value))).toBe(hex));

  it("POSITION has no other kind, and a key is up or down", () => {
    expect(wireErrorOf(() => decode(position, parseHex("01 05 00 c0 01 a0 00 00 01 00 01 00")))).toMatchObject({
      code: "unknown-variant",
      path: "kind",
    });
    expect(wireErrorOf(() => decode(position, parseHex("02 05 00 c0 01 a0 00 00 02 00 01 00")))).toMatchObject({
      code: "unknown-variant",
      path: "right",
      bitOffset: 64,
    });
  });
});

describe("texts have limits", () => {
  test.each<[string, Layout<{ text: string }> | Layout<{ user: string }>, number, number, string]>([
    ["a line of chat", chat, MAX_TEXT_LENGTH, 0, "text"],
    ["a name", login, MAX_NAME_LENGTH, 1, "user"],
  ])("%s", (_, layout, limit, zerosBefore, path) => {
    const bytes = (length: number): Uint8Array =>
      Uint8Array.from([...new Array(zerosBefore).fill(0), ...new Array(length).fill(65), 0, 0, 0]);
    const decodeAll = (length: number) => wireErrorOf(() => decode(layout as Layout<unknown>, bytes(length)));
    expect(decodeAll(limit)?.code).not.toBe("limit");
    expect(decodeAll(limit + 1)).toMatchObject({ code: "limit", path });
  });
});
