import { describe, expect, test } from "vitest";
import {
  bytesReadBy,
  concat,
  decode,
  describeNode,
  encode,
  formatHex,
  fromJson,
  i16le,
  layoutOf,
  parseHex,
  readingFor,
  struct,
  toJson,
  traceLayout,
  u8,
  u16be,
} from "../index.ts";
import { wireErrorOf } from "../testing/check-layout.ts";

const target = bytesReadBy(4, [
  { name: "place", when: { field: "action", from: 24, to: 41 }, of: struct({ x: i16le, y: i16le }) },
  { name: "skill", when: { field: "action", from: 42 }, of: struct({ id: u16be, level: u16be }) },
]);
const shot = struct({ action: u8, target, after: u8 });
const pathsOf = (hex: string): readonly string[] => traceLayout(shot, parseHex(hex)).fields.map(({ path }) => path);

describe("bytes that an earlier number gives a meaning", () => {
  test("have the meaning that the number says, or none", () => {
    expect(readingFor(target, { action: 23 })).toBeUndefined();
    expect(readingFor(target, { action: 42 })?.name).toBe("skill");
  });

  test("a trace shows the fields of the meaning, and the bytes where they have none", () => {
    expect(pathsOf("00 01020304 05")).toEqual(["action", "target", "after"]);
    expect(pathsOf("18 01020304 05")).toEqual(["action", "place.x", "place.y", "after"]);
    expect(pathsOf("2A 01020304 05")).toEqual(["action", "skill.id", "skill.level", "after"]);
  });

  test("an end within them is an end of the bytes", () => {
    const cut = parseHex("18 010203");
    const error = wireErrorOf(() => decode(shot, cut));
    expect(error).toMatchObject({ code: "truncated", path: "target", bitOffset: 8 });
    expect(traceLayout(shot, cut).error?.toJSON()).toEqual(error?.toJSON());
  });

  test("JSON has the meaning beside the hex; it may be left out, and may not contradict the bytes", () => {
    const bytes = parseHex("2A 0079 0001 07");
    const json = { action: 42, target: "00790001", skill: { id: 121, level: 1 }, after: 7 };
    expect(toJson(shot, decode(shot, bytes))).toEqual(json);
    expect(Object.keys(toJson(shot, decode(shot, bytes)) as object)).toEqual(["action", "target", "skill", "after"]);
    for (const given of [json, { action: 42, target: "00790001", after: 7 }]) {
      expect(formatHex(encode(shot, fromJson(shot, given)))).toBe(formatHex(bytes));
    }
    for (const wrong of [
      { skill: { id: 120, level: 1 } },
      { skill: { id: 121 } },
      { skill: { id: 121, level: 1, more: 1 } },
      { skill: null },
    ]) {
      const error = wireErrorOf(() => fromJson(shot, { ...json, ...wrong }));
      expect(error?.toJSON()).toEqual({
        code: "bad-value",
        message: "Cannot read skill: it is not what target says",
        bitOffset: 0,
        path: "skill",
      });
    }
    expect(wireErrorOf(() => fromJson(shot, { ...json, place: { x: 1, y: 2 } }))?.path).toBe("place");
    expect(wireErrorOf(() => fromJson(shot, { ...json, other: 1 }))?.path).toBe("other");
  });

  test("an object of two parts keeps the meaning", () => {
    const both = concat(struct({ action: u8, target }), struct({ after: u8 }));
    const json = { action: 24, target: "01000200", place: { x: 1, y: 2 }, after: 7 };
    expect(toJson(both, fromJson(both, json))).toEqual(json);
  });

  test("the description says all of it", () => {
    const again = layoutOf(structuredClone(shot.node));
    expect(again.node).toEqual(shot.node);
    expect(toJson(again, decode(again, parseHex("18 01000200 00")))).toMatchObject({ place: { x: 1, y: 2 } });
    expect(describeNode(shot.node).map(({ path, size }) => `${path}: ${size}`)).toEqual([
      "action: 1 byte",
      "target: 4 bytes",
      "(action >= 24 and action <= 41) place.x: 2 bytes",
      "(action >= 24 and action <= 41) place.y: 2 bytes",
      "(action >= 42) skill.id: 2 bytes",
      "(action >= 42) skill.level: 2 bytes",
      "after: 1 byte",
    ]);
  });

  test("a meaning fills the bytes", () => {
    expect(() => bytesReadBy(4, [{ name: "short", when: { field: "a", from: 1 }, of: u8 }])).toThrow(
      new TypeError("short must have 4 bytes"),
    );
  });
});
