/** Lua: RC4, keyed afresh for every message. */
export const rc4Lua = `
-- RC4 -------------------------------------------------------------------------------------------------------------------

-- The keystream of a key, made as far as it was needed; every message begins at its start.
local function rc4(key)
  local state, stream = {}, {}
  for index = 0, 255 do state[index] = index end
  local j = 0
  for index = 0, 255 do
    j = (j + state[index] + key:byte(index % #key + 1)) % 256
    state[index], state[j] = state[j], state[index]
  end
  local i = 0
  j = 0
  return function(text)
    for index = #stream + 1, #text do
      i = (i + 1) % 256
      j = (j + state[i]) % 256
      state[i], state[j] = state[j], state[i]
      stream[index] = state[(state[i] + state[j]) % 256]
    end
    local bytes = {}
    for index = 1, #text do bytes[index] = string.char(bit32.bxor(text:byte(index), stream[index])) end
    return table.concat(bytes)
  end
end
`;
