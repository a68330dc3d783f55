import { randomBytes } from "node:crypto";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { inflateRaw } from "./inflate.ts";
import { WireError } from "./wire-error.ts";

const limit = 1 << 20;

/** Bytes of several kinds: text, long runs, noise, few symbols. */
const samples: readonly (readonly [string, Uint8Array])[] = [
  ["nothing", new Uint8Array()],
  ["one byte", Uint8Array.of(7)],
  ["a run", new Uint8Array(70_000).fill(9)],
  ["text", new TextEncoder().encode('<int name="x1" value="-1224"/>\n'.repeat(900))],
  ["noise", randomBytes(40_000)],
  ["two symbols", randomBytes(5000).map((byte) => byte & 1)],
  ["lines of numbers", new TextEncoder().encode(Array.from({ length: 4000 }, (_, i) => `${i * i}`).join("\n"))],
  ["long codes", Uint8Array.from({ length: 60_000 }, (_, i) => Math.clz32((i * 2_654_435_761) >>> 0) * 7)],
];

test.each(samples)("reads what zlib packs: %s", (_, bytes) => {
  for (const level of [0, 1, 6, 9]) {
    for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY]) {
      const packed = deflateRawSync(bytes, { level, strategy });
      expect(Buffer.compare(inflateRaw(packed, { limit: bytes.length }), bytes)).toBe(0);
    }
  }
});

test("every beginning of a block is refused as cut", () => {
  const packed = deflateRawSync(new TextEncoder().encode("foothold ladderRope portal foothold ladderRope"));
  for (let length = 0; length < packed.length; length++) {
    expect(() => inflateRaw(packed.subarray(0, length), { limit })).toThrow(/it ends early at byte/);
  }
});

test("a block that gives more than its limit is refused before it does", () => {
  const bomb = deflateRawSync(new Uint8Array(10_000_000));
  expect(() => inflateRaw(bomb, { limit: 1000 })).toThrow("Cannot read block: more than 1000 bytes come out");
});

test("bytes after the end are refused", () => {
  const packed = deflateRawSync(new Uint8Array(3));
  expect(() => inflateRaw(Uint8Array.of(...packed, 0), { limit })).toThrow("bytes after its end");
});

test.each([
  ["07", "kind 3 of a block"],
  ["01 05 00 fa fe", "length 5 and its complement 65274"],
  ["fd ff ff ff ff", "288 codes of literals and 32 of distances"],
  ["03 02 00", "a match 1 bytes back, 0 are there"],
])("%s is refused: %s", (hex, why) => {
  const bytes = Uint8Array.from(hex.split(" "), (byte) => Number.parseInt(byte, 16));
  expect(() => inflateRaw(bytes, { limit })).toThrow(`Cannot read block: ${why} at byte`);
});

test("damaged blocks are read as zlib reads them, or refused as zlib refuses them", () => {
  let state = 1951;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % bound;
  };
  const blocks = [3, 5, 6].map((at) => deflateRawSync(samples[at]?.[1].subarray(0, 3000) as Uint8Array));
  let read = 0;
  for (let round = 0; round < 3000; round++) {
    const bytes = Uint8Array.from(blocks[below(blocks.length)] as Uint8Array);
    for (let change = below(3); change >= 0; change--) {
      bytes[below(bytes.length)] = below(256);
    }
    const [ours, theirs] = [attempt(() => inflateRaw(bytes, { limit })), attempt(() => inflateRawSync(bytes))];
    // zlib does not look at bytes after the end.
    if (ours.error instanceof WireError && ours.error.code === "trailing") continue;
    expect(ours.error ?? new WireError("bad-value", "", 0)).toBeInstanceOf(WireError);
    expect([round, ours.bytes?.length]).toEqual([round, theirs.bytes?.length]);
    if (ours.bytes === undefined || theirs.bytes === undefined) continue;
    expect(Buffer.compare(ours.bytes, theirs.bytes)).toBe(0);
    read += 1;
  }
  expect(read).toBeGreaterThan(100);
});

function attempt(read: () => Uint8Array): { bytes?: Uint8Array; error?: unknown } {
  try {
    return { bytes: read() };
  } catch (error) {
    return { error };
  }
}
