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

  local function enter(c, segment)
    c.depth = c.depth + 1
    c.path[c.depth] = segment
  end

  -- Composites ---------------------------------------------------------------------------------------------------------

  local composites = {}
  local field

  local wrappers = { bits = true, limited = true, sized = true, compressed = true }
  local function isComposite(node)
    while wrappers[node.kind] do node = node.of end
    return node.kind == "struct" or node.kind == "variant" or node.kind == "byLength" or node.kind == "mark"
  end
  reader.isComposite = isComposite

  -- Reads a field with a name of its own.
  local function child(node, c, place)
    if not isComposite(node) then return field(node, c, place) end
    local entry = open(c, place)
    local value = field(node, c, place)
    close(c, entry)
    return value
  end

  function field(node, c, place)
    local read = composites[node.kind]
    if read then return read(node, c, place) end
    local start = c.at
    local value, raw = scalar(node, c)
    pushLeaf(c, node, place, start, value, raw)
    return value
  end
  reader.field = field

  local function holds(when, values)
    local value = values[when.field]
    if value == nil then return false end
    if when.zero ~= nil then return (value:find("[^%z]") == nil) == when.zero end
    if when.mask then value = bit32.band(value % 2 ^ 32, when.mask) end
    if when.from and value < when.from then return false end
    if when.to and value > when.to then return false end
    return when["not"] == nil or value ~= when["not"]
  end

  function composites.constant(node, c, place)
    c.out[#c.out + 1] = { kind = "made", place = place, source = c.source, from = c.at, to = c.at, value = node.value }
    return node.value
  end

  function composites.flags(node, c, place)
    local start = c.at
    local raw = scalars.flags(node, c)
    local value = {}
    pushLeaf(c, node, place, start, raw).opens = true
    for _, each in ipairs(node.flags) do
      value[each.name] = floor(raw / 2 ^ each.bit) % 2 == 1
      pushLeaf(c, nil, place.sub[each.name], start, value[each.name]).bit = each.bit
    end
    c.out[#c.out + 1] = { kind = "close" }
    return value
  end

  local function part(c, node, place, name, read)
    enter(c, name)
    local start = c.at
    local value, raw = read()
    c.depth = c.depth - 1
    pushLeaf(c, node, place.sub[name], start, value, raw)
    return value
  end

  function composites.struct(node, c, place)
    local values = {}
    for _, each in ipairs(node.fields) do
      local name = each.name
      if name == "" then
        for key, value in pairs(field(each.node, c, place)) do values[key] = value end
      elseif not each.when or holds(each.when, values) then
        enter(c, name)
        local start, out = c.at, c.out
        values[name] = child(each.node, c, place.sub[name])
        c.depth = c.depth - 1
        for _, reading in ipairs(each.node.readings or {}) do
          if holds(reading.when, values) then
            -- What bytes mean by an earlier number: the same bytes once more, under the name of the meaning.
            local again = within(c, c.at, c.at)
            again.at = start
            local entry = open(again, place.sub[reading.name])
            local ok, problem = pcall(field, reading.node, again, place.sub[reading.name])
            if not ok and type(problem) ~= "table" then error(problem, 0) end
            close(again, entry)
            break
          end
        end
      end
    end
    return values
  end

  function composites.variant(node, c, place)
    local start = c.at
    local found
    local tag = part(c, node.tag, place, node.tagName, function()
      local value, raw = scalar(node.tag, c)
      found = node.caseOf[value] or node.otherwise
      if not found then refuse(c, "unknown-variant", start, tostring(value) .. " is none of " .. node.known) end
      return value, raw
    end)
    local values = field(found.node, c, place)
    if not found.hidden then values[node.tagName] = tag end
    return values
  end

  function composites.byLength(node, c, place)
    local left = c.stop - c.at
    for _, each in ipairs(node.cases) do
      if not each.bytes or each.bytes * 8 == left then return field(each.node, c, place) end
    end
  end

  function composites.mark(node, c, place)
    local start, width = c.at, 0
    for _, each in ipairs(node.parts) do width = width + each.bits end
    if c.stop - start >= width then
      local marked, places = true, {}
      for index, each in ipairs(node.parts) do
        places[index] = c.at
        if take(c, each.bits) ~= each.value then marked = false break end
      end
      if marked then
        local to = c.at
        for index, each in ipairs(node.parts) do
          c.at = places[index] + each.bits
          pushLeaf(c, nil, place.sub.mark, places[index], each.value)
        end
        c.at = to
        return field(node.marked, c, place)
      end
      c.at = start
    end
    return field(node.of, c, place)
  end

  function composites.bits(node, c, place)
    local low = c.low
    c.low = node.first == "lsb"
    local value = field(node.of, c, place)
    local at = c.at
    local rest = -at % 8
    if rest > 0 then
      part(c, nil, place, node.padding.name, function()
        local padding = take(c, rest)
        if padding ~= 0 and node.padding.value == "zero" then
          refuse(c, "bad-value", c.low and at - at % 8 or at, padding .. " is not 0")
        end
        return padding
      end)
    end
    c.low = low
    return value
  end

  function composites.limited(node, c, place)
    local count = (c.stop - c.at) / 8
    if count > node.bytes then
      enter(c, node.name)
      refuse(c, "limit", c.at, countBytes(count) .. " are over its limit of " .. node.bytes)
    end
    return field(node.of, c, place)
  end

  function composites.array(node, c, place)
    local length = type(node.length) == "table" and node.length or { exact = node.length }
    local container = open(c, nil, place.name)
    local count = length.exact
    if length.count then
      count = part(c, length.count, place, "count", function() return readCount(length, c) end)
    end
    local limit = length.rest or length.limit
    local index = 0
    while true do
      local start = c.at
      if count then
        if index >= count then break end
      elseif length["until"] then
        if c.stop - start >= 8 then
          if take(c, 8) == length["until"] then
            pushLeaf(c, nil, place.sub["end"], start, length["until"])
            break
          end
          c.at = start
        end
        if index == limit then refuse(c, "limit", start, "over its limit of " .. limit .. " items") end
      else
        if start == c.stop then break end
        if index == limit then refuse(c, "limit", start, "over its limit of " .. limit .. " items") end
      end
      enter(c, index)
      if length.tolerant then
        -- The list ends before the first item that cannot be read.
        local held, depth, low = #c.out, c.depth, c.low
        local ok, problem = pcall(child, node.item, c, place)
        if not ok then
          if type(problem) ~= "table" then error(problem, 0) end
          for last = #c.out, held + 1, -1 do c.out[last] = nil end
          c.at, c.depth, c.low = start, depth - 1, low
          break
        end
      else
        child(node.item, c, place)
      end
      c.depth = c.depth - 1
      index = index + 1
    end
    container.count = index
    close(c, container)
  end

  function composites.bytes(node, c, place)
    local length = node.length
    local count
    if type(length) == "number" then count = length
    elseif length.count then count = part(c, length.count, place, "count", function() return readCount(length, c) end)
    else
      count = floor((c.claimed - c.at) / 8)
      if count > length.rest then
        refuse(c, "limit", c.at, count .. " bytes are over the limit of " .. length.rest)
      end
    end
    local start = c.at
    local text = takeText(c, count)
    if node.transform then
      local change = changes[node.transform]
      text = text:gsub(".", function(each) return string.char(change(byte(each))) end)
    end
    if node.reversed then text = text:reverse() end
    if count == 0 then
      c.out[#c.out + 1] = { kind = "made", place = place, source = c.source, from = start, to = start, value = text }
    else
      pushLeaf(c, node, place, start, text)
    end
    if node.inside then
      c.out[#c.out].opens = true
      local inner = within(c, c.at, c.at)
      inner.at = start
      local ok, problem = pcall(field, node.inside, inner, place)
      if not ok and type(problem) ~= "table" then error(problem, 0) end
      if ok then c.out[#c.out + 1] = { kind = "close" } end
    end
    return text
  end

  function composites.text(node, c, place)
    local length, start = node.length, c.at
    if length.count then
      local count = part(c, length.count, place, "count", function() return readCount(length, c) end)
      local from = c.at
      local text = takeText(c, count)
      pushLeaf(c, node, place, from, text)
      return text
    end
    local left = floor((c.stop - start) / 8)
    local limit = length.limit
    local size = 0
    while size < left and size <= limit do
      if take(c, 8) == 0 then
        local to = c.at
        c.at = start
        local text = takeText(c, size)
        c.at = to
        pushLeaf(c, node, place, start, text)
        return text
      end
      size = size + 1
    end
    if size > limit then refuse(c, "limit", start, "over its limit of " .. limit .. " characters", "cstring") end
    if node.charset == "latin1" then
      c.at = start
      refuse(c, "truncated", start, "its final zero is missing, " .. left .. " left", "cstring")
    end
    truncated(c, 8, "u8")
  end

  function composites.sized(node, c, place)
    local start, depth = c.at, c.depth
    local function bad(why)
      c.depth = depth
      enter(c, "size")
      refuse(c, "bad-length", start, why)
    end
    local count = part(c, node.size, place, "size", function()
      local found = scalar(node.size, c)
      if found < node.least then refuse(c, "bad-length", start, found .. " is less than " .. node.least .. ", its least") end
      return found
    end)
    local from = c.at
    local claimed = from + (count - node.extra) * 8
    local inner = within(c, math.min(claimed, c.stop), claimed)
    local ok, value = pcall(field, node.of, inner, place)
    if not ok then
      -- The content needs more bytes than its size says, and they are there: the size is wrong.
      if type(value) == "table" and value.code == "truncated" and claimed < c.stop then
        bad(count .. " is too small for its content")
      end
      error(value, 0)
    end
    if inner.at ~= claimed then
      bad(count .. " where its content has " .. (inner.at - from) / 8 + node.extra)
    end
    c.at = inner.at
    return value
  end

  function composites.compressed(node, c, place)
    local start = c.at
    enter(c, "block")
    local body = lz4.unpack(c, start / 8, c.stop / 8, node.limit, node.reserved)
    if node.exact and #body ~= node.exact then
      refuse(c, "bad-length", c.stop, #body .. " of its " .. countBytes(node.exact) .. " come out")
    end
    c.depth = c.depth - 1
    c.at = c.stop
    pushLeaf(c, nil, place.sub.block, start, c.text:sub(start / 8 + 1, c.stop / 8))
    local inner = reader.cursor(body, { text = body, title = "Decompressed" }, c.out)
    inner.path, inner.depth = c.path, c.depth
    local ok, value = pcall(function()
      local read = field(node.of, inner, place)
      reader.expectEnd(inner)
      return read
    end)
    if not ok then
      if type(value) == "table" then
        -- The place is one in the block where the block is nothing but literals, otherwise that of the block.
        local literals = lz4.literalsStart(c.text, start / 8, c.stop / 8)
        value.bit = literals and value.bit + literals * 8 or start
        value.text = value.text .. " of the body"
      end
      error(value, 0)
    end
    return value
  end

  function reader.expectEnd(c)
    local left = c.stop - c.at
    if left == 0 then return end
    c.depth = 0
    refuse(c, "trailing", c.at, (left % 8 == 0 and countBytes(left / 8) or left .. " bits") .. " left", "end of message")
  end
end
`;
