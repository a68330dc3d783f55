/**
 * Lua: reads messages by their descriptions. It keeps what it has read as a list of entries, so that a list that turns out to end
 * earlier can take its last item back, and so that a message can be shown again without being read again.
 */
export const readerLua = `
-- Reader ----------------------------------------------------------------------------------------------------------------
-- Reads a message by its description. Places are counted in bits. What is read becomes a list of entries, which are put
-- into the tree afterwards; bytes that cannot be read raise a table with code, path, bit and text.

local reader, lz4 = {}, {}
do
  local byte, floor = string.byte, math.floor

  local function countBytes(count)
    return count == 1 and "1 byte" or count .. " bytes"
  end
  reader.countBytes = countBytes

  local function placeText(bit)
    local within = bit % 8
    return "byte " .. floor(bit / 8) .. (within == 0 and "" or " bit " .. within)
  end

  local function pathText(c)
    local text = ""
    for index = 1, c.depth do
      local segment = c.path[index]
      if type(segment) == "number" then text = text .. "[" .. segment .. "]"
      elseif text == "" then text = segment
      else text = text .. "." .. segment end
    end
    return text
  end

  local function refuse(c, code, bit, why, what)
    local path = pathText(c)
    local subject = path ~= "" and path or what or "value"
    error({ code = code, bit = bit, path = path, text = "Cannot read " .. subject .. ": " .. why .. " at " .. placeText(bit) }, 0)
  end
  reader.refuse = refuse

  -- A cursor over a string. Its source is what entries point into: the payload, or what came out of a compressed block.
  function reader.cursor(text, source, out)
    return {
      text = text, source = source, out = out or {}, at = 0, stop = #text * 8, claimed = #text * 8,
      low = false, path = {}, depth = 0,
    }
  end

  -- The same bytes, path and entries, with other limits.
  local function within(c, stop, claimed)
    return {
      text = c.text, source = c.source, out = c.out, at = c.at, stop = stop, claimed = claimed,
      low = c.low, path = c.path, depth = c.depth,
    }
  end

  local function truncated(c, width, what)
    local left = c.stop - c.at
    local whole = width % 8 == 0
    local needed = whole and countBytes(width / 8) or width == 1 and "1 bit" or width .. " bits"
    local rest = whole and left % 8 == 0 and left / 8 or whole and left .. " bits" or left
    refuse(c, "truncated", c.at, needed .. " needed, " .. rest .. " left", what)
  end

  -- An unsigned number, its first bit the highest; from the low end of the byte where the cursor says so.
  local function take(c, width)
    local at = c.at
    if c.stop - at < width then truncated(c, width, "bits") end
    c.at = at + width
    local used = at % 8
    local index = (at - used) / 8 + 1
    if used == 0 and width == 8 then return byte(c.text, index) end
    if c.low then return floor(byte(c.text, index) / 2 ^ used) % 2 ^ width end
    local value, needed = 0, width
    while needed > 0 do
      local count = 8 - used
      if count > needed then count = needed end
      value = value * 2 ^ count + floor(byte(c.text, index) / 2 ^ (8 - used - count)) % 2 ^ count
      needed, used, index = needed - count, 0, index + 1
    end
    return value
  end
  reader.take = take

  local changes = {
    ["+128"] = function(low) return (low - 128) % 256 end,
    neg = function(low) return -low % 256 end,
    sub = function(low) return (128 - low) % 256 end,
  }

  -- Which byte of the value each byte on the wire is, the lowest 0.
  local digits = { ["2301"] = { 2, 3, 0, 1 }, ["1032"] = { 1, 0, 3, 2 }, le = { 0, 1, 2, 3 } }

  local function wireNumber(c, bits, order, transform)
    if c.stop - c.at < bits then truncated(c, bits, (bits % 8 == 0 and "u" .. bits .. order) or "bits") end
    local value
    if bits <= 8 or bits % 8 ~= 0 or order == "be" then
      value = take(c, bits)
    else
      value = 0
      local powers = digits[order]
      for index = 1, bits / 8 do value = value + take(c, 8) * 256 ^ powers[index] end
    end
    if transform then
      local low = value % 256
      value = value - low + changes[transform](low)
    end
    return value
  end

  -- Numbers and texts --------------------------------------------------------------------------------------------------
  -- Each returns the value, and the number on the wire where the value is a name for it.

  local scalars = {}
  local function scalar(node, c) return scalars[node.kind](node, c) end

  function scalars.integer(node, c)
    local start = c.at
    local bits = node.bits
    if bits == 64 then
      if c.stop - start < 64 then truncated(c, 64, "u64le") end
      local low = wireNumber(c, 32, "le")
      return UInt64.new(low, wireNumber(c, 32, "le"))
    end
    local value = wireNumber(c, bits, node.order, node.transform)
    if node.signed and value >= 2 ^ (bits - 1) then value = value - 2 ^ bits end
    if node.bias then value = value - node.bias end
    if node.divisor then value = value / node.divisor end
    if (node.min and value < node.min) or (node.max and value > node.max) then
      local least = node.min or node.least
      local most = node.max or node.most
      refuse(c, "bad-value", start, value .. " is not in " .. least .. ".." .. most)
    end
    return value
  end

  function scalars.smart(node, c)
    local start = c.at
    if c.stop - start < 8 then truncated(c, 8, "u8") end
    local first = take(c, 8)
    c.at = start
    if node.wide then
      if first >= 128 then return take(c, 32) - 2 ^ 31 end
      local value = take(c, 16)
      return value == 32767 and -1 or value
    end
    if first < 128 then return take(c, 8) end
    return take(c, 16) - 32768
  end

  function scalars.float(node, c)
    local start = c.at
    local bits = wireNumber(c, 32, node.order)
    local sign = bits >= 2 ^ 31 and -1 or 1
    local exponent = floor(bits / 2 ^ 23) % 256
    local fraction = bits % 2 ^ 23
    if exponent == 255 then
      local value = fraction > 0 and "NaN" or sign < 0 and "-Infinity" or "Infinity"
      if node.finite then refuse(c, "bad-value", start, value .. " is not finite") end
      return fraction > 0 and 0 / 0 or sign / 0
    end
    if exponent == 0 then return sign * fraction * 2 ^ -149 end
    return sign * (2 ^ 23 + fraction) * 2 ^ (exponent - 150)
  end

  function scalars.boolean(node, c)
    local start = c.at
    local raw = scalar(node.of, c)
    if raw ~= 0 and raw ~= 1 then refuse(c, "unknown-variant", start, raw .. " is none of 0, 1") end
    return raw == 1
  end

  function scalars.oneOf(node, c)
    local start = c.at
    local raw = scalar(node.of, c)
    local name = node.nameOf[raw]
    if not name then refuse(c, "unknown-variant", start, raw .. " is none of " .. node.known) end
    return name, raw
  end

  function scalars.prefix(node, c)
    local start = c.at
    local code = ""
    repeat
      code = code .. take(c, 1)
      local name = node.nameOf[code]
      if name then return name, tonumber(code, 2) end
    until not node.begins[code]
    refuse(c, "unknown-variant", start, "bits " .. code .. " begin none of " .. node.known)
  end

  function scalars.flags(node, c)
    local start = c.at
    local raw = scalar(node.of, c)
    local others = raw
    for _, each in ipairs(node.flags) do
      if floor(raw / 2 ^ each.bit) % 2 == 1 then others = others - 2 ^ each.bit end
    end
    if others ~= 0 and node.reserved == "refuse" then
      refuse(c, "bad-value", start, string.format("reserved bits 0x%x are set", others))
    end
    return raw
  end

  function scalars.literal(node, c)
    local start = c.at
    local found = scalar(node.of, c)
    if found == node.value or tostring(found) == tostring(node.value) then return found end
    for _, part in ipairs(node.parts or {}) do
      local function bitsOf(value) return bit32.band(bit32.rshift(value, part.shift), part.mask) end
      local bits = bitsOf(found)
      if bits ~= bitsOf(node.value) then refuse(c, part.code, start, (part.why:gsub("{}", bits))) end
    end
    if not node.parts then refuse(c, "bad-value", start, tostring(found) .. " is not " .. node.value) end
    return node.value, found
  end

  function scalars.unused(node, c)
    return take(c, node.bits)
  end

  local function readCount(length, c)
    local start = c.at
    local count = scalar(length.count, c)
    if count < 0 then refuse(c, "bad-value", start, count .. " is not a count") end
    if count > length.limit then refuse(c, "limit", start, count .. " is over its limit of " .. length.limit) end
    return count
  end

  local function takeText(c, count)
    if c.stop - c.at < count * 8 then truncated(c, count * 8, "bytes") end
    local from = c.at
    c.at = from + count * 8
    if from % 8 == 0 then return c.text:sub(from / 8 + 1, from / 8 + count) end
    c.at = from
    local bytes = {}
    for index = 1, count do bytes[index] = string.char(take(c, 8)) end
    return table.concat(bytes)
  end
  reader.takeText = takeText

  -- Entries ------------------------------------------------------------------------------------------------------------

  -- kind: "leaf", "made" (a value without bits), "open" and "close" of what has fields of its own.
  local function pushLeaf(c, node, place, from, value, raw)
    local width = c.at - from
    if c.low and width < 8 then from = from - from % 8 + 8 - from % 8 - width end
    local entry = {
      kind = "leaf", node = node, place = place, source = c.source,
      from = from, to = from + width, value = value, raw = raw,
    }
    c.out[#c.out + 1] = entry
    return entry
  end
  reader.pushLeaf = pushLeaf

  local function open(c, place, text)
    local entry = { kind = "open", place = place, source = c.source, from = c.at, to = c.at, title = text }
    c.out[#c.out + 1] = entry
    return entry
  end
  local function close(c, entry)
    entry.to = c.at
    c.out[#c.out + 1] = { kind = "close" }
  end
  reader.open, reader.close = open, close

  reader.within, reader.truncated, reader.changes = within, truncated, changes
  reader.scalar, reader.scalars, reader.readCount = scalar, scalars, readCount
end
`;
