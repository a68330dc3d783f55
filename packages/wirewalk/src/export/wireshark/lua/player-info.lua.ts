import { playerInfoPacketLua } from "./player-info-packet.lua.ts";

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

${playerInfoPacketLua}
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
    fields.sub(fields.sub(base, "masks"), "unread").types.bytes = true
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
