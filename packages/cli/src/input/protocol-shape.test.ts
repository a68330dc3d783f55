import { describe, expect, it } from "vitest";
import type { Protocol } from "wirewalk/protocol";
import * as protocols from "wirewalk/protocols";
import * as wire from "wirewalk/wire";
import { bytesGame } from "../../../wirewalk/src/protocols/testing/fake-bytes.ts";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { looksLikeProtocol, protocolFault } from "./protocol-shape.ts";

const codec = bytesGame.codec("plain");

describe("a game", () => {
  it.each<[string, object]>([
    ["of bytes only", bytesGame],
    ["with every member", fakeProtocol],
    ...Object.entries(protocols.protocols),
  ])("%s is one", (_, game) => {
    expect([looksLikeProtocol(game), protocolFault(game)]).toEqual([true, undefined]);
  });

  it("is not what else a module exports", () => {
    const others = [
      undefined,
      null,
      5,
      "game",
      () => bytesGame,
      [bytesGame],
      {},
      codec,
      bytesGame.dialects,
      fakeProtocol.bots,
    ];
    for (const other of [...others, ...bytesGame.dialects, ...Object.values(wire)])
      expect(looksLikeProtocol(other)).toBe(false);
  });

  it("is meant by an object that lacks some of it", () => {
    for (const member of ["name", "title", "summary", "dialects", "codec"] as const) {
      const { [member]: _gone, ...rest } = bytesGame;
      expect(looksLikeProtocol(rest)).toBe(true);
      expect(protocolFault(rest)).toMatch(new RegExp(`^(?:bytes: )?${member} must be .*, got nothing$`));
    }
  });
});

describe("what is wrong with a game is said in a sentence", () => {
  const [plain] = bytesGame.dialects;
  const stream = fakeProtocol.streams[""];

  it.each<[Partial<Record<keyof Protocol, unknown>>, string]>([
    [{ name: 5 }, "name must be a text, got 5"],
    [{ name: "My Game" }, "the name must be lower-case letters, digits and hyphens, got 'My Game'"],
    [{ name: "" }, "the name must be lower-case letters, digits and hyphens, got ''"],
    [{ title: undefined }, "bytes: title must be a text, got nothing"],
    [{ codec }, "bytes: codec must be a function, got an object"],
    [{ codec: "plain" }, "bytes: codec must be a function, got 'plain'"],
    [{ dialects: {} }, "bytes: dialects must be a list, got an object"],
    [{ dialects: [] }, "bytes: dialects is empty: a game has one at least"],
    [{ dialects: ["plain"] }, "bytes: dialects[0] must be an object, got 'plain'"],
    [{ dialects: [plain, { ...plain, name: "" }] }, "bytes: dialects[1].name must be a text that is not empty, got ''"],
    [{ dialects: [{ ...plain, source: "web" }] }, "bytes: dialects[0].source must be client or document, got 'web'"],
    [{ dialects: [plain, plain] }, "bytes: dialects has plain twice"],
    [{ defaultPort: "4747" }, "bytes: defaultPort must be a whole number from 1 to 65535, got '4747'"],
    [{ defaultPort: 70_000 }, "bytes: defaultPort must be a whole number from 1 to 65535, got 70000"],
    [{ openChannel: {} }, "bytes: openChannel must be a function, got an object"],
    [{ createWorld: null }, "bytes: createWorld must be a function, got null"],
    [{ bots: () => undefined }, "bytes: bots must be an object, got a function"],
    [{ bots: { cheats: [] } }, "bytes: bots.create must be a function, got nothing"],
    [{ bots: { create: () => undefined } }, "bytes: bots.cheats must be a list, got nothing"],
    [{ streams: [] }, "bytes: streams must be an object, got a list"],
    [{ streams: { "": "hex" } }, "bytes: streams[''] must be an object, got 'hex'"],
    [
      { streams: { mouse: { ...stream, senders: ["me"] } } },
      "bytes: streams['mouse'].senders must be a list of client and server, got a list",
    ],
    [
      { streams: { mouse: { ...stream, openReader: undefined } } },
      "bytes: streams['mouse'].openReader must be a function, got nothing",
    ],
    [{ capabilities: true }, "bytes: capabilities must be an object, got true"],
    [{ codec: () => undefined }, 'bytes: codec("plain") must give an object, got nothing'],
    [
      { codec: () => ({ ...codec, layouts: undefined }) },
      'bytes: codec("plain").layouts must be an object, got nothing',
    ],
    [{ codec: () => ({ ...codec, trace: undefined }) }, 'bytes: codec("plain").trace must be a function, got nothing'],
    [
      {
        codec: (dialect: string) => {
          if (dialect === "plain") return codec;
          throw new RangeError(`no ${dialect}`);
        },
      },
      'bytes: codec("ciphered") throws: no ciphered',
    ],
  ])("%j", (change, sentence) => {
    expect(protocolFault({ ...bytesGame, ...change })).toBe(sentence);
  });
});
