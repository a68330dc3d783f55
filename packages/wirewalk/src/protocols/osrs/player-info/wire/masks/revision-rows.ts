/**
 * Revisions as rows: a block's kind, its flag, and the transforms of its fields, in the order in which the client reads the
 * blocks.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 */
import {
  appearance,
  exactMove,
  faceAngle,
  faceEntity,
  facing,
  flagAlone,
  freeze,
  headBars,
  hitmarks,
  hits,
  moveSpeed,
  nameExtras,
  oldPublicChat,
  oldSpotAnimationCount,
  oldSpotAnimations,
  publicChat,
  reset,
  say,
  sequence,
  spotAnimations,
  temporaryMoveSpeed,
  tinting,
  transparency,
} from "./block-kinds.ts";
import type { MaskBlock, MaskRevision } from "./mask-revision.ts";

/** The kinds of blocks from revision 223 on, and what their rows give after the kind. */
const kinds = {
  appearance,
  exactMove,
  faceAngle,
  faceEntity,
  facing,
  flagAlone,
  freeze,
  headBars,
  hitmarks,
  hits,
  moveSpeed,
  nameExtras,
  oldPublicChat,
  oldSpotAnimationCount,
  oldSpotAnimations,
  publicChat,
  reset,
  say,
  sequence,
  spotAnimations,
  temporaryMoveSpeed,
  tinting,
  transparency,
} as const;

type Kinds = typeof kinds;

/** A kind and the parameters of its function: the flag first. */
export type BlockRow = { [K in keyof Kinds]: readonly [kind: K, ...Parameters<Kinds[K]>] }[keyof Kinds];

/** The revision of that number, frozen. `extensions`: the bits that announce a second and a third flag byte. */
export function revisionOf(
  number: number,
  extensions: readonly [second: number, third: number],
  rows: readonly BlockRow[],
): MaskRevision {
  const blocks = rows.map(([kind, ...given]) => {
    // The row's type says that the parameters are those of its kind.
    const make = kinds[kind] as (...parameters: typeof given) => MaskBlock;
    return make(...given);
  });
  return Object.freeze({ name: String(number), extensions, blocks });
}
