/** Lua: reads what has fields of its own: structs, lists, variants, sizes, blocks. */
export const compositesLua = `
-- Composites ------------------------------------------------------------------------------------------------------------

do
  local byte, floor = string.byte, math.floor
  local countBytes, refuse, take, takeText = reader.countBytes, reader.refuse, reader.take, reader.takeText
  local within, truncated, changes = reader.within, reader.truncated, reader.changes
  local scalar, scalars, readCount = reader.scalar, reader.scalars, reader.readCount
  local pushLeaf, open, close = reader.pushLeaf, reader.open, reader.close

  local function enter(c, segment)
    c.depth = c.depth + 1
    c.path[c.depth] = segment
  end

  local composites = {}
  local field

  local wrappers = { bits = true, limited = true, sized = true, compressed = true }
  local function isComposite(node)
    while wrappers[node.kind] or node.kind == "peek" do node = node.of or node.cases[1].node end
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
        local start = c.at
        c.outer = place
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

  function composites.peek(node, c, place)
    for _, each in ipairs(node.cases) do
      local when, left = each.when or {}, c.stop - c.at
      local fits = not when.atMost or left <= when.atMost * 8
      if fits and when.next then
        local at = c.at
        fits = left >= 8 and bit32.band(take(c, 8), when.next.mask) == when.next.value
        c.at = at
      end
      if fits then return field(each.node, c, place) end
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

  -- How many bytes are left, at most so many.
  local function restOf(c, limit)
    local count = floor((c.claimed - c.at) / 8)
    if count > limit then refuse(c, "limit", c.at, count .. " bytes are over the limit of " .. limit) end
    return count
  end

  function composites.bytes(node, c, place)
    local length = node.length
    -- Fields in bytes may have names of their own, without that of the bytes.
    local insidePlace = node.flat and c.outer or place
    local count
    if type(length) == "number" then count = length
    elseif length.count then count = part(c, length.count, place, "count", function() return readCount(length, c) end)
    else count = restOf(c, length.rest) end
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
      local ok, problem = pcall(field, node.inside, inner, insidePlace)
      if not ok and type(problem) ~= "table" then error(problem, 0) end
      if ok then c.out[#c.out + 1] = { kind = "close" } end
    end
    return text
  end

  function composites.text(node, c, place)
    local length, start = node.length, c.at
    if length.count or length.rest then
      local count = length.rest and restOf(c, length.rest)
        or part(c, length.count, place, "count", function() return readCount(length, c) end)
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
