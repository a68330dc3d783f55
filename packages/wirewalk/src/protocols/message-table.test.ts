import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fixedBytes, type JsonObject, struct, u8, u16be } from "../wire/index.ts";
import { wireErrorOf } from "../wire/testing/check-layout.ts";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import { type MessageRow, messageTable } from "./message-table.ts";

const pingRow: MessageRow = { message: "ping", sender: "client", id: 9, summary: "", layout: struct({}) };
const moveRow: MessageRow = { message: "move", sender: "client", id: 8, summary: "", layout: struct({ x: u16be }) };
const table = messageTable({ dialect: "plain", idName: "type", id: u8, rows: [pingRow, moveRow] });

describe("a table of messages", () => {
  it("reads and writes each message by its id", () => {
    expect(table.read("client", Uint8Array.of(8, 1, 2))).toEqual({ message: "move", value: { x: 258 } });
    expect(table.write("client", { message: "move", value: { x: 258 } })).toEqual(Uint8Array.of(8, 1, 2));
  });

  it("refuses what the sender does not send, by the numbers that it does", () => {
    const error = wireErrorOf(() => table.read("client", Uint8Array.of(7)));
    expect(error).toMatchObject({ code: "unknown-message", bitOffset: 0, path: "type" });
    expect(error?.message).toBe("Cannot read type: a client of dialect plain sends 8, 9, not 7, at byte 0");
    expect(() => table.write("server", { message: "ping", value: {} })).toThrow(RangeError);
  });

  it("refuses an id that is cut, a body that is, and a byte too many", () => {
    expect(wireErrorOf(() => table.read("client", new Uint8Array()))).toMatchObject({
      code: "truncated",
      path: "type",
    });
    expect(wireErrorOf(() => table.read("client", Uint8Array.of(8, 1)))).toMatchObject({
      code: "truncated",
      path: "x",
    });
    expect(wireErrorOf(() => table.read("client", Uint8Array.of(9, 0)))?.code).toBe("trailing");
  });

  it("traces the id and the fields, as far as they could be read", () => {
    const { fields, message } = table.trace("client", Uint8Array.of(8, 1, 2));
    expect(fields.map(({ path, bitOffset, bitLength }) => [path, bitOffset, bitLength])).toEqual([
      ["type", 0, 8],
      ["x", 8, 16],
    ]);
    expect(message).toEqual({ message: "move", value: { x: 258 } });
    const unknown = table.trace("client", Uint8Array.of(7, 1));
    expect(unknown.fields).toMatchObject([{ path: "type", shown: "no such message" }]);
    expect(unknown.error?.code).toBe("unknown-message");
  });

  it("is plain data, and has each id and each name of a sender once", () => {
    expect(JSON.parse(JSON.stringify(table.description))).toEqual(table.description);
    expect(table.description.messages.map(({ message, node }) => [message, node.kind])).toEqual([
      ["ping", "struct"],
      ["move", "struct"],
    ]);
    expect(() => messageTable({ dialect: "d", idName: "type", id: u8, rows: [moveRow, moveRow] })).toThrow(
      "Cannot describe move: a client has two messages of the type 8",
    );
  });

  it("writes ids in errors as the protocol does", () => {
    const hex = messageTable({ dialect: "d", idName: "opcode", id: u8, rows: [moveRow], idFormat: { base: 16 } });
    const error = wireErrorOf(() => hex.read("client", Uint8Array.of(7)));
    expect(error?.message).toBe("Cannot read opcode: a client of dialect d sends 0x8, not 0x7, at byte 0");
  });

  it("refuses JSON with the code and the place that the layout gives, as what cannot be written", () => {
    const layout = struct({ x: u16be, mask: fixedBytes(2) });
    const json = messageTable({ dialect: "d", idName: "type", id: u8, rows: [{ ...moveRow, layout }] });
    const refused = (value: JsonObject): unknown =>
      wireErrorOf(() => json.fromJson("client", { message: "move", value }))?.toJSON();
    expect(refused({ x: 65_536, mask: "0102" })).toEqual({
      code: "bad-value",
      message: "Cannot write x: u16be must be an integer in 0..65535, got 65536",
      bitOffset: 0,
      path: "x",
    });
    expect(refused({ x: 1, mask: "010" })).toEqual({
      code: "bad-hex",
      message: "Cannot write mask: half a byte before the end at position 3",
      bitOffset: 8,
      path: "mask",
    });
  });

  it("knows each id that it lists and no other", () => {
    for (let id = 0; id < 256; id++) {
      expect(table.trace("client", Uint8Array.of(id)).error === undefined).toBe(id === pingRow.id);
    }
  });
});

it("its example is true", () => {
  const [example = ""] = findExamples(readFileSync(new URL("message-table.ts", import.meta.url), "utf8"));
  runExample(example, { messageTable, pingRow, u8 });
});
