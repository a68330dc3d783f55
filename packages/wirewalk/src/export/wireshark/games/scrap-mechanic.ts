/** Frames of Scrap Mechanic. Its blocks are part of the descriptions. */
import { MAX_CLIENT_PACKET_BYTES } from "../../../protocols/scrap-mechanic/wire/channel.ts";
import { MAX_PACKET_BYTES } from "../../../protocols/scrap-mechanic/wire/codec.ts";
import type { DissectedGame } from "../dissected-game.ts";
import { lengthPrefixLua } from "../lua/length-prefix.lua.ts";

const carrierLua = `
function game.frame(conversation, dialect, sender, text)
  return lengthPrefix(text, true, game.maxPacketBytes[sender])
end

function game.open(conversation, dialect, sender, carried) return carried, true end
`;

export const scrapDissector: DissectedGame = {
  protocol: "scrap-mechanic",
  idFormat: "0x%x",
  leastBytes: 8,
  dialect: () => ({}),
  constants: () => ({ maxPacketBytes: { client: MAX_CLIENT_PACKET_BYTES, server: MAX_PACKET_BYTES } }),
  lua: [lengthPrefixLua, carrierLua],
  notes: ["Packets over TCP, as Wirewalk's server carries them: two bytes of length, an id, an LZ4 block."],
};
