import { constants, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "wirewalk/motion";
import { scaled } from "../../../wirewalk/src/testing/scale.ts";
import { zstdDecompress } from "./zstd.ts";

const random = createRandom(3);
const bytesOf = (length: number, byte: (at: number) => number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => byte(at));
const words = ["walk", "jump", "path", "tile ", "fragment", "\n", "x=", "{", "}"];
const text = (length: number): Uint8Array =>
  new TextEncoder().encode(
    Array.from({ length }, () => random.pick(words) + (random.chance(0.3) ? random.integer(0, 99) : "")).join(""),
  );

const compress = (bytes: Uint8Array, level: number, checksum = 0): Uint8Array =>
  // A copy: slices of a `Buffer` share its bytes.
  new Uint8Array(
    zstdCompressSync(bytes, {
      params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: checksum },
    }),
  );
/** Compared as buffers: tests of megabytes. */
const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

describe("what zstd of Node compresses is decompressed", () => {
  const large = scaled(400_000, 20_000);
  test.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array(0)],
    ["one byte", Uint8Array.of(7)],
    ["one byte again and again", new Uint8Array(large).fill(9)],
    ["random bytes", bytesOf(5000, () => random.integer(0, 255))],
    ["few kinds of bytes", bytesOf(10_000, () => random.integer(0, 5) ** 2)],
    ["a short text", text(40)],
    ["a long text, in several blocks", text(scaled(100_000, 20_000))],
    [
      "records with counters",
      bytesOf(large, (at) => (at % 11 === 0 ? 3 : at % 11 < 4 ? at >> 6 : random.integer(0, 3))),
    ],
    [
      "a far copy",
      new Uint8Array(Buffer.concat([text(3000), bytesOf(scaled(140_000, 70_000), (at) => at * at), text(3000)])),
    ],
  ])("%s", (_, bytes) => {
    for (const level of [-5, 1, 3, 9, 19]) {
      expect(isSame(zstdDecompress(compress(bytes, level), bytes.length), bytes), `level ${level}`).toBe(true);
    }
    expect(isSame(zstdDecompress(compress(bytes, 3, 1), bytes.length), bytes)).toBe(true);
  });

  test("any bytes, and several frames, with others between them that are skipped", () => {
    const part = fc.array(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(text(30), new Uint8Array(50))), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(part, fc.integer({ min: 1, max: 19 }), (parts, level) => {
        const bytes = new Uint8Array(Buffer.concat(parts));
        const skipped = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2);
        const frames = new Uint8Array(Buffer.concat([compress(bytes, level), skipped, compress(bytes, level)]));
        const twice = zstdDecompress(frames, bytes.length * 2);
        expect(isSame(twice, new Uint8Array(Buffer.concat([bytes, bytes])))).toBe(true);
      }),
      { numRuns: scaled(300, 10) },
    );
  });
});

describe("bytes that are damaged", () => {
  const bytes = text(150);
  const frame = compress(bytes, 9);

  test("cut anywhere are refused", () => {
    for (let length = 1; length < frame.length; length++) {
      expect(() => zstdDecompress(frame.subarray(0, length), bytes.length)).toThrow(RangeError);
    }
  });

  test("with any bit changed are refused, or give as many bytes", () => {
    for (let bit = 0; bit < frame.length * 8; bit += scaled(1, 31)) {
      const damaged = frame.slice();
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
      try {
        expect(zstdDecompress(damaged, bytes.length)).toHaveLength(bytes.length);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
      }
    }
  });

  test.each<[string, Uint8Array, number, string]>([
    ["of another size", frame, 5, "the frames of zstd hold more than 5 bytes"],
    ["of fewer bytes", frame, 90_000, "expected 90000"],
    ["of another format", Uint8Array.of(1, 2, 3, 4), 4, "do not begin as a frame of zstd"],
    ["with a dictionary", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x21, 5, 0), 4, "needs dictionary 5"],
  ])("%s are named", (_, given, size, why) => {
    expect(() => zstdDecompress(given, size)).toThrow(why);
  });
});
