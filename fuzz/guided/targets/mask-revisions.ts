/** Revisions of mask blocks as JSON. */
import type { Target } from "../target.ts";
import { changeValue } from "./change-value.ts";
import { src } from "./sources.ts";

export const revisions: Target = {
  name: "osrs revision",
  summary:
    "a mask revision as text, or one with changed members: refused by a WireError, or a revision that blocks are read by",
  cover: new RegExp(`${src}protocols/osrs/player-info/wire/masks/.*(?<!\\.test)\\.ts$`),
  maxBytes: 900,
  async open() {
    const { namedRevisions, parseMaskRevision, revision206 } = await import("wirewalk/osrs/player-info");
    const { decode } = await import("wirewalk/wire");
    const { blockLayout } = await import(
      "../../../packages/wirewalk/src/protocols/osrs/player-info/wire/masks/block-layout.ts"
    );
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
      '"constructor"',
      '"toString"',
      '"__proto__"',
    ];
    const whole = JSON.parse(JSON.stringify(revision206)) as { name: string; extensions: number[]; blocks: object[] };
    const full = {
      name: "full",
      extensions: [64, 0x4000],
      blocks: [
        {
          name: "moveSpeed",
          flag: 1,
          kept: "index",
          initial: { speed: 1 },
          fields: [
            {
              name: "speed",
              type: "i8",
              transform: "neg",
              doc: "d",
              unit: "u",
              words: [{ from: 1, to: 2, text: "t", digits: 1 }],
            },
          ],
        },
        {
          name: "hits",
          flag: 2,
          late: "drop",
          perObserver: true,
          fields: [{ name: "list", type: "hits", count: "+128" }],
        },
        {
          name: "appearance",
          flag: 0x10000,
          kept: "player",
          fields: [{ name: "look", type: "bytes", reversed: true }],
        },
        { name: "wide", flag: 4, kept: "standing", fields: [{ name: "at", type: "i32", order: "LE" }] },
      ],
    };
    const bases = [small, full, whole, JSON.parse(JSON.stringify(namedRevisions[240])) as object];
    /** A first byte under 32 is no text: then the other bytes change a revision. */
    const jsonOf = (input: Uint8Array): unknown => {
      const [first = 0] = input;
      if (first >= 32) {
        try {
          return JSON.parse(decoder.decode(input));
        } catch {
          return undefined;
        }
      }
      const changed = { value: structuredClone(bases[first % bases.length]) as unknown };
      changeValue(changed, input.subarray(1), true);
      return changed.value;
    };
    return {
      seeds: [
        ...bases.flatMap((_, first) =>
          Array.from({ length: 80 }, (__, at) => Uint8Array.of(first, at, at * 3, at * 7)),
        ),
        text.encode(JSON.stringify(small)),
        ...whole.blocks.map((block) => text.encode(JSON.stringify({ ...whole, blocks: [block] }))),
      ],
      words: words.map((word) => text.encode(word)),
      run(input) {
        const revision = attempt(() => parseMaskRevision(jsonOf(input)));
        if (revision.error !== undefined) return;
        for (const block of revision.blocks) attempt(() => decode(blockLayout(block), input) as object);
        const again = parseMaskRevision(JSON.parse(JSON.stringify(revision)));
        if (JSON.stringify(again) !== JSON.stringify(revision))
          throw new Error("A revision is another when it is parsed again");
      },
    };
  },
};
