import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../../motion/index.ts";
import {
  array,
  ByteReader,
  byteRun,
  concat,
  formatHex,
  i8,
  i32le,
  integer,
  parseHex,
  restBytes,
  sized,
  struct,
  u8,
  u16be,
  u64le,
  WireError,
} from "../../../../../wire/index.ts";
import { cp1252Character, cp1252Code } from "../../../../../wire/windows-1252.ts";
import { someFields } from "../../testing/random-fields.ts";
import { PlayerInfoDecoder } from "../decoder.ts";
import { PlayerInfoEngine } from "../engine/engine.ts";
import { ByteArena, blockNamed, readBlock, writeBlock } from "./mask-codec.ts";
import { MAX_PLAYER_MASK_BYTES, type MaskFields, type MaskRevision } from "./mask-revision.ts";
import { namedRevisions } from "./named-revisions.ts";
import { maskRevisionJson, parseMaskRevision } from "./parse-mask-revision.ts";
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

const negatedByte = integer({ bits: 8, transform: "neg" });
const { node: hitList = u8.node } = blockNamed(namedRevisions[226] as MaskRevision, "hits").node.fields[0] ?? {};

// A revision that never was: other flags, a third flag byte, other transforms, another order.
const madeUp = {
  name: "made up",
  extensions: [0x40, 0x100],
  blocks: [
    {
      name: "appearance",
      flag: 0x20_0000,
      kept: "index",
      fields: [{ name: "worn", node: byteRun({ count: negatedByte, limit: 255 }, { transform: "sub" }).node }],
    },
    {
      name: "moveSpeed",
      flag: 0x80,
      kept: "index",
      fields: [{ name: "speed", node: integer({ bits: 8, transform: "+128" }).node }],
    },
    { name: "temporaryMoveSpeed", flag: 0x8000, late: "drop", fields: [{ name: "speed", node: i8.node }] },
    {
      name: "faceEntity",
      flag: 0x1,
      kept: "index",
      fields: [
        { name: "target", node: integer({ bits: 16, transform: "+128" }).node },
        { name: "why", node: integer({ bits: 16, signed: true, order: "le", transform: "+128" }).node },
      ],
    },
    {
      name: "weather",
      flag: 0x1_0000,
      perObserver: true,
      fields: [
        { name: "wind", node: i32le.node },
        { name: "hits", node: hitList },
      ],
    },
  ],
};

const withField = (field: object): object => ({ ...madeUp, blocks: [{ name: "x", flag: 2, fields: [field] }] });

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
      "an order of halves in two bytes",
      withField({ name: "y", node: { ...u16be.node, order: "2301" } }),
      "Cannot read blocks[0].fields: only 32 bits can have the order 2301, got 16",
    ],
    [
      "a list of nothing",
      withField({ name: "y", node: array(struct({}), { count: u8, limit: 255 }).node }),
      "Cannot read blocks[0].fields[0].node.item: an item must have bytes",
    ],
    [
      "lists of lists of more than a packet holds",
      withField({ name: "y", node: array(array(u8, { count: u8, limit: 255 }), { count: u8, limit: 255 }).node }),
      `over the limit of ${MAX_PLAYER_MASK_BYTES}`,
    ],
    [
      "bytes to the end",
      withField({ name: "y", node: restBytes({ limit: 9 }).node }),
      "Cannot read blocks[0].fields[0].node.length: it takes all bytes that are left, and other blocks follow",
    ],
    [
      "a size in bytes",
      withField({ name: "y", node: sized(u8, struct({ z: u8 })).node }),
      "Cannot read blocks[0].fields[0].node.kind: a block has no sized: ",
    ],
    [
      "a number of 64 bits",
      withField({ name: "y", node: struct({ z: u64le }).node }),
      "Cannot read blocks[0].fields[0].node.fields[0].node.bits: the numbers of blocks have at most 32 bits",
    ],
    [
      "bytes with a meaning of other bytes",
      withField({ name: "y", node: { kind: "bytes", length: 2, inside: struct({ z: u8 }).node } }),
      "Cannot read blocks[0].fields[0].node.inside: it must have as many bytes",
    ],
    [
      "an object put together out of two",
      withField({ name: "y", node: concat(struct({ a: u8 }), struct({ b: u8 })).node }),
      "Cannot read blocks[0].fields[0].node.fields[0].name: it must be a name in camel case",
    ],
    [
      "a type, as files of older versions have",
      withField({ name: "y", type: "i16", order: "LE+" }),
      'Cannot read blocks[0].fields[0].type: fields have a node and no type "i16": ' +
        'write "node": {"kind":"integer","bits":16,"signed":true,"order":"be"}',
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
          fields: [{ name: "hits", node: hitList }],
        }))
          .filter(({ flag }) => flag !== 0x40)
          .concat({ name: "y", flag: 0x80, fields: [{ name: "hits", node: hitList }] }),
      },
      `over the limit of ${MAX_PLAYER_MASK_BYTES}`,
    ],
  ];
  it("may have a block that is named as a member of every object", () => {
    const blocks = [{ name: "constructor", flag: 2, fields: [{ name: "y", node: u8.node }] }];
    expect(parseMaskRevision({ ...madeUp, blocks }).blocks[0]?.name).toBe("constructor");
  });

  it.each(wrong)("is refused with %s", (_, json, message) => {
    expect(() => parseMaskRevision(json)).toThrow(message);
    expect(() => parseMaskRevision(json)).toThrow(WireError);
  });

  it("206 is a revision like any other", () => {
    expect(parseMaskRevision(JSON.parse(JSON.stringify(maskRevisionJson(revision206))))).toEqual(revision206);
  });
});
