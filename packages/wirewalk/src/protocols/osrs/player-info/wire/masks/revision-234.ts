/**
 * The mask blocks of revision 234, in the order of its client.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 * The client has a block of old public chat too (flag 0x1), which no source describes: it is refused.
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

/** Revision 234. */
export const revision234 = revisionTable(
  "234",
  [0x4, 0x200],
  [
    moveSpeed(0x4000, "+128"),
    faceEntity(0x2, "LE", "neg"),
    exactMove(0x2000, ["+128", "+128", "neg", "plain"], ["LE", "BE+"], "LE"),
    tinting(0x400, ["LE", "BE+"], ["sub", "neg", "plain", "neg"]),
    appearance(0x10, "sub", "plain"),
    temporaryMoveSpeed(0x800, "neg"),
    sequence(0x80, "LE+", "sub"),
    nameExtras(0x100),
    publicChat(0x1000, {
      colourEffect: "LE",
      icon: "sub",
      auto: "neg",
      count: "plain",
      text: "reversed",
      pattern: "+128",
    }),
    hits(0x40, "plain", ["plain", "+128", "sub"]),
    say(0x8),
    spotAnimations(0x10000, { count: "plain", slot: "neg", id: "BE", heightDelay: "BE" }),
    faceAngle(0x20, "LE"),
    flagAlone(0x8000, NO_BLOCK_IN_SOURCES),
  ],
);
