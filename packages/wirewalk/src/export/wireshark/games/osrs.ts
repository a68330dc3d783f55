/** Frames of Old School RuneScape, and player info, which needs the memory of its connection. */
import type { Protocol, RevisionTable, Side } from "../../../protocols/index.ts";
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
import { type BodySize, MAX_BODY_BYTES } from "../../../protocols/osrs/wire/framing.ts";
import type { DissectedGame } from "../dissected-game.ts";
import { playerInfoLua } from "../lua/player-info.lua.ts";

const carrierLua = `
-- An opcode, the size of the body unless it is fixed, the body. The header is cut out of the payload.
function game.frame(conversation, dialect, sender, text)
  if #text < 1 then return nil end
  local opcode, head = text:byte(1), 1
  if game.isSmart and sender == "server" and opcode >= 128 then
    if #text < 2 then return nil end
    opcode, head = (opcode - 128) * 256 + text:byte(2), 2
  end
  local message = dialect[sender][opcode]
  if not message then
    local known = dialect.known[sender]
    return nil, nil, {
      code = "unknown-message", bit = 0, path = "opcode",
      text = "Cannot read opcode: " .. opcode .. game.unknown:gsub("KNOWN", function() return known end) .. " at byte 0",
    }
  end
  local size = game.sizes[sender][message.name]
  if type(size) == "number" then return { size = head + size, headerBytes = head, opcode = string.char(opcode) } end
  local bytes = size == "varByte" and 1 or 2
  if #text < head + bytes then return nil end
  local first, second = text:byte(head + 1, head + 2)
  local length = bytes == 1 and first or first * 256 + second
  if length > game.maxBodyBytes then
    return nil, nil, {
      code = "limit", bit = 8 * head, path = "size",
      text = "Cannot read size: " .. length .. " is over its limit of " .. game.maxBodyBytes .. " at byte " .. head,
    }
  end
  return { size = head + bytes + length, headerBytes = head + bytes, opcode = string.char(opcode) }
end

-- The payload begins with the opcode. Only where it is one byte and nothing stands between it and the body are its bytes those of the packet.
function game.open(conversation, dialect, sender, carried, isTrial, head, text)
  return head.opcode .. carried, head.headerBytes == 1 and "whole" or false
end

game.hasMemory = true
game.payloadTitle = "Payload"
game.read, game.again = playerInfo.read, playerInfo.again
game.describe, game.preferences = playerInfo.describe, playerInfo.preferences
`;

const DEFAULT_REVISION = "206";

function tableOf({ capabilities }: Protocol): RevisionTable | undefined {
  return capabilities?.revisions?.table(capabilities.settings?.values.revision?.default ?? 0);
}

/** Sizes of bodies, by sender and name: those of our own messages, and of the table of the revision. */
function sizesOf(protocol: Protocol): Readonly<Record<Side, Readonly<Record<string, BodySize>>>> {
  const table = tableOf(protocol);
  const { messages } = protocol.codec("client");
  const of = (sender: Side): Readonly<Record<string, BodySize>> =>
    Object.fromEntries(
      messages
        .filter((each) => each.sender === sender)
        .flatMap(({ message, id }): [string, BodySize][] => {
          const own = messageKinds.find((kind) => kind.message === message)?.size;
          const size = table?.[sender].get(id)?.size ?? own;
          return size === undefined ? [] : [[message, size]];
        }),
    );
  return { client: of("client"), server: of("server") };
}

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
      sizes: sizesOf(protocol),
      // In a revision with a table the server's opcodes from 128 on have two bytes.
      isSmart: tableOf(protocol) !== undefined,
      unknown:
        tableOf(protocol) === undefined ? " is not among KNOWN" : ` is no message of revision ${String(revision)}`,
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
