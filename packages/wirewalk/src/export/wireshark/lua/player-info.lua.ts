/** Lua: player info of Old School RuneScape, whose packets need what the client remembers of all packets before. */
export const playerInfoLua = `
-- Player info -----------------------------------------------------------------------------------------------------------
-- What a client remembers is kept for each connection. A packet changes it whole or not at all.

local playerInfo = {}
do
  local SLOTS = 2048
  local rows = { "x", "z", "level", "quarters", "flags", "present" }

  local function rebuildLists(memory)
    memory.locals, memory.externals = {}, {}
    for index = 1, SLOTS - 1 do
      local list = memory.present[index] == 1 and memory.locals or memory.externals
      list[#list + 1] = index
    end
  end

  local function newMemory()
    local memory = { index = 0 }
    for _, row in ipairs(rows) do
      memory[row] = {}
      for index = 0, SLOTS - 1 do memory[row][index] = 0 end
    end
    return memory
  end

  local function copyOf(memory)
    local copy = { index = memory.index }
    for _, row in ipairs(rows) do
      copy[row] = {}
      for index = 0, SLOTS - 1 do copy[row][index] = memory[row][index] end
    end
    rebuildLists(copy)
    return copy
  end

  -- The initialisation: the observer's tile, and the map quarter of everybody else.
  local function initialise(memory, index, body)
    local c = reader.cursor(body)
    for slot = 0, SLOTS - 1 do memory.flags[slot], memory.present[slot] = 0, 0 end
    memory.index = index
    memory.level[index] = reader.take(c, 2)
    memory.x[index] = reader.take(c, 14)
    memory.z[index] = reader.take(c, 14)
    memory.present[index] = 1
    for slot = 1, SLOTS - 1 do
      if slot ~= index then
        local packed = reader.take(c, 18)
        local level = math.floor(packed / 2 ^ 16)
        memory.quarters[slot] = level * 2 ^ 28 + math.floor(packed / 256) % 256 * 2 ^ 14 + packed % 256
      end
    end
    rebuildLists(memory)
  end

  -- Reading -------------------------------------------------------------------------------------------------------------

  local Packet = {}
  Packet.__index = Packet

  function Packet:set(row, index, value)
    local values = self.memory[row]
    self.journal[#self.journal + 1] = { values, index, values[index] }
    values[index] = value
  end

  function Packet:refuse(code, why)
    local bit = self.c.at
    local what = self.index and "player " .. self.index or "player info"
    error({ code = code, bit = bit, path = "", text = "Cannot read " .. what .. ": " .. why .. " at bit " .. bit }, 0)
  end

  local function placeOf(place, name)
    for part in name:gmatch("[^.]+") do place = place.sub[part] end
    return place
  end

  -- A field of the passes; its name has the names that it stands in: quarter.level. "names": of this field alone.
  function Packet:read(width, name, signed, names)
    local c = self.c
    local left = c.stop - c.at
    if left < width then
      local within = c.at % 8
      error({
        code = "truncated", bit = c.at, path = name,
        text = "Cannot read " .. name .. ": " .. (width == 1 and "1 bit" or width .. " bits") .. " needed, " .. left .. " left at byte "
          .. math.floor(c.at / 8) .. (within == 0 and "" or " bit " .. within),
      }, 0)
    end
    local from = c.at
    local value = reader.take(c, width)
    if signed and value >= 2 ^ (width - 1) then value = value - 2 ^ width end
    reader.pushLeaf(c, nil, placeOf(self.place, name), from, value).label = names and names[value + 1]
    return value
  end

  function Packet:made(name, value)
    local c = self.c
    c.out[#c.out + 1] = { kind = "made", place = placeOf(self.place, name), source = c.source, from = c.at, to = c.at, value = value }
  end

  local skipBits = { 5, 8, 11 }
  function Packet:skip()
    local size = self:read(2, "skip.size")
    return size == 0 and 0 or self:read(skipBits[size], "skip.count")
  end

  function Packet:moveTo(index, levels, x, z)
    local last = game.worldTiles - 1
    if x < 0 or z < 0 or x > last or z > last then
      self:refuse("bad-value", string.format("the player leaves the world, to %d, %d", x, z))
    end
    self:set("level", index, (self.memory.level[index] + levels) % 4)
    self:set("x", index, x)
    self:set("z", index, z)
    self:shown(index)
  end

  -- Where the player is now.
  function Packet:shown(index)
    local memory = self.memory
    self:made("tile.level", memory.level[index])
    self:made("tile.x", memory.x[index])
    self:made("tile.z", memory.z[index])
  end

  function Packet:local_(index)
    local memory = self.memory
    local hasMask = self:read(1, "mask") == 1
    if hasMask then self.pending[#self.pending + 1] = index end
    local kind = self:read(2, "type")
    if kind == 0 then
      -- With a mask: no movement.
      if not hasMask then self:remove(index) end
    elseif kind == 3 then self:teleport(index)
    else
      local direction = self:read(kind == 1 and 3 or 4, kind == 1 and "walk" or "run")
      local dx, dz = game[kind == 1 and "walkX" or "runX"], game[kind == 1 and "walkZ" or "runZ"]
      self:moveTo(index, 0, memory.x[index] + dx[direction + 1], memory.z[index] + dz[direction + 1])
    end
  end

  function Packet:teleport(index)
    local memory = self.memory
    if self:read(1, "far") == 0 then
      local level = self:read(2, "near.level")
      local dx = self:read(5, "near.x", true)
      local dz = self:read(5, "near.z", true)
      self:moveTo(index, level, memory.x[index] + dx, memory.z[index] + dz)
    else
      local level = self:read(2, "far.level")
      local x = (memory.x[index] + self:read(14, "far.x")) % game.worldTiles
      local z = (memory.z[index] + self:read(14, "far.z")) % game.worldTiles
      self:moveTo(index, level, x, z)
    end
  end

  function Packet:remove(index)
    local memory = self.memory
    if index == memory.index then self:refuse("bad-value", "the observer itself is removed") end
    local x, z = math.floor(memory.x[index] / 2 ^ 13), math.floor(memory.z[index] / 2 ^ 13)
    self:set("quarters", index, memory.level[index] * 2 ^ 28 + x * 2 ^ 14 + z)
    self:set("present", index, 0)
    self:made("removed", true)
    -- The update that may follow is read like that of any player out of view.
    if self:read(1, "quarterFollows") == 1 then self:external(index, self:read(2, "type", false, game.externalTypes), false) end
  end

  function Packet:external(index, kind, isFlagged)
    if kind ~= 0 then
      self:quarter(index, kind)
      return
    end
    if self:read(1, "quarterFirst") == 1 then
      local nested = self:read(2, "quarter.type")
      if nested == 0 then self:refuse("bad-value", "an add is nested in an add") end
      self:quarter(index, nested)
    end
    local quarter = self.memory.quarters[index]
    local x = math.floor(quarter / 2 ^ 14) % 256 * game.quarterTiles + self:read(13, "x")
    local z = quarter % 256 * game.quarterTiles + self:read(13, "z")
    local hasMask = self:read(1, "mask") == 1
    if x >= game.worldTiles or z >= game.worldTiles then
      self:refuse("bad-value", string.format("the player is added outside of the world, at %d, %d", x, z))
    end
    if hasMask then self.pending[#self.pending + 1] = index end
    self:set("level", index, math.floor(quarter / 2 ^ 28) % 4)
    self:set("x", index, x)
    self:set("z", index, z)
    self:set("present", index, 1)
    if isFlagged then self:set("flags", index, bit32.bor(self.memory.flags[index], 2)) end
    self:made("added", true)
    self:shown(index)
  end

  function Packet:quarter(index, kind)
    local quarter = self.memory.quarters[index]
    local level = (math.floor(quarter / 2 ^ 28) + self:read(2, "quarter.level")) % 4
    local x, z = math.floor(quarter / 2 ^ 14) % 256, quarter % 256
    if kind == 2 then
      local direction = self:read(3, "quarter.direction")
      -- The client does not keep these two sums within 8 bits.
      x, z = x + game.walkX[direction + 1], z + game.walkZ[direction + 1]
    elseif kind == 3 then
      x = (x + self:read(8, "quarter.x")) % 256
      z = (z + self:read(8, "quarter.z")) % 256
    end
    self:set("quarters", index, x * 2 ^ 14 + z + level * 2 ^ 28)
  end

  -- One pass over the players of a list whose activity flag is that of the pass.
  function Packet:pass(number, list, flag, isLocal)
    local memory, c = self.memory, self.c
    local passPlace = self.base.sub["pass" .. number]
    local branch = reader.open(c, nil, game.passTitles[number])
    local toSkip, players = 0, 0
    for _, index in ipairs(list) do
      if memory.flags[index] % 2 == flag then
        if toSkip > 0 then
          toSkip = toSkip - 1
          self:set("flags", index, bit32.bor(memory.flags[index], 2))
        else
          self.index, self.place = index, passPlace.sub.player
          local item = reader.open(c, nil, "Player " .. index)
          self:made("index", index)
          if self:read(1, "update") == 0 then
            toSkip = self:skip()
            self:set("flags", index, bit32.bor(memory.flags[index], 2))
          elseif isLocal then self:local_(index)
          else self:external(index, self:read(2, "type"), self.rules.flagsAdded) end
          reader.close(c, item)
          players = players + 1
        end
      end
    end
    self.index, self.place = nil, passPlace
    if toSkip > 0 then self:refuse("bad-length", "a skip goes " .. toSkip .. " players past the end of the pass") end
    if (self.rules.alignsPasses or number == 4) and c.at % 8 ~= 0 then self:read(-c.at % 8, "padding") end
    branch.count = players
    reader.close(c, branch)
  end

  -- Flags and blocks of one player.
  function Packet:masks(index, revision)
    local c = self.c
    local place = self.base.sub.masks.sub.player
    self.place = place
    local item = reader.open(c, nil, "Player " .. index)
    self:made("index", index)
    local start = c.at
    c.path[1], c.depth = "flags", 1
    local second, third = revision.extensions[1] or 0, revision.extensions[2] or 0
    local function next() return reader.takeText(c, 1):byte() end
    local flags = next()
    if bit32.band(flags, second) ~= 0 then flags = flags + next() * 2 ^ 8 end
    if bit32.band(flags, third) ~= 0 then flags = flags + next() * 2 ^ 16 end
    c.depth = 0
    reader.pushLeaf(c, nil, place.sub.flags, start, c.text:sub(start / 8 + 1, c.at / 8))
    local unread = flags - bit32.band(flags, bit32.bor(second, third))
    for _, block in ipairs(revision.blocks) do
      if bit32.band(flags, block.flag) ~= 0 then
        c.path[1], c.depth = block.name, 1
        local branch = reader.open(c, place.sub[block.name])
        reader.field(block.node, c, place.sub[block.name])
        reader.close(c, branch)
        c.depth = 0
        unread = unread - block.flag
      end
    end
    if unread ~= 0 then
      c.path[1], c.depth = "flags", 1
      reader.refuse(c, "unknown-variant", start, string.format("revision %s has no block for 0x%x", revision.name, unread))
    end
    reader.close(c, item)
  end

  function Packet:all(revision)
    local memory, c, rules = self.memory, self.c, self.rules
    if memory.index == 0 then self:refuse("bad-state", "no initialisation came before it") end
    local locals, externals = memory.locals, memory.externals
    for number = 1, 4 do
      self:pass(number, number <= 2 and locals or externals, rules.passFlags[number], number <= 2)
    end
    local branch = reader.open(c, nil, "Masks")
    for _, index in ipairs(self.pending) do self:masks(index, revision) end
    if c.at < c.stop then
      local left = (c.stop - c.at) / 8
      error({
        code = "trailing", bit = c.at, path = "",
        text = "Cannot read player info: " .. left .. " bytes left after the last player at byte " .. c.at / 8,
      }, 0)
    end
    branch.count = #self.pending
    reader.close(c, branch)
  end

  -- Reads a packet. Appends what it reads, and returns why it is refused: then the memory is as before.
  local function readPacket(memory, rules, revision, body, source, base, out, isTrial)
    local c = reader.cursor(body, { text = body, within = source, shift = 1 }, out)
    local packet = setmetatable({ memory = memory, rules = rules, c = c, base = base, journal = {}, pending = {} }, Packet)
    local ok, problem = pcall(packet.all, packet, revision)
    if not ok and type(problem) ~= "table" then error(problem, 0) end
    if ok and not isTrial then
      for index = 1, SLOTS - 1 do memory.flags[index] = math.floor(memory.flags[index] / 2) end
      rebuildLists(memory)
    else
      for at = #packet.journal, 1, -1 do
        local change = packet.journal[at]
        change[1][change[2]] = change[3]
      end
    end
    return not ok and problem or nil
  end

  -- Connections -----------------------------------------------------------------------------------------------------------
  -- The messages that change the memory are kept, with the memory itself before every 50th of them: a packet that is shown
  -- again is read from there on.

  local BETWEEN_COPIES = 50

  local function apply(memory, step, base, out, source, isTrial)
    if step.init then
      initialise(memory, step.index, step.init)
      return nil
    end
    return readPacket(memory, step.rules, step.revision, step.body, source, base, out, isTrial)
  end

  local function stateOf(conversation)
    local state = conversation.state
    if not state.steps then
      state.steps, state.copies, state.memory = {}, {}, newMemory()
      rebuildLists(state.memory)
    end
    return state
  end

  -- The memory before a step.
  local function memoryAt(state, number)
    local replay = state.replay
    if not replay or replay.number > number or number - replay.number > BETWEEN_COPIES then
      local from = number - (number - 1) % BETWEEN_COPIES
      replay = { number = from, memory = copyOf(state.copies[from]) }
      state.replay = replay
    end
    while replay.number < number do
      apply(replay.memory, state.steps[replay.number], playerInfo.base, {}, {}, false)
      replay.number = replay.number + 1
    end
    return replay
  end

  -- What a payload means beyond its fields.
  function playerInfo.read(dialect, sender, payload, source, conversation, isTrial, read)
    local result = read(dialect, sender, payload, source)
    local name = result.message and result.message.name
    if result.refusal or not name then return result end
    local state = stateOf(conversation)
    if name == "mouseMove" then
      result.doubtful = result.values.cut ~= ""
    elseif name == "playerIndex" then
      result.commit = function() state.index = result.values.index end
    elseif name == "playerInfoInit" or name == "playerInfo" then
      local body = payload:sub(2)
      local step = { rules = dialect.playerInfo }
      if name == "playerInfoInit" then
        step.index = state.index or game.proto.prefs.index
        if step.index == 0 then return result end
        step.init = body
      else
        step.body, step.revision = body, playerInfo.revision()
      end
      local number = #state.steps + 1
      if not isTrial then
        if (number - 1) % BETWEEN_COPIES == 0 then state.copies[number] = copyOf(state.memory) end
        state.steps[number] = step
        result.step = number
      end
      if step.body or not isTrial then
        result.refusal = apply(state.memory, step, playerInfo.base, result.out, source, isTrial)
      end
    end
    return result
  end

  -- The same for a message that was read before.
  function playerInfo.again(frame, conversation, read)
    local result = read(frame.dialect, frame.sender, frame.source.text, frame.source)
    local step = conversation.state.steps and conversation.state.steps[frame.step or 0]
    if not step or step.init then return result end
    local replay = memoryAt(conversation.state, frame.step)
    result.refusal = apply(replay.memory, step, playerInfo.base, result.out, frame.source, false)
    replay.number = frame.step + 1
    return result
  end

  -- Fields ------------------------------------------------------------------------------------------------------------------

  local function number(place, name, names, kind)
    for part in name:gmatch("[^.]+") do place = fields.sub(place, part) end
    place.types[kind or "uint"] = true
    for value, text in pairs(names or {}) do place.names[value - 1] = text end
  end

  function playerInfo.describe()
    local base = fields.place(game.abbreviation .. ".playerInfo", "playerInfo")
    playerInfo.base = base
    local yesNo = { "no", "yes" }
    for pass = 1, 4 do
      local outer = fields.sub(base, "pass" .. pass)
      number(outer, "padding")
      local place = fields.sub(outer, "player")
      for _, name in ipairs({ "index", "skip.size", "skip.count", "x", "z", "quarter.level", "quarter.x", "quarter.z" }) do
        number(place, name)
      end
      for _, name in ipairs({ "tile.level", "tile.x", "tile.z" }) do number(place, name) end
      for _, name in ipairs({ "update", "mask", "far", "quarterFollows", "quarterFirst" }) do number(place, name, yesNo) end
      for _, name in ipairs({ "added", "removed" }) do number(place, name, nil, "boolean") end
      number(place, "quarter.type", game.externalTypes)
      number(place, "quarter.direction", game.walkNames)
      number(place, "run")
      if pass <= 2 then
        number(place, "type", game.localTypes)
        number(place, "walk", game.walkNames)
        for _, name in ipairs({ "far.level", "far.x", "far.z", "near.level" }) do number(place, name) end
        for _, name in ipairs({ "near.x", "near.z" }) do number(place, name, nil, "int32") end
      else
        number(place, "type", game.externalTypes)
      end
    end
    local masks = fields.sub(fields.sub(base, "masks"), "player")
    number(masks, "index")
    fields.sub(masks, "flags").types.bytes = true
    for _, revision in ipairs(game.revisions) do
      for _, block in ipairs(revision.blocks) do
        local place = fields.sub(masks, block.name)
        place.types.none = true
        fields.describe(place, block.node)
      end
    end
  end

  function playerInfo.revision() return game.revisions[game.proto.prefs.revision + 1] end

  function playerInfo.preferences(prefs)
    local choices, chosen = {}, 0
    for index, revision in ipairs(game.revisions) do
      choices[index] = { index, revision.name, index - 1 }
      if revision.name == game.revision then chosen = index - 1 end
    end
    prefs.revision = Pref.enum("Revision", chosen, "Revision of the game, for the mask blocks of player info", choices, false)
    prefs.index = Pref.uint("Player index", 0, "The client's own player, where no message of the connection says it; 0: unknown")
  end
end
`;
