/**
 * The mask blocks of revision 239, in the order of its client.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 * The client has a block of old public chat too (flag 0x80), which no source describes: it is refused.
 */
import {
  appearance,
  exactMove,
  faceEntity,
  facing,
  flagAlone,
  freeze,
  headBars,
  hitmarks,
  moveSpeed,
  NO_BLOCK_IN_SOURCES,
  nameExtras,
  publicChat,
  reset,
  revisionTable,
  say,
  sequence,
  spotAnimations,
  temporaryMoveSpeed,
  tinting,
  transparency,
} from "./block-kinds.ts";

/** Revision 239. */
export const revision239 = revisionTable(
  "239",
  [0x8, 0x800],
  [
    nameExtras(0x2000),
    hitmarks(0x40000, "sub"),
    reset(0x2, "neg"),
    facing(0x1, "neg"),
    moveSpeed(0x400, "neg"),
    spotAnimations(0x20000, { count: "plain", slot: "neg", id: "BE+", heightDelay: "BE" }),
    faceEntity(0x10, "LE+", "plain"),
    publicChat(0x100, {
      colourEffect: "BE+",
      icon: "neg",
      auto: "+128",
      count: "neg",
      text: "reversed",
      pattern: "neg",
    }),
    transparency(0x100000, ["BE+", "BE"], ["sub", "sub", "sub"]),
    tinting(0x200, ["LE", "BE"], ["neg", "plain", "sub", "sub"]),
    headBars(0x10000, "+128", "+128", "neg"),
    say(0x4),
    sequence(0x40, "BE+", "plain"),
    temporaryMoveSpeed(0x1000, "plain"),
    appearance(0x20, "sub", "+128"),
    exactMove(0x4000, ["plain", "+128", "neg", "sub"], ["BE", "LE"], "LE+"),
    freeze(0x80000, "LE+", "LE+", "+128"),
    flagAlone(0x8000, NO_BLOCK_IN_SOURCES),
  ],
);
