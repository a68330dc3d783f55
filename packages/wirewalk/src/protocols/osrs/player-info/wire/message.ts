/**
 * Player info as messages of the game. The first carries the client's index: in the real game the login does.
 *
 * ```ts
 * encode(playerInfoLayouts.playerIndex, { index: 499 }); // => new Uint8Array([0x01, 0xf3])
 * fromJson(playerInfoLayouts.playerInfo, { bytes: "af7ff4" }).bytes; // => new Uint8Array([0xaf, 0x7f, 0xf4])
 * sizeOf(playerInfoLayouts.playerInfoInit.node).most / 8; // => 4608
 * ```
 */
import { bytesWith, integer, type Layout, restBytes, struct, withMeaning } from "../../../../wire/index.ts";
import { MAX_PACKET_BYTES, MAX_PLAYER_INDEX } from "./constants.ts";
import { foldedInitialPacket } from "./initial-packet.ts";

/** The client's index. It comes before the initialisation, which does not hold it. */
export interface PlayerIndexMessage {
  readonly message: "playerIndex";
  readonly value: { readonly index: number };
}

/** The initialisation of player info: 4,608 bytes. */
export interface PlayerInfoInitMessage {
  readonly message: "playerInfoInit";
  readonly value: { readonly bytes: Uint8Array };
}

/** One packet of player info. Only a decoder that has read all packets before can read it. */
export interface PlayerInfoMessage {
  readonly message: "playerInfo";
  readonly value: { readonly bytes: Uint8Array };
}

/** The server's messages. */
export type PlayerInfoServerMessage = PlayerIndexMessage | PlayerInfoInitMessage | PlayerInfoMessage;

/** The bodies of the messages, after their opcodes. */
export const playerInfoLayouts: {
  readonly playerIndex: Layout<{ index: number }>;
  readonly playerInfoInit: Layout<{ bytes: Uint8Array }>;
  readonly playerInfo: Layout<{ bytes: Uint8Array }>;
} = {
  playerIndex: struct({
    index: withMeaning(integer({ bits: 16, min: 1, max: MAX_PLAYER_INDEX }), {
      doc: "the client's own player",
      section: "2.1",
    }),
  }),
  playerInfoInit: struct({
    bytes: withMeaning(bytesWith(foldedInitialPacket, { flat: true }), {
      doc: "where everybody is at the start",
      section: "4",
    }),
  }),
  playerInfo: struct({
    bytes: withMeaning(
      restBytes({
        limit: MAX_PACKET_BYTES,
        opaque: "four passes and masks, which need the memory of all packets before",
      }),
      { section: "5" },
    ),
  }),
};
