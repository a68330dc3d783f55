import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BitReader, ByteReader } from "./index.ts";
import { wireErrorOf } from "./testing/check-layout.ts";

/** Twelve bytes in which neighbouring bits differ irregularly. */
const sample = Uint8Array.of(0xb7, 0x1c, 0x95, 0xe2, 0x03, 0xff, 0x48, 0xd6, 0x7a, 0x00, 0x81, 0x6e);
/** The reference: the same bits as a string. */
const sampleBits = [...sample].map((byte) => byte.toString(2).padStart(8, "0")).join("");

/** A reader at a bit, which it reaches by reading. */
function readerAt(bitOffset: number): BitReader {
  const reader = new BitReader(sample);
  for (let i = 0; i < bitOffset; i++) reader.read(1);
  return reader;
}

test("every width at every offset is the same slice of the string of bits", () => {
  for (let offset = 0; offset <= sampleBits.length; offset++) {
    for (let width = 1; width <= 32; width++) {
      const reader = readerAt(offset);
      const digits = sampleBits.slice(offset, offset + width);
      if (digits.length < width) {
        expect(wireErrorOf(() => reader.read(width))?.code).toBe("truncated");
        expect(reader.bitOffset).toBe(offset);
        continue;
      }
      const unsigned = Number.parseInt(digits, 2);
      const signed = digits.startsWith("1") ? unsigned - 2 ** width : unsigned;
      expect(reader.read(width)).toBe(unsigned);
      expect(reader.bitOffset).toBe(offset + width);
      expect(reader.remainingBits).toBe(sampleBits.length - offset - width);
      expect(readerAt(offset).readSigned(width)).toBe(signed);
    }
  }
});

test("any walk of widths reads the string of bits from left to right", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.array(fc.integer({ min: 1, max: 32 })), (bytes, widths) => {
      const digits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
      const reader = new BitReader(bytes);
      let at = 0;
      for (const width of widths) {
        if (at + width > digits.length) {
          expect(wireErrorOf(() => reader.read(width))?.bitOffset).toBe(at);
          break;
        }
        expect(reader.read(width)).toBe(Number.parseInt(digits.slice(at, at + width), 2));
        at += width;
      }
    }),
  );
});

test("past the end says how many bits were wanted, and where", () => {
  const reader = new BitReader(Uint8Array.of(1, 2));
  reader.read(11);
  expect(wireErrorOf(() => reader.read(6))?.toJSON()).toEqual({
    code: "truncated",
    message: "Cannot read bits: 6 bits needed, 5 left at byte 1 bit 3",
    bitOffset: 11,
    path: "",
  });
});

test("a width out of 1..32 is the caller's error", () => {
  for (const width of [0, -1, 33, 1.5, Number.NaN]) {
    expect(() => readerAt(0).read(width)).toThrow(RangeError);
    expect(() => readerAt(0).readSigned(width)).toThrow(RangeError);
  }
});

describe("bits among bytes", () => {
  test("align goes to the next byte, and tells the bits it passed over", () => {
    const reader = new BitReader(Uint8Array.of(0b1010_0110, 0xff));
    expect(reader.align()).toBe(0);
    expect(reader.byteOffset).toBe(0);
    reader.read(3);
    expect(reader.byteOffset).toBe(1);
    expect(reader.align()).toBe(0b00110);
    expect(reader.bitOffset).toBe(8);
    expect(reader.align()).toBe(0);
    expect(reader.byteOffset).toBe(1);
  });

  test("bits begin at a byte, and bytes go on where the bits end", () => {
    const before = new ByteReader(sample, 2);
    const bits = new BitReader(sample, before.offset, 7);
    expect(bits.bitOffset).toBe(16);
    expect(bits.read(9)).toBe(Number.parseInt(sampleBits.slice(16, 25), 2));
    bits.align();
    expect(new ByteReader(sample, bits.byteOffset).u8()).toBe(sample[4]);
    bits.read(24);
    expect(wireErrorOf(() => bits.read(1))?.bitOffset).toBe(56);
  });

  test("start and end must lie in order within the bytes", () => {
    for (const [start, end] of [
      [-1, 2],
      [0, 13],
      [3, 2],
      [0.5, 2],
    ] as const) {
      expect(() => new BitReader(sample, start, end)).toThrow(RangeError);
    }
  });
});
