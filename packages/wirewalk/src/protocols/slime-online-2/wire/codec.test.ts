import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { withoutStackTraces } from "../../../testing/inner-loops.ts";
import { scaled, stride } from "../../../testing/scale.ts";
import { formatHex, type JsonObject, parseHex, tilingFault, WireError } from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import type { Side } from "../../codec.ts";
import { type SlimeClientMessage, type SlimeServerMessage, slimeCodec } from "./codec.ts";
import { dialectRules, type SlimeDialect, slimeDialects } from "./dialect.ts";
import { directions } from "./direction.ts";
import { moveMessage, movePlayer } from "./move-player.ts";

const dialects = slimeDialects.map(({ name }) => name);
const sides: readonly Side[] = ["client", "server"];

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
        expect(fromClient).toMatchObject({ code: "unknown-variant", bitOffset: 16, path: "code" });
        const fromServer = wireErrorOf(() => codec.read("server", parseHex(`${type} 05 00 ${body}`)));
        expect(fromServer).toMatchObject({ code: "unknown-variant", bitOffset: 32, path: "code" });
      }
    }
  });

  test.each(bodies)("code %i: every prefix is refused where it ends, and a byte more too", (_, body) => {
    const fields: Record<Side, readonly [string, number][]> = {
      client: [
        ["type", 0],
        ["code", 2],
        ["x", 3],
        ["y", 5],
      ],
      server: [
        ["type", 0],
        ["playerId", 2],
        ["code", 4],
        ["x", 5],
        ["y", 7],
      ],
    };
    for (const sender of sides) {
      const payload = parseHex(sender === "client" ? `${type} ${body}` : `${type} 05 00 ${body}`);
      for (let length = 0; length < payload.length; length++) {
        const [path, start] = fields[sender].findLast(([, at]) => at <= length) as [string, number];
        const error = wireErrorOf(() => codec.read(sender, payload.subarray(0, length)));
        expect(error).toMatchObject({ code: "truncated", path, bitOffset: start * 8 });
        expect(codec.trace(sender, payload.subarray(0, length)).error?.toJSON()).toEqual(error?.toJSON());
      }
      const error = wireErrorOf(() => codec.read(sender, Uint8Array.of(...payload, 0)));
      expect(error).toMatchObject({ code: "trailing", path: "", bitOffset: payload.length * 8 });
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

/** Whatever the bytes: a value that is written back as the same bytes and whose trace tiles them, or a WireError. */
function checkPayload(dialect: SlimeDialect, sender: Side, payload: Uint8Array): void {
  const codec = slimeCodec(dialect);
  const trace = codec.trace(sender, payload);
  let message: SlimeClientMessage | SlimeServerMessage;
  try {
    message = codec.read(sender, payload);
  } catch (error) {
    if (!(error instanceof WireError) || trace.message !== undefined) throw error;
    if (
      trace.error?.code !== error.code ||
      trace.error.bitOffset !== error.bitOffset ||
      trace.error.path !== error.path
    )
      throw new Error(`trace of ${formatHex(payload)} disagrees: ${trace.error?.message} for ${error.message}`);
    return;
  }
  const written = codec.write(sender, message);
  if (written.length !== payload.length || written.some((byte, index) => byte !== payload[index]))
    throw new Error(`${formatHex(payload)} comes back as ${formatHex(written)}`);
  const fault = tilingFault(trace.fields, payload.length);
  if (trace.error !== undefined || fault !== undefined) throw new Error(`${formatHex(payload)}: ${fault}`);
  // As text: a million times `toEqual` would take a minute.
  if (JSON.stringify(trace.message) !== JSON.stringify(message)) expect(trace.message).toEqual(message);
}

withoutStackTraces();

describe.each(dialects)("any bytes in %s are a message that encodes to them, or a WireError", (dialect) => {
  const step = stride(15);
  const some = (cases: string): string => (step === 1 ? "" : `, each ${step}th ${cases}`);

  test.each(sides)(
    `all strings of up to 2 bytes, and of 3 where the third is looked at (%s)${some("unknown type")}`,
    (sender) => {
      const rows = slimeCodec(dialect).messages.filter((row) => row.sender === sender);
      const known = new Set(rows.map(({ id }) => id));
      checkPayload(dialect, sender, new Uint8Array(0));
      for (let first = 0; first <= 255; first++) {
        checkPayload(dialect, sender, Uint8Array.of(first));
        for (let second = 0; second <= 255; second++) {
          const id = dialect === "documented" ? first * 256 + second : first + second * 256;
          if (!known.has(id) && (first + second) % step > 0) continue;
          checkPayload(dialect, sender, Uint8Array.of(first, second));
          // An unknown type is refused before anything after it is read: one third byte stands for all.
          const thirds = known.has(id) ? 256 : 1;
          for (let third = 0; third < thirds; third++)
            checkPayload(dialect, sender, Uint8Array.of(first, second, third));
        }
      }
    },
  );

  test(`all bodies of a move up to its code and a byte more${some("byte")}`, () => {
    const { movePlayerId: id } = dialectRules(dialect);
    const type = dialect === "documented" ? [0, id] : [id, 0];
    for (let code = 0; code <= 255; code++) {
      for (let next = code % step; next <= 255; next += step) {
        checkPayload(dialect, "client", Uint8Array.of(...type, code, next));
        checkPayload(dialect, "server", Uint8Array.of(...type, next, 0, code));
        checkPayload(dialect, "server", Uint8Array.of(...type, 5, 0, code, next));
      }
    }
  });

  test("random bodies", () => {
    const rows = slimeCodec(dialect).messages;
    fc.assert(
      fc.property(fc.constantFrom(...rows), fc.uint8Array({ maxLength: 40 }), ({ id, sender }, body) => {
        const type = dialect === "documented" ? [id >> 8, id & 0xff] : [id & 0xff, id >> 8];
        checkPayload(dialect, sender, Uint8Array.of(...type, ...body));
      }),
      { numRuns: scaled(2000, 500) },
    );
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

/** One message of each kind of the dialect, as its sender would write it. */
function samples(dialect: SlimeDialect): [Side, SlimeClientMessage | SlimeServerMessage][] {
  const moves = bodies.map(([code]) => sampleMove(code));
  const common: [Side, SlimeClientMessage | SlimeServerMessage][] = [
    ...moves.map((value): [Side, SlimeClientMessage] => ["client", { message: "movePlayer", value }]),
    ...moves.map((value): [Side, SlimeServerMessage] => [
      "server",
      { message: "movePlayer", value: { playerId: 5, ...value } },
    ]),
  ];
  if (dialect !== "v0106") return common;
  const at = { x: 448, y: 160 };
  const keys = { left: true, right: false, up: true, down: false, upPress: false };
  const look = { room: 3, name: "Jürgen", body: 1, accessory1: 2, accessory2: 3 };
  return [
    ...common,
    ["client", { message: "login", value: { version: "0.106", user: "ann", password: "pw", mac: "00-11" } }],
    ["client", { message: "newPlayer", value: { playerId: 5, ...at } }],
    ["client", { message: "logout", value: {} }],
    ["client", { message: "ping", value: {} }],
    ["client", { message: "warp", value: { room: 7, ...at } }],
    ["client", { message: "playerStop", value: at }],
    ["client", { message: "chat", value: { text: "hello" } }],
    [
      "server",
      {
        message: "login",
        value: {
          result: "success",
          playerId: 5,
          time: 4_000_000_000,
          motd: "",
          day: 1,
          hour: 23,
          minute: 59,
          ...at,
          ...look,
          points: 10,
          signature: 1,
          quest: 2,
          questStep: 3,
          trees: 4,
          built: 5,
          emotes: [1, 2, 3, 4, 5],
          outfits: [1, 2, 3, 4, 5, 6, 7, 8, 900],
          accessories: [1, 2, 3, 4, 5, 6, 7, 8, 900],
          items: [1, 2, 3, 4, 5, 6, 7, 8, 900],
          tools: [1, 2, 3, 4, 5, 6, 7, 8, 9],
        },
      },
    ],
    ["server", { message: "login", value: { result: "banned" } }],
    ["server", { message: "newPlayer", value: { kind: "announce", playerId: 5, ...at, ...look } }],
    ["server", { message: "newPlayer", value: { kind: "present", playerId: 5, ...at, ...keys, ...look } }],
    ["server", { message: "logout", value: { playerId: 5 } }],
    ["server", { message: "ping", value: {} }],
    ["server", { message: "warp", value: { kind: "arrived", playerId: 5, ...at } }],
    ["server", { message: "warp", value: { kind: "left", playerId: 5 } }],
    ["server", { message: "warp", value: { kind: "command", ...at, room: 7 } }],
    ["server", { message: "position", value: { kind: "correction", playerId: 5, ...at, ...keys } }],
    ["server", { message: "playerStop", value: { playerId: 5, ...at } }],
    ["server", { message: "chat", value: { playerId: 5, text: "hello" } }],
  ];
}

describe.each(dialects)("JSON in %s", (dialect) => {
  const codec = slimeCodec(dialect);

  it("there is a sample of every message", () => {
    const sampled = new Set(samples(dialect).map(([sender, { message }]) => `${sender} ${message}`));
    expect([...sampled].sort()).toEqual(codec.messages.map(({ sender, message }) => `${sender} ${message}`).sort());
  });

  test.each(samples(dialect))("%s: %j", (sender, message) => {
    const json = JSON.parse(JSON.stringify(codec.toJson(sender, message))) as JsonObject;
    expect(codec.fromJson(sender, json)).toEqual(message);
    expect(codec.read(sender, codec.write(sender, message))).toEqual(message);
  });

  test.each(samples(dialect))("%s: each field of %j is needed, and none beside them is known", (sender, message) => {
    const json = codec.toJson(sender, message);
    const value = json.value as JsonObject;
    for (const [field, content] of Object.entries(value)) {
      const { [field]: _, ...less } = value;
      // A move has its direction twice: either one is enough.
      const isTwice = json.message === "movePlayer" && (field === "code" || field === "direction");
      const missing = wireErrorOf(() => codec.fromJson(sender, { ...json, value: less }));
      if (isTwice) expect(missing).toBeUndefined();
      else expect(missing).toMatchObject({ code: "bad-value", path: field });
      // No field of this game is of another type than text, number, boolean or list.
      const wrong = typeof content === "string" ? 7 : "no";
      const changed = { ...json, value: { ...value, [field]: wrong } };
      expect(wireErrorOf(() => codec.fromJson(sender, changed))).toMatchObject({ code: "bad-value", path: field });
    }
    const more = { ...json, value: { ...value, extra: 1 } };
    expect(wireErrorOf(() => codec.fromJson(sender, more))).toMatchObject({ code: "bad-value", path: "extra" });
  });

  it("one of code and direction is enough", () => {
    const codec = slimeCodec("documented");
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
