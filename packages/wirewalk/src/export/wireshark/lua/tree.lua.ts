/** Lua: puts what was read into Wireshark's tree. */
export const treeLua = String.raw`
-- Tree ------------------------------------------------------------------------------------------------------------------

local show = {}
do
  local floor = math.floor

  local function utf8(code)
    if code < 0x80 then return string.char(code) end
    if code < 0x800 then return string.char(0xc0 + floor(code / 64), 0x80 + code % 64) end
    return string.char(0xe0 + floor(code / 4096), 0x80 + floor(code / 64) % 64, 0x80 + code % 64)
  end

  -- Windows-1252, 0x80 to 0x9f.
  local windows1252 = {
    0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
    0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
  }
  local function textOf(bytes, charset)
    return (bytes:gsub("[\128-\255%z]", function(each)
      local code = each:byte()
      if code == 0 then return "\\0" end
      if charset == "windows-1252" and code < 0xa0 then code = windows1252[code - 0x7f] end
      return utf8(code)
    end))
  end

  -- A number with as many decimals as it needs, at most "digits".
  local function decimals(number, digits)
    local text = string.format("%." .. digits .. "f", number)
    if digits > 0 then text = text:gsub("0+$", ""):gsub("%.$", "") end
    return text == "-0" and "0" or text
  end

  local function wordsFor(rules, number)
    for _, rule in ipairs(rules) do
      local covered = not (rule.from and number < rule.from) and not (rule.to and number > rule.to)
      if covered and (not rule.every or (number - (rule.from or 0)) % rule.every == 0) then
        local shown = decimals((number - (rule.offset or 0)) * (rule.factor or 1), rule.digits or 0)
        return (rule.text:gsub("{number}", decimals(number, 6)):gsub("{}", shown))
      end
    end
  end

  -- The bits of a field among those of its bytes: ".101 1..."
  local function bitsOf(entry)
    local text = entry.source.text
    local first, last = floor(entry.from / 8), floor((entry.to - 1) / 8)
    local shown = {}
    for index = first, last do
      local value = text:byte(index + 1)
      for bit = 0, 7 do
        local at = index * 8 + bit
        if bit == 4 or (bit == 0 and index > first) then shown[#shown + 1] = " " end
        local inside = at >= entry.from and at < entry.to
        shown[#shown + 1] = inside and floor(value / 2 ^ (7 - bit)) % 2 or "."
      end
    end
    return table.concat(shown)
  end

  local converters = {}
  function converters.uint32(entry)
    if type(entry.value) == "boolean" then return entry.value and 1 or 0 end
    return entry.raw or entry.value
  end
  converters.int32 = converters.uint32
  function converters.uint64(entry)
    return type(entry.value) == "number" and UInt64.new(entry.value) or entry.value
  end
  function converters.double(entry) return tonumber(entry.raw or entry.value) end
  function converters.boolean(entry) return entry.value end
  function converters.string(entry)
    local node = entry.node
    return textOf(tostring(entry.value), node and node.charset)
  end

  local function sourceTvb(source)
    if not source.tvb then
      -- Part of another source, from a byte on.
      local outer = source.within and sourceTvb(source.within)
      source.tvb = outer and outer:len() > source.shift and outer(source.shift):tvb()
        or ByteArray.new(source.text, true):tvb(source.title or "Payload")
    end
    return source.tvb
  end

  local function sourceRange(entry)
    local tvb = sourceTvb(entry.source)
    local first = floor(entry.from / 8)
    local last = floor((entry.to + 7) / 8)
    if first >= tvb:len() then return nil end
    return tvb(first, last - first)
  end

  show.range = sourceRange

  local function addLeaf(parent, entry)
    local place, node = entry.place, entry.node
    local range = sourceRange(entry)
    local item
    if place.type == "bytes" then
      local whole = range and entry.from % 8 == 0 and entry.to > entry.from and range:raw() == entry.value
      if whole then item = parent:add(place.field, range)
      else item = parent:add(place.field, range or entry.source.tvb(0, 0), entry.value) end
    else
      local value = converters[place.type](entry)
      if range then item = parent:add(place.field, range, value) else item = parent:add(place.field, value) end
    end
    if entry.kind == "made" then item:set_generated() return item end
    if entry.label then
      item:set_text(place.name .. ": " .. entry.label .. " (" .. entry.value .. ")")
    elseif node then
      local number = entry.raw or entry.value
      local words
      if node.words and type(number) == "number" then words = wordsFor(node.words, number) end
      -- Wireshark calls numbers without a name unknown.
      if next(place.names) and place.names[number] == nil and type(number) == "number" then
        item:set_text(place.name .. ": " .. decimals(number, 6))
      end
      if words and place.names[number] == nil then
        item:append_text(" (" .. words:gsub("^%-?%d+, ", "") .. ")")
      elseif node.nameOf and place.names[number] == nil then
        item:append_text(" (" .. entry.value .. ")")
      elseif node.unit and not words then
        item:append_text((node.unit:find("^%d") and " x " or " ") .. node.unit)
      end
    end
    if entry.bit then
      local width = entry.to - entry.from
      local dots = {}
      for index = width - 1, 0, -1 do
        dots[#dots + 1] = index == entry.bit and (entry.value and "1" or "0") or "."
        if index % 4 == 0 and index > 0 then dots[#dots + 1] = " " end
      end
      item:prepend_text(table.concat(dots) .. " = ")
    elseif (entry.from % 8 ~= 0 or entry.to % 8 ~= 0) and entry.to - entry.from <= 64 then
      item:prepend_text(bitsOf(entry) .. " = ")
    end
    return item
  end

  -- Puts entries under a tree item.
  function show.entries(out, tree)
    local stack, top = { tree }, 1
    for _, entry in ipairs(out) do
      if entry.kind == "close" then
        if top > 1 then top = top - 1 end
      elseif entry.kind == "open" then
        local range = sourceRange(entry)
        local item
        if entry.place then
          item = range and stack[top]:add(entry.place.field, range) or stack[top]:add(entry.place.field)
        else
          local title = entry.title .. (entry.count and " (" .. entry.count .. ")" or "")
          item = range and stack[top]:add(range, title) or stack[top]:add(entry.source.tvb(0, 0), title)
        end
        top = top + 1
        stack[top] = item
      else
        local item = addLeaf(stack[top], entry)
        if entry.opens then
          top = top + 1
          stack[top] = item
        end
      end
    end
  end
end
`;
