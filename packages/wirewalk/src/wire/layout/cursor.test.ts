import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteWriter } from "../byte-writer.ts";
import { BitLayoutReader, BitLayoutWriter } from "./cursor.ts";

const binary = (value: number, width: number): string => value.toString(2).padStart(width, "0");

/** Numbers of any width one after another; the wide ones lie in up to five bytes. */
const number = fc
  .oneof(fc.integer({ min: 1, max: 32 }), fc.integer({ min: 23, max: 32 }))
  .chain((width) => fc.tuple(fc.constant(width), fc.integer({ min: 0, max: 2 ** width - 1 })));
const numbers = fc.array(number, { minLength: 1, maxLength: 12 });

describe("bits, most significant first", () => {
  it("are written as their digits say, whatever stands before them", () => {
    fc.assert(
      fc.property(numbers, (run) => {
        const out = new ByteWriter();
        const writer = new BitLayoutWriter(out, "msb");
        for (const [width, value] of run) writer.bits(width, value);
        writer.finish();
        const digits = run.map(([width, value]) => binary(value, width)).join("");
        const padded = digits.padEnd(Math.ceil(digits.length / 8) * 8, "0");
        expect([...out.toBytes()].map((byte) => binary(byte, 8)).join("")).toBe(padded);
      }),
    );
  });

  it("are read as their digits say, to the last bit of the bytes", () => {
    fc.assert(
      fc.property(numbers, (run) => {
        const digits = run.map(([width, value]) => binary(value, width)).join("");
        const padded = digits.padEnd(Math.ceil(digits.length / 8) * 8, "1");
        const bytes = Uint8Array.from(padded.match(/.{8}/g) ?? [], (each) => Number.parseInt(each, 2));
        const reader = new BitLayoutReader(bytes, 0, bytes.length, "msb");
        expect(run.map(([width]) => reader.bits(width))).toEqual(run.map(([, value]) => value));
        expect(reader.remainingBits).toBe(padded.length - digits.length);
        expect(() => reader.bits(reader.remainingBits + 1)).toThrow("needed");
      }),
    );
  });
});
