import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteReader, encodeLatin1 } from "./index.ts";
import { wireErrorOf } from "./testing/check-layout.ts";
import { integerKinds, integerOf } from "./testing/numbers.ts";

const of = (...bytes: number[]): ByteReader => new ByteReader(Uint8Array.from(bytes));

describe.each(integerKinds)("$verb", (kind) => {
  test("is what plain arithmetic says, at any offset", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: kind.size, maxLength: kind.size }), fc.nat(9), (bytes, before) => {
        const reader = new ByteReader(Uint8Array.of(...new Uint8Array(before), ...bytes, 0xff), before);
        expect(reader[kind.verb]()).toBe(integerOf(bytes, kind));
        expect(reader.offset).toBe(before + kind.size);
        expect(reader.remaining).toBe(1);
      }),
    );
  });

  test("reads its extremes", () => {
    const bytes = (value: number): Uint8Array => {
      const big = Array.from({ length: kind.size }, (_, i) => Math.floor(value / 256 ** i) & 0xff);
      return Uint8Array.from(kind.littleEndian ? big : big.reverse());
    };
    for (const value of [kind.min, kind.min + 1, -1, 0, 1, kind.max - 1, kind.max]) {
      if (value >= kind.min) expect(new ByteReader(bytes(value))[kind.verb]()).toBe(value);
    }
  });

  test("with too few bytes is refused and consumes nothing", () => {
    for (let length = 0; length < kind.size; length++) {
      const reader = new ByteReader(new Uint8Array(length + 2), 2);
      const needed = kind.size === 1 ? "1 byte" : `${kind.size} bytes`;
      expect(wireErrorOf(() => reader[kind.verb]())?.toJSON()).toEqual({
        code: "truncated",
        message: `Cannot read ${kind.verb}: ${needed} needed, ${length} left at byte 2`,
        bitOffset: 16,
        path: "",
      });
      expect(reader.offset).toBe(2);
    }
  });
});

test("u64le", () => {
  expect(of(1, 2, 3, 4, 5, 6, 7, 0xf8).u64le()).toBe(0xf807060504030201n);
  expect(of(255, 255, 255, 255, 255, 255, 255, 255).u64le()).toBe(0xffff_ffff_ffff_ffffn);
  expect(wireErrorOf(() => of(1, 2, 3, 4, 5, 6, 7).u64le())?.code).toBe("truncated");
});

test("f32 reads what a DataView reads", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      expect(new ByteReader(bytes).f32le()).toBe(view.getFloat32(0, true));
      expect(new ByteReader(bytes).f32be()).toBe(view.getFloat32(0, false));
    }),
  );
  expect(wireErrorOf(() => of(1, 2, 3).f32le())?.code).toBe("truncated");
  expect(wireErrorOf(() => of(1, 2, 3).f32be())?.code).toBe("truncated");
});

describe("runs of bytes", () => {
  test("bytes is a copy, view shares, skip passes", () => {
    const input = Uint8Array.of(1, 2, 3, 4, 5);
    const reader = new ByteReader(input);
    const copy = reader.bytes(2);
    const view = reader.view(2);
    input.fill(9);
    expect([...copy]).toEqual([1, 2]);
    expect([...view]).toEqual([9, 9]);
    reader.skip(1);
    expect(reader.remaining).toBe(0);
    expect([...reader.bytes(0)]).toEqual([]);
  });

  test.each(["bytes", "view", "skip"] as const)("%s refuses more than is left, and counts that are none", (verb) => {
    const reader = of(1, 2);
    expect(wireErrorOf(() => reader[verb](3))?.message).toBe("Cannot read bytes: 3 bytes needed, 2 left at byte 0");
    for (const count of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => reader[verb](count)).toThrow(RangeError);
    }
    expect(reader.offset).toBe(0);
  });

  test("a copy from a larger buffer is right-sized", () => {
    expect(of(1, 2, 3).bytes(2).buffer.byteLength).toBe(2);
  });
});

test("peekU8 consumes nothing", () => {
  const reader = of(7);
  expect(reader.peekU8()).toBe(7);
  expect(reader.u8()).toBe(7);
  expect(wireErrorOf(() => reader.peekU8())?.code).toBe("truncated");
});

describe("cstring", () => {
  test("ends at its zero", () => {
    const reader = new ByteReader(encodeLatin1("caf\xe9\0\0x"));
    expect(reader.cstring(4)).toBe("caf\xe9");
    expect(reader.cstring(0)).toBe("");
    expect(reader.offset).toBe(6);
  });

  test("without a zero is truncated, over its limit is over its limit, and consumes nothing", () => {
    const reader = new ByteReader(encodeLatin1("abcd"));
    expect(wireErrorOf(() => reader.cstring(4))?.code).toBe("truncated");
    expect(wireErrorOf(() => reader.cstring(9))?.code).toBe("truncated");
    expect(wireErrorOf(() => reader.cstring(3))?.code).toBe("limit");
    expect(wireErrorOf(() => new ByteReader(encodeLatin1("abcd\0")).cstring(3))?.code).toBe("limit");
    expect(reader.offset).toBe(0);
  });

  test("does not look past the reader's end", () => {
    expect(wireErrorOf(() => new ByteReader(encodeLatin1("ab\0"), 0, 2).cstring(9))?.code).toBe("truncated");
  });
});

describe("the reader's bounds", () => {
  test("reading stops at end, not at the end of the memory", () => {
    const reader = new ByteReader(Uint8Array.of(1, 2, 3, 4), 1, 3);
    expect(reader.u16be()).toBe(0x0203);
    expect(wireErrorOf(() => reader.u8())?.bitOffset).toBe(24);
    reader.expectEnd();
  });

  test("expectEnd refuses what is left", () => {
    const error = wireErrorOf(() => of(1).expectEnd());
    expect(error?.code).toBe("trailing");
    expect(error?.message).toBe("Cannot read end of message: 1 byte left at byte 0");
  });

  test("must lie in order within the bytes", () => {
    for (const [start, end] of [
      [-1, 2],
      [0, 5],
      [3, 2],
      [0.5, 2],
      [0, Number.NaN],
    ] as const) {
      expect(() => new ByteReader(new Uint8Array(4), start, end)).toThrow(RangeError);
    }
  });
});
