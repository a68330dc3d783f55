import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cursorOf, put, putBytes, ReadCursor, take, takeBytes, WriteCursor, written } from "./cursor.ts";

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
        const cursor = new WriteCursor();
        for (const [width, value] of run) put(cursor, width, value);
        const digits = run.map(([width, value]) => binary(value, width)).join("");
        const padded = digits.padEnd(Math.ceil(digits.length / 8) * 8, "0");
        expect([...written(cursor)].map((byte) => binary(byte, 8)).join("")).toBe(padded);
      }),
    );
  });

  it("are read as their digits say, to the last bit of the bytes", () => {
    fc.assert(
      fc.property(numbers, (run) => {
        const digits = run.map(([width, value]) => binary(value, width)).join("");
        const padded = digits.padEnd(Math.ceil(digits.length / 8) * 8, "1");
        const bytes = Uint8Array.from(padded.match(/.{8}/g) ?? [], (each) => Number.parseInt(each, 2));
        const cursor = cursorOf(bytes);
        expect(run.map(([width]) => take(cursor, width, "bits"))).toEqual(run.map(([, value]) => value));
        expect(cursor.end - cursor.at).toBe(padded.length - digits.length);
        expect(() => take(cursor, cursor.end - cursor.at + 1, "bits")).toThrow("needed");
      }),
    );
  });

  it("may have bytes between them, at any bit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 15 }), fc.uint8Array({ maxLength: 100 }), (width, bytes) => {
        const out = new WriteCursor();
        put(out, width, 1);
        putBytes(out, bytes);
        put(out, width, 1);
        const cursor = cursorOf(written(out));
        expect(take(cursor, width, "bits")).toBe(1);
        expect(takeBytes(cursor, bytes.length)).toEqual(bytes);
        expect(take(cursor, width, "bits")).toBe(1);
      }),
    );
  });
});

describe("bits, least significant first", () => {
  it("fill each byte from its low end", () => {
    const out = new WriteCursor();
    out.isLowFirst = true;
    put(out, 3, 5);
    put(out, 5, 1);
    put(out, 8, 0x21);
    expect([...written(out)]).toEqual([0b00001_101, 0x21]);
    const cursor = new ReadCursor(written(out), 0, 16, 16, "lsb");
    expect([3, 5, 8].map((width) => take(cursor, width, "bits"))).toEqual([5, 1, 0x21]);
  });
});
