import { expect, test } from "vitest";
import { decodeUtf8 } from "./utf8.ts";

test.each(["", "plain", "Münz€", "\u{1f40c} snail", "\u0000\u007f\u0080\u07ff\u0800\uffff"])("%j is read", (text) => {
  expect(decodeUtf8(new TextEncoder().encode(`..${text}..`), 2, 2 + new TextEncoder().encode(text).length)).toBe(text);
});

test.each([
  [0xff],
  [0xc0, 0x80],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xc3, 0x41],
  [0xe0, 0x80, 0x80],
])("bytes that are no character are replaced: %j", (...bytes) => {
  expect(decodeUtf8(Uint8Array.from(bytes))).toMatch(/^\ufffd+A?$/);
});
