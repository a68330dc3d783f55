import { describe, expect, it, test } from "vitest";
import { slimeCodec } from "./codec.ts";
import { type Direction, directionRow, directions } from "./direction.ts";
import { type MovePlayerNotice, moveMessage, movePlayer } from "./move-player.ts";

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
