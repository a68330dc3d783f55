/** Compressed blocks. */
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

export const lz4: Target = {
  name: "lz4",
  summary: "a block: refused by a WireError, or its bytes are compressed and read again as they were",
  cover: new RegExp(`${src}wire/(?:lz4|byte|trace).*(?<!\\.test)\\.ts$`),
  maxBytes: 600,
  async open() {
    const { decodeLz4Block, encodeLz4Block, Tracer, traceLz4Block } = await import("wirewalk/wire");
    const { attempt } = await import("../../../packages/wirewalk/src/inspect/attempt.ts");
    const run: Run = (input) => {
      const limit = (input[0] ?? 0) * 64;
      const unusedBits = (input[0] ?? 0) % 2 === 0 ? "refuse" : "ignore";
      const block = input.subarray(1);
      attempt(() => {
        traceLz4Block(new Tracer(), "block", block);
        return {};
      });
      const decoded = attempt(() => ({ bytes: decodeLz4Block(block, { limit, unusedBits }) }));
      if (decoded.error !== undefined) return;
      const { bytes } = decoded;
      const again = decodeLz4Block(encodeLz4Block(bytes), { limit });
      if (Buffer.compare(again, bytes) !== 0)
        throw new Error(`${bytes.length} bytes come back as ${again.length} others`);
    };
    const texts = ["", "a", "abcabcabcabcabcabcabc", "x".repeat(300), "the quick brown fox jumps over the lazy dog"];
    const seeds = texts.map((text) => Uint8Array.of(8, ...encodeLz4Block(new TextEncoder().encode(text))));
    return { run, seeds };
  },
};
