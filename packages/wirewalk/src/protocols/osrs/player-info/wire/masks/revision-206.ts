/**
 * The mask blocks of revision 206, in the order of its client.
 *
 * Source: docs/protocols/osrs-player-info.md 6.3.
 */
import { namedNumbers, type WordRule } from "../../../../../wire/index.ts";
import { STOP_SPEED } from "../constants.ts";
import type { MaskRevision } from "./mask-revision.ts";

const FROM_THE_TILE = "from the tile where the player stands after its movement";

/**
 * Bytes that the client reads of an appearance at least (standard 6.7): that of a player who looks like an NPC, with an empty
 * name.
 */
const SHORTEST_APPEARANCE = 31;

const speeds: readonly WordRule[] = [
  { from: -1, to: 0, text: "crawl" },
  { from: 1, to: 1, text: "walk" },
  { from: 2, to: 2, text: "run" },
];

const targets: readonly WordRule[] = [
  { from: 65_535, to: 65_535, text: "nobody" },
  { from: 32_768, to: 34_815, text: "player {}", offset: 32_768 },
  { from: 0, to: 32_767, text: "NPC {number}" },
];

/** Revision 206, whole. */
export const revision206: MaskRevision = Object.freeze<MaskRevision>({
  name: "206",
  extensions: [0x80],
  blocks: [
    {
      name: "nameExtras",
      flag: 0x800,
      kept: "player",
      fields: [
        { name: "beforeName", type: "string" },
        { name: "afterName", type: "string" },
        { name: "afterLevel", type: "string" },
      ],
    },
    {
      name: "publicChat",
      flag: 0x4,
      fields: [
        { name: "colourEffect", type: "u16", order: "BE", doc: "colour << 8 | effect" },
        { name: "icon", type: "u8", transform: "neg" },
        { name: "auto", type: "u8", transform: "neg" },
        { name: "text", type: "bytes", transform: "+128", doc: "compressed by the game's own table" },
      ],
    },
    {
      name: "spotAnimation",
      flag: 0x2000,
      fields: [
        { name: "id", type: "u16", order: "LE+", words: namedNumbers({ none: 65_535 }) },
        { name: "heightDelay", type: "i32", order: "BE", doc: "height << 16 | delay in cycles" },
      ],
    },
    {
      name: "exactMove",
      flag: 0x400,
      late: "drop",
      fields: [
        { name: "dx1", type: "i8", transform: "sub", unit: "tiles", doc: FROM_THE_TILE },
        { name: "dz1", type: "i8", unit: "tiles", doc: FROM_THE_TILE },
        { name: "dx2", type: "i8", transform: "sub", unit: "tiles", doc: FROM_THE_TILE },
        { name: "dz2", type: "i8", transform: "+128", unit: "tiles", doc: FROM_THE_TILE },
        { name: "start", type: "u16", order: "LE", unit: "cycles", doc: "from now until it is at the first tile" },
        { name: "end", type: "u16", order: "LE+", unit: "cycles", doc: "from now until it is at the second tile" },
        { name: "angle", type: "u16", order: "BE", unit: "1/2048 turn" },
      ],
    },
    {
      name: "faceAngle",
      flag: 0x8,
      kept: "standing",
      fields: [{ name: "angle", type: "u16", order: "BE+", unit: "1/2048 turn", allowed: [[0, 2047]] }],
    },
    {
      name: "moveSpeed",
      flag: 0x100,
      kept: "index",
      initial: { speed: 1 },
      fields: [{ name: "speed", type: "i8", transform: "sub", words: speeds, allowed: [[-1, 2]] }],
    },
    { name: "say", flag: 0x1, needs: "appearance", fields: [{ name: "text", type: "string", minLength: 1 }] },
    {
      name: "sequence",
      flag: 0x2,
      fields: [
        { name: "id", type: "u16", order: "BE", words: namedNumbers({ stop: 65_535 }) },
        { name: "delay", type: "u8", transform: "neg", unit: "cycles" },
      ],
    },
    {
      name: "hits",
      flag: 0x20,
      perObserver: true,
      fields: [
        { name: "hits", type: "hits", count: "sub" },
        { name: "bars", type: "headBars", count: "sub", fill: "neg" },
      ],
    },
    {
      name: "faceEntity",
      flag: 0x40,
      kept: "index",
      initial: { target: 65_535 },
      fields: [{ name: "target", type: "u16", order: "LE", words: targets }],
    },
    {
      name: "tinting",
      flag: 0x200,
      perObserver: true,
      fields: [
        { name: "start", type: "u16", order: "LE", unit: "cycles" },
        { name: "end", type: "u16", order: "LE+", unit: "cycles" },
        { name: "hue", type: "i8", transform: "neg" },
        { name: "saturation", type: "i8", transform: "sub" },
        { name: "luminance", type: "i8", transform: "neg" },
        { name: "weight", type: "u8" },
      ],
    },
    {
      name: "temporaryMoveSpeed",
      flag: 0x4000,
      late: "drop",
      fields: [
        {
          name: "speed",
          type: "i8",
          transform: "sub",
          words: [...namedNumbers({ stop: STOP_SPEED }), ...speeds],
          allowed: [[-1, 2], STOP_SPEED],
          doc: "for the movement of this packet alone; stop: it is there at once, without walking",
        },
      ],
    },
    {
      name: "appearance",
      flag: 0x10,
      kept: "index",
      fields: [{ name: "data", type: "bytes", transform: "+128", minLength: SHORTEST_APPEARANCE }],
    },
  ],
});
