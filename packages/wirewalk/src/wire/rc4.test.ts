import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeLatin1, formatHex, parseHex, Rc4Key, rc4 } from "./index.ts";

test.each([
  ["Key", "Plaintext", "bbf316e8d940af0ad3"],
  ["Wiki", "pedia", "1021bf0420"],
  ["Secret", "Attack at dawn", "45a01f645fc35b383552544b9bf5"],
])("key %j, text %j", (key, text, cipher) => {
  const encrypted = rc4(encodeLatin1(key), encodeLatin1(text));
  expect(formatHex(encrypted, { separator: "" })).toBe(cipher);
  expect(rc4(encodeLatin1(key), encrypted)).toEqual(encodeLatin1(text));
});

// RFC 6229: the key, and of its key stream the bytes from the given offset.
test.each([
  ["0102030405", 0, "b2 39 63 05 f0 3d c0 27 cc c3 52 4a 0a 11 18 a8"],
  ["0102030405", 16, "69 82 94 4f 18 fc 82 d5 89 c4 03 a4 7a 0d 09 19"],
  ["0102030405", 240, "28 cb 11 32 c9 6c e2 86 42 1d ca ad b8 b6 9e ae"],
  ["01020304050607", 0, "29 3f 02 d4 7f 37 c9 b6 33 f2 af 52 85 fe b4 6b"],
  ["0102030405060708", 0, "97 ab 8a 1b f0 af b9 61 32 f2 f6 72 58 da 15 a8"],
  ["0102030405060708090a0b0c0d0e0f10", 0, "9a c7 cc 9a 60 9d 1e f7 b2 93 28 99 cd e4 1b 97"],
])("RFC 6229, key %s at %i", (key, offset, stream) => {
  const zeros = new Uint8Array(offset + 16);
  expect(formatHex(rc4(parseHex(key), zeros).subarray(offset))).toBe(stream);
});

test("the Slime Online 2 frame", () => {
  expect(formatHex(rc4(encodeLatin1("retrtz7jmijb5467n47"), parseHex("02 00 02 C0 01 A0 00")))).toBe(
    "60 a2 07 e5 86 ee a1",
  );
});

test("a scheduled key does every message afresh and leaves it as it was", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 256 }), fc.uint8Array(), (key, data) => {
      const scheduled = new Rc4Key(key);
      const before = data.slice();
      const first = scheduled.apply(data);
      expect(scheduled.apply(data)).toEqual(first);
      expect(rc4(key, data)).toEqual(first);
      expect(scheduled.apply(first)).toEqual(before);
      expect(data).toEqual(before);
    }),
  );
});

test("the key stream goes on where it ended, whatever the lengths of the messages", () => {
  const key = encodeLatin1("retrtz7jmijb5467n47");
  const stream = rc4(key, new Uint8Array(8192));
  const scheduled = new Rc4Key(key);
  for (const length of [0, 5, 300, 3, 513, 512, 4000, 256, 8192]) {
    expect(scheduled.apply(new Uint8Array(length))).toEqual(stream.slice(0, length));
  }
});

test("a key has 1..256 bytes", () => {
  expect(() => new Rc4Key(new Uint8Array(0))).toThrow(RangeError);
  expect(() => new Rc4Key(new Uint8Array(257))).toThrow(RangeError);
});
