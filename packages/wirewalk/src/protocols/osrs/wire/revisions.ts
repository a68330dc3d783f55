/**
 * Revisions of the game: mask blocks, and the opcodes of the messages that we have, as plain numbers before the cipher. The
 * sizes of the bodies are the same in all: `varShort` for player info, `varByte` for mouse movement.
 *
 * Source: docs/protocols/osrs-player-info.md 6.8.
 */
import type { MaskRevision } from "../player-info/wire/masks/mask-revision.ts";
import { namedRevisions } from "../player-info/wire/masks/named-revisions.ts";

/** The opcodes of a revision; those of the other messages are ours. */
export interface RevisionOpcodes {
  readonly playerInfoOpcode: number;
  readonly mouseOpcode: number;
}

/** Opcodes by revision. No public source has those of 206. */
export const revisionOpcodes: ReadonlyMap<number, RevisionOpcodes> = new Map([
  [223, { playerInfoOpcode: 45, mouseOpcode: 64 }],
  [226, { playerInfoOpcode: 63, mouseOpcode: 4 }],
  [230, { playerInfoOpcode: 23, mouseOpcode: 94 }],
  [234, { playerInfoOpcode: 84, mouseOpcode: 66 }],
  [237, { playerInfoOpcode: 64, mouseOpcode: 53 }],
  [238, { playerInfoOpcode: 91, mouseOpcode: 116 }],
  [239, { playerInfoOpcode: 28, mouseOpcode: 110 }],
  [240, { playerInfoOpcode: 91, mouseOpcode: 114 }],
]);

/** Mask blocks by the values of the setting `revision`: all revisions whose name is a number, and 0 for none. */
export const maskRevisions: ReadonlyMap<number, MaskRevision> = new Map(
  Object.entries(namedRevisions).flatMap(([name, masks]): readonly (readonly [number, MaskRevision])[] => {
    if (name === "none") return [[0, masks]];
    return Number.isNaN(Number(name)) ? [] : [[Number(name), masks]];
  }),
);
