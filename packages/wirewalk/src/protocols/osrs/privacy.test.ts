import { describe, expect, it } from "vitest";
import { formatHex, type JsonObject, parseHex } from "../../wire/index.ts";
import { openScrubber } from "../open-scrubber.ts";
import type { PacketStream } from "../packet-stream.ts";
import type { PseudonymScope } from "../privacy.ts";
import type { PlayableProtocol } from "../protocol.ts";
import { Pseudonyms } from "../pseudonyms.ts";
import { osrs } from "./osrs.ts";
import { PlayerInfoClient } from "./player-info/wire/client.ts";
import { appearanceFormOf, plainLook, readAppearance, writeAppearance } from "./player-info/wire/masks/appearance.ts";
import type { MaskRevision } from "./player-info/wire/masks/mask-revision.ts";
import { knownRevisions } from "./player-info/wire/masks/named-revisions.ts";
import type { MaskBlocks, PlayerInfoUpdate } from "./player-info/wire/player-info-update.ts";
import { isHarmless } from "./wire/harmless-messages.ts";
import type { OsrsServerMessage } from "./wire/message.ts";

const OBSERVER = 5;
const OTHER = 6;
const SECRET = "Zezima 99";
const CHAT = "07 41 6e 6e";

function gameOf(revision: number): PlayableProtocol {
  return osrs.capabilities?.settings?.configure({ revision }) as PlayableProtocol;
}

/** A look with everything that is replaced. */
function lookOf(masks: MaskRevision, name: string): string {
  const places = [1674, 1531, 0, 1845, 1639, 1711, 0, 1591, 0, 1571, 1573, 0];
  const look = { ...plainLook, gender: 1, places, colours: [9, 8, 7, 6, 5], skullIcon: 1, combatLevel: 126, name };
  return formatHex(writeAppearance(look, appearanceFormOf(masks) as "223"), { separator: "" });
}

/** Ticks of an observer and another player, with every block that holds personal data. What needs a look comes a tick after it. */
function madePayloads(masks: MaskRevision): readonly Uint8Array[] {
  const game = gameOf(Number(masks.name));
  const stream = osrs.streams["player-info"] as PacketStream;
  const writer = (stream.openWriter as NonNullable<PacketStream["openWriter"]>)({
    dialect: "client",
    sender: "server",
    framed: false,
    options: { revision: masks.name },
  });
  const blocks = {
    say: { text: `${SECRET}!` },
    publicChat: { colourEffect: 0, icon: 2, auto: 0, text: CHAT },
    nameExtras: { beforeName: `Sir ${SECRET}`, afterName: "", afterLevel: "" },
    moveSpeed: { speed: 2 },
    sequence: { id: 808, delay: 1 },
  };
  const at = (x: number) => ({ [OBSERVER]: [0, 3200, 3201], [OTHER]: [0, x, 3205] });
  const { init } = writer.write({ observers: [OBSERVER], players: at(3203) }) as { init: Record<string, string> };
  const tick = (x: number, masksOf: JsonObject): string => {
    const made = writer.write({ players: at(x), masks: masksOf } as JsonObject) as { packets: Record<string, string> };
    return made.packets[OBSERVER] as string;
  };
  const packets = [
    tick(3204, {
      [OBSERVER]: { appearance: { data: lookOf(masks, "Observer") } },
      [OTHER]: { appearance: { data: lookOf(masks, SECRET) } },
    }),
    tick(3205, { [OBSERVER]: blocks, [OTHER]: blocks }),
    tick(3206, { [OTHER]: { moveSpeed: { speed: 1 } } }),
    tick(3207, { [OTHER]: { appearance: { data: lookOf(masks, SECRET) } } }),
  ];
  const codec = game.codec("client");
  const write = (message: OsrsServerMessage): Uint8Array => codec.write("server", message as never);
  return [
    write({ message: "playerIndex", value: { index: OBSERVER } }),
    write({ message: "playerInfoInit", value: { bytes: parseHex(init[OBSERVER] as string) } }),
    ...packets.map((hex) => write({ message: "playerInfo", value: { bytes: parseHex(hex) } })),
  ];
}

function scrubbed(revision: number, payloads: readonly Uint8Array[], whose: PseudonymScope): readonly Uint8Array[] {
  const setup = { dialect: "client", whose, pseudonyms: new Pseudonyms() };
  const scrubber = openScrubber(gameOf(revision), setup);
  return payloads.map((payload) => scrubber.scrub("server", payload));
}

function updatesOf(masks: MaskRevision, payloads: readonly Uint8Array[]) {
  const codec = gameOf(Number(masks.name)).codec("client");
  const client = new PlayerInfoClient({ dialect: "client", revision: masks });
  const updates: PlayerInfoUpdate[] = [];
  const places: string[] = [];
  for (const payload of payloads) {
    const update = client.receive(codec.read("server", payload) as OsrsServerMessage);
    if (update === undefined) continue;
    updates.push(update);
    places.push(JSON.stringify([...client.decoder.locals].map((index) => client.decoder.player(index))));
  }
  return { updates, places };
}

/** The first of each block that a player had. */
function blocksOf(updates: readonly PlayerInfoUpdate[], player: number): MaskBlocks {
  const masks = updates.flatMap((update) => update.masks).filter(({ index }) => index === player);
  return Object.assign({}, ...masks.map(({ blocks }) => blocks).toReversed()) as MaskBlocks;
}

describe.each(knownRevisions.map((masks) => [masks.name, masks] as const))("revision %s", (_name, masks) => {
  const revision = Number(masks.name);
  const form = appearanceFormOf(masks) as "206" | "223";
  const payloads = madePayloads(masks);
  const original = updatesOf(masks, payloads);
  const given = scrubbed(revision, payloads, "others");
  const { updates } = updatesOf(masks, given);

  it("replaces the name, the clothes and the chat of others, and keeps gender, animations and level", () => {
    const { appearance, say, publicChat, nameExtras } = blocksOf(updates, OTHER);
    const look = readAppearance(appearance?.data as Uint8Array, form);
    expect(look).toMatchObject({ name: "player-1", gender: 1, combatLevel: 126, skullIcon: 255 });
    expect(look.animations).toEqual(plainLook.animations);
    expect(look.places).not.toContain(1674);
    expect(say).toEqual({ text: "(chat)" });
    expect(publicChat).toMatchObject({ icon: 0, text: new Uint8Array(1) });
    expect(nameExtras).toEqual({ beforeName: "", afterName: "", afterLevel: "" });
    expect(blocksOf(updates.slice(3), OTHER).appearance).toEqual(appearance);
  });

  it("keeps the observer's own look, without its chat; with all it is replaced too", () => {
    const own = blocksOf(original.updates, OBSERVER);
    expect(blocksOf(updates, OBSERVER)).toMatchObject({ appearance: own.appearance, nameExtras: own.nameExtras });
    expect(blocksOf(updates, OBSERVER).say).toEqual({ text: "(chat)" });
    const all = updatesOf(masks, scrubbed(revision, payloads, "all")).updates;
    const names = [OBSERVER, OTHER].map((player) => {
      return readAppearance(blocksOf(all, player).appearance?.data as Uint8Array, form).name;
    });
    expect(names.sort()).toEqual(["player-1", "player-2"]);
  });

  it("leaves passes, movement and the other blocks, and a packet without personal data byte for byte", () => {
    const named = new Set(["appearance", "say", "publicChat", "nameExtras"]);
    const rest = (update: PlayerInfoUpdate) => ({
      ...update,
      maskBits: 0,
      masks: update.masks.map(({ index, blocks }) => [
        index,
        Object.entries(blocks).filter(([name]) => !named.has(name)),
      ]),
    });
    expect(updates.map(rest)).toEqual(original.updates.map(rest));
    expect(given.map((payload, at) => payload === payloads[at])).toEqual([true, true, false, false, true, false]);
  });

  it("leaves nothing of a packet that cannot be read", () => {
    const cut = (payloads[2] as Uint8Array).slice(0, -3);
    const [, , packet] = scrubbed(revision, [payloads[0] as Uint8Array, payloads[1] as Uint8Array, cut], "others");
    expect(packet).toEqual(cut.subarray(0, 1));
  });
});

describe("messages that are not described", () => {
  const game = gameOf(223);
  const table = game.capabilities?.revisions?.table(223);
  const opcodeOf = (sender: "client" | "server", name: string): number => {
    const found = [...(table?.[sender] ?? [])].find(([, message]) => message.name === name);
    if (found === undefined) throw new Error(`revision 223 has no ${name}`);
    return found[0];
  };
  const scrub = (sender: "client" | "server", payload: Uint8Array): Uint8Array => {
    const setup = { dialect: "client", whose: "others", pseudonyms: new Pseudonyms() } as const;
    return openScrubber(game, setup).scrub(sender, payload);
  };

  it.each([
    ["server", "MESSAGE_GAME"],
    ["server", "IF_SETTEXT"],
    ["server", "UPDATE_FRIENDLIST"],
    ["server", "RUNCLIENTSCRIPT"],
    ["server", "CLANCHANNEL_FULL"],
    ["client", "MESSAGE_PUBLIC"],
    ["client", "EVENT_KEYBOARD"],
    ["client", "RESUME_P_STRINGDIALOG"],
  ] as const)("have zeros where the %s's %s may hold a text", (sender, name) => {
    const opcode = opcodeOf(sender, name);
    expect(scrub(sender, Uint8Array.of(opcode, 0x41, 0x6e, 0x6e))).toEqual(Uint8Array.of(opcode, 0, 0, 0));
  });

  it("stay as they are where they are known to be harmless, and only there", () => {
    const varp = Uint8Array.of(opcodeOf("server", "VARP_SMALL"), 1, 2, 3);
    expect(scrub("server", varp)).toBe(varp);
    expect(isHarmless("server", "MESSAGE_OF_A_LATER_REVISION")).toBe(false);
    expect(isHarmless("client", "VARP_SMALL")).toBe(false);
  });
});

it("refuses masks of a revision whose blocks are not known, by its name", () => {
  const table = { fromServer: { PLAYER_INFO: [17, -2] }, fromClient: { EVENT_MOUSE_MOVE: [3, -1] } };
  const later = osrs.capabilities?.revisions?.withTable({ revisions: { 242: table } });
  const game = later?.capabilities?.settings?.configure({ revision: 242 }) as PlayableProtocol;
  const masks = knownRevisions.find(({ name }) => name === "223") as MaskRevision;
  const [from, to] = [gameOf(223), game].map((each) => each.codec("client"));
  const payloads = madePayloads(masks).map((payload) => to?.write("server", from?.read("server", payload) as never));
  const setup = { dialect: "client", whose: "others", pseudonyms: new Pseudonyms() } as const;
  const scrubber = openScrubber(game, setup);
  expect(() => payloads.map((payload) => scrubber.scrub("server", payload as Uint8Array))).toThrow(
    "Cannot give pseudonyms: the mask blocks of revision 242 are not known",
  );
});
