import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { formatHex, type JsonObject, parseHex, tilingFault } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import type { Side } from "../../codec.ts";
import { type SlimeClientMessage, type SlimeServerMessage, slimeCodec } from "./codec.ts";
import { type SlimeDialect, slimeDialects } from "./dialect.ts";
import { directions } from "./direction.ts";
import { moveMessage, movePlayer } from "./move-player.ts";

const dialects = slimeDialects.map(({ name }) => name);

/** MSG_MOVE_PLAYER as each dialect writes it. */
const moveType: Readonly<Record<SlimeDialect, string>> = {
  documented: "00 08",
  documentedLittleEndian: "08 00",
  v0106: "02 00",
};

interface Vector {
  readonly name: string;
  readonly dialect: SlimeDialect;
  readonly sender: Side;
  readonly hex: string;
  readonly message: SlimeClientMessage | SlimeServerMessage;
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../../../../vectors/slime-online-2.json", import.meta.url), "utf8"),
) as readonly Vector[];

describe("the bytes of the standard", () => {
  test.each(vectors)("$name ($dialect, $sender): $hex", ({ dialect, sender, hex, message }) => {
    const codec = slimeCodec(dialect);
    expect(codec.read(sender, parseHex(hex))).toEqual(message);
    expect(formatHex(codec.write(sender, message))).toBe(formatHex(parseHex(hex)));
    expect(codec.trace(sender, parseHex(hex)).message).toEqual(message);
  });
});

/** The body of each code at (448, 160): standard 3 and 4.1. */
const bodies: readonly [number, string][] = [
  [1, "01 c0 01 a0 00"],
  [2, "02 c0 01 a0 00"],
  [3, "03 c0 01"],
  [4, "04"],
  [5, "05 c0 01 a0 00"],
  [6, "06 c0 01 a0 00"],
  [7, "07"],
  [8, "08"],
  [9, "09 c0 01 a0 00"],
  [10, "0a"],
  [11, "0b"],
  [12, "0c"],
  [13, "0d"],
];

function sampleMove(code: number): ReturnType<typeof movePlayer> {
  const row = directions[code - 1];
  if (row === undefined) throw new Error(`no code ${code}`);
  const { name, position } = row;
  if (position === "none") return movePlayer(name);
  return position === "x" ? movePlayer(name, 448) : movePlayer(name, 448, 160);
}

describe.each(dialects)("the thirteen codes in %s", (dialect) => {
  const codec = slimeCodec(dialect);
  const type = moveType[dialect];

  test.each(bodies)("code %i: %s", (code, body) => {
    const value = sampleMove(code);
    expect(value.code).toBe(code);
    const client: SlimeClientMessage = { message: "movePlayer", value };
    const server: SlimeServerMessage = { message: "movePlayer", value: { playerId: 0x1234, ...value } };
    expect(formatHex(codec.write("client", client))).toBe(`${type} ${body}`);
    expect(codec.read("client", parseHex(`${type} ${body}`))).toEqual(client);
    expect(formatHex(codec.write("server", server))).toBe(`${type} 34 12 ${body}`);
    expect(codec.read("server", parseHex(`${type} 34 12 ${body}`))).toEqual(server);
  });

  it("0 and 14..255 are refused from both, with and without a position", () => {
    for (let code = 0; code <= 255; code++) {
      if (code >= 1 && code <= 13) continue;
      for (const rest of ["", " c0 01", " c0 01 a0 00"]) {
        const body = `${formatHex(Uint8Array.of(code))}${rest}`;
        const fromClient = wireErrorOf(() => codec.read("client", parseHex(`${type} ${body}`)));
        expect(fromClient?.toJSON()).toEqual({
          code: "unknown-variant",
          message: `Cannot read code: ${code} is none of 1 to 13 at byte 2`,
          bitOffset: 16,
          path: "code",
        });
        const fromServer = wireErrorOf(() => codec.read("server", parseHex(`${type} 05 00 ${body}`)));
        expect(fromServer).toMatchObject({ code: "unknown-variant", bitOffset: 32, path: "code" });
      }
    }
  });
});

describe("x of upPress", () => {
  it("is unsigned in the document, a signed short in v0106: same bytes", () => {
    const read = (dialect: SlimeDialect): unknown =>
      slimeCodec(dialect).read("client", parseHex(`${moveType[dialect]} 03 FB FF`)).value;
    expect(read("documented")).toEqual({ code: 3, direction: "upPress", x: 65_531 });
    expect(read("v0106")).toEqual({ code: 3, direction: "upPress", x: -5 });
    expect(formatHex(slimeCodec("v0106").write("client", moveMessage("upPress", -5)))).toBe("02 00 03 fb ff");
    expect(() => slimeCodec("documented").write("client", moveMessage("upPress", -5))).toThrow(RangeError);
    // The other codes are unsigned everywhere.
    expect(slimeCodec("v0106").read("client", parseHex("02 00 02 FB FF 00 00")).value).toMatchObject({ x: 65_531 });
  });
});

describe("message types", () => {
  it("documented dialects have MOVE_PLAYER alone", () => {
    for (const dialect of ["documented", "documentedLittleEndian"]) {
      expect(slimeCodec(dialect).messages.map(({ sender, id, message }) => [sender, id, message])).toEqual([
        ["client", 8, "movePlayer"],
        ["server", 8, "movePlayer"],
      ]);
    }
  });

  it("v0106 has the other messages too", () => {
    const ids = (sender: Side): [number, string][] =>
      slimeCodec("v0106")
        .messages.filter((row) => row.sender === sender)
        .map(({ id, message }) => [id, message]);
    expect(ids("client")).toEqual([
      [2, "movePlayer"],
      [1, "newPlayer"],
      [6, "logout"],
      [9, "ping"],
      [10, "login"],
      [14, "warp"],
      [17, "chat"],
      [43, "playerStop"],
    ]);
    expect(ids("server")).toEqual([
      [2, "movePlayer"],
      [1, "newPlayer"],
      [6, "logout"],
      [9, "ping"],
      [10, "login"],
      [14, "warp"],
      [15, "position"],
      [17, "chat"],
      [43, "playerStop"],
    ]);
  });

  it("an unknown type is refused at the first byte, and the error lists the known ones", () => {
    expect(wireErrorOf(() => slimeCodec("v0106").read("client", parseHex("0F 00")))?.toJSON()).toEqual({
      code: "unknown-message",
      message: "Cannot read type: a client of dialect v0106 sends 1, 2, 6, 9, 10, 14, 17, 43, not 15, at byte 0",
      bitOffset: 0,
      path: "type",
    });
    // The two byte orders of one type do not pass for each other.
    expect(wireErrorOf(() => slimeCodec("documented").read("client", parseHex("08 00 0A")))?.code).toBe(
      "unknown-message",
    );
    expect(wireErrorOf(() => slimeCodec("documentedLittleEndian").read("client", parseHex("00 08 0A")))?.code).toBe(
      "unknown-message",
    );
  });

  it("a message of the other side, or of another dialect, cannot be written", () => {
    const position = { message: "position", value: {} } as never;
    expect(() => slimeCodec("v0106").write("client", position)).toThrow(
      "Cannot write message: a client of dialect v0106 sends movePlayer, newPlayer",
    );
    expect(() => slimeCodec("documented").write("client", { message: "ping", value: {} })).toThrow(RangeError);
  });

  it("an unknown dialect has no codec", () => {
    expect(() => slimeCodec("v0107")).toThrow(RangeError);
  });

  it("a dialect's codec is made once", () => {
    expect(slimeCodec("documented")).toBe(slimeCodec("documented"));
  });
});

describe("a trace", () => {
  it("covers each byte once, with its meaning", () => {
    const trace = slimeCodec("documented").trace("server", parseHex("00 08 05 00 02 C0 01 A0 00"));
    expect(trace.fields.map(({ path, bitOffset, bitLength, shown }) => [path, bitOffset, bitLength, shown])).toEqual([
      ["type", 0, 16, "movePlayer"],
      ["playerId", 16, 16, "5"],
      ["code", 32, 8, "rightPress"],
      ["x", 40, 16, "448"],
      ["y", 56, 16, "160"],
    ]);
    expect(tilingFault(trace.fields, 9)).toBeUndefined();
  });

  it("goes as far as it can", () => {
    const trace = slimeCodec("documented").trace("client", parseHex("00 08 02 C0 01 A0"));
    expect(trace.fields.map(({ path }) => path)).toEqual(["type", "code", "x"]);
    expect(trace.message).toBeUndefined();
    expect(trace.error).toMatchObject({ code: "truncated", path: "y", bitOffset: 40 });
  });

  it("shows an unknown type", () => {
    const trace = slimeCodec("v0106").trace("client", parseHex("63 00 01"));
    expect(trace.fields).toEqual([{ path: "type", bitOffset: 0, bitLength: 16, raw: 99, shown: "no such message" }]);
    expect(trace.error?.code).toBe("unknown-message");
  });
});

const u16 = fc.integer({ min: 0, max: 0xffff });

describe.each(dialects)("JSON in %s", (dialect) => {
  const codec = slimeCodec(dialect);

  it("one of code and direction is enough", () => {
    const both = { code: 2, direction: "rightPress", x: 448, y: 160 };
    for (const value of [
      { code: 2, x: 448, y: 160 },
      { direction: "rightPress", x: 448, y: 160 },
    ]) {
      expect(codec.fromJson("client", { message: "movePlayer", value })).toEqual({
        message: "movePlayer",
        value: both,
      });
    }
  });

  it("code and direction must agree", () => {
    fc.assert(
      fc.property(fc.constantFrom(...directions), fc.constantFrom(...directions), u16, u16, (row, other, x, y) => {
        const value = { ...sampleMove(row.code), direction: other.name };
        const moved = "y" in value ? { ...value, x, y } : "x" in value ? { ...value, x: x & 0x7fff } : value;
        const read = () => codec.fromJson("client", { message: "movePlayer", value: moved });
        if (row === other) expect(read().value).toEqual(moved);
        else expect(wireErrorOf(read)).toMatchObject({ code: "bad-value", path: "direction" });
      }),
    );
  });

  it("a client names no player", () => {
    const json: JsonObject = { message: "movePlayer", value: { playerId: 5, ...movePlayer("leftPressAir") } };
    expect(wireErrorOf(() => codec.fromJson("client", json))).toMatchObject({ code: "bad-value", path: "playerId" });
    expect(codec.fromJson("server", json)).toEqual(json);
  });

  it("an unknown message is refused", () => {
    expect(wireErrorOf(() => codec.fromJson("client", { message: "jump", value: {} }))).toMatchObject({
      code: "bad-value",
      path: "message",
    });
  });
});
