import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatHex, hexDump, parseHex } from "./index.ts";
import { wireErrorOf } from "./testing/check-layout.ts";

describe("parseHex", () => {
  test.each([
    ["", []],
    [" \t\r\n", []],
    ["1e80", [0x1e, 0x80]],
    ["1E 80", [0x1e, 0x80]],
    ["0x1e, 0X80", [0x1e, 0x80]],
    ["0x1e80", [0x1e, 0x80]],
    ["00:1e:ff", [0, 0x1e, 0xff]],
    ["00 00", [0, 0]],
    ["0x00", [0]],
    ["1e,\n80,", [0x1e, 0x80]],
  ])("%j", (text, bytes) => {
    expect([...parseHex(text)]).toEqual(bytes);
  });

  test.each([
    ["1", "half a byte before the end at position 1", 0],
    ["1e 8", "half a byte before the end at position 4", 1],
    ["1 e", 'half a byte before " " at position 1', 0],
    ["0x", "half a byte before the end at position 2", 0],
    ["0x 1e", 'half a byte before " " at position 2', 0],
    ["0x0x1e", '"x" is not a hex digit at position 3', 0],
    ["1e xy", '"x" is not a hex digit at position 3', 1],
    ["1e\u001b0", '"\\\\x1b" is not a hex digit at position 2', 1],
    ["1e-80", '"-" is not a hex digit at position 2', 1],
    ["@0", '"@" is not a hex digit at position 0', 0],
    ["\u01300", '"\u0130" is not a hex digit at position 0', 0],
  ])("%j is refused", (text, why, bytesBefore) => {
    expect(wireErrorOf(() => parseHex(text))?.toJSON()).toEqual({
      code: "bad-hex",
      message: `Cannot read hex: ${why}`,
      bitOffset: bytesBefore * 8,
      path: "",
    });
  });

  test("any bytes come back from any of their writings", () => {
    const separator = fc.constantFrom("", " ", ":", ", ", "\n", " 0x");
    fc.assert(
      fc.property(fc.uint8Array(), separator, fc.boolean(), (bytes, between, upper) => {
        const text = formatHex(bytes, { separator: between });
        expect(parseHex(upper ? text.toUpperCase() : text)).toEqual(bytes);
      }),
    );
  });

  test("long texts are read as their parts", () => {
    // Long ones go another way: where one is refused, so is its part, as far into the text.
    const start = "00 ".repeat(20);
    const digit = fc.constantFrom(..."0123456789abcdefABCDEFxX ,:\t\ngé\u0100");
    const parts = fc.array(digit, { maxLength: 12 }).map((characters) => characters.join(""));
    const outcome = (text: string, before: number): unknown => {
      try {
        return formatHex(parseHex(text).subarray(before / 3));
      } catch (error) {
        const { message } = error as Error;
        return message.replace(/\d+$/, (place) => String(Number(place) - before));
      }
    };
    fc.assert(
      fc.property(parts, (part) => {
        expect(outcome(start + part, start.length)).toBe(outcome(part, 0));
      }),
    );
  });

  test("any text gives bytes or bad-hex", () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."01afFxX ,:g-") }));
    fc.assert(
      fc.property(text, (text) => {
        const code = wireErrorOf(() => parseHex(text))?.code;
        expect(code === undefined || code === "bad-hex").toBe(true);
      }),
    );
  });
});

describe("hexDump", () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, i) => i + 0x38);

  test("shows rows of sixteen, with the ASCII", () => {
    expect(hexDump(bytes).split("\n")).toEqual([
      "00000000  38 39 3a 3b 3c 3d 3e 3f  40 41 42 43 44 45 46 47  89:;<=>?@ABCDEFG",
      "00000010  48 49 4a 4b                                       HIJK",
    ]);
    expect(hexDump(new Uint8Array(0))).toBe("");
    expect(hexDump(Uint8Array.of(0x1f, 0x20, 0x7e, 0x7f, 0xff))).toMatch(/ {2}\. ~\.\.$/);
  });

  test("puts a bar where a field begins", () => {
    const at = (path: string, byteOffset: number, byteLength: number) => ({
      path,
      bitOffset: byteOffset * 8,
      bitLength: byteLength * 8,
      raw: 0,
      shown: "",
    });
    expect(hexDump(bytes, [at("a", 0, 2), at("b", 2, 6), at("c", 8, 10), at("d", 18, 2)]).split("\n")).toEqual([
      "00000000  38 39|3a 3b 3c 3d 3e 3f |40 41 42 43 44 45 46 47  89:;<=>?@ABCDEFG",
      "00000010  48 49|4a 4b                                       HIJK",
    ]);
  });
});
