import { describe, expect, it } from "vitest";
import { array, decode, encode, type JsonObject, oneOf, struct, u8, u16le, variant } from "../wire/index.ts";
import { wireErrorOf } from "../wire/testing/check-layout.ts";
import type { WireMessage } from "./codec.ts";
import { messageFromJson, messageToJson } from "./message-json.ts";

const step = struct({
  x: u16le,
  tools: array(struct({ id: u8 }), { count: 2 }),
  how: variant("kind", oneOf(u8, { walk: 1, warp: 2 }), { walk: struct({}), warp: struct({ room: u8 }) }),
});

function fromJson(json: JsonObject): WireMessage {
  return messageFromJson(json, {
    checkName(name) {
      if (name !== "step") throw new RangeError(`Cannot write message: it is step, not ${name}`);
    },
    roundTrip: ({ message, value }) => ({ message, value: decode(step, encode(step, value as never)) }),
  });
}

const value = { x: 7, tools: [{ id: 1 }, { id: 2 }], how: { kind: "warp", room: 3 } };
const json: JsonObject = { message: "step", value };

/** What a JSON is refused with: code and path. */
function refusal(given: unknown): { code: string; path: string } | undefined {
  const error = wireErrorOf(() => fromJson(given as JsonObject));
  return error && { code: error.code, path: error.path };
}

const badValue = (path: string): object => ({ code: "bad-value", path });

describe("a message in JSON", () => {
  it("is the message again", () => {
    expect(fromJson(json)).toEqual(json);
    expect(messageToJson(fromJson(json))).toEqual(json);
    expect(JSON.parse(JSON.stringify(messageToJson(fromJson(json))))).toEqual(json);
  });

  it("shows bytes as hex and a u64 as a decimal string", () => {
    const message = {
      message: "mixed",
      value: { bytes: new Uint8Array([1, 0xab]), time: 2n ** 64n - 1n, list: [{ deep: 1n }], on: true, text: "é" },
    };
    expect(messageToJson(message)).toEqual({
      message: "mixed",
      value: { bytes: "01ab", time: "18446744073709551615", list: [{ deep: "1" }], on: true, text: "é" },
    });
  });
});

describe("JSON that is no message is refused with the field's path", () => {
  it.each<[string, unknown, string]>([
    ["no message", { value }, "message"],
    ["a message that is no text", { message: 3, value }, "message"],
    ["a message that does not exist", { message: "jump", value }, "message"],
    ["no value", { message: "step" }, "value"],
    ["a value that is a list", { message: "step", value: [] }, "value"],
    ["a value that is null", { message: "step", value: null }, "value"],
    ["a field beside message and value", { ...json, playerId: 3 }, "playerId"],
    ["a missing field", { message: "step", value: { ...value, x: undefined } }, "x"],
    ["a number that does not fit", { message: "step", value: { ...value, x: 65_536 } }, "x"],
    ["a text for a number", { message: "step", value: { ...value, x: "7" } }, "x"],
    ["null for a number", { message: "step", value: { ...value, x: null } }, "x"],
    ["a fraction", { message: "step", value: { ...value, x: 0.5 } }, "x"],
    ["a missing list", { message: "step", value: { ...value, tools: undefined } }, "tools"],
    ["a list that is too short", { message: "step", value: { ...value, tools: [{ id: 1 }] } }, "tools"],
    ["a list that is no list", { message: "step", value: { ...value, tools: 5 } }, "tools"],
    ["a wrong item", { message: "step", value: { ...value, tools: [{ id: 1 }, { id: 256 }] } }, "tools[1].id"],
    ["a wrong name", { message: "step", value: { ...value, how: { kind: "fly" } } }, "how.kind"],
    ["a field that the message does not have", { message: "step", value: { ...value, z: 1 } }, "z"],
    ["one that every object answers to", { message: "step", value: { ...value, constructor: 1 } }, "constructor"],
    [
      "one deep within",
      { message: "step", value: { ...value, tools: [{ id: 1 }, { id: 2, size: 3 }] } },
      "tools[1].size",
    ],
    ["one of another variant", { message: "step", value: { ...value, how: { kind: "walk", room: 3 } } }, "how.room"],
  ])("%s", (_, given, path) => {
    expect(refusal(given)).toEqual(badValue(path));
  });

  it("also the name of an object's prototype", () => {
    const given = JSON.parse('{"message":"step","value":{"x":7,"tools":[{"id":1},{"id":2}],"__proto__":{"z":1}}}');
    given.value.how = value.how;
    expect(refusal(given)).toEqual(badValue("__proto__"));
  });

  it("says so in words", () => {
    const error = wireErrorOf(() => fromJson({ message: "step", value: { ...value, x: 70_000 } }));
    expect(error?.message).toBe("Cannot write x: u16le must be an integer in 0..65535, got 70000");
  });

  it("names the known messages for one that does not exist, whatever its value", () => {
    for (const value of [undefined, null, 5, {}]) {
      const error = wireErrorOf(() => fromJson({ message: "stpe", ...(value === undefined ? {} : { value }) }));
      expect(error?.message).toBe("Cannot write message: it is step, not stpe");
    }
  });

  it("and lets faults that are not of the JSON through", () => {
    const broken = (): never => {
      throw new Error("broken");
    };
    expect(() => messageFromJson(json, { checkName: () => {}, roundTrip: broken })).toThrow("broken");
  });
});
