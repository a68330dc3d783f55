/**
 * The messages of MapleStory as values. Around a path of fragments stand fixed fields before and after it; the rest are
 * plain declarations.
 *
 * Source: docs/protocols/maplestory.md 3. The bodies of show player, remove monster and change map after the fieldKey are laid
 * out as preservers of v62 list them and were not compared with captured bytes; they are marked UNSETTLED.
 */
import {
  array,
  fixedBytes,
  handWritten,
  type Infer,
  i8,
  i16le,
  i32le,
  joinPath,
  type Layout,
  type LayoutReader,
  oneOf,
  prefixedString,
  restBytes,
  struct,
  type Tracer,
  u8,
  u16le,
  u32le,
  u64le,
  variant,
  WireError,
  withPath,
} from "../../../wire/index.ts";
import type { FragmentFields } from "./fragment.ts";

/**
 * The longest payload that is believed. A path of 255 fragments of 16 bytes with 255 key nibbles and every field around
 * it is 4.3 KB; twice that leaves room for messages that only pass by.
 */
export const MAX_PAYLOAD_BYTES = 8192;
/** Characters of a character's or guild's name; the client's boxes hold 12. */
export const MAX_NAME_LENGTH = 64;
/** Items that a look may list: the client has 17 places, each at most twice. */
export const MAX_LOOK_ITEMS = 64;

const name = prefixedString({ count: u16le, limit: MAX_NAME_LENGTH });

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
    if (kind === "relative" || kind === "startFallDown" || kind === "equipment") continue;
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

/** Key nibbles: 1 down, 2 up, 4 right, 8 left. */
export const keyBits = { down: 1, up: 2, right: 4, left: 8 } as const;

/** What follows a path of the client: the keys of each step, and the box. Never relayed. */
export interface Tail {
  readonly keypad: readonly number[];
  readonly box: Box;
}

/** n u8, then a nibble for each of n steps, low nibble first; what is left of the last byte is 0. */
const keypad: Layout<readonly number[]> = handWritten({
  read(reader) {
    return readKeypad(reader);
  },
  trace(reader, tracer, path) {
    return readKeypad(reader, tracer, path);
  },
  write(writer, value) {
    if (!Array.isArray(value)) throw new TypeError(`value must be a list of key nibbles, got ${typeof value}`);
    if (value.length > 0xff) throw new RangeError(`value must have at most 255 nibbles, got ${value.length}`);
    value.forEach((nibble: unknown, index) => {
      if (((nibble as number) & 0xf) !== nibble) {
        throw withPath(new RangeError(`nibble must be an integer in 0..15, got ${String(nibble)}`), `[${index}]`);
      }
    });
    writer.u8(value.length);
    for (let index = 0; index < value.length; index += 2) {
      writer.u8((value[index] as number) | (((value[index + 1] as number | undefined) ?? 0) << 4));
    }
  },
});

function readKeypad(reader: LayoutReader, tracer?: Tracer, path = ""): number[] {
  const nibbles: number[] = [];
  let current = "count";
  try {
    const at = reader.offset;
    const count = reader.u8();
    tracer?.field(joinPath(path, "count"), at * 8, 8, count);
    for (let index = 0; index < count; index += 2) {
      current = `[${index}]`;
      const bit = reader.offset * 8;
      const byte = reader.u8();
      nibbles.push(byte & 0xf);
      tracer?.field(joinPath(path, `[${index}]`), bit + 4, 4, byte & 0xf, describeKeys(byte & 0xf));
      if (index + 1 < count) {
        nibbles.push(byte >> 4);
        tracer?.field(joinPath(path, `[${index + 1}]`), bit, 4, byte >> 4, describeKeys(byte >> 4));
      } else {
        current = "unused";
        tracer?.field(joinPath(path, "unused"), bit, 4, byte >> 4);
        if (byte >> 4 !== 0) {
          throw new WireError("bad-value", `Cannot read value: ${byte >> 4} is not 0 at byte ${bit / 8}`, bit);
        }
      }
    }
    return nibbles;
  } catch (error) {
    throw withPath(error, current);
  }
}

function describeKeys(nibble: number): string {
  const held = Object.entries(keyBits).filter(([, bit]) => (nibble & bit) !== 0);
  return held.length === 0 ? "no key" : held.map(([key]) => key).join(" ");
}

const point = struct({ x: i16le, y: i16le });
const box = struct({ left: i16le, top: i16le, right: i16le, bottom: i16le });

/** Fields by name, in wire order. */
export type Fields = Readonly<Record<string, Layout<never>>>;

const fields = <F extends Record<string, Layout<unknown>>>(declared: F): F => declared;

/** What stands around the fragments of `v62`. */
export const v62Place = fields({ start: point });
export const v62Tail = fields({ keypad, box });

/** Bytes that the document prints no layout for, in packets whose layout it prints: five before the fragments, 18 after. */
export const documentedHead = fields({ head: fixedBytes(5) });
export const documentedTail = fields({ tail: fixedBytes(18) });
/** The same in packets whose layout it does not print. */
export const documentedPlace = fields({ opaque: fixedBytes(4) });
export const documentedRest = fields({ rest: restBytes({ limit: MAX_PAYLOAD_BYTES }) });

// --- Before the path ---------------------------------------------------------------------------------------------------

/** C 0x26: the counter that CHANGE_MAP gave. */
export const movePlayerFields = fields({ fieldKey: u8 });
/** C 0x9D. `target`: see {@link targetOf}. moveFlags bit 0x10: the client itself reports a cheating controller. */
export const moveLifeFields = fields({
  mobId: u32le,
  moveId: u16le,
  flags: u8,
  actionAndDirection: i8,
  target: fixedBytes(4),
  moveFlags: u8,
  unknown: u32le,
});
/** C 0x8C. */
export const movePetFields = fields({ petId: u64le });
/** C 0x94. */
export const moveSummonFields = fields({ summonId: u32le });
/** S 0x8D. */
export const movePlayerNoticeFields = fields({ characterId: u32le });
/** S 0xB2. */
export const moveMonsterFields = fields({ mobId: u32le, flags: u8, actionAndDirection: i8, target: fixedBytes(4) });
/** S 0x81. */
export const movePetNoticeFields = fields({ characterId: u32le, slot: u8 });
/** S 0x88. */
export const moveSummonNoticeFields = fields({ characterId: u32le, summonId: u32le });

/** S 0xB3: the answer to every 0x9D; without it the client stops driving the monster. */
export const moveMonsterResponse = struct({
  mobId: u32le,
  moveId: u16le,
  nextAttack: u8,
  mp: u16le,
  skillId: u8,
  skillLevel: u8,
});

/** moveFlags of a 0x9D in which the client itself says that the controller cheats. */
export const CHEAT_REPORT_FLAG = 0x10;

/** What the four bytes of `target` mean. */
export type Target =
  | { readonly attack: Point }
  | { readonly skill: { readonly id: number; readonly level: number; readonly delay: number } }
  | undefined;

/** Raw actions that are an attack, and a skill (standard 3.2). */
const ATTACKS = { first: 24, last: 41 };
const SKILLS = { first: 42, last: 59 };

/** Reads `target` by the action: an attack goes to a place, a skill has an id, a level and a delay in milliseconds. */
export function targetOf(actionAndDirection: number, target: Uint8Array): Target {
  const [a = 0, b = 0, c = 0, d = 0] = target;
  const high = ((c | (d << 8)) << 16) >> 16;
  if (actionAndDirection >= ATTACKS.first && actionAndDirection <= ATTACKS.last) {
    return { attack: { x: ((a | (b << 8)) << 16) >> 16, y: high } };
  }
  if (actionAndDirection >= SKILLS.first && actionAndDirection <= SKILLS.last) {
    return { skill: { id: a, level: b, delay: high } };
  }
  return undefined;
}

// --- Neighbours of v62 -------------------------------------------------------------------------------------------------

/** C 0x14: the login was done elsewhere, this character comes in. */
export const playerLoggedIn = struct({ characterId: u32le, reserved: u16le });
/** C 0x9E: a monster noticed me. */
export const aggro = struct({ mobId: u32le, unknown: u32le });
/** S 0x11, C 0x18. */
export const empty = struct({});

/**
 * S 0x5C: go to a map. The client echoes `fieldKey` in every move from then on. UNSETTLED after the fieldKey; a client
 * that comes from a login gets its whole character there, which is opaque here.
 */
export const changeMap = struct({
  channel: i32le,
  fieldKey: u8,
  target: variant("content", oneOf(u8, { map: 0, character: 1 }), {
    map: struct({ notices: u16le, mapId: u32le, spawnPoint: u8, hp: u16le, chase: u8, time: u64le }),
    character: struct({ data: restBytes({ limit: MAX_PAYLOAD_BYTES }) }),
  }),
});

const NO_MORE_ITEMS = 0xff;

/** Places and items until 0xFF. */
const lookItems: Layout<readonly { readonly slot: number; readonly item: number }[]> = handWritten({
  read: (reader) => readLookItems(reader, (layout) => layout.read(reader)),
  trace: (reader, tracer, path) =>
    readLookItems(reader, (layout, field) => layout.trace(reader, tracer, joinPath(path, field))),
  write(writer, items) {
    if (items.length > MAX_LOOK_ITEMS) {
      throw new RangeError(`value must have at most ${MAX_LOOK_ITEMS} items, got ${items.length}`);
    }
    items.forEach(({ slot, item }, index) => {
      try {
        if (slot === NO_MORE_ITEMS) throw new RangeError("slot must not be 255, the end of the list");
        writer.u8(slot);
        writer.u32le(item);
      } catch (error) {
        throw withPath(error, `[${index}]`);
      }
    });
    writer.u8(NO_MORE_ITEMS);
  },
});

function readLookItems(
  reader: LayoutReader,
  read: (layout: Layout<number>, path: string) => number,
): { slot: number; item: number }[] {
  const items: { slot: number; item: number }[] = [];
  let current = "[0].slot";
  try {
    for (;;) {
      current = `[${items.length}].slot`;
      const isEnd = reader.remaining > 0 && reader.peekU8() === NO_MORE_ITEMS;
      const slot = read(u8, isEnd ? "end" : current);
      if (isEnd) return items;
      if (items.length === MAX_LOOK_ITEMS) {
        const at = reader.offset - 1;
        throw new WireError(
          "limit",
          `Cannot read value: over its limit of ${MAX_LOOK_ITEMS} items at byte ${at}`,
          at * 8,
        );
      }
      current = `[${items.length}].item`;
      items.push({ slot, item: read(u32le, current) });
    }
  } catch (error) {
    throw withPath(error, current);
  }
}

/** Bytes between a player's guild and look: status effects and their durations. UNSETTLED. */
const EFFECT_BYTES = 108;
/** Bytes after a player's stance: foothold, pets, mount, shop, rings. UNSETTLED. */
const EXTRAS_BYTES = 23;

/** S 0x78: somebody is on the map. UNSETTLED. */
export const showPlayer = struct({
  characterId: u32le,
  name,
  guild: name,
  emblem: fixedBytes(6),
  effects: fixedBytes(EFFECT_BYTES),
  gender: u8,
  skin: u8,
  face: u32le,
  megaphone: u8,
  hair: u32le,
  equipment: lookItems,
  masked: lookItems,
  weapon: u32le,
  pets: array(u32le, { count: 3 }),
  unknown: u32le,
  itemEffect: u32le,
  chair: u32le,
  x: i16le,
  y: i16le,
  state: u8,
  extras: fixedBytes(EXTRAS_BYTES),
});

/** A player without guild, effects and clothes, as {@link showPlayer} wants it. */
export function plainPlayer(who: {
  readonly characterId: number;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly state: number;
}): Infer<typeof showPlayer> {
  const effects = new Uint8Array(EFFECT_BYTES);
  // Constants that preservers send for somebody without effects.
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
export const removePlayer = struct({ characterId: u32le });

/** What a client must know of a monster to show or drive it. The status mask is unsettled; seen: 0000000800000000. */
const spawn = struct({
  status: oneOf(u8, { controlled: 1, notControlled: 5 }),
  template: u32le,
  statusMask: fixedBytes(8),
  x: i16le,
  y: i16le,
  state: u8,
  originFoothold: i16le,
  foothold: i16le,
  appear: i8,
  team: i8,
  effect: u32le,
});
export type Spawn = Infer<typeof spawn>;

/** S 0xAF. */
export const showMonster = struct({ mobId: u32le, spawn });
/** S 0xB0. UNSETTLED after the id: 0 gone, 1 died. */
export const removeMonster = struct({ mobId: u32le, animation: u8 });
/** S 0xB1: stop driving a monster, drive it, or drive it with aggro. */
export const controlMonster = variant("mode", oneOf(u8, { stop: 0, control: 1, controlWithAggro: 2 }), {
  stop: struct({ mobId: u32le }),
  control: struct({ mobId: u32le, spawn }),
  controlWithAggro: struct({ mobId: u32le, spawn }),
});
