/** Lua: the vocabulary of descriptions, and the fields of Wireshark that follow from them. */
export const describeLua = `
-- Descriptions ----------------------------------------------------------------------------------------------------------
-- Each kind of field has a function here that takes its description, and prepares what reading needs.

local describe = {}
do
  local function kind(name, prepare)
    describe[name] = function(node)
      node.kind = name
      if prepare then prepare(node) end
      return node
    end
  end

  -- Names are lists, so that they keep their order: { "leftPress", 1 }.
  local function names(list)
    return function(node)
      local known = {}
      node.nameOf = {}
      for index, each in ipairs(node[list]) do
        node.nameOf[each[2]] = each[1]
        known[index] = list == "codes" and each[1] or each[2]
      end
      node.known = table.concat(known, ", ")
    end
  end

  for _, name in ipairs({
    "integer", "smart", "float", "boolean", "constant", "unused", "array", "bytes", "text", "struct", "byLength", "peek", "mark", "bits", "limited", "sized", "compressed", "literal", "flags",
  }) do kind(name) end
  kind("oneOf", names("names"))
  kind("prefix", function(node)
    names("codes")(node)
    node.begins = {}
    for _, each in ipairs(node.codes) do
      for length = 1, #each[2] - 1 do node.begins[each[2]:sub(1, length)] = true end
    end
  end)
  kind("variant", function(node)
    node.caseOf = {}
    for _, each in ipairs(node.cases) do
      if not each.tags then node.otherwise = each end
      for _, tag in ipairs(each.tags or {}) do node.caseOf[tag] = each end
    end
  end)
end

-- Fields ----------------------------------------------------------------------------------------------------------------
-- One field for each path of a message, such as movePlayer.fragments.x. What dialects and both sides call alike is one field.

local fields = { places = {}, list = {} }
do
  local function titleOf(name)
    local words = name:gsub("(%l)(%u)", "%1 %2"):gsub("(%a)(%d)", "%1 %2"):lower()
    return words:sub(1, 1):upper() .. words:sub(2)
  end

  function fields.place(abbreviation, name)
    local place = fields.places[abbreviation]
    if not place then
      place = { abbreviation = abbreviation, name = titleOf(name), sub = {}, types = {}, names = {}, clashes = {} }
      fields.places[abbreviation] = place
      fields.list[#fields.list + 1] = place
    end
    return place
  end
  local function sub(place, name)
    local found = place.sub[name]
    if not found then
      found = fields.place(place.abbreviation .. "." .. name, name)
      place.sub[name] = found
    end
    return found
  end
  fields.sub = sub

  local function nameNumber(place, number, text)
    if place.names[number] ~= nil and place.names[number] ~= text then place.clashes[number] = true end
    place.names[number] = text
  end

  -- The first rule that covers a number names it. Names of single numbers become names of the field.
  local function nameByWords(place, node)
    local seen = {}
    for _, rule in ipairs(node.words or {}) do
      if rule.from == nil or rule.from ~= rule.to or rule.text:find("{}", 1, true) then return end
      if not seen[rule.from] then nameNumber(place, rule.from, (rule.text:gsub("^{number}, ", ""))) end
      seen[rule.from] = true
    end
  end

  local typeOf = {}
  function typeOf.integer(node, place)
    if node.bits == 64 then return "uint64" end
    if node.divisor then return "double" end
    nameByWords(place, node)
    if node.signed or (node.bias or 0) > 0 then return "int32" end
    return node.bits == 32 and "uint32" or "uint"
  end
  function typeOf.smart(node) return node.wide and "int32" or "uint" end
  function typeOf.float() return "double" end
  function typeOf.boolean() return "boolean" end
  function typeOf.oneOf(node, place)
    for _, each in ipairs(node.names) do nameNumber(place, each[2], each[1]) end
    return "uint"
  end
  function typeOf.prefix(node, place)
    for _, each in ipairs(node.codes) do nameNumber(place, tonumber(each[2], 2), each[1]) end
    return "uint"
  end
  function typeOf.literal(node, place)
    return node.of.kind == "text" and "string" or typeOf[node.of.kind](node.of, place)
  end
  function typeOf.constant(node)
    return type(node.value) == "number" and "int32" or type(node.value)
  end
  function typeOf.unused(node) return "uint" end

  local walk = {}
  local function describeAt(place, node)
    if node.doc and not place.doc then
      place.doc = node.doc .. (node.section and " (section " .. node.section .. ")" or "")
    end
    local inner = walk[node.kind]
    if inner then inner(place, node) else place.types[typeOf[node.kind](node, place)] = true end
  end
  fields.describe = describeAt

  local function describeLength(place, length)
    if type(length) ~= "table" then return end
    if length.count then describeAt(sub(place, "count"), length.count) end
    if length["until"] then sub(place, "end").types.uint = true end
  end
  function walk.array(place, node)
    describeLength(place, node.length)
    describeAt(place, node.item)
    if reader.isComposite(node.item) then place.types.none = true end
  end
  function walk.bytes(place, node)
    describeLength(place, node.length)
    place.types.bytes = true
    if node.inside and not node.flat then describeAt(place, node.inside) end
  end
  function walk.text(place, node)
    describeLength(place, node.length)
    place.types.string = true
  end
  function walk.flags(place, node)
    place.types.uint = true
    for _, each in ipairs(node.flags) do sub(place, each.name).types.boolean = true end
  end
  function walk.struct(place, node)
    for _, each in ipairs(node.fields) do
      local at = each.name == "" and place or sub(place, each.name)
      describeAt(at, each.node)
      if each.node.flat then describeAt(place, each.node.inside) end
      if each.name ~= "" and reader.isComposite(each.node) then at.types.none = true end
      for _, reading in ipairs(each.node.readings or {}) do
        describeAt(sub(place, reading.name), reading.node)
        sub(place, reading.name).types.none = true
      end
    end
  end
  function walk.variant(place, node)
    describeAt(sub(place, node.tagName), node.tag)
    for _, each in ipairs(node.cases) do describeAt(place, each.node) end
  end
  function walk.byLength(place, node)
    for _, each in ipairs(node.cases) do describeAt(place, each.node) end
  end
  function walk.peek(place, node)
    for _, each in ipairs(node.cases) do describeAt(place, each.node) end
  end
  function walk.mark(place, node)
    sub(place, "mark").types.uint = true
    describeAt(place, node.marked)
    describeAt(place, node.of)
  end
  function walk.bits(place, node)
    sub(place, node.padding.name).types.uint = true
    describeAt(place, node.of)
  end
  function walk.limited(place, node) describeAt(place, node.of) end
  function walk.sized(place, node)
    describeAt(sub(place, "size"), node.size)
    describeAt(place, node.of)
  end
  function walk.compressed(place, node)
    sub(place, "block").types.bytes = true
    describeAt(place, node.of)
  end

  -- The one type that holds all that stands under a path.
  local function commonType(types)
    if types.string then return "string" end
    if types.bytes then return "bytes" end
    if types.double then return "double" end
    if types.uint64 then return "uint64" end
    local number = types.int32 and (types.uint32 and "double" or "int32") or (types.uint32 or types.uint) and "uint32"
    return number or types.boolean and "boolean" or "none"
  end

  -- Makes the fields of all places, once all descriptions are known.
  function fields.finish()
    local made = {}
    for index, place in ipairs(fields.list) do
      local valueNames
      for number in pairs(place.clashes) do place.names[number] = nil end
      if next(place.names) then valueNames = place.names end
      place.type = commonType(place.types)
      local name, doc = place.name, place.doc
      if place.type == "uint32" or place.type == "int32" then
        place.field = ProtoField[place.type](place.abbreviation, name, base.DEC, valueNames, nil, doc)
      elseif place.type == "uint64" then
        place.field = ProtoField.uint64(place.abbreviation, name, base.DEC, nil, nil, doc)
      elseif place.type == "boolean" then
        place.field = ProtoField.bool(place.abbreviation, name, base.NONE, nil, nil, doc)
      else
        place.field = ProtoField[place.type](place.abbreviation, name, doc)
        if place.type == "bytes" then place.field = ProtoField.bytes(place.abbreviation, name, base.NONE, doc) end
        if place.type == "string" then place.field = ProtoField.string(place.abbreviation, name, base.UNICODE, doc) end
      end
      made[index] = place.field
    end
    return made
  end
end
`;
