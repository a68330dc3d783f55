/**
 * The mask blocks of revision 240, in the order of its client.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 * The client has a block of old public chat too (flag 0x2), which no source describes: it is refused.
 */
import {
  appearance,
  exactMove,
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

/** Revision 240. */
export const revision240 = revisionTable(
  "240",
  [0x80, 0x2000],
  [
    spotAnimations(0x20, { count: "+128", slot: "neg", id: "LE", heightDelay: "BE", loop: "sub" }),
    publicChat(0x1000, {
      colourEffect: "BE",
      icon: "+128",
      auto: "neg",
      count: "+128",
      text: "reversed +128",
      pattern: "neg",
    }),
    headBars(0x20000, "sub", "plain", "neg"),
    appearance(0x4, "sub", "reversed"),
    freeze(0x40000, "BE+", "LE", "neg"),
    facing(0x40, "plain"),
    nameExtras(0x200),
    moveSpeed(0x4000, "sub"),
    temporaryMoveSpeed(0x800, "neg"),
    spotAnimations(0x80000, { count: "sub", slot: "+128", id: "LE", heightDelay: "LE" }, "oldSpotAnimations"),
    transparency(0x10000, ["BE+", "LE+"], ["sub", "sub", "sub"]),
    hitmarks(0x100000, "plain"),
    exactMove(0x8000, ["plain", "sub", "plain", "plain"], ["LE+", "LE+"], "LE+"),
    sequence(0x10, "LE+", "+128"),
    tinting(0x400, ["LE", "LE+"], ["neg", "+128", "plain", "+128"]),
    reset(0x8, "neg"),
    say(0x1),
    flagAlone(0x100, NO_BLOCK_IN_SOURCES),
  ],
);
