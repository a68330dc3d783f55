import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { withoutStackTraces } from "../../../testing/inner-loops.ts";
import { scaled } from "../../../testing/scale.ts";
import {
  decode,
  decodeLz4Block,
  encode,
  encodeLz4Block,
  formatHex,
  type JsonObject,
  parseHex,
  tilingFault,
} from "../../../wire/index.ts";
import { wireErrorOf } from "../../../wire/testing/check-layout.ts";
import type { PayloadCodec, Side } from "../../codec.ts";
import { generatedPayloads } from "../../testing/generated-payloads.ts";
import { readOrRefuse } from "../../testing/payloads.ts";
import { scrapCodec, unpackUpdate } from "./codec.ts";
import type { ScrapCodecOptions } from "./dialect.ts";
import {
  decodePlayerMovement,
  encodePlayerMovement,
  encodePlayerMovementInto,
  keySets,
  keysByte,
  type PlayerMovement,
  playerMovement,
} from "./player-movement.ts";
import { decodeUpdateBody, encodeUpdateBody, MAX_UPDATES, type UnreliableUpdate } from "./unreliable-update.ts";

interface Vector {
  name: string;
  trust: "standard" | "derived";
  sender: Side;
  body: string;
  wire: string;
  message: JsonObject;
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../../../../vectors/scrap-mechanic.json", import.meta.url), "utf8"),
) as Vector[];
const strict = scrapCodec("documented");
const lenient = scrapCodec("documented", { lenient: true });

withoutStackTraces();

describe("vectors", () => {
  test.each(vectors)("$trust: $name", ({ sender, body, wire, message }) => {
    const packet = parseHex(wire);
    const read = strict.read(sender, packet);
    expect(strict.toJson(sender, read)).toEqual(message);
    expect(lenient.read(sender, packet)).toEqual(read);
    const written = strict.write(sender, strict.fromJson(sender, message));
    expect(formatHex(decodeLz4Block(written.subarray(1), { limit: 65_535 }), { separator: "" })).toBe(body);
    if (sender === "client") expect(written).toEqual(packet);
    else expect(strict.read(sender, written)).toEqual(read);
    const trace = strict.trace(sender, packet);
    expect(trace.message).toEqual(read);
    expect(tilingFault(trace.fields, packet.length)).toBeUndefined();
  });
});

/** Values of a message that are made up from its description. */
function valuesOf<Value>(sender: Side, name: string): readonly Value[] {
  const payloads = generatedPayloads(strict as PayloadCodec, sender, createRandom(7), scaled(2_000, 300));
  return payloads.flatMap((payload) => {
    const read = readOrRefuse(strict as PayloadCodec, sender, payload);
    return read?.message === name ? [read.value as Value] : [];
  });
}

describe("player movement", () => {
  it("is ten bytes, by hand as by the definition and by the block codec", () => {
    const values = valuesOf<PlayerMovement>("client", "playerMovement");
    expect(values.length).toBeGreaterThan(20);
    for (const value of values) {
      const packet = encodePlayerMovement(value);
      expect(packet).toEqual(Uint8Array.of(0x1e, ...encodeLz4Block(encode(playerMovement, value))));
      expect(decodePlayerMovement(packet)).toEqual(value);
      expect(decodePlayerMovement(packet, "lenient")).toEqual(value);
      expect(decode(playerMovement, decodeLz4Block(packet.subarray(1), { limit: 8 }))).toEqual(value);
    }
  });

  it("has 32 sets of keys, and their bytes", () => {
    expect(keySets.map(keysByte)).toEqual(Array.from({ length: 32 }, (_, index) => index));
  });

  it.each([
    ["", "truncated", 0, "id"],
    ["1e", "truncated", 1, "token"],
    ["1e 80 00 00 30", "truncated", 2, "tick"],
    ["1e 80 00 00 30 39 04 40 00", "truncated", 9, "pitch"],
    ["1e 80 00 00 30 39 04 40 00 40 00", "trailing", 10, ""],
    ["1e 8f 00 00 30 39 04 40 00 40", "bad-value", 1, "token"],
    ["1e 70 00 00 30 39 04 40 00", "bad-length", 1, "token"],
    ["1e 90 00 00 30 39 04 40 00 40 00", "bad-length", 1, "token"],
    ["1e 80 00 00 30 39 24 40 00 40", "bad-value", 6, "keys"],
    ["1f 80 00 00 30 39 04 40 00 40", "unknown-message", 0, "id"],
  ])("strict: %s is %s at byte %i", (hex, code, at, path) => {
    const error = wireErrorOf(() => strict.read("client", parseHex(hex)));
    expect(error).toMatchObject({ code, bitOffset: at * 8, path });
    expect(strict.trace("client", parseHex(hex)).error?.toJSON()).toEqual(error?.toJSON());
  });

  it("lenient: the low half of the last token, and the unused keys, are not looked at", () => {
    const value = strict.read("client", parseHex("1e 80 00 00 30 39 04 40 00 40"));
    expect(lenient.read("client", parseHex("1e 8f 00 00 30 39 04 40 00 40"))).toEqual(value);
    expect(lenient.read("client", parseHex("1e 8f 00 00 30 39 e4 40 00 40"))).toEqual(value);
  });

  it("lenient: any block of which eight bytes come out", () => {
    // Two zeros, a match of four of them, and two more bytes.
    const packet = parseHex("1e 20 00 00 01 00 2f 05 40");
    expect(wireErrorOf(() => strict.read("client", packet))).toMatchObject({ code: "bad-length", path: "token" });
    expect(lenient.read("client", packet).value).toMatchObject({ tick: 0, direction: 0, yaw: 5, pitch: 64 });
    const trace = lenient.trace("client", packet);
    expect(tilingFault(trace.fields, packet.length)).toBeUndefined();
    expect(trace.fields.map(({ path }) => path)).toContain("block[0].offset");
  });

  it.each([
    ["1e 70 00 00 30 39 04 40 00", "bad-length", "block"],
    ["1e 90 00 00 30 39 04 40 00 40 00", "limit", "block"],
    ["1e 2f 00 00 01 00 ff ff 00 00", "limit", "block"],
    ["1e 20 00 00 01 00", "truncated", "block"],
    ["1e 80 00 00 30", "truncated", "tick"],
  ])("lenient: %s is %s", (hex, code, path) => {
    const error = wireErrorOf(() => lenient.read("client", parseHex(hex)));
    expect(error).toMatchObject({ code, path });
    expect(lenient.trace("client", parseHex(hex)).error?.toJSON()).toEqual(error?.toJSON());
  });

  it("that does not fit is refused by the name of its field", () => {
    const value = decodePlayerMovement(parseHex("1e 80 00 00 30 39 04 40 00 40"));
    const wrong: [object, string][] = [
      [{ ...value, tick: -1 }, "tick"],
      [{ ...value, tick: 1.5 }, "tick"],
      [{ ...value, direction: 256 }, "direction"],
      [{ ...value, yaw: "0" }, "yaw"],
      [{ ...value, pitch: undefined }, "pitch"],
      [{ ...value, keys: { ...value.keys, jump: 1 } }, "keys"],
      [{ ...value, keys: undefined }, "keys"],
    ];
    for (const [each, path] of wrong) {
      expect(() => encodePlayerMovement(each as PlayerMovement)).toThrow(`Cannot write ${path}: `);
    }
    expect(() => encodePlayerMovementInto(new Uint8Array(9), value)).toThrow(RangeError);
  });
});

describe("unreliable update", () => {
  it("has no -0", () => {
    const position = { x: -0, y: 1, z: -0 };
    const updates = [
      { kind: "character" as const, id: 1, keys: keySets[0] as never, direction: 0, yaw: 0, pitch: 0, position },
    ];
    const body = encodeUpdateBody({ serverTick: 1, currentTick: 2, updates });
    expect(decodeUpdateBody(body).updates).toMatchObject([{ position: { x: 0, y: 1, z: 0 } }]);
    // Ids and keys end at bit 153: there x begins, with its sign.
    const negative = body.slice();
    negative[19] = (negative[19] as number) | 0x40;
    expect(negative).not.toEqual(body);
    expect(decodeUpdateBody(negative).updates).toMatchObject([{ position: { x: 0, y: 1, z: 0 } }]);
  });

  it("of a frozen list is the same as of any", () => {
    const values = valuesOf<UnreliableUpdate>("server", "unreliableUpdate");
    expect(values.length).toBeGreaterThan(20);
    for (const value of values) {
      const frozen = { ...value, updates: Object.freeze([...value.updates]) };
      for (const currentTick of [1, 0x0203_0405]) {
        const packet = (updates: Pick<UnreliableUpdate, "updates">): Uint8Array =>
          strict.write("server", { message: "unreliableUpdate", value: { ...value, ...updates, currentTick } });
        expect(packet(frozen)).toEqual(packet(value));
        expect(decodeUpdateBody(unpackUpdate(packet(frozen)))).toEqual({ ...value, currentTick });
      }
    }
  });

  it("has 23 bytes for a character on its feet, 59 for one that tumbles", () => {
    const sizes = vectors.filter(({ sender }) => sender === "server").map(({ body }) => parseHex(body)[9]);
    expect(sizes).toEqual([undefined, 23, 59, 23]);
  });

  it("that is compressed to as many bytes as literals would be is still distinguished", () => {
    // Four bytes that repeat save as much as their match costs, where more than 15 literals stand on both sides.
    const unique = Array.from({ length: 30 }, (_, index) => 100 + index);
    const data = Uint8Array.from([...unique.slice(0, 10), ...unique.slice(0, 4), ...unique.slice(10)]);
    const value = { serverTick: 1, currentTick: 2, updates: [{ kind: "opaque" as const, type: 9, data }] };
    const packet = strict.write("server", { message: "unreliableUpdate", value });
    expect(packet).toHaveLength(encodeLz4Literals(unpackUpdate(packet)).length);
    expect(packet).not.toEqual(encodeLz4Literals(unpackUpdate(packet)));
    const trace = strict.trace("server", packet);
    expect(trace.message?.value).toEqual(value);
    expect(trace.fields.map(({ path }) => path)).toContain("block[0].offset");
    // What came out of the block has the fields of the message.
    expect(trace.inner?.bytes).toEqual(unpackUpdate(packet));
    expect(trace.inner?.fields.map(({ path }) => path)).toContain("updates[0].data");
    expect(trace.inner?.message?.value).toEqual(value);
    expect(strict.trace("server", encodeLz4Literals(unpackUpdate(packet))).inner).toBeUndefined();
  });

  const walking = (vectors.find(({ name }) => name.includes("on its feet")) as Vector).body;

  it.each<[string, string, ScrapCodecOptions, string, number, string]>([
    ["no whole tick", "000000", {}, "truncated", 0, "serverTick"],
    ["no count", walking.slice(0, 16), {}, "truncated", 64, "updates.count"],
    ["an update cut short", walking.slice(0, 40), {}, "truncated", 153, "updates[0].position.x"],
    [
      "an update less than its count",
      `${walking.slice(0, 16)}02${walking.slice(18)}`,
      {},
      "truncated",
      256,
      "updates[1].size",
    ],
    ["an update more than its count", `${walking.slice(0, 16)}00${walking.slice(18)}`, {}, "trailing", 72, ""],
    ["a size of 1", `${walking.slice(0, 18)}01${walking.slice(20)}`, {}, "bad-length", 72, "updates[0].size"],
    ["a size too small", `${walking.slice(0, 18)}16${walking.slice(20)}`, {}, "bad-length", 72, "updates[0].size"],
    ["a size too large", `${walking.slice(0, 18)}18${walking.slice(20)}00`, {}, "bad-length", 72, "updates[0].size"],
    ["padding that is not 0", `${walking.slice(0, -2)}01`, {}, "bad-value", 249, "updates[0].padding"],
    ["unused keys", walking.replace("0702", "0772"), {}, "bad-value", 121, "updates[0].keys"],
    ["nowhere", walking.replace("1fc00000", "3fe00000"), {}, "bad-value", 153, "updates[0].position.x"],
    ["a count where none is", walking, { countByte: false }, "bad-length", 64, "updates[0].size"],
    ["data cut short", "0000001000003039 01 05 09 0a", {}, "truncated", 88, "updates[0].data"],
    [
      "more updates than count",
      `0000001000003039${"0209".repeat(256)}`,
      { countByte: false },
      "limit",
      64 + 255 * 16,
      "updates",
    ],
  ])("%s is refused", (_, hex, options, code, bitOffset, path) => {
    const body = parseHex(hex);
    expect(wireErrorOf(() => decodeUpdateBody(body, options))).toMatchObject({ code, bitOffset, path });
    // In a packet where the body lies in clear the place is the packet's own.
    const literals = encodeLz4Literals(body);
    const codec = scrapCodec("documented", options);
    const error = wireErrorOf(() => codec.read("server", literals));
    const start = (literals.length - body.length) * 8;
    expect(error).toMatchObject({ code, bitOffset: bitOffset + start, path });
    expect(codec.trace("server", literals).error?.toJSON()).toEqual(error?.toJSON());
    // In one that is compressed it is the block.
    const packet = Uint8Array.of(0x18, ...encodeLz4Block(body));
    if (packet.length < body.length) expect(wireErrorOf(() => codec.read("server", packet))?.bitOffset).toBe(8);
  });

  it("lenient: padding and unused keys are not looked at", () => {
    const value = decodeUpdateBody(parseHex(walking));
    expect(decodeUpdateBody(parseHex(`${walking.slice(0, -2)}01`), { lenient: true })).toEqual(value);
    expect(decodeUpdateBody(parseHex(walking.replace("0702", "0772")), { lenient: true })).toEqual(value);
  });

  it("that would unpack to more than any can be is refused within the limit", () => {
    const bomb = new Uint8Array(100_000).fill(0xff);
    bomb.set([0x18, 0x1f, 0x00, 0x01, 0x00]);
    bomb[bomb.length - 1] = 0;
    expect(wireErrorOf(() => strict.read("server", bomb))).toMatchObject({ code: "limit", path: "block" });
  });

  it("that does not fit is refused by the name of its field", () => {
    const value = decodeUpdateBody(parseHex(walking));
    const [character] = value.updates;
    const wrong: [object, string][] = [
      [{ ...value, currentTick: -1 }, "currentTick"],
      [{ ...value, updates: undefined }, "updates"],
      [{ ...value, updates: new Array(MAX_UPDATES + 1).fill(character) }, "updates"],
      [{ ...value, updates: [{ ...character, kind: "flying" }] }, "updates[0].kind"],
      [{ ...value, updates: [character, { ...character, id: 2 ** 32 }] }, "updates[1].id"],
      [{ ...value, updates: [{ ...character, keys: {} }] }, "updates[0].keys"],
      [{ ...value, updates: [{ ...character, position: { x: 0, y: Number.NaN, z: 0 } }] }, "updates[0].position.y"],
      [{ ...value, updates: [{ ...character, position: { x: 0, y: 0, z: 1e39 } }] }, "updates[0].position.z"],
      [{ ...value, updates: [{ kind: "opaque", type: 6, data: new Uint8Array() }] }, "updates[0].type"],
      [{ ...value, updates: [{ kind: "opaque", type: 9, data: new Uint8Array(254) }] }, "updates[0].data"],
    ];
    for (const [each, path] of wrong) {
      expect(() => encodeUpdateBody(each as never)).toThrow(`Cannot write ${path}: `);
    }
  });
});

/** A packet whose block is nothing but literals, however well it could be compressed. */
function encodeLz4Literals(body: Uint8Array): Uint8Array {
  const lengths: number[] = [];
  for (let left = body.length - 15; left >= 0; left -= 255) lengths.push(Math.min(left, 255));
  if (lengths.at(-1) === 255) lengths.push(0);
  return Uint8Array.of(0x18, Math.min(body.length, 15) << 4, ...lengths, ...body);
}

describe("JSON", () => {
  it("is as the command line prints it", () => {
    const message = strict.read("client", parseHex("1e 80 00 00 30 39 04 40 00 40"));
    expect(JSON.stringify(strict.toJson("client", message))).toBe(
      '{"message":"playerMovement","value":{"tick":12345,"keys":{"jump":false,"crawl":false,"horizontal":true,' +
        '"sprint":false,"aim":false},"direction":64,"yaw":0,"pitch":64}}',
    );
  });

  it("bytes of what is not described are hex", () => {
    const json = (data: string): JsonObject => ({
      message: "unreliableUpdate",
      value: { serverTick: 1, currentTick: 2, updates: [{ kind: "opaque", type: 9, data }] },
    });
    expect(strict.toJson("server", strict.fromJson("server", json("0a0b")))).toEqual(json("0a0b"));
    expect(wireErrorOf(() => strict.fromJson("server", json("0a0")))).toMatchObject({
      code: "bad-hex",
      path: "updates[0].data",
    });
  });
});

it("a session of our own has ids that are not the game's", () => {
  expect(strict.messages.map(({ sender, id, message }) => [sender, id, message])).toEqual([
    ["client", 0x1e, "playerMovement"],
    ["server", 0x18, "unreliableUpdate"],
    ["client", 0xf0, "hello"],
    ["client", 0xf3, "use"],
    ["server", 0xf1, "playing"],
    ["server", 0xf2, "left"],
  ]);
  const position = { x: 0, y: 0, z: Number.POSITIVE_INFINITY };
  const nowhere = { message: "playing", value: { character: 1, tick: 2, position } } as const;
  expect(() => strict.write("server", nowhere)).toThrow("Cannot write position.z: ");
  expect(
    wireErrorOf(() => strict.read("server", parseHex("f1 00000001 00000002 00000000 7fc00000 00000000"))),
  ).toMatchObject({ code: "bad-value", path: "position.y", bitOffset: 13 * 8 });
});

it("a message of the other side cannot be read or written", () => {
  expect(wireErrorOf(() => strict.read("server", parseHex("1e 80 00 00 30 39 04 40 00 40")))).toMatchObject({
    code: "unknown-message",
    message: "Cannot read id: a server of dialect documented sends 0x18, 0xf1, 0xf2, not 0x1e, at byte 0",
  });
  expect(() => strict.write("server", { message: "hello", value: { version: 1 } } as never)).toThrow(RangeError);
  expect(() => scrapCodec("survival")).toThrow(RangeError);
  expect(scrapCodec("documented")).toBe(strict);
});
