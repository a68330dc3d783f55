/** Lua: connections, frames, the choice of a dialect, preferences, and what Wireshark calls. */
export const dissectorLua = `
-- Dissector -------------------------------------------------------------------------------------------------------------

local proto = Proto(game.abbreviation, game.title)
game.proto = proto

do
  local abbreviation = game.abbreviation

  local function own(constructor, name, ...) return constructor(abbreviation .. "." .. name, ...) end
  local idNames = {}
  for _, dialect in ipairs(game.dialects) do
    for _, sender in ipairs({ "client", "server" }) do
      for id, message in pairs(dialect[sender]) do
        local place = fields.place(abbreviation .. "." .. message.name, message.name)
        place.types.none = true
        message.place = place
        fields.describe(place, message.node)
        -- An id that stands for two messages has no name of its own.
        if idNames[id] == nil then idNames[id] = message.name
        elseif idNames[id] ~= message.name then idNames[id] = false end
      end
    end
  end
  for id, name in pairs(idNames) do if not name then idNames[id] = nil end end

  -- What stands outside of the messages, such as a greeting.
  for name, node in pairs(game.descriptions) do
    local place = fields.place(abbreviation .. "." .. name, name)
    place.types.none = true
    fields.describe(place, node)
  end

  local f = {
    dialect = own(ProtoField.string, "dialect", "Dialect"),
    sender = own(ProtoField.string, "sender", "Sender"),
    message = own(ProtoField.string, "message", "Message"),
    id = own(ProtoField.uint32, game.idName, game.idName:sub(1, 1):upper() .. game.idName:sub(2), base.DEC, idNames),
    header = own(ProtoField.bytes, "header", "Header"),
    payload = own(ProtoField.bytes, "payload", "Payload"),
    code = own(ProtoField.string, "refusal.code", "Refusal"),
    reason = own(ProtoField.string, "refusal.reason", "Reason"),
    path = own(ProtoField.string, "refusal.path", "Path"),
    bit = own(ProtoField.uint32, "refusal.bit", "Bit", base.DEC),
    rest = own(ProtoField.bytes, "rest", "Bytes that cannot be read"),
  }
  if game.describe then game.describe() end
  local all = fields.finish()
  for _, field in pairs(f) do all[#all + 1] = field end
  proto.fields = all

  local experts = {}
  for _, code in ipairs({
    "truncated", "trailing", "unknown-message", "unknown-variant", "bad-value", "limit", "bad-length", "bad-checksum", "bad-state",
  }) do
    local group = code == "bad-state" and expert.group.SEQUENCE or code == "bad-checksum" and expert.group.CHECKSUM or expert.group.MALFORMED
    experts[code] = ProtoExpert.new(abbreviation .. ".refused." .. code, "Refused: " .. code, group, expert.severity.ERROR)
  end
  local list = {}
  for _, each in pairs(experts) do list[#list + 1] = each end
  proto.experts = list

  -- Preferences --------------------------------------------------------------------------------------------------------

  local choices = { { 1, "auto", 0 } }
  for index, dialect in ipairs(game.dialects) do choices[index + 1] = { index + 1, dialect.name, index } end
  proto.prefs.ports = Pref.range("TCP ports", game.ports, "Ports of servers of " .. game.title, 65535)
  proto.prefs.dialect = Pref.enum("Dialect", 0, "How messages are read. auto: the first dialect that reads a message whole", choices, false)
  proto.prefs.heuristic = Pref.bool("Find connections on other ports", true, "Try every TCP connection whose port has no protocol")
  if game.preferences then game.preferences(proto.prefs) end

  -- Connections --------------------------------------------------------------------------------------------------------

  local streamField = Field.new("tcp.stream")
  -- A Wireshark without WebSocket has no such field.
  local hasMask, maskField = pcall(Field.new, "websocket.mask")
  local conversations = {}

  local function inPorts(port)
    for from, to in proto.prefs.ports:gmatch("(%d+)%-?(%d*)") do
      local last = to == "" and from or to
      if port >= tonumber(from) and port <= tonumber(last) then return true end
    end
    return false
  end

  local function conversationOf(pinfo)
    local stream = streamField()
    local a, b = tostring(pinfo.src) .. " " .. pinfo.src_port, tostring(pinfo.dst) .. " " .. pinfo.dst_port
    local key = stream and "tcp " .. tostring(stream) or (a < b and a .. " " .. b or b .. " " .. a)
    local conversation = conversations[key]
    if not conversation then
      local isServer = inPorts(pinfo.dst_port)
      if isServer == inPorts(pinfo.src_port) then isServer = pinfo.dst_port < pinfo.src_port end
      conversation = { server = isServer and b or a, frames = {}, refused = {}, state = {}, read = {}, messages = {} }
      conversations[key] = conversation
    end
    return conversation
  end

  -- The side that sent a message of WebSocket: clients mask theirs. Nil for what TCP carried.
  local function webSocketSender()
    local mask = hasMask and maskField()
    if not mask then return nil end
    return mask.value and "client" or "server"
  end

  local function senderOf(conversation, pinfo)
    return conversation.webSocket or conversation.server == tostring(pinfo.src) .. " " .. pinfo.src_port and "server" or "client"
  end

  -- Messages -----------------------------------------------------------------------------------------------------------

  -- Reads a payload. The result has what was read, and why and where reading stopped.
  local function read(dialect, sender, payload, source)
    local c = reader.cursor(payload, source)
    local result = { out = c.out }
    local ok, problem = pcall(function()
      c.path[1], c.depth = game.idName, 1
      local id = reader.field(dialect.id, c, { sub = {} })
      table.remove(c.out)
      c.depth = 0
      result.id, result.idBits = id, c.at
      local message = dialect[sender][id]
      if not message then
        c.path[1], c.depth = game.idName, 1
        local known = dialect.known[sender]
        error({ code = "unknown-message", bit = 0, path = game.idName, text = "Cannot read " .. game.idName .. ": a " .. sender .. " of dialect "
          .. dialect.name .. " sends " .. known .. ", not " .. game.idText(id) .. ", at byte 0" }, 0)
      end
      result.message = message
      result.values = reader.field(message.node, c, message.place)
      reader.expectEnd(c)
    end)
    if ok then return result end
    if type(problem) ~= "table" then error(problem, 0) end
    result.refusal = problem
    -- What was begun ends where reading stopped.
    local begun = {}
    for _, entry in ipairs(c.out) do
      if entry.kind == "open" or entry.opens then begun[#begun + 1] = entry
      elseif entry.kind == "close" then begun[#begun] = nil end
    end
    for _, entry in ipairs(begun) do if entry.kind == "open" and entry.source == source then entry.to = math.max(c.at, entry.from) end end
    return result
  end

  local function addRefusal(tree, refusal)
    tree:add(f.code, refusal.code):set_generated()
    tree:add(f.path, refusal.path or ""):set_generated()
    tree:add(f.bit, math.max(refusal.bit, 0)):set_generated()
    tree:add(f.reason, refusal.text):set_generated()
    tree:add_proto_expert_info(experts[refusal.code], refusal.code .. ": " .. refusal.text)
  end

  -- Shows a frame: its header, and its payload as it was carried or deciphered.
  local function showFrame(frame, tvb, tree)
    local range = tvb(0, frame.size)
    local branch = tree:add(proto, range)
    branch:add(f.sender, frame.sender):set_generated()
    branch:add(f.dialect, frame.dialect.name):set_generated()
    if frame.headerBytes > 0 then branch:add(f.header, tvb(0, frame.headerBytes)) end
    local source = frame.source
    -- Ranges belong to one dissection: those of an earlier one are gone.
    source.tvb = nil
    for _, entry in ipairs(frame.result.out) do if entry.source then entry.source.tvb = nil end end
    if frame.isClear == "whole" then source.tvb = tvb(0, frame.size):tvb()
    elseif frame.isClear and frame.size > frame.headerBytes then
      source.tvb = tvb(frame.headerBytes, frame.size - frame.headerBytes):tvb()
    end
    local result = frame.result
    local name = result.message and result.message.name or frame.lead or "unknown message"
    if result.id then
      local idRange = #source.text > 0 and show.range({ source = source, from = 0, to = result.idBits })
      local item = idRange and branch:add(f.id, idRange, result.id) or branch:add(f.id, result.id)
    end
    branch:add(f.message, name):set_generated()
    branch:append_text(", " .. name .. ", from the " .. frame.sender)
    if frame.lead then
      local item = branch:add(fields.places[abbreviation .. "." .. frame.lead].field, source.tvb())
      show.entries(result.out, item)
    else
      show.entries(result.out, branch)
    end
    if result.refusal then addRefusal(branch, result.refusal) end
    local info = (frame.sender == "client" and "> " or "< ") .. name .. (result.refusal and " [" .. result.refusal.code .. "]" or "")
    return info
  end

  -- Reads a frame at the start of the text. Returns the frame; or nil and how many bytes are needed in all, nil for
  -- "more"; or nil, nil and a refusal of the stream.
  local function frameAt(conversation, dialect, sender, text, isTrial)
    local head, needed, refusal
    -- A message of WebSocket is a payload: no frame and no cipher.
    if conversation.webSocket then head = { size = #text, headerBytes = 0 }
    else head, needed, refusal = game.frame(conversation, dialect, sender, text) end
    if not head then return nil, needed, refusal end
    if #text < head.size then return nil, head.size end
    local carried = text:sub(head.headerBytes + 1, head.size)
    local frame = { size = head.size, headerBytes = head.headerBytes, sender = sender, dialect = dialect, lead = head.lead }
    local payload, isClear = carried, true
    if conversation.webSocket then isClear = "whole"
    elseif not head.lead then payload, isClear = game.open(conversation, dialect, sender, carried, isTrial, head, text) end
    frame.isClear = isClear
    frame.source = { text = payload, title = game.payloadTitle or "Deciphered payload" }
    if head.lead then frame.result = head.result(frame.source)
    else frame.result = (game.read or read)(dialect, sender, payload, frame.source, conversation, isTrial, read) end
    if frame.result.commit and not isTrial then frame.result.commit() end
    frame.step = frame.result.step
    return frame
  end

  -- A dialect is settled when it has read so many messages more than any other, or after so many in all.
  local LEAD, ENOUGH = 5, 20

  -- The dialect of a connection: that of the preference, or the one that has read most of its messages whole.
  local function dialectOf(conversation, sender, text)
    if proto.prefs.dialect > 0 then return game.dialects[proto.prefs.dialect] end
    if conversation.dialect then return conversation.dialect end
    local read = conversation.read
    local best, second = 1, 0
    for index, dialect in ipairs(game.dialects) do
      local frame = frameAt(conversation, dialect, sender, text, true)
      if frame and not frame.result.refusal and not frame.result.doubtful then
        read[index] = (read[index] or 0) + 1
      end
    end
    for index in ipairs(game.dialects) do
      if (read[index] or 0) > (read[best] or 0) then best = index end
    end
    for index in ipairs(game.dialects) do
      if index ~= best then second = math.max(second, read[index] or 0) end
    end
    local most = read[best] or 0
    if most - second >= LEAD or most >= ENOUGH then conversation.dialect = game.dialects[best] end
    return game.dialects[best]
  end

  -- What a message of WebSocket is kept by: its number in the packet, because unmasked bytes have no place there. When a packet is
  -- shown again its messages come again in their order.
  local function messageKey(conversation, pinfo)
    local seen = conversation.messages[pinfo.number] or { count = 0, at = 0 }
    conversation.messages[pinfo.number] = seen
    if pinfo.visited and seen.count > 0 then seen.at = seen.at % seen.count + 1
    else
      seen.count = seen.count + 1
      seen.at = seen.count
    end
    return pinfo.number .. " message " .. seen.at
  end

  local function dissect(tvb, pinfo, tree)
    local conversation = conversationOf(pinfo)
    conversation.webSocket = webSocketSender()
    local sender = senderOf(conversation, pinfo)
    pinfo.cols.protocol = game.title
    local infos = {}
    pinfo.cols.info = ""
    local length = tvb:len()
    local at = 0
    while at < length do
      local refused = conversation.refused[sender]
      if refused and refused < pinfo.number then
        local branch = tree:add(proto, tvb(at))
        branch:add(f.rest, tvb(at))
        addRefusal(branch, { code = "bad-state", bit = 0, text = "Cannot read stream: the stream was refused before, in packet " .. refused })
        return length
      end
      local rest = tvb(at):tvb()
      local key = conversation.webSocket and messageKey(conversation, pinfo)
        or pinfo.number .. " " .. rest:offset() .. " " .. rest:len()
      local frame = conversation.frames[key]
      if not frame then
        local text = rest:raw()
        local needed, refusal
        local dialect = dialectOf(conversation, sender, text)
        frame, needed, refusal = frameAt(conversation, dialect, sender, text, false)
        if refusal then
          conversation.refused[sender] = pinfo.number
          local branch = tree:add(proto, rest())
          branch:add(f.sender, sender):set_generated()
          branch:add(f.dialect, dialect.name):set_generated()
          branch:add(f.rest, rest())
          addRefusal(branch, refusal)
          pinfo.cols.info = "[" .. refusal.code .. "]"
          return length
        end
        if not frame then
          if pinfo.can_desegment > 0 then
            pinfo.desegment_offset = at
            pinfo.desegment_len = needed and needed - #text or DESEGMENT_ONE_MORE_SEGMENT
            return length
          end
          tree:add(proto, rest()):add(f.rest, rest())
          return length
        end
        -- A later pass, in any order, shows what the first one has found. What follows from a payload alone is read again.
        if game.hasMemory then conversation.frames[key] = frame end
      elseif not frame.result then
        if game.again then frame.result = game.again(frame, conversation, read)
        else frame.result = read(frame.dialect, frame.sender, frame.source.text, frame.source) end
      end
      infos[#infos + 1] = showFrame(frame, rest, tree)
      pinfo.cols.info = table.concat(infos, ", ")
      if not frame.lead then frame.result = nil end
      at = at + frame.size
    end
    return length
  end

  function proto.dissector(tvb, pinfo, tree) return dissect(tvb, pinfo, tree) end

  function proto.init() conversations = {} end

  local registered
  function proto.prefs_changed()
    local table = DissectorTable.get("tcp.port")
    if registered and registered ~= proto.prefs.ports then table:remove(registered, proto) end
    if registered ~= proto.prefs.ports then table:add(proto.prefs.ports, proto) end
    registered = proto.prefs.ports
    conversations = {}
  end
  DissectorTable.get("tcp.port"):add(proto.prefs.ports, proto)
  registered = proto.prefs.ports

  -- Takes a WebSocket whose first message is one of some dialect, all of it. Later messages need no second look.
  pcall(proto.register_heuristic, proto, "ws", function(tvb, pinfo, tree)
    local sender = webSocketSender()
    if not proto.prefs.heuristic or not sender or tvb:len() == 0 then return false end
    local conversation = conversationOf(pinfo)
    conversation.webSocket = sender
    if not conversation.isTaken then
      for index, dialect in ipairs(game.dialects) do
        local isChosen = proto.prefs.dialect == 0 or proto.prefs.dialect == index
        local ok, frame = pcall(frameAt, conversation, dialect, sender, tvb:raw(), true)
        if isChosen and ok and frame and not frame.result.refusal and not frame.result.doubtful then conversation.isTaken = true end
      end
    end
    if not conversation.isTaken then return false end
    dissect(tvb, pinfo, tree)
    return true
  end)

  -- Takes a connection whose first bytes are a message of some dialect, all of it.
  proto:register_heuristic("tcp", function(tvb, pinfo, tree)
    if not proto.prefs.heuristic or tvb:len() < 4 then return false end
    local conversation = conversationOf(pinfo)
    conversation.webSocket = nil
    local source = tostring(pinfo.src) .. " " .. pinfo.src_port
    local destination = tostring(pinfo.dst) .. " " .. pinfo.dst_port
    local text = tvb:raw()
    -- The request of a WebSocket: in a game with a message of that number it reads as one.
    if text:sub(1, 4) == "GET " then return false end
    for _, server in ipairs({ conversation.server, conversation.server == source and destination or source }) do
      local sender = server == source and "server" or "client"
      for index, dialect in ipairs(game.dialects) do
        local isChosen = proto.prefs.dialect == 0 or proto.prefs.dialect == index
        local ok, frame = pcall(frameAt, conversation, dialect, sender, text, true)
        if isChosen and ok and frame and not frame.result.refusal and not frame.result.doubtful and #frame.source.text >= game.leastBytes then
          conversation.server = server
          pinfo.conversation = proto
          dissect(tvb, pinfo, tree)
          return true
        end
      end
    end
    return false
  end)
end
`;
