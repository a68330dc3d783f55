/** Members that a game may leave out, and the sentence for each that something needs. */
import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it, test } from "vitest";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import { hasMembers, MissingMemberError, missingMembers, requireMembers } from "./members.ts";
import { openTap } from "./open-tap.ts";
import { codecStream, packetStreams } from "./payload-stream.ts";
import type { PlayableProtocol, PlayMember, Protocol, ProtocolWith, ServedProtocol } from "./protocol.ts";
import { protocols } from "./table.ts";
import { bytesGame, fakeWithout } from "./testing/fake-bytes.ts";
import { fakeProtocol } from "./testing/fake-protocol.ts";

const all: readonly PlayMember[] = ["defaultPort", "openChannel", "createWorld", "bots"];

test("the examples of members.ts are true", () => {
  const examples = findExamples(readFileSync(new URL("members.ts", import.meta.url), "utf8"));
  expect(examples.length).toBeGreaterThan(0);
  const pebble = { ...bytesGame, name: "pebble" };
  for (const example of examples) runExample(example, { hasMembers, requireMembers, pebble });
});

describe("requireMembers", () => {
  it.each<[PlayMember[], string]>([
    [["createWorld"], "bytes has no world (createWorld): it cannot be served"],
    [
      ["openChannel", "createWorld"],
      "bytes has no channel (openChannel) and no world (createWorld): it cannot be served",
    ],
    [
      ["openChannel", "createWorld", "bots"],
      "bytes has no channel (openChannel), no world (createWorld) and no bots (bots): it cannot be served",
    ],
    [["defaultPort"], "bytes has no port (defaultPort): it cannot be served"],
  ])("of %o names all that is missing", (members, message) => {
    const found = (): unknown => requireMembers(bytesGame, members, "be served");
    expect(found).toThrow(new MissingMemberError("bytes", members, "be served"));
    expect(found).toThrow(message);
  });

  it("names what is missing alone, and keeps it as data", () => {
    try {
      requireMembers(fakeWithout("bots"), all, "be attacked");
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({
        name: "MissingMemberError",
        message: "fake has no bots (bots): it cannot be attacked",
        members: ["bots"],
      });
    }
  });

  it("gives the game itself", () => {
    for (const protocol of Object.values(protocols)) expect(requireMembers(protocol, all, "be played")).toBe(protocol);
  });

  it("narrows the type", () => {
    const game: Protocol = fakeProtocol as Protocol;
    expectTypeOf(game.createWorld).toBeNullable();
    const served = requireMembers(game, ["openChannel", "createWorld"], "be served");
    expectTypeOf(served).toExtend<ServedProtocol>();
    expectTypeOf(served).toExtend<ProtocolWith<"createWorld">>();
    expectTypeOf(served).not.toExtend<PlayableProtocol>();
    expectTypeOf<PlayableProtocol>().toExtend<ServedProtocol>();
    expect(served.createWorld({ dialect: "plain", seed: 1 }).save().world).toBe("fake/plain");
  });
});

test("missingMembers says what a game lacks, and nothing of one that lacks none", () => {
  expect(missingMembers(bytesGame, ["bots"])).toBe("bytes has no bots (bots)");
  expect(missingMembers(fakeProtocol as Protocol, all)).toBeUndefined();
  expect(hasMembers(bytesGame, [])).toBe(true);
});

describe("packet streams", () => {
  const setup = { dialect: "plain", sender: "client", framed: false, options: {} } as const;

  it("are the payloads of the codec where the game has none of its own", () => {
    const streams = packetStreams(bytesGame);
    expect(Object.keys(streams)).toEqual([""]);
    const step = { message: "step", value: { x: 5 } };
    const bytes = streams[""]?.openWriter(setup).write(step) as Uint8Array;
    expect(streams[""]?.openReader(setup).read(bytes)).toEqual(step);
    expect(packetStreams(fakeProtocol as Protocol)).toBe(fakeProtocol.streams);
  });

  it("have frames where the game has channels", () => {
    expect(codecStream(bytesGame)).not.toHaveProperty("openChannel");
    const { openChannel } = codecStream(fakeProtocol as Protocol);
    for (const side of ["client", "server"] as const) {
      const saved = openChannel?.(side, { ...setup, framed: true }).save();
      expect(saved?.channel).toBe(`fake/plain/${side}/stream`);
    }
  });

  it("without frames refuse to write them", () => {
    expect(() => codecStream(bytesGame).openWriter({ ...setup, framed: true })).toThrow(
      "the stream has no channel (openChannel): it cannot be read or written in frames",
    );
  });
});

test("a game without channels has no tap", () => {
  expect(() => openTap(bytesGame, { dialect: "plain", options: {} })).toThrow(
    "bytes has no channel (openChannel): it cannot be read from beside",
  );
});
