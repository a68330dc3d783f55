/**
 * The kinds of mask blocks of the revisions from 223 on. From one revision to the next the game changes flags, order,
 * transforms and byte orders, and seldom a layout: so a revision is a table of these kinds with its transforms.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8, which says where each datum is from.
 */
import { type ByteTransform, namedNumbers, type WordRule } from "../../../../../wire/index.ts";
import { STOP_SPEED } from "../constants.ts";
import type { MaskBlock, MaskByteOrder, MaskField, MaskRevision, MaskWordOrder } from "./mask-revision.ts";

/** How a byte stands on the wire. */
export type Byte = ByteTransform | "plain";
/** How a run of bytes stands on the wire. */
export type Run = "plain" | "+128" | "reversed" | "reversed +128";

/**
 * Bytes that the client reads of an appearance at least: that of a player who looks like an NPC, with empty texts.
 * 3 + 4 + 12 places + 5 colours + 14 of animations + 6 of name, levels and hidden + 2 of flags + 3 texts + 1.
 */
const SHORTEST_APPEARANCE = 49;
/** A colour of 13 to 20 has a pattern of 1 to 8 bytes. Colours are the high byte of `colourEffect`. */
const FIRST_PATTERN = 13;
const LAST_PATTERN = 20;
const FROM_THE_TILE = "from the tile where the player stands after its movement";

const speeds: readonly WordRule[] = [
  { from: -1, to: 0, text: "crawl" },
  { from: 1, to: 1, text: "walk" },
  { from: 2, to: 2, text: "run" },
];

type Text = Pick<MaskField, "doc" | "unit" | "words" | "when">;
type Allowed = { readonly allowed?: readonly (number | readonly [number, number])[] };

const transformOf = (byte: Byte): { readonly transform?: ByteTransform } =>
  byte === "plain" ? {} : { transform: byte };
const countOf = (byte: Byte): { readonly count?: ByteTransform } => (byte === "plain" ? {} : { count: byte });

const u8 = (name: string, byte: Byte, more: Text = {}): MaskField => ({
  name,
  type: "u8",
  ...transformOf(byte),
  ...more,
});
const i8 = (name: string, byte: Byte, more: Text & Allowed = {}): MaskField => ({
  name,
  type: "i8",
  ...transformOf(byte),
  ...more,
});
const u16 = (name: string, order: MaskByteOrder, more: Text & Allowed = {}): MaskField => ({
  name,
  type: "u16",
  order,
  ...more,
});
const i16 = (name: string, order: MaskByteOrder, more: Text = {}): MaskField => ({ name, type: "i16", order, ...more });
const smart = (name: string, more: Text = {}): MaskField => ({ name, type: "smart", ...more });

function bytes(name: string, count: Byte, run: Run, more: Text & { readonly minLength?: number } = {}): MaskField {
  return {
    name,
    type: "bytes",
    ...countOf(count),
    ...(run.endsWith("+128") ? { transform: "+128" } : {}),
    ...(run.startsWith("reversed") ? { reversed: true } : {}),
    ...more,
  };
}

export function moveSpeed(flag: number, speed: Byte): MaskBlock {
  const fields = [i8("speed", speed, { words: speeds, allowed: [[-1, 2]] })];
  return { name: "moveSpeed", flag, kept: "index", initial: { speed: 1 }, fields };
}

export function temporaryMoveSpeed(flag: number, speed: Byte): MaskBlock {
  const words = [...namedNumbers({ stop: STOP_SPEED }), ...speeds];
  const doc = "for the movement of this packet alone; stop: it is there at once, without walking";
  const fields = [i8("speed", speed, { words, doc, allowed: [[-1, 2], STOP_SPEED] })];
  return { name: "temporaryMoveSpeed", flag, late: "drop", fields };
}

export function say(flag: number): MaskBlock {
  return { name: "say", flag, needs: "appearance", fields: [{ name: "text", type: "string", minLength: 1 }] };
}

export function nameExtras(flag: number): MaskBlock {
  const names = ["beforeName", "afterName", "afterLevel"];
  return { name: "nameExtras", flag, kept: "player", fields: names.map((name) => ({ name, type: "string" })) };
}

export function sequence(flag: number, id: MaskByteOrder, delay: Byte): MaskBlock {
  return {
    name: "sequence",
    flag,
    fields: [u16("id", id, { words: namedNumbers({ stop: 65_535 }) }), u8("delay", delay, { unit: "cycles" })],
  };
}

export function appearance(flag: number, count: Byte, run: Run): MaskBlock {
  return {
    name: "appearance",
    flag,
    kept: "index",
    fields: [bytes("data", count, run, { minLength: SHORTEST_APPEARANCE })],
  };
}

export function exactMove(
  flag: number,
  tiles: readonly [dx1: Byte, dz1: Byte, dx2: Byte, dz2: Byte],
  times: readonly [start: MaskByteOrder, end: MaskByteOrder],
  angle: MaskByteOrder,
): MaskBlock {
  const names = ["dx1", "dz1", "dx2", "dz2"] as const;
  return {
    name: "exactMove",
    flag,
    late: "drop",
    fields: [
      ...names.map((name, at) => i8(name, tiles[at] as Byte, { unit: "tiles", doc: FROM_THE_TILE })),
      u16("start", times[0], { unit: "cycles", doc: "from now until it is at the first tile" }),
      u16("end", times[1], { unit: "cycles", doc: "from now until it is at the second tile" }),
      u16("angle", angle, { unit: "1/2048 turn" }),
    ],
  };
}

export function faceAngle(flag: number, angle: MaskByteOrder): MaskBlock {
  const fields = [u16("angle", angle, { unit: "1/2048 turn", allowed: [[0, 2047]] })];
  return { name: "faceAngle", flag, kept: "standing", fields };
}

export function faceEntity(flag: number, low: MaskByteOrder, high: Byte): MaskBlock {
  const doc = "with targetHigh: an NPC's index, 65536 + a player's index, or 16777215 for nobody";
  return {
    name: "faceEntity",
    flag,
    kept: "index",
    initial: { target: 0xffff, targetHigh: 0xff },
    fields: [u16("target", low, { doc }), u8("targetHigh", high, { doc: "bits 16 to 23 of the target" })],
  };
}

/** Faces an entity, a place, an angle, or nothing any more. */
export function facing(flag: number, flags: Byte): MaskBlock {
  const kind = (number: number): Text => ({ when: { field: "flags", mask: 0x38, from: number << 3, to: number << 3 } });
  const doc = "bits 0..2: 1 turns while it walks; bits 3..5: 0 entity, 1 place, 2 angle, 3 reset; bit 6: at once";
  const types = namedNumbers({ none: 0, NPC: 1, player: 2, "world entity": 3 });
  return {
    name: "facing",
    flag,
    kept: "player",
    fields: [
      u8("flags", flags, { doc }),
      smart("entityType", { ...kind(0), words: types }),
      { name: "index", type: "wideSmart", ...kind(0), words: namedNumbers({ none: -1 }) },
      smart("fallbackAngle", { ...kind(0), unit: "1/2048 turn" }),
      smart("x", kind(1)),
      smart("z", kind(1)),
      smart("size", { ...kind(1), doc: "tiles along z << 4 | along x" }),
      smart("angle", { ...kind(2), unit: "1/2048 turn" }),
    ],
  };
}

export interface ChatBytes {
  readonly colourEffect: MaskByteOrder;
  readonly icon: Byte;
  readonly auto: Byte;
  readonly count: Byte;
  readonly text: Run;
  /** Absent: the layout before patterns. */
  readonly pattern?: Byte;
}

/** `publicChat`, or `oldPublicChat`, which has no pattern. */
export function publicChat(flag: number, { colourEffect, icon, auto, count, text, pattern }: ChatBytes): MaskBlock {
  const patterns = Array.from({ length: pattern === undefined ? 0 : LAST_PATTERN - FIRST_PATTERN + 1 }, (_, at) => {
    const when = { field: "colourEffect", from: (FIRST_PATTERN + at) << 8, to: (LAST_PATTERN << 8) | 0xff };
    return u8(`pattern${at + 1}`, pattern ?? "plain", { when });
  });
  return {
    name: pattern === undefined ? "oldPublicChat" : "publicChat",
    flag,
    fields: [
      u16("colourEffect", colourEffect, { doc: "colour << 8 | effect; colours 13 to 20 have a pattern" }),
      u8("icon", icon),
      u8("auto", auto),
      bytes("text", count, text, { doc: "compressed by the game's own table" }),
      ...patterns,
    ],
  };
}

export interface SpotAnimationBytes {
  readonly count: Byte;
  readonly slot: Byte;
  readonly id: MaskByteOrder;
  readonly heightDelay: MaskWordOrder;
  /** Absent: the layout before it. */
  readonly loop?: Byte;
}

export function spotAnimations(
  flag: number,
  { count, slot, id, heightDelay, loop }: SpotAnimationBytes,
  name = "spotAnimations",
): MaskBlock {
  const heightDelayField: MaskField = {
    name: "heightDelay",
    type: "i32",
    order: heightDelay,
    doc: "height << 16 | delay in cycles",
  };
  const fields = [
    u8("slot", slot),
    u16("id", id, { words: namedNumbers({ none: 65_535 }) }),
    heightDelayField,
    ...(loop === undefined ? [] : [u8("loop", loop)]),
  ];
  return { name, flag, fields: [{ name: "animations", type: "list", ...countOf(count), fields }] };
}

const BAR_REMOVED = 32_767;

function barList(count: Byte, startFill: Byte, endFill: Byte): MaskField {
  const stays = { field: "endTime", not: BAR_REMOVED };
  return {
    name: "bars",
    type: "list",
    ...countOf(count),
    fields: [
      smart("id"),
      smart("endTime", { unit: "cycles", words: namedNumbers({ removed: BAR_REMOVED }) }),
      smart("startTime", { when: stays, unit: "cycles" }),
      u8("startFill", startFill, { when: stays, unit: "1/255" }),
      u8("endFill", endFill, { when: { ...stays, from: 1 }, unit: "1/255" }),
    ],
  };
}

/** Hits and bars in one block, hits with their soak (standard 6.4). */
export function hits(
  flag: number,
  count: Byte,
  bars: readonly [count: Byte, startFill: Byte, endFill: Byte],
): MaskBlock {
  const fields: MaskField[] = [{ name: "hits", type: "hits", ...countOf(count) }, barList(...bars)];
  return { name: "hits", flag, perObserver: true, fields };
}

/** Hits in a block of their own. */
export function hitmarks(flag: number, count: Byte): MaskBlock {
  const fields = [smart("type"), smart("value"), smart("delay", { unit: "cycles" }), smart("limit")];
  return {
    name: "hitmarks",
    flag,
    perObserver: true,
    fields: [{ name: "hits", type: "list", ...countOf(count), fields }],
  };
}

/** Bars in a block of their own. */
export function headBars(flag: number, count: Byte, startFill: Byte, endFill: Byte): MaskBlock {
  return { name: "headBars", flag, perObserver: true, fields: [barList(count, startFill, endFill)] };
}

export function tinting(
  flag: number,
  times: readonly [start: MaskByteOrder, end: MaskByteOrder],
  colour: readonly [hue: Byte, saturation: Byte, luminance: Byte, weight: Byte],
): MaskBlock {
  return {
    name: "tinting",
    flag,
    perObserver: true,
    fields: [
      u16("start", times[0], { unit: "cycles" }),
      u16("end", times[1], { unit: "cycles" }),
      i8("hue", colour[0]),
      i8("saturation", colour[1]),
      i8("luminance", colour[2]),
      u8("weight", colour[3]),
    ],
  };
}

/** Called contrast in revision 239. */
export function transparency(
  flag: number,
  times: readonly [start: MaskByteOrder, end: MaskByteOrder],
  values: readonly [from: Byte, to: Byte, useFrom: Byte],
): MaskBlock {
  return {
    name: "transparency",
    flag,
    fields: [
      i16("start", times[0], { unit: "cycles" }),
      i16("end", times[1], { unit: "cycles" }),
      i8("from", values[0]),
      i8("to", values[1]),
      u8("useFrom", values[2]),
    ],
  };
}

export function freeze(flag: number, delay: MaskByteOrder, duration: MaskByteOrder, cancelSequence: Byte): MaskBlock {
  return {
    name: "freeze",
    flag,
    fields: [
      u16("delay", delay, { unit: "cycles" }),
      u16("duration", duration, { unit: "cycles" }),
      u8("cancelSequence", cancelSequence),
    ],
  };
}

export function reset(flag: number, value: Byte): MaskBlock {
  return { name: "reset", flag, fields: [u8("value", value)] };
}

/** A revision as a table. */
export function revisionTable(
  name: string,
  extensions: readonly [second: number, third: number],
  blocks: readonly MaskBlock[],
): MaskRevision {
  return Object.freeze<MaskRevision>({ name, extensions, blocks });
}
