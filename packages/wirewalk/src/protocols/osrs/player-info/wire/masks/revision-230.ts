/**
 * The mask blocks of revision 230, in the order of its client.
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

/** Revision 230. */
export const revision230 = revisionTable(
  "230",
  [0x4, 0x400],
  [
    moveSpeed(0x4000, "neg"),
    sequence(0x80, "LE+", "sub"),
    spotAnimations(0x10000, { count: "neg", slot: "neg", id: "BE", heightDelay: "2301" }),
    temporaryMoveSpeed(0x100, "sub"),
    appearance(0x40, "neg", "reversed +128"),
    nameExtras(0x8000),
    hits(0x2, "+128", ["sub", "neg", "plain"]),
    faceAngle(0x20, "LE+"),
    tinting(0x800, ["LE+", "LE"], ["sub", "+128", "sub", "neg"]),
    exactMove(0x2000, ["sub", "plain", "plain", "+128"], ["BE+", "LE"], "BE+"),
    say(0x10),
    publicChat(0x1000, {
      colourEffect: "BE",
      icon: "plain",
      auto: "plain",
      count: "plain",
      text: "plain",
      pattern: "sub",
    }),
    faceEntity(0x8, "LE+", "+128"),
    flagAlone(0x200, NO_BLOCK_IN_SOURCES),
  ],
);
