import { describe, expect, it, test } from "vitest";
import { encode, encodeLatin1, formatHex, parseHex } from "../../../wire/index.ts";
import { detectDialect, dialectRules, slimeDialects } from "./dialect.ts";

describe("the dialects (standard 1.4)", () => {
  it("are three, the document as printed first", () => {
    expect(slimeDialects.map(({ name }) => name)).toEqual(["documented", "documentedLittleEndian", "v0106"]);
  });

  test.each([
    ["documented", 8, "00 08", false],
    ["documentedLittleEndian", 8, "08 00", false],
    ["v0106", 2, "02 00", true],
  ])("%s: message type %i as %s, cipher %s", (name, id, bytes, ciphered) => {
    const rules = dialectRules(name);
    expect(rules.movePlayerId).toBe(id);
    expect(formatHex(encode(rules.type, id))).toBe(bytes);
    expect(rules.keys !== undefined).toBe(ciphered);
    expect(rules.movementOnly).toBe(!ciphered);
    expect(rules.signedJumpX).toBe(ciphered);
  });

  it("v0106 has a key for each direction", () => {
    const { keys } = dialectRules("v0106");
    const payload = encodeLatin1("02 00");
    const fromClient = keys?.client.apply(payload);
    expect(fromClient).not.toEqual(keys?.server.apply(payload));
    expect(fromClient && keys?.client.apply(fromClient)).toEqual(payload);
  });

  it("an unknown dialect is a RangeError that names the known ones", () => {
    expect(() => dialectRules("v0107")).toThrow(
      new RangeError("Unknown dialect v0107 of slime-online-2: it has documented, documentedLittleEndian, v0106"),
    );
  });
});

describe("the first payload gives the dialect away", () => {
  test.each([
    ["00 08 02 C0 01 A0 00", "documented"],
    ["00 08", "documented"],
    ["08 00 0A", "documentedLittleEndian"],
    ["02 00 02 C0 01 A0 00", "v0106"],
    ["0A 00 30 2E 31 30 36 00", "v0106"],
    ["09 00", "v0106"],
    ["8D 00", "v0106"],
    // Types are 1..141.
    ["8E 00", undefined],
    ["00 00", undefined],
    ["00 02", undefined],
    ["01 02 03", undefined],
    ["08 08", undefined],
    ["08", undefined],
    ["", undefined],
  ])("%s: %s", (hex, dialect) => {
    expect(detectDialect(parseHex(hex))).toBe(dialect);
  });
});
