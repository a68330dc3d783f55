/** The suite itself: the sound fake keeps every rule, and each fake that breaks one fails that one. */
import { describe, expect, it } from "vitest";
import type { ChannelOptions } from "../codec.ts";
import { brokenChannels } from "./broken-channels.ts";
import type { BrokenProtocols, Fake } from "./broken-protocol.ts";
import { brokenSavedWorlds } from "./broken-saved-worlds.ts";
import { brokenWorlds } from "./broken-worlds.ts";
import type { FakeServerMessage } from "./fake-codec.ts";
import { fakeProtocol } from "./fake-protocol.ts";
import { describeProtocol, dialectRules, protocolRules } from "./protocol-suite.ts";
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
