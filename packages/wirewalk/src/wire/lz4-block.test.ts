import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { withoutStackTraces } from "../testing/inner-loops.ts";
import { scaled, stride } from "../testing/scale.ts";
import {
  decodeLz4Block,
  decodeLz4BlockInto,
  encodeLz4Block,
  encodeLz4BlockInto,
  formatHex,
  lz4BlockBound,
  parseHex,
  Tracer,
  tilingFault,
  traceLz4Block,
  WireError,
} from "./index.ts";
import { wireErrorOf } from "./testing/check-layout.ts";

const LIMIT = 4096;

withoutStackTraces();

/** The format description word by word, for comparison: slow, and the whole output in a list. */
function plainDecode(block: Uint8Array): number[] | undefined {
  const out: number[] = [];
  let at = 0;
  const length = (half: number): number => {
    if (half < 15) return half;
    let value = 15;
    for (let more = 255; more === 255; value += more) more = block[at++] ?? Number.NaN;
    return value;
  };
  for (;;) {
    const token = block[at++];
    if (token === undefined) return undefined;
    const literals = length(token >> 4);
    if (!(at + literals <= block.length)) return undefined;
    out.push(...block.subarray(at, at + literals));
    at += literals;
    if (out.length > LIMIT) return undefined;
    if (at === block.length) return (token & 15) === 0 ? out : undefined;
    const [low = Number.NaN, high = Number.NaN] = block.subarray(at, at + 2);
    at += 2;
    const offset = low + high * 256;
    const match = length(token & 15) + 4;
    if (!(offset > 0 && offset <= out.length && out.length + match <= LIMIT)) return undefined;
    for (let i = 0; i < match; i++) out.push(out[out.length - offset] as number);
  }
}

function checkBlock(block: Uint8Array): void {
  const wanted = plainDecode(block);
  let found: Uint8Array | undefined;
  try {
    found = decodeLz4Block(block, { limit: LIMIT });
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    if (error.bitOffset > block.length * 8) throw new Error(`${formatHex(block)}: the error lies behind the end`);
  }
  if (found?.join() !== wanted?.join()) throw new Error(`${formatHex(block)} gives ${found}, not ${wanted}`);
  const tracer = new Tracer();
  traceLz4Block(tracer, "block", block);
  if (found !== undefined) expect(tilingFault(tracer.fields, block.length)).toBeUndefined();
}

/** Bytes as movement has them: runs, repetitions at a distance, and noise. */
const pieces = fc
  .array(
    fc.oneof(
      fc.tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 400 })).map(([byte, count]) => {
        return new Array<number>(count).fill(byte);
      }),
      fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 200 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

describe("a block", () => {
  it("under 13 bytes is its bytes after one token", () => {
    for (let length = 0; length < 13; length++) {
      const bytes = new Uint8Array(length).fill(7);
      expect(formatHex(encodeLz4Block(bytes), { separator: "" })).toBe(
        (length << 4).toString(16).padStart(2, "0") + "07".repeat(length),
      );
    }
    expect(formatHex(encodeLz4Block(new Uint8Array(13).fill(7)))).toBe("13 07 01 00 50 07 07 07 07 07");
  });

  it("gives back what went in, within its bound", () => {
    fc.assert(
      fc.property(pieces, (bytes) => {
        const block = encodeLz4Block(bytes);
        expect(block.length).toBeLessThanOrEqual(lz4BlockBound(bytes.length));
        expect(decodeLz4Block(block, { limit: bytes.length })).toEqual(bytes);
        expect(plainDecode(block)).toEqual(bytes.length > LIMIT ? undefined : [...bytes]);
      }),
      { numRuns: 500 },
    );
  });

  it("is the same whatever was written before it", () => {
    fc.assert(
      fc.property(pieces, pieces, (bytes, before) => {
        const block = encodeLz4Block(bytes);
        encodeLz4Block(before);
        expect(encodeLz4Block(bytes)).toEqual(block);
      }),
    );
  });

  it("keeps the rules for encoders: five literals at the end, no match in the last twelve bytes", () => {
    fc.assert(
      fc.property(pieces, (bytes) => {
        const tracer = new Tracer();
        const block = encodeLz4Block(bytes);
        traceLz4Block(tracer, "", block);
        const offsets = tracer.fields.filter(({ path }) => path.endsWith(".offset")).length;
        if (offsets === 0) return;
        const last = tracer.fields.at(-1);
        expect(last?.path).toBe(`[${offsets}].literals`);
        expect(last?.bitLength).toBeGreaterThanOrEqual(5 * 8);
        // The last match of four bytes and what follows it.
        const match =
          block[(tracer.fields.findLast(({ path }) => path === `[${offsets - 1}].token`)?.bitOffset ?? 0) / 8];
        if (((match ?? 0) & 15) === 0) expect(last?.bitLength).toBeGreaterThanOrEqual(8 * 8);
      }),
    );
  });

  it("finds matches up to 65,535 bytes back, and none further", () => {
    const noise = Uint8Array.from({ length: 70_000 }, (_, index) => Math.imul(index, 0x9e37_79b1) >>> 24);
    for (const distance of [65_535, 65_536]) {
      const bytes = new Uint8Array(distance + 100);
      const head = Uint8Array.from({ length: 64 }, (_, index) => 200 - index);
      bytes.set(noise.subarray(0, distance));
      bytes.set(head);
      bytes.set(head, distance);
      const block = encodeLz4Block(bytes);
      expect(decodeLz4Block(block, { limit: bytes.length })).toEqual(bytes);
    }
  });

  it("goes far: a mebibyte of one byte", () => {
    const bytes = new Uint8Array(1024 * 1024).fill(1);
    const block = encodeLz4Block(bytes);
    expect(block.length).toBeLessThan(bytes.length / 250);
    expect(decodeLz4Block(block, { limit: bytes.length })).toEqual(bytes);
    expect(wireErrorOf(() => decodeLz4Block(block, { limit: bytes.length - 1 }))?.code).toBe("limit");
  });
});

describe("bytes of a peer", () => {
  it.each([
    ["", "truncated", 0],
    ["20 01", "truncated", 1],
    ["f0", "truncated", 1],
    ["f0 ff ff", "truncated", 3],
    ["10 01 01", "truncated", 2],
    ["1f 01 01 00", "truncated", 4],
    ["10 01 01 00", "truncated", 4],
    ["10 01 00 00", "bad-value", 2],
    ["10 01 02 00", "bad-value", 2],
    ["81 01 02 03 04 05 06 07 08", "bad-value", 0],
  ])("%s is refused as %s at byte %i", (hex, code, at) => {
    expect(wireErrorOf(() => decodeLz4Block(parseHex(hex), { limit: LIMIT }))).toMatchObject({
      code,
      bitOffset: at * 8,
    });
  });

  it("unused bits can be ignored, as the reference does", () => {
    const block = parseHex("8f 01 02 03 04 05 06 07 08");
    expect(decodeLz4Block(block, { limit: 8, unusedBits: "ignore" })).toEqual(parseHex("0102030405060708"));
  });

  const step = stride(7);

  it(`of up to three${step === 1 ? "" : `, each ${step}th third`}, are what the format says, or refused`, () => {
    checkBlock(new Uint8Array(0));
    for (let first = 0; first < 256; first++) {
      checkBlock(Uint8Array.of(first));
      for (let second = 0; second < 256; second++) checkBlock(Uint8Array.of(first, second));
    }
    // What the third byte does not change, the first two have decided: a token of two literals and more needs it alone.
    for (const first of [0x00, 0x01, 0x0f, 0x10, 0x1f, 0x20, 0x21, 0x30, 0xf0, 0xff]) {
      for (let second = 0; second < 256; second++) {
        for (let third = second % step; third < 256; third += step) checkBlock(Uint8Array.of(first, second, third));
      }
    }
  });

  it("damaged or made up, are what the format says, or refused", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), checkBlock), { numRuns: scaled(5000, 300) });
    const damage = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(pieces, fc.array(damage, { minLength: 1, maxLength: 3 }), (bytes, damages) => {
        const block = encodeLz4Block(bytes);
        for (const [at, byte] of damages) block[at % block.length] = byte;
        checkBlock(block);
        for (let length = 0; length < Math.min(block.length, 40); length++) checkBlock(block.subarray(0, length));
      }),
      { numRuns: 500 },
    );
  });

  it("that claim gigabytes are refused before anything is held", () => {
    // 16 MiB of length bytes: a match of 4 GiB.
    const bomb = new Uint8Array(16 * 1024 * 1024).fill(0xff);
    bomb.set([0x1f, 0x00, 0x01, 0x00]);
    bomb[bomb.length - 1] = 0;
    const before = process.memoryUsage().arrayBuffers;
    expect(wireErrorOf(() => decodeLz4Block(bomb, { limit: 1024 * 1024 }))?.code).toBe("limit");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
  });

  it("come out in the caller's memory up to its size, and no byte before or behind", () => {
    const block = Uint8Array.of(9, 9, ...encodeLz4Block(new Uint8Array(40).fill(5)), 9);
    const memory = new Uint8Array(60).fill(1);
    expect(decodeLz4BlockInto(memory.subarray(10, 50), block, 2, block.length - 1)).toBe(40);
    expect(memory).toEqual(Uint8Array.from({ length: 60 }, (_, index) => (index >= 10 && index < 50 ? 5 : 1)));
    expect(wireErrorOf(() => decodeLz4BlockInto(memory.subarray(10, 49), block, 2, block.length - 1))?.code).toBe(
      "limit",
    );
    expect(memory[49]).toBe(5);
    // Errors count from the start of the bytes.
    expect(wireErrorOf(() => decodeLz4BlockInto(memory, block, 2, 2))?.bitOffset).toBe(16);
  });
});

describe("wrong arguments", () => {
  it("are RangeErrors", () => {
    const bytes = new Uint8Array(4);
    expect(() => decodeLz4Block(bytes, { limit: -1 })).toThrow(RangeError);
    expect(() => decodeLz4Block(bytes, { limit: 1.5 })).toThrow(RangeError);
    expect(() => decodeLz4BlockInto(bytes, bytes, 3, 2)).toThrow(RangeError);
    expect(() => decodeLz4BlockInto(bytes, bytes, 0, 5)).toThrow(RangeError);
    expect(() => encodeLz4BlockInto(new Uint8Array(lz4BlockBound(4) - 1), bytes)).toThrow(RangeError);
    expect(encodeLz4BlockInto(new Uint8Array(lz4BlockBound(4) + 3), bytes, 3)).toBe(3 + 5);
  });
});

test("a trace shows tokens, lengths, literals and offsets", () => {
  const tracer = new Tracer();
  traceLz4Block(tracer, "block", encodeLz4Block(new Uint8Array(60).fill(7)));
  expect(tracer.fields.map(({ path, raw, shown }) => [path, raw, shown])).toEqual([
    ["block[0].token", 0x1f, "literals 1, match 19 or more"],
    ["block[0].literals", "07", "07"],
    ["block[0].offset", 1, "1 byte back"],
    ["block[0].matchCount", 35, "54 bytes"],
    ["block[1].token", 0x50, "literals 5, match 4"],
    ["block[1].literals", "0707070707", "0707070707"],
  ]);
});
