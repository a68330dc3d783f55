/** Lua: frames that have their length before them. */
export const lengthPrefixLua = `
-- Frames ----------------------------------------------------------------------------------------------------------------

-- Two bytes of length before each payload. "limits" by sender.
local function lengthPrefix(text, highFirst, limit)
  if #text < 2 then return nil, nil end
  local first, second = text:byte(1, 2)
  local length = highFirst and first * 256 + second or first + second * 256
  if length > limit then
    return nil, nil, { code = "limit", bit = 0, text = "Cannot read frame length: " .. length .. " is over its limit of " .. limit .. " at byte 0" }
  end
  return { size = 2 + length, headerBytes = 2 }
end
`;
