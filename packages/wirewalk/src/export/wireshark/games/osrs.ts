/** Frames of Old School RuneScape, and player info, which needs the memory of its connection. */
import { messageKinds } from "../../../protocols/osrs/osrs.ts";
import {
  QUARTER_TILES,
  runX,
  runZ,
  WORLD_TILES,
  walkX,
  walkZ,
} from "../../../protocols/osrs/player-info/wire/constants.ts";
import { playerInfoDialect, playerInfoDialectIn } from "../../../protocols/osrs/player-info/wire/dialect.ts";
import { namedRevisions } from "../../../protocols/osrs/player-info/wire/masks/named-revisions.ts";
import { externalTypes, localTypes, walkNames } from "../../../protocols/osrs/player-info/wire/pass-reader.ts";
import { MAX_BODY_BYTES } from "../../../protocols/osrs/wire/framing.ts";
import type { DissectedGame } from "../dissected-game.ts";
import { playerInfoLua } from "../lua/player-info.lua.ts";

const carrierLua = `
-- An opcode, the size of the body unless it is fixed, the body. The header is cut out of the payload.
function game.frame(conversation, dialect, sender, text)
  if #text < 1 then return nil end
  local opcode = text:byte(1)
  local message = dialect[sender][opcode]
  if not message then
    local known = dialect.known[sender]
    return nil, nil, {
      code = "unknown-message", bit = 0, path = "opcode",
      text = "Cannot read opcode: " .. opcode .. " is not among " .. known .. " at byte 0",
    }
  end
  local size = game.sizes[message.name]
  if type(size) == "number" then return { size = 1 + size, headerBytes = 1 } end
  local bytes = size == "varByte" and 1 or 2
  if #text < 1 + bytes then return nil end
  local first, second = text:byte(2, 3)
  local length = bytes == 1 and first or first * 256 + second
  if length > game.maxBodyBytes then
    return nil, nil, {
      code = "limit", bit = 8, path = "size",
      text = "Cannot read size: " .. length .. " is over its limit of " .. game.maxBodyBytes .. " at byte 1",
    }
  end
  return { size = 1 + bytes + length, headerBytes = 1 + bytes, opcode = text:sub(1, 1) }
end

-- The payload begins with the opcode. Only where nothing stands between it and the body are its bytes those of the packet.
function game.open(conversation, dialect, sender, carried, isTrial, head, text)
  return text:sub(1, 1) .. carried, head.headerBytes == 1 and "whole" or false
end

game.hasMemory = true
game.payloadTitle = "Payload"
game.read, game.again = playerInfo.read, playerInfo.again
game.describe, game.preferences = playerInfo.describe, playerInfo.preferences
`;

const DEFAULT_REVISION = "206";

export const osrsDissector: DissectedGame = {
  protocol: "osrs",
  idFormat: "%d",
  leastBytes: 8,
  dialect(name) {
    const { alignsPasses, passFlags, flagsAdded } = playerInfoDialect(playerInfoDialectIn(name));
    return { playerInfo: { alignsPasses, passFlags: [...passFlags], flagsAdded } };
  },
  constants(protocol) {
    const revision = protocol.capabilities?.settings?.values.revision?.default;
    const names = (count: number, nameOf: (raw: number) => string): string[] =>
      Array.from({ length: count }, (_, raw) => nameOf(raw));
    return {
      maxBodyBytes: MAX_BODY_BYTES,
      sizes: Object.fromEntries(messageKinds.map(({ message, size }) => [message, size])),
      revision: revision === undefined ? DEFAULT_REVISION : revision === 0 ? "none" : String(revision),
      worldTiles: WORLD_TILES,
      quarterTiles: QUARTER_TILES,
      walkX: [...walkX],
      walkZ: [...walkZ],
      runX: [...runX],
      runZ: [...runZ],
      walkNames: names(8, walkNames),
      localTypes: names(4, localTypes),
      externalTypes: names(4, externalTypes),
      passTitles: [
        "Pass 1: players in view",
        "Pass 2: players in view",
        "Pass 3: players out of view",
        "Pass 4: players out of view",
      ],
    };
  },
  tables: (writer) => ({
    revisions: Object.entries(namedRevisions).map(([name, { extensions, blocks, unread = false }]) => ({
      name,
      extensions: [...extensions],
      unread,
      blocks: blocks.map((block) => ({
        name: block.name,
        flag: block.flag,
        node: writer.write(block.node, block.name),
      })),
    })),
  }),
  lua: [playerInfoLua, carrierLua],
  notes: [
    "Opcodes are read as plain numbers: those that the game enciphers after its login cannot be read here. Player info needs",
    "the initialisation, and the player's own index from the message before it or from the preference.",
  ],
};
