import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteReader, ByteWriter } from "./index.ts";
import { integerKinds } from "./testing/numbers.ts";

/** A writer in use, so that a refused write can be seen to write nothing. */
function used(): ByteWriter {
  const writer = new ByteWriter();
  writer.u8(7);
  return writer;
}

describe.each(integerKinds)("$verb", ({ verb, size, min, max }) => {
  test("any value in range round-trips", () => {
    fc.assert(
      fc.property(fc.integer({ min, max }), (value) => {
        const writer = new ByteWriter(0);
        writer[verb](value);
        expect(writer.length).toBe(size);
        expect(new ByteReader(writer.toBytes())[verb]()).toBe(value);
      }),
    );
    for (const value of [min, max, 0]) {
      const writer = new ByteWriter();
      writer[verb](value);
      expect(new ByteReader(writer.view())[verb]()).toBe(value);
    }
  });

  test("refuses what is not an integer in range, and writes nothing", () => {
    const writer = used();
    for (const value of [min - 1, max + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => writer[verb](value)).toThrow(
        new RangeError(`${verb} must be an integer in ${min}..${max}, got ${value}`),
      );
    }
    for (const value of [undefined, null, "5", true, {}]) {
      expect(() => writer[verb](value as unknown as number)).toThrow(TypeError);
    }
    expect([...writer.toBytes()]).toEqual([7]);
  });
});

test("u64le", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }), (value) => {
      const writer = new ByteWriter();
      writer.u64le(value);
      expect(new ByteReader(writer.view()).u64le()).toBe(value);
    }),
  );
  const writer = used();
  expect(() => writer.u64le(-1n)).toThrow(new RangeError("u64le must be in 0..18446744073709551615, got -1"));
  expect(() => writer.u64le(0x1_0000_0000_0000_0000n)).toThrow(RangeError);
  expect(() => writer.u64le(5 as unknown as bigint)).toThrow(TypeError);
  expect(writer.length).toBe(1);
});

test.each(["f32le", "f32be"] as const)("%s rounds to the nearest float", (verb) => {
  fc.assert(
    fc.property(fc.double(), (value) => {
      const writer = new ByteWriter();
      writer[verb](value);
      expect(new ByteReader(writer.view())[verb]()).toBe(Math.fround(value));
    }),
  );
  expect(() => used()[verb]("1" as unknown as number)).toThrow(TypeError);
});

test("byte order, as the documents print it", () => {
  const writer = new ByteWriter();
  writer.u16be(0x0102);
  writer.u16le(0x0102);
  writer.u32be(0x01020304);
  writer.u32le(0x01020304);
  writer.f32be(1);
  writer.u64le(0x0102030405060708n);
  expect([...writer.toBytes()]).toEqual(
    [
      [1, 2],
      [2, 1],
      [1, 2, 3, 4],
      [4, 3, 2, 1],
      [0x3f, 0x80, 0, 0],
      [8, 7, 6, 5, 4, 3, 2, 1],
    ].flat(),
  );
});

test("bytes, skip and cstring", () => {
  const writer = new ByteWriter(1);
  writer.bytes(Uint8Array.of(1, 2));
  writer.skip(2);
  writer.cstring("h\xe9", 2);
  expect([...writer.toBytes()]).toEqual([1, 2, 0, 0, 0x68, 0xe9, 0]);
  expect(() => writer.cstring("abc", 2)).toThrow(new RangeError("cstring must have at most 2 characters, got 3"));
  expect(() => writer.cstring("a\0", 2)).toThrow(RangeError);
  expect(() => writer.cstring("\u0100", 2)).toThrow(RangeError);
  expect(() => writer.cstring(1 as unknown as string, 2)).toThrow(TypeError);
  expect(() => writer.bytes([1] as unknown as Uint8Array)).toThrow(TypeError);
  expect(() => writer.skip(-1)).toThrow(RangeError);
  expect(writer.length).toBe(7);
});

test.each([3, 96, 97, 500])("the first %d bytes are written, and copied into other memory", (count) => {
  const source = Uint8Array.from({ length: 500 }, (_, index) => index);
  const writer = used();
  writer.bytes(source, count);
  const target = new Uint8Array(600).fill(9);
  writer.copyTo(target);
  expect([...target.subarray(0, count + 2)]).toEqual([7, ...source.subarray(0, count), 9]);
  for (const wrong of [501, -1, 0.5]) expect(() => writer.bytes(source, wrong)).toThrow(RangeError);
  expect(() => writer.copyTo(new Uint8Array(count))).toThrow(RangeError);
  expect(writer.length).toBe(count + 1);
});

test("a message may hold part of itself: bytes of its own view, while its memory is replaced", () => {
  const writer = new ByteWriter(2);
  writer.bytes(Uint8Array.of(1, 2));
  writer.bytes(writer.view());
  expect([...writer.toBytes()]).toEqual([1, 2, 1, 2]);
});

describe("memory", () => {
  test("reset starts again and leaves nothing of the message before", () => {
    const writer = new ByteWriter();
    writer.u32be(0xffff_ffff);
    writer.reset();
    writer.skip(2);
    writer.u8(1);
    expect([...writer.toBytes()]).toEqual([0, 0, 1]);
  });

  test("toBytes is a right-sized copy, view is not a copy", () => {
    const writer = used();
    const copy = writer.toBytes();
    const view = writer.view();
    writer.reset();
    writer.u8(9);
    expect(copy.buffer.byteLength).toBe(1);
    expect([...copy]).toEqual([7]);
    expect([...view]).toEqual([9]);
  });

  test("grows up to its limit, exactly", () => {
    const writer = new ByteWriter(1, 5);
    for (let i = 0; i < 5; i++) writer.u8(i);
    expect(() => writer.u8(5)).toThrow(new RangeError("message must be at most 5 bytes, got 6"));
    expect([...writer.toBytes()]).toEqual([0, 1, 2, 3, 4]);
    expect(() => new ByteWriter(1, 3).u32le(0)).toThrow(RangeError);
    expect(() => new ByteWriter(1, -1)).toThrow(RangeError);
  });
});
