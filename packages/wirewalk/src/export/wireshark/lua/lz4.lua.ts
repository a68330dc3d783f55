/** Lua: LZ4 blocks. */
export const lz4Lua = `
-- LZ4 blocks ------------------------------------------------------------------------------------------------------------

do
  local byte = string.byte
  local floor = math.floor

  -- The bytes of a block from byte "at" to "stop" (both counted from 0); at most "limit" come out.
  function lz4.unpack(c, at, stop, limit, reserved)
    local block = c.text
    local out, count = {}, 0
    local function refuse(code, place, why) reader.refuse(c, code, place * 8, why) end
    local function more(value)
      repeat
        if at >= stop then refuse("truncated", at, "more must follow") end
        local next = byte(block, at + 1)
        at, value = at + 1, value + next
      until next ~= 255
      return value
    end
    while true do
      local tokenAt = at
      if at >= stop then refuse("truncated", at, "more must follow") end
      local token = byte(block, at + 1)
      at = at + 1
      local literals = floor(token / 16)
      if literals == 15 then literals = more(literals) end
      if literals > stop - at then
        refuse("truncated", at, reader.countBytes(literals) .. " needed, " .. stop - at .. " left")
      end
      if literals > limit - count then
        refuse("limit", at, reader.countBytes(count + literals) .. " come out, its limit is " .. limit)
      end
      for index = 1, literals do out[count + index] = byte(block, at + index) end
      at, count = at + literals, count + literals
      if at == stop then
        if token % 16 ~= 0 and reserved == "refuse" then
          refuse("bad-value", tokenAt, "the low half of the last token is " .. token % 16 .. ", not 0,")
        end
        break
      end
      local offsetAt = at
      if stop - at < 2 then refuse("truncated", at, "more must follow") end
      local low, high = byte(block, at + 1, at + 2)
      local offset = low + high * 256
      at = at + 2
      if offset == 0 or offset > count then
        refuse("bad-value", offsetAt, "a match " .. reader.countBytes(offset) .. " back, " .. count .. (count == 1 and " is" or " are") .. " there")
      end
      local match = token % 16 + 4
      if token % 16 == 15 then match = more(match) end
      if match > limit - count then
        refuse("limit", offsetAt, reader.countBytes(count + match) .. " come out, its limit is " .. limit)
      end
      for index = count + 1, count + match do out[index] = out[index - offset] end
      count = count + match
    end
    local pieces = {}
    for from = 1, count, 4096 do
      pieces[#pieces + 1] = string.char((table.unpack or unpack)(out, from, math.min(from + 4095, count)))
    end
    return table.concat(pieces)
  end

  -- Where the literals of a block begin that has nothing else; nil for any other block.
  function lz4.literalsStart(block, start, stop)
    local at = start + 1
    local literals = floor(byte(block, start + 1) / 16)
    if literals == 15 then
      repeat
        local next = byte(block, at + 1)
        at, literals = at + 1, literals + next
      until next ~= 255
    end
    return at + literals == stop and at or nil
  end
end
`;
