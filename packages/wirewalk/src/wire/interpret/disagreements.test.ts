/**
 * What several readers of one description once disagreed about: each is read as the description says, by an oracle that shares no code
 * with what it tests.
 */
import { describe, expect, it } from "vitest";
import { smallCodecs } from "../described/codec.ts";
import {
  ByteReader,
  ByteWriter,
  decode,
  encode,
  formatHex,
  integer,
  type Layout,
  layoutOf,
  optional,
  parseHex,
  readLayout,
  smart,
  struct,
  u8,
  writeLayout,
} from "../index.ts";
import { interpret } from "../testing/interpret.ts";

/** All ways of reading and writing a description find what the oracle finds. */
function agree(layout: Layout<object>, hex: string, value: object): void {
  const bytes = parseHex(hex);
  expect(interpret(layout.node, bytes, 0)).toEqual(value);
  expect(decode(layout, bytes)).toEqual(value);
  expect(readLayout(layout, new ByteReader(bytes))).toEqual(value);
  expect(formatHex(encode(layout, value))).toBe(formatHex(bytes));
  const writer = new ByteWriter();
  writeLayout(layout, writer, value);
  expect(formatHex(writer.toBytes())).toBe(formatHex(bytes));
  const small = smallCodecs(
    "test",
    JSON.stringify({
      nodes: [u8.node, layout.node],
      dialects: { one: { idName: "id", id: 0, rows: [["client", 1, "message", 1]] } },
    }),
  )("one") as unknown as {
    readBody(sender: string, name: string, body: Uint8Array): { readonly value: object };
    writeBody(sender: string, message: object): Uint8Array;
  };
  expect(small.readBody("client", "message", bytes).value).toEqual(value);
  expect(formatHex(small.writeBody("client", { message: "message", value }))).toBe(formatHex(bytes));
}

describe("one description is read one way:", () => {
  it("a condition on some bits of a number", () => {
    const layout = struct({ flags: u8, x: optional(u8, { field: "flags", mask: 0x38, from: 8, to: 8 }) });
    agree(layout, "4f 05", { flags: 0x4f, x: 5 });
    agree(layout, "18", { flags: 0x18 });
  });

  it("a smart number of two or four bytes", () => {
    const layout = struct({ id: smart({ wide: true }) });
    agree(layout, "00 05", { id: 5 });
    agree(layout, "7f ff", { id: -1 });
    agree(layout, "80 00 7f ff", { id: 32_767 });
  });

  it("four bytes with the two of each half exchanged", () => {
    agree(struct({ id: integer({ bits: 32, order: "2301" }) }), "02 01 04 03", { id: 0x0102_0304 });
    agree(struct({ id: integer({ bits: 32, signed: true, order: "2301" }) }), "ff ff fe ff", { id: -2 });
  });

  it("four bytes with the halves exchanged", () => {
    agree(struct({ id: integer({ bits: 32, order: "1032" }) }), "03 04 01 02", { id: 0x0102_0304 });
    agree(struct({ id: integer({ bits: 32, signed: true, order: "1032" }) }), "ff fe ff ff", { id: -2 });
  });

  it("a misspelt condition is no description at all, and not one that never holds", () => {
    const { node } = struct({ kind: u8, x: optional(u8, { field: "kind", from: 1 }) });
    const text = JSON.stringify(node).replace('"field":"kind"', '"field":"knid"');
    expect(() => layoutOf(JSON.parse(text))).toThrow(
      new TypeError("Cannot describe x: it depends on knid, and the struct has no such field"),
    );
  });
});
