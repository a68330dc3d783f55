/** The values that a decoder returns. */
import type { MaskFields } from "./masks/mask-revision.ts";

/** The mask blocks of one player in one packet, by name. */
export type MaskBlocks = Readonly<Record<string, MaskFields>>;

/** How one player moved in one packet, as the client plays it. */
export interface PlayerMove {
  readonly index: number;
  readonly type: "walk" | "run" | "near" | "far";
  /** Where the player is now. */
  readonly level: number;
  readonly x: number;
  readonly z: number;
  /** `path`: goes there with `speed`. `stop`: is there at once, and its path is empty. */
  readonly arrival: "path" | "stop";
  /** Of the temporary move speed, or else of the kept one: -1 and 0 crawl, 1 walk, 2 run. */
  readonly speed: number;
}

/** One packet's changes. Lists are in the order of the packet. */
export interface PlayerInfoUpdate {
  /** Bits of each pass, without alignment. */
  readonly passBits: readonly [number, number, number, number];
  /** Bits of all masks. */
  readonly maskBits: number;
  /** Players that came into view. A player that was removed and added again in this packet is in both lists. */
  readonly added: readonly number[];
  readonly removed: readonly number[];
  readonly moves: readonly PlayerMove[];
  /** Without blocks where `unread` is there. */
  readonly masks: readonly PlayerMasks[];
  /** The masks of a revision whose blocks are not known; absent in a packet without masks. */
  readonly unread?: UnreadMasks;
  /** What the real client could not survive although the layout allows it (standard 6.7). */
  readonly wouldCrash: readonly ClientCrash[];
}

/** Masks that were left unread: whose they are, in the packet's order, and how many bytes they have together. */
export interface UnreadMasks {
  readonly players: readonly number[];
  readonly bytes: number;
}

/** A mask block that would crash the real client, or leave nonsense in it. */
export interface ClientCrash {
  readonly index: number;
  /** The block, and with a dot the field. */
  readonly path: string;
  readonly reason: string;
}

/** The masks of one player. */
export interface PlayerMasks {
  readonly index: number;
  readonly blocks: MaskBlocks;
}

/** A local player as the client has it. */
export interface ClientPlayer {
  readonly index: number;
  readonly level: number;
  readonly x: number;
  readonly z: number;
  /** The last facing that the stream implies, 0..2047: 0 south, 512 west, 1024 north, 1536 east. */
  readonly orientation: number;
  /**
   * The player's target: an NPC's index, a player's index plus 32768 (revision 206) or 65536 (later ones), or -1.
   */
  readonly interacting: number;
  /** The kept move speed. */
  readonly speed: number;
  readonly appearance: Uint8Array | undefined;
}

/** An absolute position in units: 128 a tile. */
export interface FinePosition {
  readonly x: number;
  readonly z: number;
}
