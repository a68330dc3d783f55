/**
 * The mask blocks of revision 238, in the order of its client.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 * The client has a block of old public chat too (flag 0x80), which no source describes: it is refused.
 */
import {
  appearance,
  exactMove,
  faceAngle,
  faceEntity,
  facing,
  flagAlone,
  headBars,
  hitmarks,
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

/** Revision 238. */
export const revision238 = revisionTable(
  "238",
  [0x2, 0x4000],
  [
    headBars(0x20000, "+128", "plain", "neg"),
    publicChat(0x100, {
      colourEffect: "LE",
      icon: "neg",
      auto: "neg",
      count: "+128",
      text: "plain",
      pattern: "+128",
    }),
    facing(0x8, "neg"),
    say(0x10),
    moveSpeed(0x800, "neg"),
    spotAnimations(0x10000, { count: "plain", slot: "+128", id: "BE+", heightDelay: "2301" }),
    temporaryMoveSpeed(0x8000, "plain"),
    tinting(0x1000, ["LE+", "LE"], ["neg", "neg", "neg", "plain"]),
    nameExtras(0x400),
    hitmarks(0x40000, "neg"),
    faceEntity(0x40, "BE+", "neg"),
    sequence(0x1, "LE+", "+128"),
    appearance(0x4, "+128", "+128"),
    faceAngle(0x20, "LE+"),
    exactMove(0x2000, ["plain", "sub", "neg", "+128"], ["BE+", "LE"], "BE+"),
    flagAlone(0x200, NO_BLOCK_IN_SOURCES),
  ],
);
