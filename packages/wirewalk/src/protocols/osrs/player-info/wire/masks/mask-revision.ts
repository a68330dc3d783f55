/**
 * The mask blocks of a client revision: their order, flags, fields and byte transforms. A revision is data: a new one needs
 * no code, `parseMaskRevision` takes it as JSON.
 *
 * ```ts
 * const revision = parseMaskRevision({
 *   name: "made up",
 *   extensions: [0x40],
 *   blocks: [
 *     { name: "moveSpeed", flag: 0x100, kept: "index", fields: [{ name: "speed", type: "i8", transform: "neg" }] },
 *     { name: "say", flag: 0x1, fields: [{ name: "text", type: "string" }] },
 *   ],
 * });
 * revision.blocks[0].name; // => "moveSpeed"
 * ```
 *
 * The JSON has the same keys: `name`, `extensions` (the bit that announces a second flag byte, and, if there is one,
 * the bit that announces a third), and `blocks` in the order in which the client reads them, each with `name`, `flag`
 * (a number: bits of the second byte from 256 on), `fields`, and where they apply `kept`, `late`, `perObserver`, `needs` and
 * `initial`. A field has `name`, `type` and what its type allows of `transform`, `order`, `count`, `fill`, `reversed` and
 * `fields`, perhaps `when`, and for people `doc`, `unit` and `words`: see {@link MaskField}.
 *
 * The reader uses the blocks with these names and needs the fields named here; it only carries all others:
 * `moveSpeed` and `temporaryMoveSpeed` (`speed`), `exactMove` (`dx1`, `dz1`, `dx2`, `dz2`, `start`, `end`, `angle`),
 * `faceEntity` (`target`, and perhaps `targetHigh`), `faceAngle` (`angle`), `facing` (`flags`, `entityType`, `index`, `angle`),
 * `appearance` (one field of `bytes`).
 */

import type { ByteTransform, Condition, Meaning } from "../../../../../wire/index.ts";

/** Order of the bytes of a number; with `+` the low byte carries v + 128. */
export type MaskByteOrder = "BE" | "LE" | "BE+" | "LE+";
/** Order of four bytes: the digits name the bytes of the number, 0 the lowest, as they stand on the wire. */
export type MaskWordOrder = "BE" | "LE" | "2301" | "1032";

/** When a field is there, by a number before it in the same block or item. All that is given must hold. */
export type MaskCondition = Pick<Condition, "field" | "from" | "to" | "not" | "mask">;

/** A field's name, when it is there, and what `inspect` and tables say of it. */
interface NamedField extends Pick<Meaning, "doc" | "unit" | "words"> {
  /** In camel case; unique within the block. */
  readonly name: string;
  readonly when?: MaskCondition;
}

/** What a client can use of a number: single values, and ranges with both ends. Others crash it, or worse. */
export type AllowedNumbers = readonly (number | readonly [low: number, high: number])[];

/** One field of a block. What a transform or an order leaves out is plain or `BE`. */
export type MaskField =
  | (NamedField & {
      readonly type: "u8" | "i8";
      readonly transform?: ByteTransform;
      readonly allowed?: AllowedNumbers;
    })
  /** `transform`: of the low byte, with an order without `+`. */
  | (NamedField & {
      readonly type: "u16" | "i16";
      readonly order?: MaskByteOrder;
      readonly transform?: ByteTransform;
      readonly allowed?: AllowedNumbers;
    })
  | (NamedField & {
      readonly type: "i32";
      readonly order?: MaskWordOrder;
      readonly transform?: ByteTransform;
      readonly allowed?: AllowedNumbers;
    })
  /** `smart`: one byte under 128, or two. `wideSmart`: two bytes under 32767 or four, and -1 as two bytes of 32767. */
  | (NamedField & { readonly type: "smart" | "wideSmart"; readonly allowed?: AllowedNumbers })
  /** Windows-1252, ends at a zero byte. `minLength`: the characters that the client reads unasked. */
  | (NamedField & { readonly type: "string"; readonly minLength?: number })
  /** A byte that counts, and as many bytes, each transformed; `reversed`: the last byte comes first. */
  | (NamedField & {
      readonly type: "bytes";
      readonly count?: ByteTransform;
      readonly transform?: ByteTransform;
      readonly reversed?: true;
      /** The bytes that the client reads unasked. */
      readonly minLength?: number;
    })
  /** A byte that counts, and as many {@link Hit}. */
  | (NamedField & { readonly type: "hits"; readonly count?: ByteTransform })
  /** A byte that counts, and as many {@link HeadBar}. */
  | (NamedField & { readonly type: "headBars"; readonly count?: ByteTransform; readonly fill?: ByteTransform })
  /** A byte that counts, and as many items of these fields, none of which is a list of items. */
  | (NamedField & { readonly type: "list"; readonly count?: ByteTransform; readonly fields: readonly MaskField[] });

/** A number over a player's head. Without type and value it is a delay that shows nothing. Numbers are 0..32767. */
export interface Hit {
  /** 0..32765 unless it comes with a soak. */
  readonly type?: number;
  readonly value?: number;
  readonly soakType?: number;
  readonly soakValue?: number;
  /** In cycles. */
  readonly delay: number;
}

/** A bar over a player's head. Only `endTime` 32767, which removes the bar, has no start. Times are in cycles. */
export interface HeadBar {
  readonly id: number;
  readonly endTime: number;
  readonly startTime?: number;
  /** 0..255. */
  readonly startFill?: number;
  /** 0..255, only when `endTime` is over 0. */
  readonly endFill?: number;
}

/** One item of a `list`: its fields by name. */
export interface MaskItem {
  readonly [name: string]: MaskValue;
}

/** Values of fields. */
export type MaskValue = number | string | Uint8Array | readonly Hit[] | readonly HeadBar[] | readonly MaskItem[];
/** The fields of a block by name, without those that are not there. */
export type MaskFields = Readonly<Record<string, MaskValue>>;

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
  readonly fields: readonly MaskField[];
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
}

/** The blocks of one client revision, in the order in which it reads them. */
export interface MaskRevision {
  readonly name: string;
  /** The bit of the first byte that announces a second, and the bit of the second (0x100 to 0x8000) for a third. */
  readonly extensions: readonly number[];
  readonly blocks: readonly MaskBlock[];
}

/** No block at all: a reader refuses all mask flags but 00 and 80 00, a writer sends none. */
export const noMasks: MaskRevision = Object.freeze({ name: "none", extensions: [0x80], blocks: [] });

/** Blocks of a revision: 24 flag bits less one extension bit. */
export const MAX_BLOCKS = 23;
/** Fields of a block, and of an item: the longest known has 13. */
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
