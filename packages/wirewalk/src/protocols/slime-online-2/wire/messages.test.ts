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
  /** Field paths and widths in bytes, in wire order. */
  function widths<T>(layout: Layout<T>, value: T): [string, number][] {
    const { fields, error } = traceLayout(layout, encode(layout, value));
    expect(error).toBeUndefined();
    return fields.map(({ path, bitLength }) => [path, bitLength / 8]);
  }
  const none = (count: number): number[] => new Array<number>(count).fill(0);
  const plain = { room: 3, name: "ab", body: 1, accessory1: 0, accessory2: 0 };

  it("LOGIN of a server that accepts", () => {
    const value: Infer<typeof loginResult> = {
      result: "success",
      playerId: 5,
      time: 6,
      motd: "hi!",
      day: 1,
      hour: 2,
      minute: 3,
      x: 448,
      y: 160,
      points: 0,
      signature: 0,
      quest: 0,
      questStep: 0,
      trees: 0,
      built: 0,
      emotes: none(5),
      outfits: none(9),
      accessories: none(9),
      items: none(9),
      tools: none(9),
      ...plain,
    };
    const each = (path: string, count: number, width: number): [string, number][] =>
      Array.from({ length: count }, (_, index) => [`${path}[${index}]`, width]);
    expect(widths(loginResult, value)).toEqual([
      ["result", 1],
      ["playerId", 2],
      ["time", 4],
      ["motd", 4],
      ["day", 1],
      ["hour", 1],
      ["minute", 1],
      ["name", 3],
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
    ]);
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

  it("LOGIN of a client: version, user, password, mac", () => {
    const value = { version: "0.106", user: "ann", password: "pw", mac: "" };
    expect(formatHex(encode(login, value))).toBe("30 2e 31 30 36 00 61 6e 6e 00 70 77 00 00");
  });

  it("NEW_PLAYER of a server: announced without keys, present with five", () => {
    const at = { x: 448, y: 160, playerId: 5 };
    const head = "c0 01 a0 00 05 00";
    const tail = "03 00 61 62 00 01 00 00 00 00 00";
    const held = { left: true, right: false, up: true, down: false, upPress: true };
    expect(formatHex(encode(newPlayer, { kind: "announce", ...at, ...plain }))).toBe(`01 ${head} ${tail}`);
    expect(formatHex(encode(newPlayer, { kind: "present", ...at, ...held, ...plain }))).toBe(
      `02 ${head} 01 00 01 00 01 ${tail}`,
    );
  });

  it("NEW_PLAYER of a client: whom it answers, then where it is", () => {
    expect(formatHex(encode(newPlayerAnswer, { playerId: 5, x: 448, y: 160 }))).toBe("05 00 c0 01 a0 00");
  });

  it("POSITION: 2, who, where, five keys", () => {
    const value: Infer<typeof position> = {
      kind: "correction",
      playerId: 5,
      x: 448,
      y: 160,
      left: false,
      right: true,
      up: false,
      down: true,
      upPress: false,
    };
    expect(formatHex(encode(position, value))).toBe("02 05 00 c0 01 a0 00 00 01 00 01 00");
    expect(wireErrorOf(() => decode(position, parseHex("01 05 00 c0 01 a0 00 00 01 00 01 00")))).toMatchObject({
      code: "unknown-variant",
      path: "kind",
    });
    // A key is up or down: nothing between.
    expect(wireErrorOf(() => decode(position, parseHex("02 05 00 c0 01 a0 00 00 02 00 01 00")))).toMatchObject({
      code: "unknown-variant",
      path: "right",
      bitOffset: 64,
    });
  });

  it("WARP and PLAYER_STOP of a client, PLAYER_STOP and LOGOUT and CHAT of a server", () => {
    expect(formatHex(encode(warp, { room: 7, x: 448, y: 160 }))).toBe("07 00 c0 01 a0 00");
    expect(formatHex(encode(playerStop, { x: 448, y: 160 }))).toBe("c0 01 a0 00");
    expect(formatHex(encode(playerStopNotice, { playerId: 5, x: 448, y: 160 }))).toBe("05 00 c0 01 a0 00");
    expect(formatHex(encode(logoutNotice, { playerId: 5 }))).toBe("05 00");
    expect(formatHex(encode(chat, { text: "hi" }))).toBe("68 69 00");
    expect(formatHex(encode(chatNotice, { playerId: 5, text: "hi" }))).toBe("05 00 68 69 00");
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
