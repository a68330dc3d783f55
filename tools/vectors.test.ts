import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { traceStream } from "wirewalk/inspect";
import { PlayerInfoDecoder } from "wirewalk/osrs/player-info";
import type { Side } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { parseHex, type TraceField, Tracer } from "wirewalk/wire";

const folder = join(import.meta.dirname, "../vectors");
const text = (name: string): string => readFileSync(join(folder, name), "utf8");
type Vector = Readonly<Record<string, unknown>>;

/** The bits of a field as they stand in the bytes, `0` and `1`. */
function bitsOf(bytes: Uint8Array, { bitOffset, bitLength }: TraceField): string {
  let bits = "";
  for (let at = bitOffset; at < bitOffset + bitLength; at++) bits += ((bytes[at >> 3] as number) >> (7 - (at & 7))) & 1;
  return bits;
}

/** A field's value as bits: numbers high byte first and low byte first, negative ones as their complement. */
function encodingsOf({ raw, bitLength }: TraceField): readonly string[] {
  if (typeof raw === "string") {
    const digits = raw.replaceAll(" ", "");
    return [[...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("")];
  }
  if (bitLength === 0) return [""];
  if (bitLength === 32 && typeof raw === "number") {
    const float = new DataView(new ArrayBuffer(4));
    float.setFloat32(0, raw);
    const bits = float.getUint32(0).toString(2).padStart(32, "0");
    return Number.isInteger(raw) ? [bits, ...integersOf(raw, bitLength)] : [bits];
  }
  return integersOf(raw, bitLength);
}

function integersOf(raw: number | bigint, bitLength: number): readonly string[] {
  const bits = BigInt.asUintN(bitLength, BigInt(raw)).toString(2).padStart(bitLength, "0");
  const lowFirst = bitLength % 8 === 0 ? (bits.match(/.{8}/g) ?? []).toReversed().join("") : bits;
  return [bits, lowFirst];
}

/** Every bit is in one field, and every field's value makes its bits again. */
function checkFields(bytes: Uint8Array, fields: readonly TraceField[]): void {
  let end = 0;
  for (const field of fields.toSorted((a, b) => a.bitOffset - b.bitOffset || a.bitLength - b.bitLength)) {
    const is = bitsOf(bytes, field);
    // Without `expect`, which costs more than all else where there are a hundred thousand fields.
    if (field.bitOffset !== end || !encodingsOf(field).includes(is)) {
      throw new Error(`${field.path} at bit ${field.bitOffset}, expected ${end}: ${String(field.raw)} is not ${is}`);
    }
    end += field.bitLength;
  }
  expect(end).toBe(bytes.length * 8);
}

function checkPayload(name: string, part: string, choice: { dialect: string; sender: Side }, hex: string): void {
  const stream = protocols[name]?.streams?.[part];
  if (stream === undefined) throw new Error(`There is no stream ${name}/${part}`);
  const parts = traceStream(stream, parseHex(hex), { ...choice, framed: false, options: {} });
  for (const { bytes, fields, error, inner } of parts) {
    expect(error).toBeUndefined();
    checkFields(bytes, fields);
    if (inner !== undefined) checkFields(inner.bytes, inner.fields);
  }
}

/** Older opcode numbers, and vectors without one: as v62 numbers them. */
const mapleOpcodes: Readonly<Record<string, string>> = { "0x9a": "9d00", "0xa0": "b200" };

function maplePayload(vector: Vector): string {
  const [name, opcode, hex] = [String(vector.name), String(vector.opcode), String(vector.hex)];
  if (name.includes("body only")) return `${opcode.slice(2)}00${hex}`;
  return (mapleOpcodes[opcode] ?? hex.slice(0, 4)) + hex.slice(4);
}

describe("every vector inspected: its fields are all of its bits, and their values make them again", () => {
  test.each(JSON.parse(text("slime-online-2.json")) as Vector[])("slime-online-2: $name", (vector) => {
    const choice = { dialect: String(vector.dialect), sender: vector.sender as Side };
    checkPayload("slime-online-2", "", choice, String(vector.hex));
  });

  const plain = (JSON.parse(text("maplestory-v62.json")) as Vector[]).filter(
    ({ trust }) => trust !== "captured-encrypted",
  );
  test.each(plain)("maplestory: $name", (vector) => {
    const sender = String(vector.direction).startsWith("client") ? "client" : "server";
    checkPayload("maplestory", "", { dialect: "v62", sender }, maplePayload(vector));
  });

  test.each(JSON.parse(text("scrap-mechanic.json")) as Vector[])("scrap-mechanic: $name", (vector) => {
    checkPayload("scrap-mechanic", "", { dialect: "documented", sender: vector.sender as Side }, String(vector.wire));
  });

  const { traces } = JSON.parse(text("osrs-mouse-client.json")) as {
    readonly traces: readonly { readonly id: string; readonly packets: readonly string[] }[];
  };
  test.each(traces)("mouse: $id", ({ packets }) => {
    for (const packet of packets) checkPayload("osrs", "mouse", { dialect: "client", sender: "client" }, packet);
  });

  test.each(["osrs-player-info-client.jsonl", "osrs-player-info-bad.jsonl"])("player info: %s", (name) => {
    let decoder = new PlayerInfoDecoder({ dialect: "client" });
    let read = 0;
    for (const line of text(name).trim().split("\n")) {
      const vector = JSON.parse(line) as Vector;
      const tracer = new Tracer();
      const bytes = parseHex(String(vector.initHex ?? vector.hex));
      // A damaged packet is refused somewhere: `decoder.test.ts` checks where.
      if (vector.verdict !== undefined) continue;
      if (vector.initHex === undefined) decoder.decode(bytes, tracer);
      else {
        decoder = new PlayerInfoDecoder({ dialect: "client" });
        decoder.init(bytes, Number(vector.localIndex), tracer);
      }
      checkFields(bytes, tracer.fields);
      read += 1;
    }
    expect(read).toBeGreaterThan(0);
  });
});
