/**
 * What several readers of one description once disagreed about: each is read as the description says, by the oracle, which shares
 * no code with what it tests, by the interpreter and by generated code.
 */
import { describe, expect, it } from "vitest";
import { decodeCompiled, encodeCompiled } from "../wire/compiled/index.ts";
import {
  bits,
  decode,
  encode,
  formatHex,
  integer,
  type Layout,
  layoutOf,
  oneOf,
  optional,
  parseHex,
  prefix,
  smart,
  struct,
  tagged,
  u8,
  uint,
} from "../wire/index.ts";
import { interpret } from "../wire/testing/interpret.ts";
import { compiledNodes } from "./testing/compiled-nodes.ts";

const layouts = {
  masked: struct({ flags: u8, x: optional(u8, { field: "flags", mask: 0x38, from: 8, to: 8 }) }),
  wide: struct({ id: smart({ wide: true }) }),
  swappedHalves: struct({ id: integer({ bits: 32, order: "2301" }) }),
  swappedHalvesSigned: struct({ id: integer({ bits: 32, signed: true, order: "2301" }) }),
  middleEndian: struct({ id: integer({ bits: 32, order: "1032" }) }),
  named: tagged(
    "side",
    oneOf(u8, { left: 1, right: 2 }),
    [
      { tags: ["left"], layout: struct({ x: u8 }) },
      { tags: ["right"], layout: struct({ y: u8 }) },
    ],
    { members: { x: 0, y: 0 } },
  ),
  coded: bits(
    tagged(
      "form",
      prefix({ short: "0", long: "1" }),
      [
        { tags: ["short"], layout: struct({ x: uint(7) }) },
        { tags: ["long"], layout: struct({ x: uint(15) }) },
      ],
      { members: { x: 0, y: 0 } },
    ),
  ),
  middleEndianSigned: struct({ id: integer({ bits: 32, signed: true, order: "1032" }) }),
};

const compiled = await compiledNodes(
  Object.fromEntries(Object.entries(layouts).map(([name, { node }]) => [name, node])),
);

/** All ways of reading and writing a description find what the oracle finds. */
function agree(name: keyof typeof layouts, hex: string, value: object): void {
  const layout: Layout<object> = layouts[name];
  const generated = compiled[name];
  if (generated === undefined) throw new RangeError(`${name} is not compiled`);
  const bytes = parseHex(hex);
  expect(interpret(layout.node, bytes, 0, { hasMembers: true })).toEqual(value);
  expect(decode(layout, bytes)).toEqual(value);
  expect(decodeCompiled(generated, bytes)).toEqual(value);
  expect(formatHex(encode(layout, value))).toBe(formatHex(bytes));
  expect(formatHex(encodeCompiled(generated, value))).toBe(formatHex(bytes));
}

describe("one description is read one way:", () => {
  it("a condition on some bits of a number", () => {
    agree("masked", "4f 05", { flags: 0x4f, x: 5 });
    agree("masked", "18", { flags: 0x18 });
  });

  it("a smart number of two or four bytes", () => {
    agree("wide", "00 05", { id: 5 });
    agree("wide", "7f ff", { id: -1 });
    agree("wide", "80 00 7f ff", { id: 32_767 });
  });

  it("four bytes with the two of each half exchanged", () => {
    agree("swappedHalves", "02 01 04 03", { id: 0x0102_0304 });
    agree("swappedHalvesSigned", "ff ff fe ff", { id: -2 });
  });

  it("four bytes with the halves exchanged", () => {
    agree("middleEndian", "03 04 01 02", { id: 0x0102_0304 });
    agree("middleEndianSigned", "ff fe ff ff", { id: -2 });
  });

  it("an object of all members, by a name or by a code of bits", () => {
    agree("named", "02 05", { side: "right", x: 0, y: 5 });
    agree("coded", "80 05", { form: "long", x: 5, y: 0 });
  });

  it("a misspelt condition is no description at all, and not one that never holds", async () => {
    const { node } = struct({ kind: u8, x: optional(u8, { field: "kind", from: 1 }) });
    const misspelt = JSON.parse(JSON.stringify(node).replace('"field":"kind"', '"field":"knid"'));
    expect(() => layoutOf(misspelt)).toThrow(
      new TypeError("Cannot describe x: it depends on knid, and the struct has no such field"),
    );
    // The oracle finds no such number either, and takes no default for it.
    expect(interpret(misspelt, parseHex("01 05"), 0)).toMatchObject({ code: "trailing" });
    await expect(compiledNodes({ misspelt })).rejects.toThrow(TypeError);
  });
});
