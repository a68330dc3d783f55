import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLatin1, encodeLatin1, escapeControls } from "./index.ts";
import { putLatin1, textOf } from "./latin1.ts";

test("every byte is the character of its number, and back", () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  const text = decodeLatin1(all);
  expect([...text].map((c) => c.charCodeAt(0))).toEqual([...all]);
  expect(encodeLatin1(text)).toEqual(all);
});

test("any bytes round-trip, more than one call's arguments too", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(encodeLatin1(decodeLatin1(bytes))).toEqual(bytes);
    }),
  );
  for (const length of [8191, 8192, 8193, 200_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
    expect(encodeLatin1(decodeLatin1(bytes))).toEqual(bytes);
  }
});

test("a host without functions for such texts gives the same", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(60), (bytes, start) => {
      expect(textOf(bytes, Math.min(start, bytes.length), bytes.length)).toBe(decodeLatin1(bytes.subarray(start)));
    }),
  );
});

test("long texts are refused at the character that does not fit", () => {
  for (const [text, least, wrong] of [
    [`${"a".repeat(40)}\0b`, 1, 40],
    [`${"a".repeat(40)}\0b`, 0, -1],
    [`${"a".repeat(40)}\u0100`, 0, 40],
    [`\u00e9${"a".repeat(40)}`, 1, -1],
    [`${"\u00e9".repeat(40)}\u20ac`, 1, 40],
  ] as const) {
    const bytes = new Uint8Array(60).fill(7);
    expect(putLatin1(text, bytes, 3, least)).toBe(wrong);
    if (wrong < 0) expect(decodeLatin1(bytes, 3, 3 + text.length)).toBe(text);
    expect(bytes.subarray(3 + text.length)).toEqual(new Uint8Array(57 - text.length).fill(7));
  }
});

test("a character without a byte is refused", () => {
  expect(() => encodeLatin1("ab\u0100")).toThrow(
    new RangeError("text must be characters in 0..255, got 256 at position 2"),
  );
});

/** Characters of one byte as often as all others. With the units of `fc.string` the test took 0.8 s. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xff), fc.nat(0x10ffff)))
  .map((codes) => codes.map((code) => String.fromCodePoint(code)).join(""));

test("nothing that a terminal obeys is left", () => {
  expect(escapeControls("a\x1b[2J\n\x7f\x9bé")).toBe("a\\x1b[2J\\x0a\\x7f\\x9bé");
  fc.assert(
    fc.property(anyText, (text) => {
      const codes = Array.from(escapeControls(text), (character) => character.charCodeAt(0));
      expect(codes.filter((code) => code < 0x20 || (code >= 0x7f && code < 0xa0))).toEqual([]);
    }),
  );
});
