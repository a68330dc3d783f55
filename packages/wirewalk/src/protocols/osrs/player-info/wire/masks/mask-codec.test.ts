import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../../motion/index.ts";
import { ByteReader, formatHex, parseHex, WireError } from "../../../../../wire/index.ts";
import { cp1252Character, cp1252Code } from "../../../../../wire/windows-1252.ts";
import { someFields } from "../../testing/random-fields.ts";
import { PlayerInfoDecoder } from "../decoder.ts";
import { PlayerInfoEngine } from "../engine/engine.ts";
import { maxBlockBytes } from "./block-layout.ts";
import { ByteArena, blockNamed, readBlock, writeBlock } from "./mask-codec.ts";
import { MAX_PLAYER_MASK_BYTES, type MaskFields } from "./mask-revision.ts";
import { parseMaskRevision } from "./parse-mask-revision.ts";
import { revision206 } from "./revision-206.ts";

function encode(name: string, value: MaskFields): string {
  const bytes = new ByteArena();
  writeBlock(blockNamed(revision206, name), value, bytes);
  return formatHex(bytes.toBytes());
}

// Written by hand from the table of standard 6.2, transform by transform.
const blocks: [name: string, value: MaskFields, hex: string][] = [
  ["nameExtras", { beforeName: "a", afterName: "", afterLevel: "€é" }, "61 00 00 80 e9 00"],
  [
    "publicChat",
    { colourEffect: 0x0102, icon: 1, auto: 0, text: new Uint8Array([0, 1, 0x90]) },
    "01 02 ff 00 03 80 81 10",
  ],
  ["spotAnimation", { id: 65_535, heightDelay: 0x0064_0002 }, "7f ff 00 64 00 02"],
  [
    "exactMove",
    { dx1: -1, dz1: -2, dx2: 3, dz2: -128, start: 0x0102, end: 0x0304, angle: 0x0506 },
    "81 fe 7d 00 02 01 84 03 05 06",
  ],
  ["faceAngle", { angle: 2047 }, "07 7f"],
  ["moveSpeed", { speed: -1 }, "81"],
  ["moveSpeed", { speed: 2 }, "7e"],
  ["say", { text: "Hi" }, "48 69 00"],
  ["sequence", { id: 65_535, delay: 2 }, "ff ff fe"],
  [
    "hits",
    {
      hits: [
        { type: 16, value: 127, delay: 0 },
        { type: 1, value: 128, soakType: 2, soakValue: 300, delay: 5 },
        { delay: 9 },
      ],
      bars: [
        { id: 3, endTime: 32_767 },
        { id: 0, endTime: 0, startTime: 1, startFill: 255 },
        { id: 200, endTime: 20, startTime: 0, startFill: 1, endFill: 2 },
      ],
    },
    "7d 10 7f 00 ff ff 01 80 80 02 81 2c 05 ff fe 09 7d 03 ff ff 00 00 01 01 80 c8 14 00 ff fe",
  ],
  ["faceEntity", { target: 32_769 }, "01 80"],
  [
    "tinting",
    { start: 0x0102, end: 0x0304, hue: 1, saturation: 2, luminance: -3, weight: 255 },
    "02 01 84 03 ff 7e 03 ff",
  ],
  ["temporaryMoveSpeed", { speed: 127 }, "01"],
  [
    "appearance",
    { data: Uint8Array.of(0, 127, 128, ...new Array(27).fill(1), 255) },
    `1f 80 ff 00 ${"81 ".repeat(27)}7f`,
  ],
];

describe("the blocks of revision 206", () => {
  it.each(blocks)("%s", (name, value, hex) => {
    expect(encode(name, value)).toBe(hex);
    const reader = new ByteReader(parseHex(hex));
    expect(readBlock(blockNamed(revision206, name), reader)).toEqual(value);
    expect(reader.remaining).toBe(0);
    for (let length = 0; length < parseHex(hex).length; length++) {
      const cut = new ByteReader(parseHex(hex).subarray(0, length));
      expect(() => readBlock(blockNamed(revision206, name), cut)).toThrow(WireError);
    }
  });

  it("read what was written, whatever the values", () => {
    const random = createRandom(3);
    for (const block of revision206.blocks) {
      for (let round = 0; round < 300; round++) {
        const value = someFields(random, block, 20);
        const bytes = new ByteArena();
        writeBlock(block, value, bytes);
        expect(bytes.length).toBeLessThanOrEqual(maxBlockBytes(block));
        const reader = new ByteReader(bytes.toBytes());
        expect(readBlock(block, reader)).toEqual(value);
        expect(reader.remaining).toBe(0);
      }
    }
  });

  it("refuse a string without end", () => {
    const reader = new ByteReader(new Uint8Array(300).fill(65));
    expect(() => readBlock(blockNamed(revision206, "say"), reader)).toThrow("over its limit of 255 characters");
  });

  it("stand in the client's order under the client's flags", () => {
    const engine = new PlayerInfoEngine({ dialect: "client", revision: revision206 });
    engine.add(1, { level: 0, x: 3200, z: 3200 });
    engine.observe(1);
    engine.setBlock(1, "appearance", { data: new Uint8Array(31).fill(7) });
    engine.tick();
    engine.setBlock(1, "appearance", { data: new Uint8Array(31).fill(8) });
    engine.setBlock(1, "say", { text: "x" });
    engine.tick();
    // Local with mask 1 1 00, and 2046 externals skipped; flags 11.
    expect(formatHex(engine.packet(1))).toBe(`c0 7f f4 11 78 00 1f${" 88".repeat(31)}`);
    engine.setBlock(1, "moveSpeed", { speed: 1 });
    engine.setBlock(1, "faceEntity", { target: 5 });
    engine.tick();
    expect(formatHex(engine.packet(1).slice(-5))).toBe("c0 01 7f 05 00");
  });
});

describe("Windows-1252", () => {
  it("has a character for every byte, and a byte for every character of it", () => {
    for (let byte = 0; byte < 256; byte++) expect(cp1252Code(cp1252Character(byte))).toBe(byte);
    expect(cp1252Code("\u20ac")).toBe(0x80);
    expect(cp1252Code("\u0178")).toBe(0x9f);
    expect(cp1252Code("Ā")).toBeUndefined();
    expect(cp1252Code("\u0080")).toBeUndefined();
  });
});

// A revision that never was: other flags, a third flag byte, other transforms, another order.
const madeUp = {
  name: "made up",
  extensions: [0x40, 0x100],
  blocks: [
    {
      name: "appearance",
      flag: 0x20_0000,
      kept: "index",
      fields: [{ name: "worn", type: "bytes", count: "neg", transform: "sub" }],
    },
    { name: "moveSpeed", flag: 0x80, kept: "index", fields: [{ name: "speed", type: "u8", transform: "+128" }] },
    { name: "temporaryMoveSpeed", flag: 0x8000, late: "drop", fields: [{ name: "speed", type: "i8" }] },
    {
      name: "faceEntity",
      flag: 0x1,
      kept: "index",
      fields: [
        { name: "target", type: "u16", order: "BE+" },
        { name: "why", type: "i16", order: "LE+" },
      ],
    },
    {
      name: "weather",
      flag: 0x1_0000,
      perObserver: true,
      fields: [
        { name: "wind", type: "i32", order: "LE" },
        { name: "hits", type: "hits" },
      ],
    },
  ],
};

describe("a revision is data", () => {
  it("another one is written and read without new code", () => {
    const revision = parseMaskRevision(JSON.parse(JSON.stringify(madeUp)));
    const engine = new PlayerInfoEngine({ dialect: "client", revision });
    const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
    engine.add(1, { level: 0, x: 3200, z: 3200 });
    decoder.init(engine.observe(1), 1);
    const random = createRandom(5);
    const said = Object.fromEntries(revision.blocks.map((block) => [block.name, someFields(random, block, 5)]));
    for (const [name, fields] of Object.entries(said)) engine.setBlock(1, name, fields);
    engine.tick();
    expect(decoder.decode(engine.packet(1)).masks).toEqual([{ index: 1, blocks: said }]);
    engine.setBlock(1, "moveSpeed", { speed: 2 });
    engine.tick();
    expect(formatHex(engine.packet(1).slice(-2))).toBe("80 82");
    engine.setBlock(1, "weather", { wind: 1, hits: [] });
    engine.tick();
    expect(formatHex(engine.packet(1).slice(-8))).toBe("40 01 01 01 00 00 00 00");
  });

  const wrong: [name: string, json: unknown, message: string][] = [
    ["no object", [], "Cannot read revision: it must be an object"],
    ["an unknown key", { ...madeUp, colour: 1 }, "Cannot read colour: there is no such key"],
    ["no extension", { ...madeUp, extensions: [] }, "Cannot read extensions"],
    ["two bits", { ...madeUp, extensions: [0x41] }, "Cannot read extensions[0]: it must be one bit, 1..128"],
    ["a taken bit", { ...madeUp, extensions: [0x80] }, "Cannot read blocks[0].flag: it must be one bit, 1..32768"],
    [
      "two of a name",
      { ...madeUp, blocks: [madeUp.blocks[1], { ...madeUp.blocks[1], flag: 2 }] },
      'Cannot read blocks[1].name: there are two of "moveSpeed"',
    ],
    [
      "no such type",
      { ...madeUp, blocks: [{ name: "x", flag: 2, fields: [{ name: "y", type: "u7" }] }] },
      "Cannot read blocks[0].fields[0].type: it is one of u8",
    ],
    [
      "a type that is a list",
      { ...madeUp, blocks: [{ name: "x", flag: 2, fields: [{ name: "y", type: ["u8"] }] }] },
      "Cannot read blocks[0].fields[0].type: it is one of u8",
    ],
    [
      "no such transform",
      { ...madeUp, blocks: [{ name: "x", flag: 2, fields: [{ name: "y", type: "u8", transform: "BE" }] }] },
      "Cannot read blocks[0].fields[0].transform: it is one of +128, neg, sub",
    ],
    [
      "a transform on top of the order's",
      {
        ...madeUp,
        blocks: [{ name: "x", flag: 2, fields: [{ name: "y", type: "u16", order: "BE+", transform: "neg" }] }],
      },
      "Cannot read blocks[0].fields[0].transform: the order BE+ is a transform already",
    ],
    [
      "bytes that are not reversed",
      { ...madeUp, blocks: [{ name: "x", flag: 2, fields: [{ name: "y", type: "bytes", reversed: false }] }] },
      "Cannot read blocks[0].fields[0].reversed: it is one of true",
    ],
    [
      "a condition about a field after it",
      {
        ...madeUp,
        blocks: [
          {
            name: "x",
            flag: 2,
            fields: [
              { name: "y", type: "u8", when: { field: "z" } },
              { name: "z", type: "u8" },
            ],
          },
        ],
      },
      "Cannot read blocks[0].fields[0].when.field: it must name a number before it that is always there",
    ],
    [
      "a condition without bits",
      {
        ...madeUp,
        blocks: [
          {
            name: "x",
            flag: 2,
            fields: [
              { name: "y", type: "u8" },
              { name: "z", type: "u8", when: { field: "y", mask: 0 } },
            ],
          },
        ],
      },
      "Cannot read blocks[0].fields[1].when.mask: it must have bits, at most 32",
    ],
    [
      "a list of lists",
      {
        ...madeUp,
        blocks: [
          {
            name: "x",
            flag: 2,
            fields: [{ name: "y", type: "list", fields: [{ name: "z", type: "list", fields: [] }] }],
          },
        ],
      },
      "Cannot read blocks[0].fields[0].fields[0].type: an item of a list has no lists of items",
    ],
    [
      "a list without fields",
      { ...madeUp, blocks: [{ name: "x", flag: 2, fields: [{ name: "y", type: "list" }] }] },
      "Cannot read blocks[0].fields[0].fields: it must be a list",
    ],
    [
      "a unit that would break a line",
      { ...madeUp, blocks: [{ name: "x", flag: 2, fields: [{ name: "y", type: "u8", unit: "px\n" }] }] },
      "Cannot read blocks[0].fields[0].unit: it must be a text",
    ],
    [
      "words without text",
      { ...madeUp, blocks: [{ name: "x", flag: 2, fields: [{ name: "y", type: "u8", words: [{ from: 1 }] }] }] },
      "Cannot read blocks[0].fields[0].words[0].text: it must be a text",
    ],
    [
      "more digits than a number has",
      {
        ...madeUp,
        blocks: [
          {
            name: "x",
            flag: 2,
            fields: [{ name: "y", type: "u8", words: [{ text: "{}", factor: 0.1, digits: 101 }] }],
          },
        ],
      },
      "Cannot read blocks[0].fields[0].words[0].digits: it must be an integer in 0..9",
    ],
    [
      "a meaning without its field",
      { ...madeUp, blocks: [{ name: "exactMove", flag: 2, fields: [] }] },
      'Cannot read blocks[0].fields: exactMove needs a number "dx1"',
    ],
    [
      "kept and by observer",
      { ...madeUp, blocks: [{ name: "x", flag: 2, fields: [], kept: "index", perObserver: true }] },
      "Cannot read blocks[0].perObserver",
    ],
    [
      "an initial value that does not fit",
      { ...madeUp, blocks: [{ ...madeUp.blocks[1], initial: { speed: 256 } }] },
      "Cannot read blocks[0].initial: Cannot write moveSpeed.speed: u8 must be an integer in 0..255, got 256",
    ],
    [
      "more than a packet holds",
      {
        ...madeUp,
        blocks: Array.from({ length: 7 }, (_, at) => ({
          name: `x${at}`,
          flag: 1 << at,
          fields: [{ name: "hits", type: "hits" }],
        }))
          .filter(({ flag }) => flag !== 0x40)
          .concat({ name: "y", flag: 0x80, fields: [{ name: "hits", type: "hits" }] }),
      },
      `over the limit of ${MAX_PLAYER_MASK_BYTES}`,
    ],
  ];
  it("may have a block that is named as a member of every object", () => {
    const blocks = [{ name: "constructor", flag: 2, fields: [{ name: "y", type: "u8" }] }];
    expect(parseMaskRevision({ ...madeUp, blocks }).blocks[0]?.name).toBe("constructor");
  });

  it.each(wrong)("is refused with %s", (_, json, message) => {
    expect(() => parseMaskRevision(json)).toThrow(message);
    expect(() => parseMaskRevision(json)).toThrow(WireError);
  });

  it("206 is a revision like any other", () => {
    expect(parseMaskRevision(JSON.parse(JSON.stringify(revision206)))).toEqual(revision206);
  });
});
