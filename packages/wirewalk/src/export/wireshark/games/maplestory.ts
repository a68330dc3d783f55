/** Frames and cipher of MapleStory. */
import { mapleDialectRules, mapleHello } from "../../../protocols/maplestory/index.ts";
import { MAX_HELLO_BYTES } from "../../../protocols/maplestory/wire/channel.ts";
import {
  aesKey,
  FIRST_STRETCH_BYTES,
  ivTable,
  SHANDA_ROUNDS,
  STRETCH_BYTES,
} from "../../../protocols/maplestory/wire/cipher.ts";
import { MAX_PAYLOAD_BYTES } from "../../../protocols/maplestory/wire/messages.ts";
import { formatHex } from "../../../wire/index.ts";
import type { DissectedGame } from "../dissected-game.ts";
import { lengthPrefixLua } from "../lua/length-prefix.lua.ts";
import { mapleCipherLua } from "../lua/maple-cipher.lua.ts";

const carrierLua = `
-- The server speaks first: a greeting in clear with the first IV of each direction. Then come frames with a header that only
-- the right IV can read. "conversation.state" has the IV of the next frame of each sender.

local function refusal(code, text)
  return nil, nil, { code = code, bit = 0, text = "Cannot read " .. text .. " at byte 0" }
end

local function greetingOf(conversation, dialect)
  return function(source)
    local c = reader.cursor(source.text, source)
    local result = { out = c.out }
    local ok, greeting = pcall(function()
      local greeting = reader.field(game.descriptions.greeting, c, fields.place(game.abbreviation .. ".greeting"))
      reader.expectEnd(c)
      if greeting.version ~= dialect.ciphered.version then
        reader.refuse(c, "bad-value", 0, "version " .. greeting.version .. " is not " .. dialect.ciphered.version, "hello")
      end
      return greeting
    end)
    if not ok then
      if type(greeting) ~= "table" then error(greeting, 0) end
      result.refusal = greeting
    else
      function result.commit() conversation.state.ivs = { client = greeting.recvIv, server = greeting.sendIv } end
    end
    return result
  end
end

function game.frame(conversation, dialect, sender, text)
  if not dialect.ciphered then return lengthPrefix(text, false, game.maxPayloadBytes) end
  local ivs = conversation.state.ivs
  if not ivs then
    if sender == "client" then return refusal("bad-state", "header: the server's greeting, which has the IV, is missing") end
    if #text < 2 then return nil end
    local low, high = text:byte(1, 2)
    local length = low + high * 256
    if length > game.maxHelloBytes then
      return refusal("limit", "hello length: " .. length .. " is over its limit of " .. game.maxHelloBytes)
    end
    return { size = 2 + length, headerBytes = 2, lead = "greeting", result = greetingOf(conversation, dialect) }
  end
  if #text < 4 then return nil end
  local a, b, c, d = text:byte(1, 4)
  local first = a + b * 256
  local low, high = ivs[sender]:byte(3, 4)
  local version = sender == "client" and dialect.ciphered.version or 0xffff - dialect.ciphered.version
  local mark = bit32.bxor(low + high * 256, version)
  if first ~= mark then
    return refusal("bad-checksum", string.format("header: 0x%04x is not 0x%04x, which the IV asks for", first, mark))
  end
  local length = bit32.bxor(first, c + d * 256)
  if length > game.maxPayloadBytes then
    return refusal("limit", "payload length: " .. length .. " is over its limit of " .. game.maxPayloadBytes)
  end
  return { size = 4 + length, headerBytes = 4 }
end

function game.open(conversation, dialect, sender, carried, isTrial)
  if not dialect.ciphered then return carried, true end
  local ivs = conversation.state.ivs
  local payload = cipher.open(carried, ivs[sender])
  if not isTrial then ivs[sender] = cipher.roll(ivs[sender]) end
  return payload, false
end

game.hasMemory = true
`;

const hex = (bytes: Uint8Array): string => formatHex(bytes, { separator: "" });

export const mapleDissector: DissectedGame = {
  protocol: "maplestory",
  idFormat: "0x%02X",
  leastBytes: 8,
  dialect(name) {
    const { ciphered } = mapleDialectRules(name);
    return { ciphered: ciphered === undefined ? undefined : { ...ciphered } };
  },
  constants: () => ({
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    maxHelloBytes: MAX_HELLO_BYTES,
    shandaRounds: SHANDA_ROUNDS,
    firstStretchBytes: FIRST_STRETCH_BYTES,
    stretchBytes: STRETCH_BYTES,
    aesKey: hex(aesKey),
    ivTable: hex(ivTable),
  }),
  descriptions: { greeting: mapleHello.node },
  lua: [lengthPrefixLua, mapleCipherLua, carrierLua],
  notes: [
    "The cipher is undone, AES included: its keys are in every client. It needs the start of the connection, where the",
    "server's greeting has the IVs.",
  ],
};
