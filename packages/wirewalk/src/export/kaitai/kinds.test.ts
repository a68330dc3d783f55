/** Kinds of fields that the games here do not have, or not together: in Kaitai and in JSON Schema. */
import { describe, expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import type { Protocol } from "../../protocols/index.ts";
import { messageTable } from "../../protocols/message-table.ts";
import { generatedPayloads } from "../../protocols/testing/generated-payloads.ts";
import {
  array,
  bits,
  boolean,
  concat,
  constant,
  describeNode,
  fixedBytes,
  flags,
  float32,
  integer,
  type JsonObject,
  type Layout,
  literal,
  oneOf,
  optional,
  peek,
  prefixedBytes,
  prefixedString,
  restString,
  sized,
  smart,
  struct,
  tagged,
  u8,
  u16be,
  u32le,
  uint,
  unused,
  variant,
  WireError,
  windows1252String,
  withDefault,
} from "../../wire/index.ts";
import { messageSchema } from "../json-schema/json-schema.ts";
import { blocksOf } from "../svg/blocks.ts";
import { compareKaitai } from "../testing/compare-kaitai.ts";
import { kaitaiReader } from "../testing/kaitai-reader.ts";
import { schemaValidator } from "../testing/schema-validator.ts";
import { DescriptionWriter } from "../wireshark/descriptions.ts";
import { luaText } from "../wireshark/lua-text.ts";
import { kaitaiSpec } from "./kaitai.ts";

const numbers = struct({
  plain: u16be,
  added: integer({ bits: 8, transform: "+128" }),
  negated: integer({ bits: 16, transform: "neg", signed: true }),
  subtracted: integer({ bits: 32, order: "le", transform: "sub" }),
  mixed: integer({ bits: 32, order: "2301" }),
  mixedSigned: integer({ bits: 32, order: "1032", signed: true }),
  medium: integer({ bits: 24 }),
  mediumLow: integer({ bits: 24, order: "le", signed: true }),
  scaled: integer({ bits: 16, signed: true, divisor: 16 }),
  shifted: integer({ bits: 8, bias: 100, min: -20, max: 20 }),
  ranged: integer({ bits: 16, min: 5, max: 1000 }),
  short: smart(),
  wide: smart({ wide: true }),
  float: float32({ order: "le" }),
  finite: float32({ order: "be", finite: true }),
  yes: boolean(u8),
  turned: boolean(integer({ bits: 8, transform: "+128" })),
  kind: oneOf(u8, { first: 1, lastOne: 9 }),
  keys: flags(u8, { up: 0, down: 3 }),
  $magic: literal(u16be, 0xcafe),
});

const runs = struct({
  count: u8,
  extra: optional(u8, { field: "count", from: 2, to: 200, not: 7 }),
  masked: optional(u16be, { field: "count", mask: 0x81, not: 0 }),
  zero: fixedBytes(2),
  after: optional(u8, { field: "zero", zero: false }),
  bytes: prefixedBytes({ count: u8, limit: 20 }),
  name: prefixedString({ count: u8, limit: 40 }),
  title: windows1252String({ limit: 20 }),
  marked: array(struct({ id: u8, level: u32le }), { until: 0xff, limit: 8 }),
  scaledItems: array(integer({ bits: 8, bias: 3 }), { count: u8, limit: 9 }),
});

const packed = struct({
  low: bits(struct({ a: uint(3), b: uint(5), c: uint(8) }), { first: "lsb" }),
  high: bits(
    concat(
      struct({ one: uint(1), signed: integer({ bits: 7, signed: true }), $gap: unused(3) }),
      variant("way", oneOf(uint(1), { left: 0, right: 1 }), {
        left: struct({ side: constant("left"), deep: struct({ x: uint(4) }) }),
        right: struct({ side: constant("right"), deep: struct({ x: uint(12) }) }),
      }),
    ),
  ),
  inner: sized(
    u8,
    tagged("type", u8, [{ tags: [1, 2], layout: struct({ x: u8 }) }, { layout: struct({ y: u16be }) }]),
    {
      extra: 1,
    },
  ),
});

const shapes = struct(
  {
    id: u16be,
    steps: array(
      tagged(
        "kind",
        u8,
        [
          { tags: [1, 2], layout: struct({ x: u8 }) },
          { tags: [3], layout: struct({ y: u16be }) },
        ],
        {
          members: { x: 0, y: 0 },
        },
      ),
      { count: u8, limit: 9 },
      { rows: { words: [[{ name: "x", fields: ["x"], bits: 8, signed: false }]] } },
    ),
    keys: flags(u8, { up: 0, down: 3 }, { shared: true }),
    more: withDefault(u8, 7),
  },
  { kept: { name: "stepBytes", from: "steps", to: "steps" } },
);

const rows = Object.entries({ numbers, runs, packed, shapes }).map(([message, layout], at) => ({
  message,
  sender: "client" as const,
  id: at + 1,
  summary: `some ${message}`,
  layout: layout as unknown as Layout<object>,
}));
const codec = messageTable({ dialect: "plain", idName: "id", id: u8, rows });
const protocol = {
  name: "kinds",
  title: "Kinds",
  dialects: [{ name: "plain", source: "document", summary: "" }],
  codec: () => codec,
} as unknown as Protocol;
const scope = { protocol, dialects: ["plain"] };

const compiled = kaitaiReader(kaitaiSpec(scope, "plain", "client"));
const validate = schemaValidator(messageSchema(scope, "plain"));

describe.each(rows)("$message", ({ message, layout }) => {
  const id = rows.find((row) => row.message === message)?.id;
  /** Some of the generated ones break a rule of their layout, such as padding. */
  const read = generatedPayloads(codec as never, "client", createRandom(6), 150).flatMap((payload) => {
    if (payload[0] !== id) return [];
    try {
      const { value } = codec.toJson("client", codec.read("client", payload));
      return [{ payload, value: JSON.parse(JSON.stringify(value)) as JsonObject }];
    } catch (error) {
      if (error instanceof WireError) return [];
      throw error;
    }
  });

  it("reads the same with Kaitai", async () => {
    const packet = await compiled;
    expect(read.length).toBeGreaterThan(10);
    for (const { payload, value } of read) {
      compareKaitai(layout.node, packet(payload).body, value);
      for (const end of [0, 1, payload.length - 1]) expect(() => packet(payload.subarray(0, end))).toThrow();
    }
  });

  it("fits its schema", () => {
    for (const { value } of read) {
      if (!validate({ message, value }))
        throw new Error(`${JSON.stringify(value)}\n${JSON.stringify(validate.errors)}`);
    }
  });
});

describe("what the bytes ahead select", () => {
  const layout = peek([
    { when: { next: { mask: 0x80, value: 0x80 }, atMost: 2 }, layout: struct({ id: u16be }) },
    { layout: struct({ id: u8 }) },
  ]);
  const ahead = (more: Layout<object>) => {
    const row = { message: "ahead", sender: "client", id: 1, summary: "some", layout: more } as const;
    const table = messageTable({ dialect: "plain", idName: "id", id: u8, rows: [row] });
    return { protocol: { ...protocol, codec: () => table } as unknown as Protocol, dialects: ["plain"] };
  };

  it("has no form in Kaitai", () => {
    for (const more of [layout, struct({ inner: layout }), struct({ list: array(layout, { count: 2 }) })]) {
      expect(() => kaitaiSpec(ahead(more), "plain", "client")).toThrow(
        new TypeError("cases that the bytes ahead select"),
      );
    }
  });

  it("is in JSON as the first case, by which it is written", () => {
    const isValid = schemaValidator(messageSchema(ahead(struct({ inner: layout })), "plain"));
    expect(isValid({ message: "ahead", value: { inner: { id: 65_535 } } })).toBe(true);
    expect(isValid({ message: "ahead", value: { inner: { id: 65_536 } } })).toBe(false);
  });

  it("is drawn as cases, and so is it in tables", () => {
    expect(blocksOf(layout.node).map((block) => (block.kind === "group" ? block.title : ""))).toEqual([
      "next byte & 0x80 is 0x80, at most 2 bytes left",
      "other bytes",
    ]);
    expect(describeNode(layout.node).map(({ path, size }) => `${path}: ${size}`)).toEqual([
      "(next byte & 0x80 is 0x80, at most 2 bytes left) id: 2 bytes",
      "(other bytes) id: 1 byte",
    ]);
  });

  it("is Lua too, where Wireshark reads it", () => {
    const writer = new DescriptionWriter();
    expect(luaText(writer.write(layout.node, "ahead"))).toContain("peek{");
    expect(luaText(writer.write(layout.node, "ahead"))).toContain("mask = 128");
  });
});

it("a text to the end of the bytes is a string of all that is left", async () => {
  const layout = struct({ id: u8, text: restString({ limit: 5 }) });
  const row = { message: "text", sender: "client", id: 1, summary: "some", layout } as const;
  const table = messageTable({ dialect: "plain", idName: "id", id: u8, rows: [row] });
  const texts = { protocol: { ...protocol, codec: () => table } as unknown as Protocol, dialects: ["plain"] };
  const packet = await kaitaiReader(kaitaiSpec(texts, "plain", "client"));
  const body = (text: string) => Uint8Array.of(1, 9, ...Buffer.from(text, "latin1"));
  compareKaitai(layout.node, packet(body("hello")).body, { id: 9, text: "hello" });
  expect(() => packet(body("longer"))).toThrow();
  const isValid = schemaValidator(messageSchema(texts, "plain"));
  expect(["hello", "longer"].map((text) => isValid({ message: "text", value: { id: 9, text } }))).toEqual([
    true,
    false,
  ]);
});
