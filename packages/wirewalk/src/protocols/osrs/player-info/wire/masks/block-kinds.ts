/**
 * The kinds of mask blocks. From one revision to the next the game changes flags, order, transforms and byte orders, and seldom
 * a layout: so a revision is a table of these kinds with its transforms.
 *
 * Source: docs/protocols/osrs-player-info.md 6.3, 6.4 and 6.8, which say where each datum is from.
 */
import {
  array,
  type ByteTransform,
  byteRun,
  type IntegerOptions,
  integer,
  type Layout,
  type Meaning,
  namedNumbers,
  optional,
  type StructNode,
  smart,
  struct,
  tagged,
  type WordRule,
  windows1252String,
  withMeaning,
} from "../../../../../wire/index.ts";
import { STOP_SPEED } from "../constants.ts";
import { MAX_STRING_LENGTH, type MaskBlock } from "./mask-revision.ts";

/** How a byte stands on the wire. */
export type Byte = ByteTransform | "plain";
/** How two bytes stand on the wire: high or low byte first; with `+` the low byte carries v + 128. */
export type Short = "BE" | "LE" | "BE+" | "LE+";
/** How four bytes stand on the wire: the digits name the bytes of the number, 0 the lowest. */
export type Word = "BE" | "LE" | "2301" | "1032";
/** How a run of bytes stands on the wire. */
export type Run = "plain" | "+128" | "reversed" | "reversed +128";

/**
 * The fewest bytes of an appearance that the client reads, from revision 223 on. A player who looks like an NPC, with empty texts, has so many.
 * 3 + 4 + 12 places + 5 colours + 14 of animations + 6 of name, levels and hidden + 2 of flags + 3 texts + 1.
 */
const SHORTEST_APPEARANCE = 49;
/** A colour of 13 to 20 has a pattern of 1 to 8 bytes. Colours are the high byte of `colourEffect`. */
const FIRST_PATTERN = 13;
const LAST_PATTERN = 20;
const FROM_THE_TILE = "from the tile where the player stands after its movement";
/** What a counting byte holds. */
const MAX_COUNT = 255;

const speeds: readonly WordRule[] = [
  { from: -1, to: 0, text: "crawl" },
  { from: 1, to: 1, text: "walk" },
  { from: 2, to: 2, text: "run" },
];

// --- Fields ------------------------------------------------------------------------------------------------------------

const transformOf = (transform: Byte): Pick<IntegerOptions, "transform"> =>
  transform === "plain" ? {} : { transform };

function byte(transform: Byte, meaning: Meaning = {}): Layout<number> {
  return withMeaning(integer({ bits: 8, ...transformOf(transform) }), meaning);
}

function signedByte(transform: Byte, meaning: Meaning = {}): Layout<number> {
  return withMeaning(integer({ bits: 8, signed: true, ...transformOf(transform) }), meaning);
}

export function short(order: Short, meaning: Meaning = {}, signed = false): Layout<number> {
  const layout = integer({
    bits: 16,
    signed,
    order: order.startsWith("BE") ? "be" : "le",
    ...transformOf(order.endsWith("+") ? "+128" : "plain"),
  });
  return withMeaning(layout, meaning);
}

function word(order: Word, meaning: Meaning): Layout<number> {
  const layout = integer({ bits: 32, signed: true, order: order === "BE" ? "be" : order === "LE" ? "le" : order });
  return withMeaning(layout, meaning);
}

function bytes(count: Byte, run: Run, meaning: Meaning = {}): Layout<Uint8Array> {
  const layout = byteRun(
    { count: byte(count), limit: MAX_COUNT },
    {
      ...transformOf(run.endsWith("+128") ? "+128" : "plain"),
      ...(run.startsWith("reversed") ? { reversed: true } : {}),
    },
  );
  return withMeaning(layout, meaning);
}

/** A byte that counts, and as many items. */
function list<T>(count: Byte, item: Layout<T>): Layout<T[]> {
  return array(item, { count: byte(count), limit: MAX_COUNT });
}

const text = windows1252String({ limit: MAX_STRING_LENGTH });
const cycles = withMeaning(smart(), { unit: "cycles" });
const angle: Meaning = { unit: "1/2048 turn" };

export function maskBlock(
  name: string,
  flag: number,
  fields: Readonly<Record<string, Layout<unknown>>>,
  more: Omit<MaskBlock, "name" | "flag" | "node"> = {},
): MaskBlock {
  return { name, flag, node: struct(fields).node as StructNode, ...more };
}

// --- Blocks ------------------------------------------------------------------------------------------------------------

export function moveSpeed(flag: number, speed: Byte): MaskBlock {
  return maskBlock(
    "moveSpeed",
    flag,
    { speed: signedByte(speed, { words: speeds }) },
    { clientNeeds: [{ field: "speed", allowed: [[-1, 2]] }], kept: "index", initial: { speed: 1 } },
  );
}

export function temporaryMoveSpeed(flag: number, speed: Byte): MaskBlock {
  const words = [...namedNumbers({ stop: STOP_SPEED }), ...speeds];
  const doc = "for the movement of this packet alone; stop: it is there at once, without walking";
  return maskBlock(
    "temporaryMoveSpeed",
    flag,
    { speed: signedByte(speed, { words, doc }) },
    { clientNeeds: [{ field: "speed", allowed: [[-1, 2], STOP_SPEED] }], late: "drop" },
  );
}

export function say(flag: number): MaskBlock {
  return maskBlock("say", flag, { text }, { clientNeeds: [{ field: "text", minLength: 1 }], needs: "appearance" });
}

export function nameExtras(flag: number): MaskBlock {
  return maskBlock("nameExtras", flag, { beforeName: text, afterName: text, afterLevel: text }, { kept: "player" });
}

export function sequence(flag: number, id: Short, delay: Byte): MaskBlock {
  return maskBlock("sequence", flag, {
    id: short(id, { words: namedNumbers({ stop: 65_535 }) }),
    delay: byte(delay, { unit: "cycles" }),
  });
}

/** `shortest`: the bytes that the client reads at least. */
export function appearance(flag: number, count: Byte, run: Run, shortest = SHORTEST_APPEARANCE): MaskBlock {
  const clientNeeds = [{ field: "data", minLength: shortest }];
  return maskBlock("appearance", flag, { data: bytes(count, run) }, { clientNeeds, kept: "index" });
}

export function exactMove(
  flag: number,
  tiles: readonly [dx1: Byte, dz1: Byte, dx2: Byte, dz2: Byte],
  times: readonly [start: Short, end: Short],
  facing: Short,
): MaskBlock {
  const tile = (transform: Byte): Layout<number> => signedByte(transform, { unit: "tiles", doc: FROM_THE_TILE });
  return maskBlock(
    "exactMove",
    flag,
    {
      dx1: tile(tiles[0]),
      dz1: tile(tiles[1]),
      dx2: tile(tiles[2]),
      dz2: tile(tiles[3]),
      start: short(times[0], { unit: "cycles", doc: "from now until it is at the first tile" }),
      end: short(times[1], { unit: "cycles", doc: "from now until it is at the second tile" }),
      angle: short(facing, angle),
    },
    { late: "drop" },
  );
}

export function faceAngle(flag: number, order: Short): MaskBlock {
  const clientNeeds = [{ field: "angle", allowed: [[0, 2047] as const] }];
  return maskBlock("faceAngle", flag, { angle: short(order, angle) }, { clientNeeds, kept: "standing" });
}

export function faceEntity(flag: number, low: Short, high: Byte): MaskBlock {
  const doc = "with targetHigh: an NPC's index, 65536 + a player's index, or 16777215 for nobody";
  return maskBlock(
    "faceEntity",
    flag,
    { target: short(low, { doc }), targetHigh: byte(high, { doc: "bits 16 to 23 of the target" }) },
    { kept: "index", initial: { target: 0xffff, targetHigh: 0xff } },
  );
}

/** Faces an entity, a place, an angle, or nothing any more. */
export function facing(flag: number, flags: Byte): MaskBlock {
  const only = (kind: number, field: Layout<number>): Layout<number> =>
    optional(field, { field: "flags", mask: 0x38, from: kind << 3, to: kind << 3 });
  const doc = "bits 0..2: 1 turns while it walks; bits 3..5: 0 entity, 1 place, 2 angle, 3 reset; bit 6: at once";
  const types = namedNumbers({ none: 0, NPC: 1, player: 2, "world entity": 3 });
  return maskBlock(
    "facing",
    flag,
    {
      flags: byte(flags, { doc }),
      entityType: only(0, withMeaning(smart(), { words: types })),
      index: only(0, withMeaning(smart({ wide: true }), { words: namedNumbers({ none: -1 }) })),
      fallbackAngle: only(0, withMeaning(smart(), angle)),
      x: only(1, smart()),
      z: only(1, smart()),
      size: only(1, withMeaning(smart(), { doc: "tiles along z << 4 | along x" })),
      angle: only(2, withMeaning(smart(), angle)),
    },
    { kept: "player" },
  );
}

type ChatHead = readonly [colourEffect: Short, icon: Byte, auto: Byte];
type ChatText = readonly [count: Byte, text: Run];

function chat(
  name: string,
  flag: number,
  [colourEffect, icon, auto]: ChatHead,
  [count, run]: ChatText,
  pattern?: Byte,
): MaskBlock {
  const colours = "colour << 8 | effect";
  const fields: Record<string, Layout<unknown>> = {
    colourEffect: short(colourEffect, {
      doc: pattern === undefined ? colours : `${colours}; colours 13 to 20 have a pattern`,
    }),
    icon: byte(icon),
    auto: byte(auto),
    text: bytes(count, run, { doc: "compressed by the game's own table" }),
  };
  for (let colour = FIRST_PATTERN; pattern !== undefined && colour <= LAST_PATTERN; colour++) {
    const when = { field: "colourEffect", from: colour << 8, to: (LAST_PATTERN << 8) | 0xff };
    fields[`pattern${colour - FIRST_PATTERN + 1}`] = optional(byte(pattern), when);
  }
  return maskBlock(name, flag, fields);
}

/** Without `pattern` the layout before patterns, which is all that revision 206 has. */
export function publicChat(flag: number, head: ChatHead, text: ChatText, pattern?: Byte): MaskBlock {
  return chat("publicChat", flag, head, text, pattern);
}

/** The layout before patterns, of revisions that have both. */
export function oldPublicChat(flag: number, head: ChatHead, text: ChatText): MaskBlock {
  return chat("oldPublicChat", flag, head, text);
}

/** What is drawn at a player, from when on and how high. */
export function spotAnimation(id: Short, heightDelay: Word): Readonly<Record<string, Layout<number>>> {
  return {
    id: short(id, { words: namedNumbers({ none: 65_535 }) }),
    heightDelay: word(heightDelay, { doc: "height << 16 | delay in cycles" }),
  };
}

type AnimationBytes = readonly [slot: Byte, id: Short, heightDelay: Word, loop?: Byte];

function animations(name: string, flag: number, count: Byte, [slot, id, heightDelay, loop]: AnimationBytes): MaskBlock {
  const item = struct({
    slot: byte(slot),
    ...spotAnimation(id, heightDelay),
    ...(loop === undefined ? {} : { loop: byte(loop) }),
  });
  return maskBlock(name, flag, { animations: list(count, item) });
}

/** A list of them: one for each slot. Without `loop` the layout before it. */
export function spotAnimations(flag: number, count: Byte, item: AnimationBytes): MaskBlock {
  return animations("spotAnimations", flag, count, item);
}

/** The layout without `loop`, of revisions that have both. */
export function oldSpotAnimations(flag: number, count: Byte, item: AnimationBytes): MaskBlock {
  return animations("oldSpotAnimations", flag, count, item);
}

/** What revision 241 has left of it: the client reads the count, and nothing after it. */
export function oldSpotAnimationCount(flag: number, count: Byte): MaskBlock {
  return maskBlock("oldSpotAnimationCount", flag, { count: byte(count) });
}

/** What stands in place of a hit's type: a soak follows; nothing is shown. */
const SOAKED_HIT = 32_767;
const NO_HIT = 32_766;

/**
 * A number over a player's head. Types are 0 to 32765 unless a soak follows. Without type and value it is a delay that shows
 * nothing. The two numbers that are not types do not stand in the value.
 */
const hit = tagged(
  "type",
  withMeaning(smart(), {
    words: [
      { from: SOAKED_HIT, to: SOAKED_HIT, text: "hit with a soak" },
      { from: NO_HIT, to: NO_HIT, text: "no hit" },
    ],
  }),
  [
    { tags: [NO_HIT], hidden: true, when: { type: "absent" }, layout: struct({ delay: cycles }) },
    {
      tags: [SOAKED_HIT],
      hidden: true,
      when: { soakType: "present" },
      layout: struct({ type: smart(), value: smart(), soakType: smart(), soakValue: smart(), delay: cycles }),
    },
    { layout: struct({ value: smart(), delay: cycles }) },
  ],
);

/** The end time of a bar that is being removed. */
const BAR_REMOVED = 32_767;

/** Bars over a player's head. One that is being removed has no start, and one without time no end. */
function barList(count: Byte, startFill: Byte, endFill: Byte): Layout<object[]> {
  const stays = { field: "endTime", not: BAR_REMOVED };
  const part: Meaning = { unit: "1/255" };
  const bar = struct({
    id: smart(),
    endTime: withMeaning(cycles, { words: namedNumbers({ removed: BAR_REMOVED }) }),
    startTime: optional(cycles, stays),
    startFill: optional(byte(startFill, part), stays),
    endFill: optional(byte(endFill, part), { ...stays, from: 1 }),
  });
  return list(count, bar);
}

/** Hits and bars in one block, hits with their soak (standard 6.4). */
export function hits(
  flag: number,
  count: Byte,
  bars: readonly [count: Byte, startFill: Byte, endFill: Byte],
): MaskBlock {
  return maskBlock("hits", flag, { hits: list(count, hit), bars: barList(...bars) }, { perObserver: true });
}

/** Hits in a block of their own. */
export function hitmarks(flag: number, count: Byte): MaskBlock {
  const mark = struct({ type: smart(), value: smart(), delay: cycles, limit: smart() });
  return maskBlock("hitmarks", flag, { hits: list(count, mark) }, { perObserver: true });
}

/** Bars in a block of their own. */
export function headBars(flag: number, count: Byte, startFill: Byte, endFill: Byte): MaskBlock {
  return maskBlock("headBars", flag, { bars: barList(count, startFill, endFill) }, { perObserver: true });
}

export function tinting(
  flag: number,
  times: readonly [start: Short, end: Short],
  colour: readonly [hue: Byte, saturation: Byte, luminance: Byte, weight: Byte],
): MaskBlock {
  return maskBlock(
    "tinting",
    flag,
    {
      start: short(times[0], { unit: "cycles" }),
      end: short(times[1], { unit: "cycles" }),
      hue: signedByte(colour[0]),
      saturation: signedByte(colour[1]),
      luminance: signedByte(colour[2]),
      weight: byte(colour[3]),
    },
    { perObserver: true },
  );
}

/** Called contrast in revision 239. */
export function transparency(
  flag: number,
  times: readonly [start: Short, end: Short],
  values: readonly [from: Byte, to: Byte, useFrom: Byte],
): MaskBlock {
  return maskBlock("transparency", flag, {
    start: short(times[0], { unit: "cycles" }, true),
    end: short(times[1], { unit: "cycles" }, true),
    from: signedByte(values[0]),
    to: signedByte(values[1]),
    useFrom: byte(values[2]),
  });
}

export function freeze(flag: number, delay: Short, duration: Short, cancelSequence: Byte): MaskBlock {
  return maskBlock("freeze", flag, {
    delay: short(delay, { unit: "cycles" }),
    duration: short(duration, { unit: "cycles" }),
    cancelSequence: byte(cancelSequence),
  });
}

export function reset(flag: number, value: Byte): MaskBlock {
  return maskBlock("reset", flag, { value: byte(value) });
}

/** Why a flag of a revision after 223 counts as one without a block. */
const NO_BLOCK_IN_SOURCES = "neither rsprox nor rsprot has a block for it";

/** A flag for which the client reads no bytes (standard 6.1). Servers of ours never set it by themselves. */
export function flagAlone(flag: number, source = NO_BLOCK_IN_SOURCES): MaskBlock {
  return maskBlock(`flag0x${flag.toString(16)}`, flag, {}, { late: "drop", source });
}
