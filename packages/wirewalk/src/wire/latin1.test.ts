import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLatin1, encodeLatin1, escapeControls } from "./index.ts";

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

test("a character without a byte is refused", () => {
  expect(() => encodeLatin1("ab\u0100")).toThrow(
    new RangeError("text must be characters in 0..255, got 256 at position 2"),
  );
});

test("nothing that a terminal obeys is left", () => {
  expect(escapeControls("a\x1b[2J\n\x7f\x9bé")).toBe("a\\x1b[2J\\x0a\\x7f\\x9bé");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const codes = Array.from(escapeControls(text), (character) => character.charCodeAt(0));
      expect(codes.filter((code) => code < 0x20 || (code >= 0x7f && code < 0xa0))).toEqual([]);
    }),
  );
});
