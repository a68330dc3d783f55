/**
 * The messages of MapleStory as values, each described once. A movement packet has fixed fields before and after a path of
 * fragments: `codec.ts` puts them together.
 *
 * `messages-v83.ts` and `messages-v95.ts` have those that the later clients have otherwise.
 *
 * Source: docs/protocols/maplestory.md 3. The bodies of show player, remove monster and change map after the fieldKey are laid
 * out as preservers of v62 list them and were not compared with captured bytes; they are marked UNSETTLED.
 */
import {
  array,
  bytesReadBy,
  decode,
  fixedBytes,
  type Infer,
  i8,
  i16le,
  i32le,
  type Layout,
  oneOf,
  optional,
  prefixedString,
  readingFor,
  restBytes,
  struct,
  u8,
  u16le,
  u32le,
  u64le,
  variant,
  withMeaning,
} from "../../../wire/index.ts";
import type { FragmentFields } from "./fragment.ts";
import { box, keypad, point } from "./path-blocks.ts";

/**
 * The longest payload that is believed. A path of 255 fragments of 16 bytes with 255 key nibbles and every field around
 * it is 4.3 KB; twice that leaves room for messages that only pass by.
 */
export const MAX_PAYLOAD_BYTES = 8192;
/** Characters of a character's or guild's name; the client's boxes hold 12. */
export const MAX_NAME_LENGTH = 64;
/** Items that a look may list: the client has 17 places, each at most twice. */
export const MAX_LOOK_ITEMS = 64;

export const name = withMeaning(prefixedString({ count: u16le, limit: MAX_NAME_LENGTH }), {
  doc: "the character's name",
});

/** A place on a map, pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The bounding box of the start and of every fragment that has a position. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Where a path starts and what was done from there. */
export interface Path {
  readonly start: Point;
  readonly fragments: readonly FragmentFields[];
}

/** The box of a path: its start, and every fragment of a kind that has a position. */
export function boxOf(start: Point, fragments: readonly FragmentFields[]): Box {
  let { x: left, y: top } = start;
  let { x: right, y: bottom } = start;
  for (const { kind, x = 0, y = 0 } of fragments) {
    if (kind === "relative" || kind === "startFallDown" || kind === "equipment" || kind === "bare") continue;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, top, right, bottom };
}

/** A path as it came: what a relay passes on, byte for byte. */
export interface PathBytes {
  /** The four bytes before the count (`v62`: the start), the count and the fragments. */
  readonly pathBytes: Uint8Array;
}

/** What follows a path of the client: the keys of each step, and the box. Never relayed. */
export interface Tail {
  readonly keypad: readonly number[];
  readonly box: Box;
}

/** Fields by name, in wire order. */
export const fields = <F extends Record<string, Layout<unknown>>>(declared: F): F => declared;

export const mobId = withMeaning(u32le, { doc: "the monster: its number on the map" });
export const characterId = withMeaning(u32le, { doc: "the character" });
const summonId = withMeaning(u32le, { doc: "the summoned helper: its number on the map" });
const x = withMeaning(i16le, { doc: "where it stands: to the right", unit: "px" });
const y = withMeaning(i16le, { doc: "where it stands: downwards", unit: "px" });
export const standing = fields({ x, y });
export const template = withMeaning(u32le, { doc: "which monster of the game's data it is" });
export const stance = withMeaning(u8, { doc: "its stance, and in the low bit the side: 1 left" });
export const foothold = withMeaning(i16le, { doc: "what it stands on: 0 the air" });
export const originFoothold = withMeaning(i16le, { doc: "the foothold that it came onto the map on" });
export const team = withMeaning(i8, { doc: "its team in a contest; -1 none" });
export const spawnEffect = withMeaning(u32le, { doc: "an effect of its coming; servers write 0" });

/** The same message, with its section of the standard. */
export const inSection = <T>(section: string, layout: Layout<T>): Layout<T> => withMeaning(layout, { section });

/** What stands around the fragments of `v62` and `v83`. */
export const v62Place = fields({ start: point });
export const v62Tail = fields({ keypad, box });

/** Bytes that the document prints no layout for, in packets whose layout it prints: five before the fragments, 18 after. */
export const documentedHead = fields({ head: fixedBytes(5, { opaque: "the document says only: verification" }) });
export const documentedTail = fields({ tail: fixedBytes(18, { opaque: "the document says only: verification" }) });
/** The same in packets whose layout it does not print. */
export const documentedPlace = fields({ opaque: fixedBytes(4, { opaque: "not printed in the document" }) });
export const documentedRest = fields({
  rest: restBytes({ limit: MAX_PAYLOAD_BYTES, opaque: "not printed in the document" }),
});

/** What the four bytes of `target` mean. */
export type Target =
  | { readonly attack: Point }
  | { readonly skill: { readonly id: number; readonly level: number; readonly delay: number } }
  | undefined;

/** Of a raw action from 24 to 41 the place that is attacked, from 42 to 59 a skill (standard 3.2). */
const targetBytes = bytesReadBy(4, [
  { name: "attack", when: { field: "actionAndDirection", from: 24, to: 41 }, of: point },
  {
    name: "skill",
    when: { field: "actionAndDirection", from: 42, to: 59 },
    of: struct({
      id: withMeaning(u8, { doc: "the skill that is used" }),
      level: withMeaning(u8, { doc: "its level" }),
      delay: withMeaning(i16le, { doc: "when it hits", unit: "ms" }),
    }),
  },
]);

export const target = withMeaning(targetBytes, { doc: "what the action is aimed at; 0 when it is none" });

/** Reads `target` by the action: an attack goes to a place, a skill has an id, a level and a delay in milliseconds. */
export function targetOf(actionAndDirection: number, bytes: Uint8Array): Target {
  const reading = readingFor(target, { actionAndDirection });
  return reading && ({ [reading.name]: decode(reading.of, bytes) } as unknown as Target);
}

// --- Before the path ---------------------------------------------------------------------------------------------------

export const fieldKey = withMeaning(u8, { doc: "a counter that CHANGE_MAP gives; every move returns it" });
/** C 0x26. */
export const movePlayerFields = fields({ fieldKey });
const flags = withMeaning(u8, { doc: "a low nibble other than 0: a next attack is possible" });
export const actionAndDirection = withMeaning(i8, {
  doc: "-1 no attack, else action << 1 | left; 24 to 41 attacks, 42 to 59 skills",
});
/** C 0x9D. `target`: see {@link targetOf}. */
export const moveLifeFields = fields({
  mobId,
  moveId: withMeaning(u16le, { doc: "the client's counter for one monster; the answer returns it" }),
  flags,
  actionAndDirection,
  target,
  moveFlags: withMeaning(u8, { doc: "bit 0x10: the client itself reports that the controller cheats" }),
  unknown: withMeaning(u32le, { doc: "not known; honest clients send 1" }),
});
/** C 0x8C. */
export const movePetFields = fields({
  petId: withMeaning(u64le, { doc: "the pet: the number of the item that it is" }),
});
/** C 0x94. */
export const moveSummonFields = fields({ summonId });
/** S 0x8D. */
export const movePlayerNoticeFields = fields({ characterId });
/** S 0xB2. */
export const moveMonsterFields = fields({ mobId, flags, actionAndDirection, target });
/** S 0x81. */
export const movePetNoticeFields = fields({
  characterId,
  slot: withMeaning(u8, { doc: "which of the owner's three pets" }),
});
/** S 0x88. */
export const moveSummonNoticeFields = fields({ characterId, summonId });

/** S 0xB3: the answer to every 0x9D; without it the client stops driving the monster. */
export const moveMonsterResponse = inSection(
  "3.2",
  struct({
    mobId,
    moveId: withMeaning(u16le, { doc: "the counter of the path that is answered" }),
    nextAttack: withMeaning(u8, { doc: "1: the monster may attack with its next path" }),
    mp: withMeaning(u16le, { doc: "the mana that the monster has left" }),
    skillId: withMeaning(u8, { doc: "the skill that the monster may use; 0 none" }),
    skillLevel: withMeaning(u8, { doc: "the level of that skill" }),
  }),
);

/** moveFlags of a 0x9D in which the client itself says that the controller cheats. */
export const CHEAT_REPORT_FLAG = 0x10;

// --- Other packets of v62 ----------------------------------------------------------------------------------------------

/** C 0x14: the login was done elsewhere, this character comes in. */
export const playerLoggedIn = inSection(
  "3.4.1",
  struct({ characterId, reserved: withMeaning(u16le, { doc: "clients send 0" }) }),
);
/** C 0x9E: a monster has noticed the player. */
export const aggro = inSection("3.4.1", struct({ mobId, unknown: withMeaning(u32le, { doc: "not known" }) }));
/** S 0x11, C 0x18. */
export const empty = inSection("3.4.1", struct({}));

/**
 * S 0x5C: go to a map. The client echoes `fieldKey` in every move from then on. UNSETTLED after the fieldKey; a client
 * that comes from a login gets its whole character there, which is opaque here.
 */
export const changeMap = inSection(
  "3.4.2",
  struct({
    channel: withMeaning(i32le, { doc: "the channel that the player is in, from 0" }),
    fieldKey,
    target: variant("content", oneOf(u8, { map: 0, character: 1 }), {
      map: struct({
        notices: withMeaning(u16le, { doc: "how many lines of notices follow; servers write 0" }),
        mapId: withMeaning(u32le, { doc: "the map that the player comes to" }),
        spawnPoint: withMeaning(u8, { doc: "which of the map's portals the player comes out of" }),
        hp: withMeaning(u16le, { doc: "the health that the player has" }),
        chase: withMeaning(u8, { doc: "1: a place follows at which the player comes out instead" }),
        time: withMeaning(u64le, { doc: "the server's time: 100 ns since 1601" }),
      }),
      character: struct({ data: restBytes({ limit: MAX_PAYLOAD_BYTES, opaque: "the whole character" }) }),
    }),
  }),
);

/** Parts of an IPv4 address, as it is read: 127, 0, 0, 1. */
const ip = withMeaning(array(u8, { count: 4 }), { doc: "an IPv4 address, as it is read" });
const refusedRest = restBytes({ limit: MAX_PAYLOAD_BYTES, opaque: "not described" });

const selected = { field: "result", from: 0, to: 0 } as const;
const notSelected = { field: "result", from: 1, to: 0xff } as const;

/**
 * S 0x0C and S 0x09: where the channel is that the character was selected for. The client connects there and sends PLAYER_LOGGEDIN with
 * the character. UNSETTLED for a result other than 0.
 */
export const serverIp = inSection(
  "3.4.5",
  struct({
    result: withMeaning(u8, { doc: "0 selected, otherwise why not" }),
    mode: withMeaning(u8, { doc: "servers write 0" }),
    ip: optional(ip, selected),
    port: optional(withMeaning(u16le, { doc: "the port of that server" }), selected),
    characterId: optional(characterId, selected),
    authenCode: optional(withMeaning(u8, { doc: "servers write 0" }), selected),
    premium: optional(withMeaning(u32le, { doc: "servers write 0" }), selected),
    refused: optional(refusedRest, notSelected),
  }),
);

const moves = { field: "moves", from: 1, to: 0xff } as const;

/** S 0x10: go to another channel, at this address. */
export const changeChannel = inSection(
  "3.4.5",
  struct({
    moves: withMeaning(u8, { doc: "servers send 1; a client that receives 0 disconnects" }),
    ip: optional(ip, moves),
    port: optional(withMeaning(u16le, { doc: "the port of that server" }), moves),
    refused: optional(refusedRest, { field: "moves", from: 0, to: 0 }),
  }),
);

/** Places and items until a place of 255. */
export const lookItems: Layout<readonly { readonly slot: number; readonly item: number }[]> = array(
  struct({
    slot: withMeaning(u8, { doc: "the part of the body" }),
    item: withMeaning(u32le, { doc: "the item that is worn there" }),
  }),
  { until: 255, limit: MAX_LOOK_ITEMS },
);

/** Bytes between a player's guild and look: status effects and their durations. UNSETTLED. */
const EFFECT_BYTES = 108;
/** Bytes after a player's stance: foothold, pets, mount, shop, rings. UNSETTLED. */
const EXTRAS_BYTES = 23;

/** S 0x78: a player is on the map. UNSETTLED. */
export const showPlayer = inSection(
  "3.4.3",
  struct({
    characterId,
    name,
    guild: withMeaning(name, { doc: "the name of the guild; empty without one" }),
    emblem: withMeaning(fixedBytes(6), { doc: "the emblem of the guild" }),
    effects: fixedBytes(EFFECT_BYTES, { opaque: "status effects and their durations" }),
    gender: withMeaning(u8, { doc: "0 male, 1 female" }),
    skin: withMeaning(u8, { doc: "the colour of the skin" }),
    face: withMeaning(u32le, { doc: "the face" }),
    megaphone: withMeaning(u8, { doc: "not settled; servers write 1" }),
    hair: withMeaning(u32le, { doc: "the hair" }),
    equipment: withMeaning(lookItems, { doc: "what is worn and seen" }),
    masked: withMeaning(lookItems, { doc: "what is worn below it" }),
    weapon: withMeaning(u32le, { doc: "a weapon that is shown in the place of the worn one; 0 none" }),
    pets: withMeaning(array(u32le, { count: 3 }), { doc: "the pets that are out; 0 none" }),
    unknown: withMeaning(u32le, { doc: "not known" }),
    itemEffect: withMeaning(u32le, { doc: "the effect of an item around the player; 0 none" }),
    chair: withMeaning(u32le, { doc: "the chair that the player sits on; 0 none" }),
    ...standing,
    state: stance,
    extras: fixedBytes(EXTRAS_BYTES, { opaque: "foothold, pets, mount, shop, rings" }),
  }),
);

/** A player without guild, effects and clothes, for {@link showPlayer}. */
export function plainPlayer(who: {
  readonly characterId: number;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly state: number;
}): Infer<typeof showPlayer> {
  const effects = new Uint8Array(EFFECT_BYTES);
  // Constants that preservers of v62 send for a player without effects.
  effects.set([1], 4);
  effects.set([0xf8], 11);
  effects.set([0x40, 1], EFFECT_BYTES - 2);
  const extras = new Uint8Array(EXTRAS_BYTES);
  extras.set([1], 4);
  return {
    ...who,
    guild: "",
    emblem: new Uint8Array(6),
    effects,
    gender: 0,
    skin: 0,
    face: 20_000,
    megaphone: 1,
    hair: 30_000,
    equipment: [],
    masked: [],
    weapon: 0,
    pets: [0, 0, 0],
    unknown: 0,
    itemEffect: 0,
    chair: 0,
    extras,
  };
}

/** S 0x79. */
export const removePlayer = inSection("3.4.3", struct({ characterId }));

/** What a client must know of a monster to show or drive it. The status mask is unsettled; seen: 0000000800000000. */
const spawn = struct({
  status: oneOf(u8, { controlled: 1, notControlled: 5 }),
  template,
  statusMask: fixedBytes(8, { opaque: "not settled; seen: 0000000800000000" }),
  ...standing,
  state: stance,
  originFoothold,
  foothold,
  appear: withMeaning(i8, { doc: "how it comes: -1 it is there, -2 it fades in" }),
  team,
  effect: spawnEffect,
});
export type Spawn = Infer<typeof spawn>;

/** `documented`, S 0xFF (ours): a monster is on the map, with its number. */
export const documentedShowMonster = inSection(
  "3.3.1",
  struct({
    mobId,
    spawn: struct({ template, ...standing, state: stance, foothold }),
  }),
);

/** S 0xAF. */
export const showMonster = inSection("3.4.4", struct({ mobId, spawn }));
/** S 0xB0. UNSETTLED after the id: 0 gone, 1 died. */
export const removeMonster = inSection(
  "3.4.4",
  struct({ mobId, animation: withMeaning(u8, { doc: "0 gone, 1 died" }) }),
);
/** S 0xB1: stop driving a monster, drive it, or drive it with aggro. */
export const controlMonster = inSection(
  "3.4.4",
  variant("mode", oneOf(u8, { stop: 0, control: 1, controlWithAggro: 2 }), {
    stop: struct({ mobId }),
    control: struct({ mobId, spawn }),
    controlWithAggro: struct({ mobId, spawn }),
  }),
);
