/** Lua: one packet of player info, read as the client reads it. Stands within `player-info.lua.ts`. */
export const playerInfoPacketLua = `  -- Reading -------------------------------------------------------------------------------------------------------------

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

  -- Masks whose blocks are not known: at least a byte of flags for each player.
  function Packet:unread()
    local c, players = self.c, #self.pending
    local start = c.at
    local bytes = (c.stop - start) / 8
    if bytes < players then
      error({
        code = "truncated", bit = start, path = "",
        text = "Cannot read masks: " .. bytes .. " bytes at byte " .. start / 8 .. " for the masks of " .. players .. " players",
      }, 0)
    end
    local text = reader.takeText(c, bytes)
    reader.pushLeaf(c, nil, self.base.sub.masks.sub.unread, start, text).label = "of " .. table.concat(self.pending, ", ")
  end

  function Packet:all(revision)
    local memory, c, rules = self.memory, self.c, self.rules
    if memory.index == 0 then self:refuse("bad-state", "no initialisation came before it") end
    local locals, externals = memory.locals, memory.externals
    for number = 1, 4 do
      self:pass(number, number <= 2 and locals or externals, rules.passFlags[number], number <= 2)
    end
    local branch = reader.open(c, nil, "Masks")
    if revision.unread and #self.pending > 0 then
      self:unread()
    else
      for _, index in ipairs(self.pending) do self:masks(index, revision) end
    end
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
`;
