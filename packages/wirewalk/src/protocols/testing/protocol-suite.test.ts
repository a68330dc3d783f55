/** The suite itself: the sound fake keeps every rule, and each fake that breaks one fails that one. */
import { describe, expect, it } from "vitest";
import type { ChannelOptions } from "../codec.ts";
import type { Protocol } from "../protocol.ts";
import { brokenChannels } from "./broken-channels.ts";
import { type BrokenProtocols, type Fake, withCodec } from "./broken-protocol.ts";
import { brokenSavedWorlds } from "./broken-saved-worlds.ts";
import { brokenWorlds } from "./broken-worlds.ts";
import { bytesGame, fakeWithout } from "./fake-bytes.ts";
import type { FakeServerMessage } from "./fake-codec.ts";
import { fakeProtocol } from "./fake-protocol.ts";
import { describeProtocol, dialectRules, leftOutRules, protocolRules } from "./protocol-suite.ts";
import type { SuiteOptions } from "./subject.ts";

/** Refused steps are counted, and enough of them end in a ban. */
const options: SuiteOptions = {
  durationMs: 3000,
  rooms: [undefined, "2"],
  countedOnRefusal: ["leaps"],
  correctedTo(message, player) {
    const { message: name, value } = message as FakeServerMessage;
    return name === "stepped" ? { x: player + value.x, y: 0 } : undefined;
  },
};

describeProtocol({ describe, it }, fakeProtocol, options);

const tables: readonly BrokenProtocols[] = [brokenChannels, brokenWorlds, brokenSavedWorlds];
const broken = tables.flatMap((table) =>
  Object.entries(table).flatMap(([rule, protocols]) => protocols.map((each) => ({ rule, ...each }))),
);

describe.each(broken)("$what", ({ rule, protocol, says }) => {
  it(`fails: ${rule}`, () => {
    const found = dialectRules(protocol, "plain", options).find(({ name }) => name === rule);
    expect(found).toBeDefined();
    expect(() => found?.check(1)).toThrow(says);
  });
});

const falls = (dialect: string): string =>
  fakeProtocol.dialects.some(({ name }) => name === dialect) ? dialect : "plain";

describe("a protocol that takes any dialect", () => {
  it.each<[string, Partial<Fake>]>([
    ["codec", { codec: (dialect) => fakeProtocol.codec(falls(dialect)) }],
    ["admission", { capabilities: { login: { admission: () => undefined } } }],
    ["createWorld", { createWorld: (world) => fakeProtocol.createWorld({ ...world, dialect: falls(world.dialect) }) }],
    [
      "createBot",
      { bots: { cheats: [], create: (bot) => fakeProtocol.bots.create({ ...bot, dialect: falls(bot.dialect) }) } },
    ],
    [
      "openChannel",
      {
        openChannel: ((channel: ChannelOptions & { side: "server" }) =>
          fakeProtocol.openChannel({ ...channel, dialect: falls(channel.dialect) })) as Fake["openChannel"],
      },
    ],
  ])("in %s fails", (member, change) => {
    const [rule] = protocolRules({ ...fakeProtocol, ...change });
    expect(() => rule?.check(1)).toThrow(`${member} of dialect "" `);
  });
});

describe("a game of bytes only", () => {
  const leftOut = (protocol: Protocol): readonly string[] =>
    leftOutRules(protocol).map(({ name, why }) => `${name}: ${why}`);

  it("keeps the rules of codecs", () => {
    for (const { name: dialect } of bytesGame.dialects) {
      const rules = dialectRules(bytesGame, dialect);
      expect(rules.map(({ name }) => name)).toEqual([
        "any bytes are a message that encodes back, or are refused",
        "reads what its table of messages names",
      ]);
      for (const { check } of rules) for (const seed of [1, 2, 3]) check(seed);
    }
    for (const { check } of protocolRules(bytesGame)) check(1);
  });

  it("breaks them with a codec that writes other bytes", () => {
    const codec = withCodec(({ write }) => ({
      write: ((side, message) => write(side, message).map((byte, at) => (at === 1 ? byte ^ 1 : byte))) as typeof write,
    })).codec as Protocol["codec"];
    const [rule] = dialectRules({ ...bytesGame, codec }, "plain");
    expect(() => rule?.check(1)).toThrow(/ is written back as /);
  });

  it("has every other rule left out, with the reason", () => {
    const left = leftOut(bytesGame);
    expect(left).toContain("streams arrive whole, however they are cut: bytes has no channel (openChannel)");
    expect(left).toContain("ignores unknown players: bytes has no world (createWorld)");
    expect(left.length + dialectRules(bytesGame, "plain").length).toBe(
      dialectRules(fakeProtocol as Protocol, "plain").length,
    );
    expect(leftOut(fakeProtocol as Protocol)).toEqual([]);
  });

  it("is described with the rules that are left out, skipped where the runner can skip", () => {
    const made: string[] = [];
    const skipped: string[] = [];
    const it = (name: string): unknown => made.push(name);
    const describeIt = (_: string, tests: () => void): void => tests();
    describeProtocol(
      { describe: describeIt, it: Object.assign(it, { skip: (name: string) => skipped.push(name) }) },
      bytesGame,
    );
    expect(made).toHaveLength(protocolRules(bytesGame).length + 2 * bytesGame.dialects.length);
    expect(skipped).toHaveLength(leftOutRules(bytesGame).length * bytesGame.dialects.length);
    expect(skipped).toContain("ignores unknown players (left out: bytes has no world (createWorld))");
    made.length = 0;
    describeProtocol({ describe: describeIt, it: (name) => made.push(name) }, bytesGame);
    expect(made).toContain("ignores unknown players (left out: bytes has no world (createWorld))");
  });
});

describe("a game with a world and no bots", () => {
  const protocol = fakeWithout("bots", "openChannel");

  it.each(dialectRules(protocol, "plain", options))("keeps: $name", ({ check }) => check(1));

  it("has nothing but the rules of channels left out", () => {
    expect(new Set(leftOutRules(protocol).map(({ why }) => why))).toEqual(
      new Set(["fake has no channel (openChannel)"]),
    );
  });
});

it.each<[string, Fake["dialects"], string]>([
  ["without dialects", [], "it has none"],
  ["with a dialect twice", [...fakeProtocol.dialects, ...fakeProtocol.dialects.slice(0, 1)], "twice in plain, "],
])("a protocol %s fails", (_, dialects, says) => {
  const [, rule] = protocolRules({ ...fakeProtocol, dialects });
  expect(() => rule?.check(1)).toThrow(says);
});

it("every rule has a fake that breaks it", () => {
  const named = new Set(broken.map(({ rule }) => rule));
  expect(dialectRules(fakeProtocol, "plain").filter(({ name }) => !named.has(name))).toEqual([]);
});
