/** What generated Python calls: parts of one file, of which it brings those that it needs. */
import type { RuntimeParts } from "../typed/parts.ts";

/** The error of bytes. Every file has it. */
export const wireError = `class Code(Enum):
    """What was wrong with bytes. Its values are the codes as all languages write them."""

    # The bytes end before the value does.
    TRUNCATED = "truncated"
    # The message is complete and bytes are left.
    TRAILING = "trailing"
    # No message of this sender has that number.
    UNKNOWN_MESSAGE = "unknown-message"
    # A value that selects a layout or a name selects none.
    UNKNOWN_VARIANT = "unknown-variant"
    # A field holds a value that it may not hold.
    BAD_VALUE = "bad-value"
    # A count or length is over its limit.
    LIMIT = "limit"
    # A length contradicts what it measures.
    BAD_LENGTH = "bad-length"


class WireError(Exception):
    """Bytes were refused. Readers raise this and nothing else, whatever the bytes.

    \`\`code\`\` says what was wrong; \`\`path\`\` is the field, as in \`\`fragments[3].x\`\`, empty when no field
    was being read; \`\`bit_offset\`\` says where, in bits from the start of the message.
    """

    def __init__(self, code: Code, path: str, bit_offset: int, is_cut: bool = False) -> None:
        super().__init__(code, path, bit_offset)
        self.code = code
        self.path = path
        self.bit_offset = bit_offset
        # The bytes ended within a field.
        self.is_cut = is_cut

    def within(self, outer: str) -> None:
        """Adds the path under which the refused part was read."""
        if self.code is Code.TRAILING:
            return
        joins = outer == "" or self.path == "" or self.path.startswith("[")
        self.path = outer + self.path if joins else f"{outer}.{self.path}"

    def __str__(self) -> str:
        byte, bit = divmod(self.bit_offset, 8)
        where = f"byte {byte}" if bit == 0 else f"byte {byte} bit {bit}"
        return f"Cannot read {self.path or 'message'}: {self.code.value} at {where}"`;

const loads = (["16", "24", "32"] as const).flatMap((bits) =>
  (["be", "le"] as const).flatMap((order) => {
    const bytes = Number(bits) / 8;
    const name = order === "be" ? "big" : "little";
    return [
      [
        `_u${bits}${order}`,
        `def _u${bits}${order}(b: Bytes, at: int) -> int:\n    return int.from_bytes(b[at : at + ${bytes}], "${name}")`,
      ],
      [
        `_i${bits}${order}`,
        `def _i${bits}${order}(b: Bytes, at: int) -> int:\n    return int.from_bytes(b[at : at + ${bytes}], "${name}", signed=True)`,
      ],
      [
        `_put_${bits}${order}`,
        `def _put_${bits}${order}(b: bytearray, at: int, value: int) -> None:
    b[at : at + ${bytes}] = (value & 0x${"FF".repeat(bytes)}).to_bytes(${bytes}, "${name}")`,
      ],
    ] as const;
  }),
);

/** All other parts, by the name that stands in the code where they are needed. */
export const pythonRuntime: RuntimeParts = {
  _truncated: `def _truncated(bit: int, path: str) -> WireError:
    return WireError(Code.TRUNCATED, path, bit, True)`,
  _cut: `def _cut(bit: int, end: int, fields: str, *indexes: int) -> WireError:
    """The bytes end within one of some fields, given as \`\`name:bits\`\`."""
    pieces = [piece.rsplit(":", 1) for piece in fields.split(" ")]
    for path, bits in pieces[:-1]:
        if end * 8 - bit < int(bits):
            break
        bit += int(bits)
    else:
        path = pieces[-1][0]
    for index in indexes:
        path = path.replace("[]", f"[{index}]", 1)
    return _truncated(bit, path)`,
  _cut_items: `def _cut_items(item_bits: int, bit: int, end: int, fields: str, *indexes: int) -> WireError:
    """The same within items of one size."""
    item = (end * 8 - bit) // item_bits
    return _cut(bit + item * item_bits, end, fields, *indexes, item)`,
  _signed: `def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value`,
  _i8: `def _i8(b: Bytes, at: int) -> int:
    return b[at] - 256 if b[at] > 127 else b[at]`,
  ...Object.fromEntries(loads),
  _put_64le: `def _put_64le(b: bytearray, at: int, value: int) -> None:
    b[at : at + 8] = value.to_bytes(8, "little")`,
  _f32: `def _f32(word: int) -> float:
    return _F32.unpack(word.to_bytes(4, "little"))[0]`,
  _f32_word: `def _f32_word(value: float, is_finite: bool, path: str) -> int:
    """The bits of a 32-bit float. -0 becomes 0 where a float must be finite."""
    try:
        word = int.from_bytes(_F32.pack(value + 0.0 if is_finite else value), "little")
    except OverflowError:
        word = 0x7F800000 if value > 0 else 0xFF800000
    except Exception:
        raise _unfit(path) from None
    if is_finite and word & 0x7F800000 == 0x7F800000:
        raise _unfit(path)
    return word`,
  _F32: `_F32 = Struct("<f")`,
  _high_bits: `def _high_bits(b: Bytes, bit: int, width: int) -> int:
    """Bits at any place, the most significant one first."""
    last = (bit + width - 1) >> 3
    word = int.from_bytes(b[bit >> 3 : last + 1], "big")
    return word >> ((last + 1) * 8 - bit - width) & ((1 << width) - 1)`,
  _low_bits: `def _low_bits(b: Bytes, bit: int, width: int) -> int:
    """Bits within one byte, counted from its low end."""
    return b[bit >> 3] >> (bit & 7) & ((1 << width) - 1)`,
  _put_high_bits: `def _put_high_bits(b: bytearray, bit: int, width: int, value: int) -> None:
    """Writes bits at any place, the most significant one first. What follows in the last byte becomes 0."""
    left = width
    while left > 0:
        used = bit & 7
        count = min(8 - used, left)
        piece = value >> (left - count) & ((1 << count) - 1)
        moved = piece << (8 - used - count)
        b[bit >> 3] = moved if used == 0 else b[bit >> 3] | moved
        bit += count
        left -= count`,
  _put_low_bits: `def _put_low_bits(b: bytearray, bit: int, width: int, value: int) -> None:
    """Writes bits within one byte, counted from its low end. The first bits of a byte clear the others."""
    at, used = bit >> 3, bit & 7
    own = (value & ((1 << width) - 1)) << used
    b[at] = own if used == 0 else b[at] | own`,
  _bytes_of_bits: `def _bytes_of_bits(b: Bytes, bit: int, count: int) -> bytes:
    return bytes(_high_bits(b, bit + i * 8, 8) for i in range(count))`,
  _changed: `def _changed(b: Bytes, change: str, is_reversed: bool) -> bytes:
    """Bytes of which each is changed, perhaps in reverse. Done twice, it gives the same bytes again."""
    own = bytes(b)[::-1] if is_reversed else bytes(b)
    if change == "+128":
        return bytes((each + 128) & 0xFF for each in own)
    if change == "neg":
        return bytes(-each & 0xFF for each in own)
    if change == "sub":
        return bytes((128 - each) & 0xFF for each in own)
    return own`,
  _zero_at: `def _zero_at(b: Bytes, at: int, end: int, limit: int) -> int:
    """Where the zero byte of a text lies; -1 where the bytes end first, -2 where the text is over its limit."""
    is_limited = at + limit < end
    found = bytes(b[at : at + limit + 1 if is_limited else end]).find(0)
    if found >= 0:
        return at + found
    return -2 if is_limited else -1`,
  _latin1: `def _latin1(b: Bytes) -> str:
    return str(b, "latin-1")`,
  _windows_1252: `def _windows_1252(b: Bytes) -> str:
    return str(b, "latin-1").translate(_WINDOWS_1252)`,
  _put_latin1: `def _put_latin1(text: str, least: int, path: str) -> bytes:
    try:
        own = text.encode("latin-1")
    except UnicodeEncodeError:
        raise _unfit(path) from None
    if least > 0 and 0 in own:
        raise _unfit(path)
    return own`,
  _put_windows_1252: `def _put_windows_1252(text: str, least: int, path: str) -> bytes:
    if any("\\x80" <= char <= "\\x9f" and char not in _TO_WINDOWS_1252 for char in text):
        raise _unfit(path)
    return _put_latin1("".join(_TO_WINDOWS_1252.get(char, char) for char in text), least, path)`,

  _WINDOWS_1252: `# Characters of 0x80 to 0x9F.
_WINDOWS_1252 = {
    0x80 + index: char
    for index, char in enumerate(
        "\\u20ac\\u0081\\u201a\\u0192\\u201e\\u2026\\u2020\\u2021\\u02c6\\u2030\\u0160\\u2039\\u0152\\u008d\\u017d\\u008f"
        "\\u0090\\u2018\\u2019\\u201c\\u201d\\u2022\\u2013\\u2014\\u02dc\\u2122\\u0161\\u203a\\u0153\\u009d\\u017e\\u0178"
    )
}`,
  _TO_WINDOWS_1252: `_TO_WINDOWS_1252 = {char: chr(code) for code, char in _WINDOWS_1252.items()}`,
  _put_smart: `def _put_smart(b: bytearray, at: int, value: int) -> int:
    if value < 128:
        b[at] = value
        return at + 1
    _put_16be(b, at, value | 0x8000)
    return at + 2`,
  _put_wide_smart: `def _put_wide_smart(b: bytearray, at: int, value: int) -> int:
    if value < 32767:
        _put_16be(b, at, 32767 if value == -1 else value)
        return at + 2
    _put_32be(b, at, value | 0x80000000)
    return at + 4`,
  _fit: `def _fit(value: int, least: int, most: int, path: str) -> int:
    """A whole number that must be in a range."""
    if not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"Cannot write {path}: {value!r} is not in {least}..{most}")
    return value`,
  _fixed: `def _fixed(value: float, divisor: int, least: int, most: int, path: str) -> int:
    """A multiple of a fraction as a whole number."""
    whole = value * divisor
    if not least <= whole <= most or whole != int(whole):
        raise _unfit(path)
    return int(whole)`,
  _absent: `def _absent(path: str) -> ValueError:
    return ValueError(f"Cannot write {path}: it is absent")`,
  _unfit: `def _unfit(path: str) -> ValueError:
    return ValueError(f"Cannot write {path or 'message'}: its value does not fit")`,
  _inflate: `def _inflate(
    b: Bytes, at: int, end: int, limit: int, ignores_unused: bool, exact: int | None, path: str
) -> bytes:
    """The body of an LZ4 block."""
    out = bytearray()
    while True:
        token_at = at
        if at >= end:
            raise _truncated(at * 8, path)
        token = b[at]
        literals, at = _lz4_length(b, at + 1, end, token >> 4, path)
        if literals > end - at:
            raise _truncated(at * 8, path)
        if literals > limit - len(out):
            raise WireError(Code.LIMIT, path, at * 8)
        out += b[at : at + literals]
        at += literals
        if at == end:
            if token & 15 != 0 and not ignores_unused:
                raise WireError(Code.BAD_VALUE, path, token_at * 8)
            if exact is not None and len(out) != exact:
                raise WireError(Code.BAD_LENGTH, path, end * 8)
            return bytes(out)
        offset_at = at
        if end - at < 2:
            raise _truncated(at * 8, path)
        offset = b[at] | b[at + 1] << 8
        at += 2
        if offset == 0 or offset > len(out):
            raise WireError(Code.BAD_VALUE, path, offset_at * 8)
        match, at = _lz4_length(b, at, end, token & 15, path)
        match += 4
        if match > limit - len(out):
            raise WireError(Code.LIMIT, path, offset_at * 8)
        # A match may run into what it writes: then it repeats.
        piece = out[-offset:] if match >= offset else out[-offset : len(out) - offset + match]
        out += (piece * (match // len(piece) + 1))[:match]


def _lz4_length(b: Bytes, at: int, end: int, length: int, path: str) -> tuple[int, int]:
    if length < 15:
        return length, at
    while True:
        if at >= end:
            raise _truncated(at * 8, path)
        more = b[at]
        at += 1
        length += more
        if more != 0xFF:
            return length, at`,
  _refused_body: `def _refused_body(b: Bytes, at: int, end: int, error: WireError, path: str) -> WireError:
    """What came out of a block was refused, or is longer than what it holds."""
    # Literals lie in the block as they are: where it has no match, places in it have places in the bytes.
    literals, start = _lz4_length(b, at + 1, end, b[at] >> 4, path)
    error.bit_offset = start * 8 + error.bit_offset if start + literals == end else at * 8
    error.within(path)
    return error`,
  _deflate: `def _deflate(body: bytes, head: int) -> bytes:
    """An LZ4 block of bytes, of which the first ones become literals."""
    content = body[head:]
    packed = _lz4_compress(content)
    if head == 0:
        return packed
    literals, start = _lz4_length(packed, 1, len(packed), packed[0] >> 4, "")
    return _lz4_part(body[:head] + packed[start : start + literals], packed[0] & 15) + packed[start + literals :]


def _lz4_part(literals: bytes, match: int) -> bytes:
    return bytes([min(len(literals), 15) << 4 | min(match, 15)]) + _lz4_more(len(literals)) + literals


def _lz4_more(length: int) -> bytes:
    left = length - 15
    return b"" if left < 0 else b"\\xff" * (left // 255) + bytes([left % 255])


def _lz4_compress(content: bytes) -> bytes:
    out = bytearray()
    seen: dict[int, int] = {}
    search_end, match_end = len(content) - 12, len(content) - 5
    anchor, place, misses = 0, 0, 64
    while place <= search_end and search_end > 0:
        word = content[place : place + 4]
        own = int.from_bytes(word, "little") * 0x9E3779B1 >> 20 & 0xFFF
        start = seen.get(own, -1)
        seen[own] = place
        if start < 0 or place - start > 0xFFFF or content[start : start + 4] != word:
            place += misses >> 6
            misses += 1
            continue
        misses = 64
        while place > anchor and start > 0 and content[place - 1] == content[start - 1]:
            place -= 1
            start -= 1
        offset = place - start
        end = place + 4
        while end < match_end and content[end] == content[end - offset]:
            end += 1
        match = end - place - 4
        out += _lz4_part(content[anchor:place], match)
        out += offset.to_bytes(2, "little")
        out += _lz4_more(match)
        anchor = place = end
    return bytes(out) + _lz4_part(content[anchor:], 0)`,
};
