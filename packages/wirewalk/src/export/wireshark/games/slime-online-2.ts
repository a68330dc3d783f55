/** Frames and cipher of Slime Online 2. */
import { slimeDialectRules } from "../../../protocols/slime-online-2/index.ts";
import { MAX_PAYLOAD_BYTES } from "../../../protocols/slime-online-2/wire/messages.ts";
import type { DissectedGame } from "../dissected-game.ts";
import { lengthPrefixLua } from "../lua/length-prefix.lua.ts";
import { rc4Lua } from "../lua/rc4.lua.ts";

const carrierLua = `
function game.frame(conversation, dialect, sender, text)
  return lengthPrefix(text, false, game.maxPayloadBytes)
end

-- In v0106 payloads are under RC4, keyed afresh for each message, with a key for each sender.
for _, dialect in ipairs(game.dialects) do
  if dialect.keys then dialect.ciphers = { client = rc4(dialect.keys.client), server = rc4(dialect.keys.server) } end
end

function game.open(conversation, dialect, sender, carried)
  if not dialect.ciphers then return carried, true end
  return dialect.ciphers[sender](carried), false
end
`;

export const slimeDissector: DissectedGame = {
  protocol: "slime-online-2",
  idFormat: "%d",
  leastBytes: 3,
  dialect: (name) => ({ keys: slimeDialectRules(name).keyTexts }),
  constants: () => ({ maxPayloadBytes: MAX_PAYLOAD_BYTES }),
  lua: [lengthPrefixLua, rc4Lua, carrierLua],
  notes: ["RC4 of dialect v0106 is deciphered: its keys are in every client."],
};
