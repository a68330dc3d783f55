/**
 * The mask blocks of revision 206, in the order of its client.
 *
 * Source: docs/protocols/osrs-player-info.md 6.3.
 */
import type { MaskRevision } from "./mask-revision.ts";

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
        { name: "colourEffect", type: "u16", order: "BE" }, // colour << 8 | effect
        { name: "icon", type: "u8", transform: "neg" },
        { name: "auto", type: "u8", transform: "neg" },
        { name: "text", type: "bytes", transform: "+128" }, // compressed by the game's own table
      ],
    },
    {
      name: "spotAnimation",
      flag: 0x2000,
      fields: [
        { name: "id", type: "u16", order: "LE+" }, // 65535 none
        { name: "heightDelay", type: "i32", order: "BE" }, // height << 16 | delay in cycles
      ],
    },
    {
      name: "exactMove",
      flag: 0x400,
      late: "drop",
      fields: [
        { name: "dx1", type: "i8", transform: "sub" }, // tiles from where the player stands after its movement
        { name: "dz1", type: "i8" },
        { name: "dx2", type: "i8", transform: "sub" },
        { name: "dz2", type: "i8", transform: "+128" },
        { name: "start", type: "u16", order: "LE" }, // cycles from now until it is at the first tile
        { name: "end", type: "u16", order: "LE+" }, // and at the second
        { name: "angle", type: "u16", order: "BE" },
      ],
    },
    {
      name: "faceAngle",
      flag: 0x8,
      kept: "standing",
      fields: [{ name: "angle", type: "u16", order: "BE+" }], // 0..2047
    },
    {
      name: "moveSpeed",
      flag: 0x100,
      kept: "index",
      initial: { speed: 1 },
      fields: [{ name: "speed", type: "i8", transform: "sub" }], // -1 and 0 crawl, 1 walk, 2 run
    },
    { name: "say", flag: 0x1, fields: [{ name: "text", type: "string" }] },
    {
      name: "sequence",
      flag: 0x2,
      fields: [
        { name: "id", type: "u16", order: "BE" }, // 65535 stop
        { name: "delay", type: "u8", transform: "neg" },
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
      fields: [{ name: "target", type: "u16", order: "LE" }], // NPC index, 32768 + player index, 65535 nobody
    },
    {
      name: "tinting",
      flag: 0x200,
      perObserver: true,
      fields: [
        { name: "start", type: "u16", order: "LE" },
        { name: "end", type: "u16", order: "LE+" },
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
      fields: [{ name: "speed", type: "i8", transform: "sub" }], // 127: be there without walking
    },
    {
      name: "appearance",
      flag: 0x10,
      kept: "index",
      fields: [{ name: "data", type: "bytes", transform: "+128" }],
    },
  ],
});
