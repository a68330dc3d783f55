import { describe, expect, it } from "vitest";
import { fakeProtocol } from "../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { UsageError } from "./context.ts";
import { parseSettings, withSettings } from "./settings.ts";

const protocols = { fake: fakeProtocol };

describe("--set", () => {
  it("changes the protocol that it names, the last value of a setting", () => {
    const settings = parseSettings(protocols, ["fake.opcode=8", "fake.opcode=9"]);
    expect(withSettings(fakeProtocol, settings).title).toBe("Fake with opcode 9");
  });

  it("leaves a protocol alone that nothing was set for", () => {
    expect(withSettings(fakeProtocol, parseSettings(protocols, []))).toBe(fakeProtocol);
  });

  it("refuses a value that the protocol refuses, as wrong usage", () => {
    expect(() => withSettings(fakeProtocol, parseSettings(protocols, ["fake.opcode=256"]))).toThrow(UsageError);
  });
});
