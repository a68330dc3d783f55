import { describe, expect, it, test } from "vitest";
import { encode, encodeLatin1, formatHex } from "../../../wire/index.ts";
import { dialectRules, slimeDialects } from "./dialect.ts";

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
