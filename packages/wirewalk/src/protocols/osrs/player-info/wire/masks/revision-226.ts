/**
 * The mask blocks of revision 226, in the order of its client.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 * The client has a block of old public chat too (flag 0x8), which no source describes: it is refused.
 */
import {
  appearance,
  exactMove,
  faceAngle,
  faceEntity,
  flagAlone,
  hits,
  moveSpeed,
  NO_BLOCK_IN_SOURCES,
  nameExtras,
  publicChat,
  revisionTable,
  say,
  sequence,
  spotAnimations,
  temporaryMoveSpeed,
  tinting,
} from "./block-kinds.ts";

/** Revision 226. */
export const revision226 = revisionTable(
  "226",
  [0x2, 0x4000],
  [
    nameExtras(0x1000),
    spotAnimations(0x10000, { count: "plain", slot: "plain", id: "BE+", heightDelay: "LE" }),
    exactMove(0x100, ["sub", "plain", "neg", "plain"], ["BE", "BE+"], "LE"),
    tinting(0x400, ["LE+", "BE+"], ["plain", "+128", "sub", "sub"]),
    temporaryMoveSpeed(0x2000, "neg"),
    say(0x10),
    publicChat(0x800, {
      colourEffect: "LE",
      icon: "plain",
      auto: "+128",
      count: "sub",
      text: "reversed +128",
      pattern: "sub",
    }),
    moveSpeed(0x8000, "neg"),
    faceAngle(0x20, "BE+"),
    sequence(0x40, "BE", "+128"),
    faceEntity(0x1, "LE", "sub"),
    appearance(0x80, "plain", "reversed"),
    hits(0x4, "plain", ["neg", "sub", "+128"]),
    flagAlone(0x200, NO_BLOCK_IN_SOURCES),
  ],
);
