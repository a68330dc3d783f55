/** Lua: the cipher of MapleStory: AES-256 in output feedback, Shanda, and the roll of the IVs. */
export const mapleCipherLua = `
-- Cipher ----------------------------------------------------------------------------------------------------------------

local cipher = {}
do
  local band, bxor, rshift, lshift = bit32.band, bit32.bxor, bit32.rshift, bit32.lshift
  local byte, char = string.byte, string.char

  -- AES-256, encryption of one block (FIPS 197). A round is four look-ups for each column.
  local sbox, mixed = {}, { {}, {}, {}, {} }
  local function xtime(value)
    value = lshift(value, 1)
    return value > 0xff and bxor(value, 0x11b) or value
  end
  do
    local p, q = 1, 1
    repeat
      p = bxor(p, xtime(p))
      q = bxor(q, lshift(q, 1))
      q = bxor(q, lshift(q, 2))
      q = band(bxor(q, lshift(q, 4)), 0xff)
      if q >= 0x80 then q = bxor(q, 0x09) end
      local spread = q + q * 256
      sbox[p] = band(bxor(q, rshift(spread, 7), rshift(spread, 6), rshift(spread, 5), rshift(spread, 4), 0x63), 0xff)
    until p == 1
    sbox[0] = 0x63
    for value = 0, 255 do
      local s = sbox[value]
      local twice = xtime(s)
      local column = twice * 2 ^ 24 + s * 2 ^ 16 + s * 2 ^ 8 + bxor(twice, s)
      for table = 1, 4 do
        mixed[table][value] = column
        column = bit32.rrotate(column, 8)
      end
    end
  end

  local function word(text, at)
    local a, b, c, d = byte(text, at, at + 3)
    return a * 2 ^ 24 + b * 2 ^ 16 + c * 2 ^ 8 + d
  end
  local function subWord(value)
    return sbox[rshift(value, 24)] * 2 ^ 24 + sbox[band(rshift(value, 16), 0xff)] * 2 ^ 16
      + sbox[band(rshift(value, 8), 0xff)] * 2 ^ 8 + sbox[band(value, 0xff)]
  end

  local rounds = {}
  do
    local constant = 1
    local key = game.aesKey:gsub("%x%x", function(pair) return char(tonumber(pair, 16)) end)
    for index = 0, 7 do rounds[index] = word(key, index * 4 + 1) end
    for index = 8, 59 do
      local value = rounds[index - 1]
      if index % 8 == 0 then
        value = bxor(subWord(bit32.lrotate(value, 8)), lshift(constant, 24))
        constant = xtime(constant)
      elseif index % 8 == 4 then
        value = subWord(value)
      end
      rounds[index] = bxor(rounds[index - 8], value)
    end
  end

  local t0, t1, t2, t3 = mixed[1], mixed[2], mixed[3], mixed[4]
  local function column(w, x, y, z, round)
    return bxor(
      t0[rshift(w, 24)], t1[band(rshift(x, 16), 0xff)], t2[band(rshift(y, 8), 0xff)], t3[band(z, 0xff)], rounds[round]
    )
  end
  local function last(w, x, y, z, round)
    local bytes = band(w, 0xff000000) + band(x, 0xff0000) + band(y, 0xff00) + band(z, 0xff)
    return bxor(subWord(bytes), rounds[round])
  end
  -- A block is four words.
  local function encrypt(a, b, c, d)
    a, b, c, d = bxor(a, rounds[0]), bxor(b, rounds[1]), bxor(c, rounds[2]), bxor(d, rounds[3])
    for round = 4, 52, 4 do
      a, b, c, d = column(a, b, c, d, round), column(b, c, d, a, round + 1), column(c, d, a, b, round + 2),
        column(d, a, b, c, round + 3)
    end
    return last(a, b, c, d, 56), last(b, c, d, a, 57), last(c, d, a, b, 58), last(d, a, b, c, 59)
  end

  -- Output feedback over bytes in a table, from an IV of four bytes that stands four times in the first block.
  local function applyOfb(bytes, iv)
    local count = #bytes
    local from, stretch = 1, game.firstStretchBytes
    while from <= count do
      local to = math.min(from + stretch - 1, count)
      local a = word(iv, 1)
      local b, c, d = a, a, a
      for at = from, to, 16 do
        a, b, c, d = encrypt(a, b, c, d)
        local words = { a, b, c, d }
        for index = 0, math.min(15, to - at) do
          local value = words[(index - index % 4) / 4 + 1]
          bytes[at + index] = bxor(bytes[at + index], band(rshift(value, 24 - 8 * (index % 4)), 0xff))
        end
      end
      from, stretch = to + 1, game.stretchBytes
    end
  end

  local function left(value, bits) return band(lshift(value, bits), 0xff) + rshift(value, 8 - bits) end
  local function right(value, bits) return left(value, 8 - bits) end

  -- The game's own scrambling, undone.
  local function decryptShanda(bytes)
    local count = #bytes
    for _ = 1, game.shandaRounds do
      local previous, length = 0, count % 256
      for at = count, 1, -1 do
        local scrambled = bxor(left(bytes[at], 3), 0x13)
        bytes[at] = right((bxor(scrambled, previous) - length) % 256, 4)
        previous, length = scrambled, (length - 1) % 256
      end
      previous, length = 0, count % 256
      for at = 1, count do
        local scrambled = left(255 - (bytes[at] - 0x48) % 256, length % 8)
        bytes[at] = right((bxor(scrambled, previous) - length) % 256, 3)
        previous, length = scrambled, (length - 1) % 256
      end
    end
  end

  -- The plain payload of a frame.
  function cipher.open(text, iv)
    local bytes = {}
    for at = 1, #text do bytes[at] = byte(text, at) end
    applyOfb(bytes, iv)
    decryptShanda(bytes)
    for at = 1, #text do bytes[at] = char(bytes[at]) end
    return table.concat(bytes)
  end

  local rolls = {}
  for index = 0, 255 do rolls[index] = tonumber(game.ivTable:sub(index * 2 + 1, index * 2 + 2), 16) end

  -- The IV of the next frame.
  function cipher.roll(iv)
    local n0, n1, n2, n3 = 0xf2, 0x53, 0x50, 0xc6
    for at = 1, 4 do
      local a = byte(iv, at)
      local ta = rolls[a]
      local first = (n0 + rolls[n1] - a) % 256
      local second = (n1 - bxor(n2, ta)) % 256
      local third = bxor(n2, (rolls[n3] + a) % 256)
      local fourth = (n3 - first + ta) % 256
      local rolled = bit32.lrotate(first + second * 2 ^ 8 + third * 2 ^ 16 + fourth * 2 ^ 24, 3)
      n0, n1, n2, n3 = band(rolled, 0xff), band(rshift(rolled, 8), 0xff), band(rshift(rolled, 16), 0xff), rshift(rolled, 24)
    end
    return char(n0, n1, n2, n3)
  end
end
`;
