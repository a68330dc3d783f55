import { describe, expect, it } from "vitest";
import { parseHex } from "../wire/index.ts";
import type { Side, WireMessage } from "./codec.ts";
import { mapleStory } from "./maplestory/maplestory.ts";
import { plainPlayer } from "./maplestory/wire/messages.ts";
import { openScrubber } from "./open-scrubber.ts";
import type { PseudonymScope } from "./privacy.ts";
import type { Protocol } from "./protocol.ts";
import { Pseudonyms } from "./pseudonyms.ts";
import { scrapMechanic } from "./scrap-mechanic/index.ts";
import { slimeOnline2 } from "./slime-online-2/slime-online-2.ts";
import { protocols } from "./table.ts";

function opened(protocol: Protocol, dialect: string, whose: PseudonymScope = "others") {
  const codec = protocol.codec(dialect);
  const scrubber = openScrubber(protocol, { dialect, whose, pseudonyms: new Pseudonyms() });
  return {
    codec,
    scrub: (sender: Side, payload: Uint8Array) => scrubber.scrub(sender, payload),
    value(sender: Side, message: string, value: object): WireMessage["value"] {
      const given = codec.write(sender, { message, value } as never);
      return codec.read(sender, scrubber.scrub(sender, given)).value;
    },
  };
}

describe("pseudonyms", () => {
  it("are numbered by the order of names, and equal names have equal ones", () => {
    const pseudonyms = new Pseudonyms();
    expect(["Ann", "Ben", "Ann"].map((name) => pseudonyms.of(name))).toEqual(["player-1", "player-2", "player-1"]);
  });

  it("need a game that says where names are", () => {
    const { capabilities: _, ...bare } = scrapMechanic;
    const setup = { dialect: "documented", whose: "others", pseudonyms: new Pseudonyms() } as const;
    expect(() => openScrubber(bare, setup)).toThrow('scrap-mechanic has no capability "privacy"');
  });

  it("every game of the table has the capability", () => {
    for (const game of Object.values(protocols)) expect(game.capabilities?.privacy, game.name).toBeDefined();
  });
});

describe("Slime Online 2", () => {
  const look = { body: 4, accessory1: 5, accessory2: 6 };
  const announced = { kind: "announce", x: 10, y: 20, playerId: 3, room: 7, name: "Ann", ...look };

  it("shows others with pseudonyms and without clothes, at the same places", () => {
    const { value } = opened(slimeOnline2, "v0106");
    const plain = { body: 0, accessory1: 0, accessory2: 0 };
    expect(value("server", "newPlayer", announced)).toEqual({ ...announced, ...plain, name: "player-1" });
    expect(value("server", "newPlayer", { ...announced, name: "Ben" })).toMatchObject({ name: "player-2" });
    expect(value("server", "newPlayer", announced)).toMatchObject({ name: "player-1" });
  });

  it.each(["client", "server"] as const)("has no chat from the %s", (sender) => {
    const { value } = opened(slimeOnline2, "v0106");
    const given = sender === "client" ? { text: "I am Ann" } : { playerId: 3, text: "I am Ann" };
    expect(value(sender, "chat", given)).toEqual({ ...given, text: "" });
  });

  it("keeps the observer's own name, and never its password", () => {
    const login = { version: "0.106", user: "Zoe", password: "secret", mac: "00:11" };
    expect(opened(slimeOnline2, "v0106").value("client", "login", login)).toEqual({ ...login, password: "", mac: "" });
    const all = opened(slimeOnline2, "v0106", "all").value("client", "login", login);
    expect(all).toEqual({ ...login, user: "player-1", password: "", mac: "" });
  });

  it("leaves a message without personal data as it is, and gives zeros for one that cannot be read", () => {
    const { codec, scrub } = opened(slimeOnline2, "v0106");
    const warp = codec.write("client", { message: "warp", value: { room: 1, x: 2, y: 3 } } as never);
    expect(scrub("client", warp)).toBe(warp);
    const cut = parseHex("0a 00 41 6e 6e");
    expect(scrub("client", cut)).toEqual(parseHex("0a 00 00 00 00"));
  });
});

describe("Scrap Mechanic", () => {
  it("has nothing to replace, and zeros for what is no message", () => {
    const { codec, scrub } = opened(scrapMechanic, "documented");
    const use = codec.write("client", { message: "use", value: {} } as never);
    expect(scrub("client", use)).toBe(use);
    expect(scrub("client", parseHex("77 41 6e 6e"))).toEqual(parseHex("77 00 00 00"));
  });
});

describe.each(["v62", "v83", "v95"])("MapleStory %s", (dialect) => {
  it("shows others without name, guild and look", () => {
    const { codec, scrub, value } = opened(mapleStory, dialect);
    if (dialect === "v62") {
      const shown = plainPlayer({ characterId: 9, name: "Ann", x: 30, y: -40, state: 4 });
      const dressed = { ...shown, guild: "Guild", hair: 30_123, equipment: [{ slot: 5, item: 1_040_002 }], gender: 1 };
      expect(value("server", "showPlayer", dressed)).toEqual({ ...shown, name: "player-1", gender: 1 });
    } else {
      const look = new TextEncoder().encode("..Ann..Guild");
      const shown = { characterId: 9, level: 30, look };
      expect(value("server", "showPlayer", shown)).toEqual({ ...shown, look: new Uint8Array(look.length) });
    }
    const move = codec.write("server", { message: "removePlayer", value: { characterId: 9 } } as never);
    expect(scrub("server", move)).toBe(move);
  });

  it("gives zeros for all that is not described, and keeps its opcode", () => {
    const { scrub } = opened(mapleStory, dialect);
    expect(scrub("server", parseHex("77 02 03 00 41 6e 6e"))).toEqual(parseHex("77 02 00 00 00 00 00"));
  });
});
