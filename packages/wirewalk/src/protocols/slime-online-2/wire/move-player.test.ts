import { describe, expect, it, test } from "vitest";
import { decode, encode, formatHex, parseHex, traceLayout } from "../../../wire/index.ts";
import { slimeCodec } from "./codec.ts";
import { type Direction, directionRow, directions } from "./direction.ts";
import {
  type MovePlayerNotice,
  moveMessage,
  movePlayer,
  movePlayerLayout,
  movePlayerNoticeLayout,
} from "./move-player.ts";

describe("a move", () => {
  test.each(directions)("$name carries the position of its code: $position", ({ name, code, position }) => {
    const made = {
      none: () => movePlayer(name),
      x: () => movePlayer(name, 3),
      xy: () => movePlayer(name, 3, 4),
    };
    for (const [given, make] of Object.entries(made)) {
      if (given === position) expect(make()).toMatchObject({ code, direction: name });
      else expect(make).toThrow(TypeError);
    }
    expect(Object.keys(made[position]())).toEqual(
      { none: ["code", "direction"], x: ["code", "direction", "x"], xy: ["code", "direction", "x", "y"] }[position],
    );
  });

  it("y alone is never a position", () => {
    for (const { name } of directions) expect(() => movePlayer(name, undefined, 4)).toThrow(TypeError);
  });

  it("is a message of the client", () => {
    expect(moveMessage("upPress", 448)).toEqual({
      message: "movePlayer",
      value: { code: 3, direction: "upPress", x: 448 },
    });
  });
});

describe("the body on the wire", () => {
  it("x of upPress has the same bytes, signed or not", () => {
    expect(decode(movePlayerLayout(false), parseHex("03 FB FF")).x).toBe(65_531);
    expect(decode(movePlayerLayout(true), parseHex("03 FB FF")).x).toBe(-5);
    expect(formatHex(encode(movePlayerLayout(true), movePlayer("upPress", -5)))).toBe("03 fb ff");
    // The other codes are unsigned everywhere.
    expect(decode(movePlayerLayout(true), parseHex("02 FB FF 00 00")).x).toBe(65_531);
  });

  it("is read once: the trace names code, x and y", () => {
    expect(traceLayout(movePlayerNoticeLayout(false), parseHex("05 00 02 C0 01 A0 00")).fields).toEqual([
      { path: "playerId", bitOffset: 0, bitLength: 16, raw: 5, shown: "5" },
      { path: "code", bitOffset: 16, bitLength: 8, raw: 2, shown: "rightPress" },
      { path: "x", bitOffset: 24, bitLength: 16, raw: 448, shown: "448" },
      { path: "y", bitOffset: 40, bitLength: 16, raw: 160, shown: "160" },
    ]);
  });
});

describe("what cannot be written names its field", () => {
  const codec = slimeCodec("v0106");
  const right = { playerId: 5, code: 2, direction: "rightPress" as Direction, x: 1, y: 2 };

  test.each<[string, object, string]>([
    ["no player", { ...right, playerId: undefined }, "playerId"],
    ["code 0", { ...right, code: 0 }, "code"],
    ["code 14", { ...right, code: 14 }, "code"],
    ["no code", { ...right, code: undefined }, "code"],
    ["a code in a text", { ...right, code: "2" }, "code"],
    ["code and direction disagree", { ...right, direction: "leftPress" }, "direction"],
    ["no direction", { ...right, direction: undefined }, "direction"],
    ["no x", { ...right, x: undefined }, "x"],
    ["no y", { ...right, y: undefined }, "y"],
    ["x too large", { ...right, x: 65_536 }, "x"],
    ["a negative y", { ...right, y: -1 }, "y"],
    [
      "a position where none is",
      { playerId: 5, code: directionRow("downPress").code, direction: "downPress", x: 1 },
      "x",
    ],
    ["a y where only x is", { playerId: 5, code: directionRow("upPress").code, direction: "upPress", x: 1, y: 1 }, "y"],
  ])("%s", (_, value, path) => {
    const write = (): unknown => codec.write("server", { message: "movePlayer", value: value as MovePlayerNotice });
    expect(write).toThrow(new RegExp(`^Cannot write ${path}: `));
  });
});
