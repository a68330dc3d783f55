/**
 * The mask blocks of revision 223, in the order of its client.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 */
import {
  appearance,
  exactMove,
  faceAngle,
  faceEntity,
  flagAlone,
  hits,
  moveSpeed,
  nameExtras,
  publicChat,
  revisionTable,
  say,
  sequence,
  spotAnimations,
  temporaryMoveSpeed,
  tinting,
} from "./block-kinds.ts";

/** Revision 223. */
export const revision223 = revisionTable(
  "223",
  [0x10, 0x1000],
  [
    moveSpeed(0x800, "sub"),
    temporaryMoveSpeed(0x100, "plain"),
    say(0x2),
    nameExtras(0x8000),
    tinting(0x2000, ["LE", "LE+"], ["+128", "sub", "+128", "neg"]),
    sequence(0x40, "BE", "neg"),
    appearance(0x1, "sub", "+128"),
    exactMove(0x200, ["neg", "+128", "sub", "plain"], ["BE+", "BE+"], "LE"),
    spotAnimations(0x10000, { count: "neg", slot: "sub", id: "BE+", heightDelay: "LE" }),
    hits(0x8, "sub", ["+128", "sub", "+128"]),
    faceEntity(0x20, "LE+", "sub"),
    publicChat(0x4, { colourEffect: "LE", icon: "sub", auto: "neg", count: "sub", text: "reversed" }),
    publicChat(0x4000, {
      colourEffect: "LE+",
      icon: "+128",
      auto: "neg",
      count: "sub",
      text: "reversed",
      pattern: "neg",
    }),
    faceAngle(0x80, "LE"),
    flagAlone(0x400, "the server sends it (rsprox, web/src/test/resources/test.bin at c363f81a): 13 times, alone"),
  ],
);
