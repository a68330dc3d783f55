import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../../motion/index.ts";
import { scaled } from "../../../../../testing/scale.ts";
import {
  ByteReader,
  decode,
  describeNode,
  encode,
  formatHex,
  fromJson,
  type JsonValue,
  type LayoutNode,
  layoutOf,
  parseHex,
  readLayout,
  tilingFault,
  toJson,
  traceLayout,
  WireError,
} from "../../../../../wire/index.ts";
import { interpret, Refusal } from "../../../../../wire/testing/interpret.ts";
import { someFields } from "../../testing/random-fields.ts";
import { readBlockByHand } from "../../testing/second-mask-reader.ts";
import { blockLayout, maxBlockBytes } from "./block-layout.ts";
import { blockNamed } from "./mask-codec.ts";
import type { MaskBlock, MaskFields } from "./mask-revision.ts";
import { parseMaskRevision } from "./parse-mask-revision.ts";
import { revision206 } from "./revision-206.ts";

/** Every type with every transform and order that the JSON of a revision may give it. */
const everything = parseMaskRevision({
  name: "everything",
  extensions: [0x80],
  blocks: [
    {
      name: "numbers",
      flag: 0x1,
      fields: ["u8", "i8", "u16", "i16", "i32"].flatMap((type) => [
        { name: `${type}Plain`, type },
        ...["+128", "neg", "sub"].map((transform, at) => ({ name: `${type}Transformed${at}`, type, transform })),
        ...(type.endsWith("8") ? [] : [{ name: `${type}Low`, type, order: "LE" }]),
        ...(type.endsWith("8") ? [] : [{ name: `${type}LowNeg`, type, order: "LE", transform: "neg" }]),
        ...(type.endsWith("16") ? [{ name: `${type}Mixed`, type, order: "LE+" }] : []),
      ]),
    },
    {
      name: "appearance",
      flag: 0x2,
      fields: [{ name: "data", type: "bytes", count: "sub", transform: "+128", reversed: true }],
    },
    {
      name: "fights",
      flag: 0x4,
      fields: [
        { name: "hits", type: "hits", count: "+128" },
        { name: "bars", type: "headBars", count: "neg", fill: "sub" },
        { name: "name", type: "string" },
      ],
    },
  ],
});

const blocks = [...revision206.blocks, ...everything.blocks].map((block) => [block.name, block] as const);

/** A value, or the refusal's code, path and bit. */
type Reading = JsonValue | string;

function attempt(read: (reader: ByteReader) => MaskFields, block: MaskBlock, bytes: Uint8Array): Reading {
  const reader = new ByteReader(bytes);
  try {
    const json = toJson(blockLayout(block), read(reader));
    return reader.remaining > 0 ? `trailing at ${reader.bitOffset}` : json;
  } catch (error) {
    if (error instanceof WireError) return `${error.code} at ${error.bitOffset}`;
    throw error;
  }
}

/** Throws unless the layout, the reader written by hand and the reader of descriptions agree. */
function compare(block: MaskBlock, bytes: Uint8Array): void {
  const layout = blockLayout(block);
  const real = JSON.stringify(attempt((reader) => readLayout(layout, reader), block, bytes));
  const byHand = JSON.stringify(attempt((reader) => readBlockByHand(block, reader), block, bytes));
  const described = interpret(layout.node, bytes, 0);
  const interpreted = JSON.stringify(
    described instanceof Refusal ? `${described.code} at ${described.bit}` : described,
  );
  if (real === byHand && real === interpreted) return;
  throw new Error(
    `${block.name} ${formatHex(bytes)}\n layout ${real}\n by hand ${byHand}\n description ${interpreted}`,
  );
}

describe.each(blocks)("%s", (_name, block) => {
  const random = createRandom(61);
  const layout = blockLayout(block);
  const values = Array.from({ length: scaled(2_000, 100) }, () => someFields(random, block, 20));

  it("is read alike by its layout, by hand and from its description", () => {
    for (const value of values) {
      const bytes = encode(layout, value);
      compare(block, bytes);
      expect(readBlockByHand(block, new ByteReader(bytes))).toEqual(value);
      expect(bytes.length).toBeLessThanOrEqual(maxBlockBytes(block));
    }
  });

  it("is refused alike when it is damaged or cut", () => {
    const corpus = values.map((value) => encode(layout, value));
    for (let count = 0; count < scaled(20_000, 500); count++) {
      const bytes = random.pick(corpus).slice();
      if (bytes.length > 0) bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
      compare(block, random.chance(0.3) ? bytes.slice(0, random.integer(0, bytes.length)) : bytes);
    }
  });

  it("is traced to the last bit, and comes back out of its JSON and out of its description", () => {
    for (const value of values.slice(0, 50)) {
      const bytes = encode(layout, value);
      const { fields, value: traced } = traceLayout(layout, bytes);
      expect(tilingFault(fields, bytes.length)).toBeUndefined();
      expect(traced).toEqual(value);
      expect(fromJson(layout, JSON.parse(JSON.stringify(toJson(layout, value))))).toEqual(value);
    }
    const node = JSON.parse(JSON.stringify(layout.node)) as LayoutNode;
    expect(layoutOf(node).node).toEqual(layout.node);
  });
});

describe("what a revision's data can say", () => {
  it("bytes in reverse, counted by 128 - n", () => {
    const layout = blockLayout(everything.blocks[1] as MaskBlock);
    expect(formatHex(encode(layout, { data: Uint8Array.of(1, 2, 3) }))).toBe("7d 83 82 81");
    expect(decode(layout, parseHex("7d 83 82 81"))).toEqual({ data: Uint8Array.of(1, 2, 3) });
  });

  it("the low byte of a wide number changed", () => {
    const [block] = parseMaskRevision({
      name: "low bytes",
      extensions: [0x80],
      blocks: [
        {
          name: "x",
          flag: 1,
          fields: [
            { name: "a", type: "u16", transform: "neg" },
            { name: "b", type: "i32", order: "LE", transform: "sub" },
          ],
        },
      ],
    }).blocks;
    expect(formatHex(encode(blockLayout(block as MaskBlock), { a: 0x0102, b: -2 }))).toBe("01 fe 82 ff ff ff");
  });

  it("what numbers mean, in the words of a trace", () => {
    const shown = (name: string, hex: string): string[] =>
      traceLayout(blockLayout(blockNamed(revision206, name)), parseHex(hex)).fields.map(
        ({ path, shown: words }) => `${path} ${words}`,
      );
    expect(shown("moveSpeed", "7e")).toEqual(["speed run"]);
    expect(shown("temporaryMoveSpeed", "01")).toEqual(["speed stop"]);
    expect(shown("faceEntity", "05 80")).toEqual(["target player 5"]);
    expect(shown("faceEntity", "ff ff")).toEqual(["target nobody"]);
    expect(shown("hits", "7e ff ff 01 02 03 04 05 ff fe 09 7f 03 ff ff")).toEqual([
      "hits.count 2",
      "hits[0].type hit with a soak",
      "hits[0].type 1",
      "hits[0].value 2",
      "hits[0].soakType 3",
      "hits[0].soakValue 4",
      "hits[0].delay 5",
      "hits[1].type no hit",
      "hits[1].delay 9",
      "bars.count 1",
      "bars[0].id 3",
      "bars[0].endTime removed",
    ]);
  });

  it("tables of fields", () => {
    const rows = describeNode(blockLayout(blockNamed(revision206, "exactMove")).node);
    expect(rows.slice(0, 2).map(({ path, type, unit }) => [path, type, unit])).toEqual([
      ["dx1", "i8 sub", "tiles"],
      ["dz1", "i8", "tiles"],
    ]);
  });
});

describe("sizes follow from the fields", () => {
  it.each([
    ["nameExtras", 3 * 256],
    ["publicChat", 2 + 1 + 1 + 256],
    ["exactMove", 10],
    ["hits", 1 + 255 * 12 + 1 + 255 * 8],
    ["faceEntity", 2],
  ])("%s takes at most %i bytes", (name, bytes) => {
    expect(maxBlockBytes(blockNamed(revision206, name))).toBe(bytes);
  });
});

describe("values that would lose something on their way are refused", () => {
  const layout = blockLayout(blockNamed(revision206, "hits"));
  const bar = { id: 1, endTime: 32_767 };
  it.each<[string, JsonValue, string]>([
    ["a hit that is none", { hits: [null], bars: [] }, "Cannot read hits[0]: it must be an object, got null"],
    [
      "a value without a type",
      { hits: [{ value: 1, delay: 2 }], bars: [] },
      "Cannot read hits[0].value: no such field",
    ],
    ["a type of none", { hits: [{ type: 32_766, value: 1, delay: 2 }], bars: [] }, "Cannot read hits[0].type: "],
    [
      "a bar that is removed at a time",
      { hits: [], bars: [{ ...bar, startTime: 3 }] },
      "Cannot read bars[0].startTime: ",
    ],
    [
      "an end without time",
      { hits: [], bars: [{ id: 1, endTime: 0, startTime: 0, startFill: 1, endFill: 2 }] },
      "Cannot read bars[0].endFill: ",
    ],
    ["half a byte", { hits: "0", bars: [] }, "Cannot read hits: it must be a list"],
  ])("%s", (_, json, message) => {
    expect(() => fromJson(layout, json)).toThrow(message);
  });
});
