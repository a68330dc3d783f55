/**
 * The mask blocks of revision 237, in the order of its client.
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
  headBars,
  hitmarks,
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

/** Revision 237. */
export const revision237 = revisionTable(
  "237",
  [0x10, 0x100],
  [
    appearance(0x2, "plain", "plain"),
    hits(0x8, "neg", ["neg", "sub", "neg"]),
    temporaryMoveSpeed(0x800, "plain"),
    exactMove(0x200, ["+128", "plain", "plain", "neg"], ["BE", "BE+"], "LE+"),
    sequence(0x40, "LE", "+128"),
    headBars(0x10000, "plain", "+128", "plain"),
    hitmarks(0x20000, "neg"),
    faceAngle(0x80, "LE+"),
    tinting(0x2000, ["BE", "LE"], ["sub", "plain", "plain", "+128"]),
    nameExtras(0x8000),
    faceEntity(0x4, "BE", "sub"),
    moveSpeed(0x1000, "neg"),
    say(0x20),
    spotAnimations(0x40000, { count: "neg", slot: "plain", id: "LE", heightDelay: "BE" }),
    publicChat(0x4000, {
      colourEffect: "LE+",
      icon: "+128",
      auto: "neg",
      count: "+128",
      text: "plain",
      pattern: "plain",
    }),
    flagAlone(0x400, NO_BLOCK_IN_SOURCES),
  ],
);
