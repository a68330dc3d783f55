/**
 * The mask blocks of a client revision: their order, flags and fields. A revision is data: a new one needs no code,
 * `parseMaskRevision` takes it as JSON.
 *
 * ```ts
 * const speed = { kind: "integer", bits: 8, signed: true, order: "be", transform: "neg" };
 * const text = { kind: "text", charset: "windows-1252", length: { end: "zero", limit: 80 } };
 * const revision = parseMaskRevision({
 *   name: "made up",
 *   extensions: [0x40],
 *   blocks: [
 *     { name: "moveSpeed", flag: 0x100, kept: "index", fields: [{ name: "speed", node: speed }] },
 *     { name: "say", flag: 0x1, fields: [{ name: "text", node: text }], clientNeeds: [{ field: "text", minLength: 1 }] },
 *   ],
 * });
 * revision.blocks[0].name; // => "moveSpeed"
 * ```
 *
 * The JSON has `name`, `extensions` (the bit that announces a second flag byte, and, if there is one, the bit that announces a
 * third), and `blocks` in the order in which the client reads them, each with `name`, `flag` (a number: bits of the second byte from
 * 256 on), `fields`, and where they apply `clientNeeds`, `kept`, `late`, `perObserver`, `needs`, `initial` and `source`. A field is that of
 * any struct: see `FieldNode` and `LayoutNode` of `wirewalk/wire`. With `"unread": true`, for a revision whose blocks are not known,
 * both lists are empty: masks are then counted and left unread.
 *
 * The reader uses the blocks with these names and needs the fields named here; it only carries all others:
 * `moveSpeed` and `temporaryMoveSpeed` (`speed`), `exactMove` (`dx1`, `dz1`, `dx2`, `dz2`, `start`, `end`, `angle`),
 * `faceEntity` (`target`, and perhaps `targetHigh`), `faceAngle` (`angle`), `facing` (`flags`, `entityType`, `index`, `angle`),
 * `appearance` (one field of `bytes`).
 */

import type { StructNode } from "../../../../../wire/index.ts";

/** What a client can use of a number: single values, and ranges with both ends. Others crash it, or worse. */
export type AllowedNumbers = readonly (number | readonly [low: number, high: number])[];

/** What a client needs of a field, beyond what its bytes say. */
export interface ClientNeed {
  readonly field: string;
  /** Of a number. */
  readonly allowed?: AllowedNumbers;
  /** Of a text or of bytes: the characters or bytes that the client reads unasked. */
  readonly minLength?: number;
}

/** The value of a field. */
export type MaskValue = number | string | boolean | Uint8Array | MaskFields | readonly MaskValue[];
/** The fields of a block by name, without those that are not there. */
export interface MaskFields {
  readonly [name: string]: MaskValue;
}

/**
 * How long a block's value lasts, for observers that see the player later:
 *
 * - `index`: the client keeps it for the index even while the player is out of view, so it is sent again only when the
 *   observer does not have the present one.
 * - `player`: the client forgets it with the player, so it is sent whenever the player comes into view.
 * - `standing`: like `player`, but it holds only until the player moves.
 *
 * Without one, the block belongs to its tick and is not repeated.
 */
export type MaskKeeping = "index" | "player" | "standing";

/** One kind of block. */
export interface MaskBlock {
  /** In camel case; unique within the revision. */
  readonly name: string;
  /** One bit. Bits of the second byte are 0x100 to 0x8000, of the third 0x10000 to 0x800000. */
  readonly flag: number;
  /** The fields, one after another, without flags. */
  readonly node: StructNode;
  /** Values that a client cannot use are read, and refused when they are written. */
  readonly clientNeeds?: readonly ClientNeed[];
  readonly kept?: MaskKeeping;
  /** A block without meaning after its tick: it is dropped instead of waiting for room. */
  readonly late?: "drop";
  /** Whether an observer may be shown another value than the others, such as its own hits in colour. */
  readonly perObserver?: boolean;
  /**
   * The block, kept by index, without which the client cannot read this one. Observers that lack it are not sent this one:
   * it waits a tick for a block that is set for the first time together with it, and is dropped otherwise.
   */
  readonly needs?: string;
  /** For `kept: "index"`: the value of a new player of a used slot, since clients remember the player before. */
  readonly initial?: MaskFields;
  /**
   * Of a flag for which the client reads no bytes: where that is known from. There are no fields then. Such a flag is read,
   * reported and written like a block; a flag that the revision does not list is refused.
   */
  readonly source?: string;
}

/** The blocks of one client revision, in the order in which it reads them. */
export interface MaskRevision {
  readonly name: string;
  /** The bit of the first byte that announces a second, and the bit of the second (0x100 to 0x8000) for a third. */
  readonly extensions: readonly number[];
  readonly blocks: readonly MaskBlock[];
  /** The blocks are not known: masks are counted and left unread, and none are written. There are no extension bits then. */
  readonly unread?: true;
}

/** No block at all: a reader refuses all mask flags but 00 and 80 00, a writer sends none. */
export const noMasks: MaskRevision = Object.freeze({ name: "none", extensions: [0x80], blocks: [] });

/** A revision whose blocks are not known: positions are exact, since the passes are the same in all revisions. */
export function positionsOnly(name: string): MaskRevision {
  return Object.freeze({ name, extensions: [], blocks: [], unread: true });
}

/** Blocks of a revision: 24 flag bits less one extension bit. */
export const MAX_BLOCKS = 23;
/** Characters of a `source`: a sentence. */
export const MAX_SOURCE_LENGTH = 200;
/** Fields of a block, and of any struct in it: the longest known has 13. */
export const MAX_FIELDS = 32;
/** Blocks of `kept: "index"`: their combinations are made for every player. */
export const MAX_INDEX_KEPT = 4;
/** Characters of a string: the game's longest chat line is 80, names are shorter. */
export const MAX_STRING_LENGTH = 255;
/**
 * Bytes of all blocks of one player. The bits of a packet are under 14,100 bytes for 2047 players, so with this every
 * player fits into a packet of 40,000 bytes and no player waits for ever.
 */
export const MAX_PLAYER_MASK_BYTES = 20_000;
