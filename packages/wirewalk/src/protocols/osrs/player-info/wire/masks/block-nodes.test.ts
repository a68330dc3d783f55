import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../../motion/index.ts";
import { scaled } from "../../../../../testing/scale.ts";
import {
  type ArrayNode,
  ByteReader,
  type ByteTransform,
  byteRun,
  decode,
  describeNode,
  encode,
  type FieldNode,
  formatHex,
  type IntegerOptions,
  integer,
  type JsonValue,
  type Layout,
  layoutOf,
  parseHex,
  parseNode,
  tilingFault,
  traceLayout,
  WireError,
  windows1252String,
} from "../../../../../wire/index.ts";
import { interpret, Refusal } from "../../../../../wire/testing/interpret.ts";
import { someFields } from "../../testing/random-fields.ts";
import { readBlockByHand } from "../../testing/second-mask-reader.ts";
import { blockFromJson, blockNamed, blockToJson, maxBlockBytes, readBlock } from "./mask-codec.ts";
import type { MaskBlock, MaskFields, MaskRevision } from "./mask-revision.ts";
import { knownRevisions, namedRevisions } from "./named-revisions.ts";
import { parseMaskRevision } from "./parse-mask-revision.ts";
import { revision206 } from "./revision-206.ts";

const byte = (transform?: ByteTransform): Layout<number> =>
  integer({ bits: 8, ...(transform === undefined ? {} : { transform }) });
const counted = (transform?: ByteTransform) => ({ count: byte(transform), limit: 255 });
const hitsOf206 = fieldOf(blockNamed(revision206, "hits"), "hits").item;
const barsOf226 = fieldOf(blockNamed(namedRevisions[226] as MaskRevision, "hits"), "bars").item;

function fieldOf({ node }: MaskBlock, name: string): ArrayNode {
  const field = node.fields.find((each) => each.name === name)?.node;
  if (field?.kind !== "array") throw new Error(`${name} is no list`);
  return field;
}

/** Numbers of every width with every transform and order that the JSON of a revision may give them, and runs of each kind. */
const everything = parseMaskRevision({
  name: "everything",
  extensions: [0x80],
  blocks: [
    {
      name: "numbers",
      flag: 0x1,
      fields: ["u8", "i8", "u16", "i16", "i32"].flatMap((type) => {
        const number = { bits: Number(type.slice(1)), signed: type.startsWith("i") };
        const field = (name: string, options: Partial<IntegerOptions> = {}): FieldNode => ({
          name: `${type}${name}`,
          node: integer({ ...number, ...options }).node,
        });
        return [
          field("Plain"),
          ...(["+128", "neg", "sub"] as const).map((transform, at) => field(`Transformed${at}`, { transform })),
          ...(type.endsWith("8") ? [] : [field("Low", { order: "le" })]),
          ...(type.endsWith("8") ? [] : [field("LowNeg", { order: "le", transform: "neg" })]),
          ...(type.endsWith("16") ? [field("Mixed", { order: "le", transform: "+128" })] : []),
          ...(type === "i32" ? [field("HighHalf", { order: "2301" }), field("LowHalf", { order: "1032" })] : []),
        ];
      }),
    },
    {
      name: "appearance",
      flag: 0x2,
      fields: [{ name: "data", node: byteRun(counted("sub"), { transform: "+128", reversed: true }).node }],
    },
    {
      name: "fights",
      flag: 0x4,
      fields: [
        { name: "hits", node: { kind: "array", item: hitsOf206, length: { count: byte("+128").node, limit: 255 } } },
        { name: "bars", node: { kind: "array", item: barsOf226, length: { count: byte("neg").node, limit: 255 } } },
        { name: "name", node: windows1252String({ limit: 255 }).node },
      ],
    },
  ],
});

/** Each form of a block once, under the name of the first revision that has it. */
const forms = new Map(
  [...knownRevisions, everything]
    .toReversed()
    .flatMap(({ name, blocks }) =>
      blocks.map((block) => [JSON.stringify(block.node), [name, block.name, block] as const] as const),
    ),
);

/** A value, or the refusal's code, path and bit. */
type Reading = JsonValue | string;

function attempt(read: (reader: ByteReader) => MaskFields, block: MaskBlock, bytes: Uint8Array): Reading {
  const reader = new ByteReader(bytes);
  try {
    const json = blockToJson(block, read(reader));
    return reader.remaining > 0 ? `trailing at ${reader.bitOffset}` : json;
  } catch (error) {
    if (error instanceof WireError) return `${error.code} at ${error.bitOffset}`;
    throw error;
  }
}

/** Throws unless the layout, the reader written by hand and the reader of descriptions agree. */
function compare(block: MaskBlock, bytes: Uint8Array): void {
  const real = JSON.stringify(attempt((reader) => readBlock(block, reader), block, bytes));
  const byHand = JSON.stringify(attempt((reader) => readBlockByHand(block, reader), block, bytes));
  const described = interpret(block.node, bytes, 0);
  const interpreted = JSON.stringify(
    described instanceof Refusal ? `${described.code} at ${described.bit}` : described,
  );
  if (real === byHand && real === interpreted) return;
  throw new Error(
    `${block.name} ${formatHex(bytes)}\n layout ${real}\n by hand ${byHand}\n description ${interpreted}`,
  );
}

describe.each([...forms.values()])("%s: %s", (_revision, _name, block) => {
  const random = createRandom(61);
  const layout = layoutOf(block.node) as Layout<MaskFields>;
  const values = Array.from({ length: scaled(2_000, 8) }, () => someFields(random, block, 20));

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
    for (let count = 0; count < scaled(20_000, 24); count++) {
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
      expect(blockFromJson(block, JSON.parse(JSON.stringify(blockToJson(block, value))))).toEqual(value);
    }
    const node = parseNode(JSON.parse(JSON.stringify(block.node)));
    expect(layoutOf(node).node).toEqual(block.node);
  });
});

describe("what a revision's data can say", () => {
  it("bytes in reverse, counted by 128 - n", () => {
    const layout = layoutOf((everything.blocks[1] as MaskBlock).node);
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
            { name: "a", node: integer({ bits: 16, transform: "neg" }).node },
            { name: "b", node: integer({ bits: 32, signed: true, order: "le", transform: "sub" }).node },
          ],
        },
      ],
    }).blocks;
    expect(formatHex(encode(layoutOf((block as MaskBlock).node), { a: 0x0102, b: -2 }))).toBe("01 fe 82 ff ff ff");
  });

  it("what numbers mean, in the words of a trace", () => {
    const shown = (name: string, hex: string): string[] =>
      traceLayout(layoutOf(blockNamed(revision206, name).node), parseHex(hex)).fields.map(
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
    const rows = describeNode(blockNamed(revision206, "exactMove").node);
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
  const hits = blockNamed(revision206, "hits");
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
    expect(() => blockFromJson(hits, json)).toThrow(message);
  });
});
