/** Revisions of mask blocks as JSON. */
import type { Target } from "../target.ts";
import { src } from "./sources.ts";

export const revisions: Target = {
  name: "osrs revision",
  summary: "a mask revision as JSON: refused by a WireError, or a revision",
  cover: new RegExp(`${src}protocols/osrs/player-info/wire/masks/.*(?<!\\.test)\\.ts$`),
  maxBytes: 900,
  async open() {
    const { parseMaskRevision, revision206 } = await import("wirewalk/osrs/player-info");
    const { attempt } = await import("../../../packages/wirewalk/src/inspect/attempt.ts");
    const text = new TextEncoder();
    const decoder = new TextDecoder();
    const small = {
      name: "small",
      extensions: [128],
      blocks: [{ name: "say", flag: 1, kept: "index", fields: [{ name: "text", type: "string" }] }],
    };
    const words = [
      '"kept":',
      '"index"',
      '"type":',
      '"u8"',
      '"u16"',
      '"flag":',
      '"fields":',
      '"blocks":',
      '"bytes"',
      '"add"',
      "-1",
      "256",
    ];
    const whole = JSON.parse(JSON.stringify(revision206)) as { name: string; extensions: number[]; blocks: object[] };
    return {
      seeds: [
        text.encode(JSON.stringify(small)),
        ...whole.blocks.map((block) => text.encode(JSON.stringify({ ...whole, blocks: [block] }))),
      ],
      words: words.map((word) => text.encode(word)),
      run(input) {
        let json: unknown;
        try {
          json = JSON.parse(decoder.decode(input));
        } catch {
          return;
        }
        attempt(() => parseMaskRevision(json));
      },
    };
  },
};
