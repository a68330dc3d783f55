/**
 * The mask blocks of revision 206, in the order of its client.
 *
 * Source: docs/protocols/osrs-player-info.md 6.3.
 */
import type { WordRule } from "../../../../../wire/index.ts";
import {
  appearance,
  exactMove,
  faceAngle,
  hits,
  maskBlock,
  moveSpeed,
  nameExtras,
  publicChat,
  say,
  sequence,
  short,
  spotAnimation,
  temporaryMoveSpeed,
  tinting,
} from "./block-kinds.ts";
import type { MaskRevision } from "./mask-revision.ts";

/**
 * Bytes that the client reads of an appearance at least (standard 6.7): that of a player who looks like an NPC, with an empty
 * name.
 */
const SHORTEST_APPEARANCE = 31;

const targets: readonly WordRule[] = [
  { from: 65_535, to: 65_535, text: "nobody" },
  { from: 32_768, to: 34_815, text: "player {}", offset: 32_768 },
  { from: 0, to: 32_767, text: "NPC {number}" },
];

/** Revision 206, whole. */
export const revision206: MaskRevision = Object.freeze({
  name: "206",
  extensions: [0x80],
  blocks: [
    nameExtras(0x800),
    publicChat(0x4, ["BE", "neg", "neg"], ["plain", "+128"]),
    maskBlock("spotAnimation", 0x2000, spotAnimation("LE+", "BE")),
    exactMove(0x400, ["sub", "plain", "sub", "+128"], ["LE", "LE+"], "BE"),
    faceAngle(0x8, "BE+"),
    moveSpeed(0x100, "sub"),
    say(0x1),
    sequence(0x2, "BE", "neg"),
    hits(0x20, "sub", ["sub", "neg", "neg"]),
    maskBlock(
      "faceEntity",
      0x40,
      { target: short("LE", { words: targets }) },
      { kept: "index", initial: { target: 0xffff } },
    ),
    tinting(0x200, ["LE", "LE+"], ["neg", "sub", "neg", "plain"]),
    temporaryMoveSpeed(0x4000, "sub"),
    appearance(0x10, "plain", "+128", SHORTEST_APPEARANCE),
  ],
});
