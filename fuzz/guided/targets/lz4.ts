/** Compressed blocks, beside another implementation. */
import { createRequire } from "node:module";
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

/** As much of lz4js as is used here: it has no types of its own. */
interface Lz4js {
  decompressBlock(from: Uint8Array, to: Uint8Array, start: number, length: number, at: number): number;
  compressBlock(from: Uint8Array, to: Uint8Array, start: number, length: number, table: Uint32Array): number;
}

const HASH_TABLE_WORDS = 1 << 16;
const GUARD_BYTES = 16;

/** The first byte says how many bytes may come out; the second where the block stands, and how often its bytes are repeated. */
export const lz4: Target = {
  name: "lz4",
  summary: "a block: refused by a WireError, or read as lz4js reads it; its bytes compressed by both and read by both",
  cover: new RegExp(`${src}wire/(?:lz4|byte|trace).*(?<!\\.test)\\.ts$`),
  maxBytes: 600,
  async open() {
    const {
      decodeLz4Block,
      decodeLz4BlockInto,
      encodeLz4Block,
      encodeLz4BlockInto,
      lz4BlockBound,
      lz4EndFault,
      Tracer,
      traceLz4Block,
      tilingFault,
    } = await import("wirewalk/wire");
    const { attempt } = await import("../../../packages/wirewalk/src/inspect/attempt.ts");
    const lz4js = createRequire(import.meta.url)("lz4js") as Lz4js;
    const table = new Uint32Array(HASH_TABLE_WORDS);
    const mustBeEqual = (what: string, a: Uint8Array, b: Uint8Array): void => {
      if (Buffer.compare(a, b) !== 0) throw new Error(`${what}: ${a.length} bytes, and ${b.length} others`);
    };
    const run: Run = (input) => {
      const [size = 0, option = 0] = input;
      const limit = size * 64;
      const unusedBits = size % 2 === 0 ? "refuse" : "ignore";
      const block = input.subarray(2);
      const decoded = attempt(() => ({ bytes: decodeLz4Block(block, { limit, unusedBits }) }));
      if (decoded.error !== undefined) return;
      const { bytes } = decoded;
      const output = new Uint8Array(bytes.length + GUARD_BYTES);
      const count = decodeLz4BlockInto(output.subarray(0, bytes.length), input, 2, input.length, unusedBits);
      mustBeEqual("into memory", output.subarray(0, count), bytes);
      if (unusedBits === "refuse") {
        const whole = decodeLz4BlockInto(output.subarray(0, bytes.length), block);
        mustBeEqual("all of it into memory", output.subarray(0, whole), bytes);
      }
      const other = new Uint8Array(bytes.length + GUARD_BYTES);
      const otherCount = lz4js.decompressBlock(block, other, 0, block.length, 0);
      mustBeEqual("read by lz4js", other.subarray(0, otherCount), bytes);
      const times = 1 + (option & 3);
      const many = new Uint8Array(bytes.length * times);
      for (let time = 0; time < times; time++) many.set(bytes, time * bytes.length);
      const packed = encodeLz4Block(many);
      mustBeEqual("compressed", decodeLz4Block(packed, { limit: many.length }), many);
      const fault = lz4EndFault(packed);
      if (fault !== undefined) throw new Error(`What we pack breaks the format: ${fault}`);
      lz4EndFault(input, 2);
    };
    const check: Run = (input) => {
      const [, option = 0] = input;
      const block = input.subarray(2);
      const tracer = new Tracer();
      const traced = attempt(() => {
        traceLz4Block(tracer, "block", block);
        return {};
      });
      const read = attempt(() => ({ bytes: decodeLz4Block(block, { limit: 1 << 20, unusedBits: "ignore" }) }));
      const fault =
        read.error === undefined && traced.error === undefined ? tilingFault(tracer.fields, block.length) : undefined;
      if (fault !== undefined) throw new Error(`The trace of a block: ${fault}`);
      if (read.error !== undefined) return;
      // What is raw is compressed by both, and read by the other.
      const raw = option < 128 ? read.bytes : block;
      const to = new Uint8Array(lz4BlockBound(raw.length) + GUARD_BYTES);
      table.fill(0);
      const packedLength = lz4js.compressBlock(raw, to, 0, raw.length, table);
      // 0: lz4js found nothing to shorten.
      if (packedLength > 0)
        mustBeEqual("of lz4js", decodeLz4Block(to.slice(0, packedLength), { limit: raw.length }), raw);
      const start = option & 7;
      const own = encodeLz4BlockInto(to, raw, start);
      const back = new Uint8Array(raw.length + GUARD_BYTES);
      const length = lz4js.decompressBlock(to, back, start, own - start, 0);
      mustBeEqual("ours, read by lz4js", back.subarray(0, length), raw);
    };
    const texts = ["", "a", "abcabcabcabcabcabcabc", "x".repeat(300), "the quick brown fox jumps over the lazy dog"];
    const seeds = texts.map((text, at) => Uint8Array.of(8, at, ...encodeLz4Block(new TextEncoder().encode(text))));
    // More than the memory that is kept: read in rounds.
    seeds.push(Uint8Array.of(255, 0, ...encodeLz4Block(new Uint8Array(255 * 64))));
    return { run, check, seeds };
  },
};
