import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BitReader, BitWriter } from "./index.ts";

/** A width and a value that fits it. */
const piece = fc
  .integer({ min: 1, max: 32 })
  .chain((width) => fc.record({ width: fc.constant(width), value: fc.integer({ min: 0, max: 2 ** width - 1 }) }));

test("any pieces are their digits side by side, filled up with zeros", () => {
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const writer = new BitWriter(0);
      for (const { width, value } of pieces) writer.write(width, value);
      const digits = pieces.map(({ width, value }) => value.toString(2).padStart(width, "0")).join("");
      expect(writer.bitOffset).toBe(digits.length);
      const written = [...writer.toBytes()].map((byte) => byte.toString(2).padStart(8, "0")).join("");
      expect(written).toBe(digits.padEnd(Math.ceil(digits.length / 8) * 8, "0"));
    }),
  );
});

test("every width at every offset in a byte round-trips its extremes, over memory that was full of ones", () => {
  const writer = new BitWriter(8);
  for (let before = 0; before < 8; before++) {
    for (let width = 1; width <= 32; width++) {
      const half = 2 ** (width - 1);
      for (const value of [-half, -1, 0, half - 1]) {
        writer.reset();
        writer.write(32, 0xffff_ffff);
        writer.write(32, 0xffff_ffff);
        writer.reset();
        if (before > 0) writer.write(before, 1);
        if (value >= -half && value < half) writer.writeSigned(width, value);
        const reader = new BitReader(writer.toBytes());
        if (before > 0) expect(reader.read(before)).toBe(1);
        expect(reader.readSigned(width)).toBe(value);
        expect(reader.align()).toBe(0);
      }
    }
  }
});

test("refuses widths and values out of range, and writes nothing", () => {
  const writer = new BitWriter();
  writer.write(3, 5);
  for (const width of [0, 33, 1.5, Number.NaN]) expect(() => writer.write(width, 0)).toThrow(RangeError);
  for (const value of [-1, 8, 0.5, Number.NaN]) {
    expect(() => writer.write(3, value)).toThrow(new RangeError(`3 bits must be an integer in 0..7, got ${value}`));
  }
  for (const value of [-5, 4, 0.5]) expect(() => writer.writeSigned(3, value)).toThrow(RangeError);
  expect(() => writer.write(32, 2 ** 32)).toThrow(RangeError);
  expect(() => writer.write(3, "1" as unknown as number)).toThrow(TypeError);
  expect(writer.bitOffset).toBe(3);
  expect([...writer.toBytes()]).toEqual([0b1010_0000]);
});

describe("bits among bytes", () => {
  test("bytes follow at a byte boundary only", () => {
    const writer = new BitWriter(1);
    writer.write(1, 1);
    expect(() => writer.bytes(Uint8Array.of(9))).toThrow(RangeError);
    writer.align();
    writer.align();
    writer.bytes(Uint8Array.of(9, 8));
    expect(writer.byteOffset).toBe(3);
    expect([...writer.toBytes()]).toEqual([0x80, 9, 8]);
    expect([...writer.view()]).toEqual([0x80, 9, 8]);
  });

  test("grows up to its limit, exactly", () => {
    const writer = new BitWriter(1, 2);
    writer.write(16, 0xffff);
    expect(() => writer.write(1, 0)).toThrow(new RangeError("message must be at most 2 bytes, got 3"));
    expect(() => writer.bytes(Uint8Array.of(1))).toThrow(RangeError);
    expect(writer.bitOffset).toBe(16);
    expect(() => new BitWriter(1, 2 ** 28)).toThrow(RangeError);
  });
});
