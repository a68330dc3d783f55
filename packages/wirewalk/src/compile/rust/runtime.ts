/** What generated Rust calls: parts of one file, of which it brings those that it needs. */
import type { RuntimeParts } from "../typed/parts.ts";

/** A further code: its name, its text, and what it says. */
export type MoreCode = readonly [name: string, text: string, doc: string];

/** The errors of bytes and of values. Every file has them. */
export const errors = (more: readonly MoreCode[] = []): string => `/// What was wrong with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The bytes end before the value does.
    Truncated,
    /// The message is complete and bytes are left.
    Trailing,
    /// No message of this sender has that number.
    UnknownMessage,
    /// A value that selects a layout or a name selects none.
    UnknownVariant,
    /// A field holds a value that it may not hold.
    BadValue,
    /// A count or length is over its limit.
    Limit,
    /// A length contradicts what it measures.
    BadLength,
${more.map(([name, , doc]) => `    /// ${doc}\n    ${name},\n`).join("")}}

impl Code {
    /// The code as all languages write it.
    pub fn text(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Trailing => "trailing",
            Self::UnknownMessage => "unknown-message",
            Self::UnknownVariant => "unknown-variant",
            Self::BadValue => "bad-value",
            Self::Limit => "limit",
            Self::BadLength => "bad-length",
${more.map(([name, text]) => `            Self::${name} => "${text}",\n`).join("")}        }
    }
}

/// Bytes were refused. Readers give this and never panic, whatever the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError {
    /// What was wrong.
    pub code: Code,
    /// The field, as in \`fragments[3].x\`; empty when no field was being read.
    pub path: String,
    /// Where, in bits from the start of the message.
    pub bit_offset: usize,
    /// The bytes ended within a field.
    is_cut: bool,
}

impl WireError {
    #[cold]
    fn new(code: Code, path: impl Into<String>, bit_offset: usize) -> Self {
        Self { code, path: path.into(), bit_offset, is_cut: false }
    }

    /// Adds the path under which the refused part was read.
    #[allow(dead_code)]
    #[cold]
    fn within(mut self, outer: impl Into<String>) -> Self {
        if self.code == Code::Trailing {
            return self;
        }
        let mut whole = outer.into();
        if !whole.is_empty() && !self.path.is_empty() && !self.path.starts_with('[') {
            whole.push('.');
        }
        whole.push_str(&self.path);
        self.path = whole;
        self
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.path.is_empty() { "message" } else { &self.path };
        write!(f, "Cannot read {}: {} at byte {}", what, self.code.text(), self.bit_offset / 8)?;
        if self.bit_offset % 8 == 0 {
            return Ok(());
        }
        write!(f, " bit {}", self.bit_offset % 8)
    }
}

/// A message was not written. Nothing is known of the buffer then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// The buffer has no room.
    NoRoom,
    /// A field cannot hold its value: its path.
    Unfit(String),
    /// A field that this message needs is absent: its path.
    Absent(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoom => write!(f, "Cannot write: the buffer has no room"),
            Self::Unfit(path) => write!(f, "Cannot write {}: its value does not fit", path),
            Self::Absent(path) => write!(f, "Cannot write {}: it is absent", path),
        }
    }
}`;

const load = (name: string, type: string, bytes: readonly number[]): string => {
  const parts = bytes.map((shift, at) => {
    const byte = `${type}::from(b[at${at === 0 ? "" : ` + ${at}`}])`;
    return shift === 0 ? byte : `${byte} << ${shift}`;
  });
  return `fn ${name}(b: &[u8], at: usize) -> ${type} {\n    ${parts.join(" | ")}\n}`;
};

const store = (name: string, type: string, bytes: readonly number[]): string => {
  const lines = bytes.map(
    (shift, at) => `    b[at${at === 0 ? "" : ` + ${at}`}] = ${shift === 0 ? "value" : `(value >> ${shift})`} as u8;`,
  );
  return `fn ${name}(b: &mut [u8], at: usize, value: ${type}) {\n${lines.join("\n")}\n}`;
};

const numbers = [16, 24, 32].flatMap((bits) =>
  ["be", "le"].flatMap((order) => {
    const low = Array.from({ length: bits / 8 }, (_, index) => index * 8);
    const shifts = order === "le" ? low : low.reverse();
    return [
      [`u${bits}${order}`, load(`u${bits}${order}`, bits === 16 ? "u16" : "u32", shifts)],
      [`put_${bits}${order}`, store(`put_${bits}${order}`, "u32", shifts)],
    ] as const;
  }),
);
const eight = [0, 8, 16, 24, 32, 40, 48, 56];

/** All other parts, by the name that stands in the code where they are needed. */
export const rustRuntime: RuntimeParts = {
  truncated: `#[cold]
fn truncated(path: impl Into<String>, bit: usize) -> WireError {
    WireError { is_cut: true, ..WireError::new(Code::Truncated, path, bit) }
}`,
  cut: `/// The bytes end within one of some fields, given as \`name:bits\`.
#[cold]
fn cut(fields: &str, indexes: &[usize], bit: usize, end: usize) -> WireError {
    let mut from = bit;
    let mut path = "";
    for piece in fields.split(' ') {
        let (name, bits) = piece.rsplit_once(':').unwrap_or((piece, ""));
        let bits = bits.parse().unwrap_or(0);
        path = name;
        if end * 8 - from < bits {
            break;
        }
        from += bits;
    }
    let mut whole = String::new();
    for (index, part) in path.split("[]").enumerate() {
        if index > 0 {
            whole.push_str(&format!("[{}]", indexes[index - 1]));
        }
        whole.push_str(part);
    }
    truncated(whole, from)
}`,
  cut_items: `/// The same within items of one size.
#[cold]
fn cut_items(
    item_bits: usize,
    fields: &str,
    indexes: &[usize],
    bit: usize,
    end: usize,
) -> WireError {
    let item = (end * 8 - bit) / item_bits;
    let mut own = indexes.to_vec();
    own.push(item);
    cut(fields, &own, bit + item * item_bits, end)
}`,
  signed: `/// The value of so many bits in two's complement.
fn signed(bits: u32, width: u32) -> i32 {
    (bits << (32 - width)) as i32 >> (32 - width)
}`,
  put_smart: `fn put_smart(b: &mut [u8], at: usize, value: i64) -> usize {
    if value < 128 {
        b[at] = value as u8;
        return at + 1;
    }
    put_16be(b, at, value as u32 | 0x8000);
    at + 2
}`,
  put_wide_smart: `fn put_wide_smart(b: &mut [u8], at: usize, value: i64) -> usize {
    if value < 32767 {
        put_16be(b, at, if value == -1 { 32767 } else { value as u32 });
        return at + 2;
    }
    put_32be(b, at, value as u32 | 0x8000_0000);
    at + 4
}`,
  high_bits: `/// Bits at any place, the most significant one first.
fn high_bits(b: &[u8], bit: usize, width: usize) -> u32 {
    let last = (bit + width - 1) >> 3;
    let mut word = 0u64;
    for byte in &b[bit >> 3..=last] {
        word = word << 8 | u64::from(*byte);
    }
    (word >> ((last + 1) * 8 - bit - width) & ((1 << width) - 1)) as u32
}`,
  low_bits: `/// Bits within one byte, counted from its low end.
fn low_bits(b: &[u8], bit: usize, width: usize) -> u32 {
    u32::from(b[bit >> 3]) >> (bit & 7) & ((1 << width) - 1)
}`,
  put_high_bits: `/// Writes bits at any place, the most significant one first. What follows in the last byte becomes 0.
fn put_high_bits(b: &mut [u8], bit: usize, width: usize, value: u32) {
    let mut at = bit;
    let mut left = width;
    while left > 0 {
        let used = at & 7;
        let count = left.min(8 - used);
        let piece = (u64::from(value) >> (left - count)) as u32 & ((1 << count) - 1);
        let moved = (piece << (8 - used - count)) as u8;
        b[at >> 3] = if used == 0 { moved } else { b[at >> 3] | moved };
        at += count;
        left -= count;
    }
}`,
  put_low_bits: `/// Writes bits within one byte, counted from its low end. The first bits of a byte clear the others.
fn put_low_bits(b: &mut [u8], bit: usize, width: usize, value: u32) {
    let used = bit & 7;
    let own = ((value & ((1 << width) - 1)) << used) as u8;
    b[bit >> 3] = if used == 0 { own } else { b[bit >> 3] | own };
}`,
  bytes_of_bits: `fn bytes_of_bits(b: &[u8], bit: usize, count: usize) -> Vec<u8> {
    (0..count).map(|i| high_bits(b, bit + i * 8, 8) as u8).collect()
}`,
  changed: `/// Bytes of which each is changed, perhaps in reverse. Done twice, it gives the same bytes again.
fn changed(bytes: &[u8], change: &str, is_reversed: bool) -> Vec<u8> {
    let own = |byte: &u8| match change {
        "+128" => byte.wrapping_add(128),
        "neg" => byte.wrapping_neg(),
        "sub" => 128u8.wrapping_sub(*byte),
        _ => *byte,
    };
    if is_reversed {
        bytes.iter().rev().map(own).collect()
    } else {
        bytes.iter().map(own).collect()
    }
}`,
  all_zero: `fn all_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}`,
  zero_at: `/// Where the zero byte of a text lies; else whether the text is over its limit.
fn zero_at(b: &[u8], at: usize, limit: usize) -> Result<usize, bool> {
    let is_limited = limit < b.len() - at;
    let last = if is_limited { at + limit + 1 } else { b.len() };
    let found = b[at..last].iter().position(|byte| *byte == 0);
    found.map(|zero| at + zero).ok_or(is_limited)
}`,
  latin1: `fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}`,
  windows_1252: `fn windows_1252(bytes: &[u8]) -> String {
    let char_of = |byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(*byte) - 0x80],
        _ => char::from(*byte),
    };
    bytes.iter().map(char_of).collect()
}`,
  put_latin1: `fn put_latin1(
    b: &mut [u8],
    at: usize,
    text: &str,
    least: u32,
    path: impl FnOnce() -> String,
) -> Result<(), WriteError> {
    for (i, own) in text.chars().map(u32::from).enumerate() {
        if own < least || own > 0xff {
            return Err(unfit(path()));
        }
        b[at + i] = own as u8;
    }
    Ok(())
}`,
  put_windows_1252: `fn put_windows_1252(
    b: &mut [u8],
    at: usize,
    text: &str,
    least: u32,
    path: impl FnOnce() -> String,
) -> Result<(), WriteError> {
    for (i, own) in text.chars().enumerate() {
        let special = WINDOWS_1252.iter().position(|each| *each == own);
        let code = match (u32::from(own), special) {
            (code @ 0..=0x7f, _) | (code @ 0xa0..=0xff, _) => Some(code),
            (_, Some(index)) => Some(0x80 + index as u32),
            _ => None,
        };
        match code.filter(|code| *code >= least) {
            Some(code) => b[at + i] = code as u8,
            None => return Err(unfit(path())),
        }
    }
    Ok(())
}`,
  WINDOWS_1252: `/// Characters of 0x80 to 0x9F.
const WINDOWS_1252: [char; 32] = [
    '\\u{20ac}', '\\u{81}', '\\u{201a}', '\\u{192}', '\\u{201e}', '\\u{2026}', '\\u{2020}', '\\u{2021}',
    '\\u{2c6}', '\\u{2030}', '\\u{160}', '\\u{2039}', '\\u{152}', '\\u{8d}', '\\u{17d}', '\\u{8f}',
    '\\u{90}', '\\u{2018}', '\\u{2019}', '\\u{201c}', '\\u{201d}', '\\u{2022}', '\\u{2013}', '\\u{2014}',
    '\\u{2dc}', '\\u{2122}', '\\u{161}', '\\u{203a}', '\\u{153}', '\\u{9d}', '\\u{17e}', '\\u{178}',
];`,
  fit: `/// A number that must be in a range.
fn fit(value: i64, min: i64, max: i64, path: impl FnOnce() -> String) -> Result<i64, WriteError> {
    if value < min || value > max {
        return Err(unfit(path()));
    }
    Ok(value)
}`,
  fit_length: `/// A length that must be in a range.
fn fit_length(
    length: usize,
    min: usize,
    max: usize,
    path: impl FnOnce() -> String,
) -> Result<usize, WriteError> {
    if length < min || length > max {
        return Err(unfit(path()));
    }
    Ok(length)
}`,
  fixed: `/// A multiple of a fraction as a whole number.
fn fixed(
    value: f64,
    divisor: i64,
    min: i64,
    max: i64,
    path: impl FnOnce() -> String,
) -> Result<i64, WriteError> {
    let whole = value * divisor as f64;
    if whole as i64 as f64 != whole || whole < min as f64 || whole > max as f64 {
        return Err(unfit(path()));
    }
    Ok(whole as i64)
}`,
  float_bits: `/// The bits of a float. One that is no number keeps its bits, and is a quiet one.
fn float_bits(value: f32) -> u32 {
    value.to_bits() | if value.is_nan() { 0x0040_0000 } else { 0 }
}`,
  finite: `/// A float that must be finite; -0 becomes 0.
fn finite(value: f32, path: impl FnOnce() -> String) -> Result<f32, WriteError> {
    if !value.is_finite() {
        return Err(unfit(path()));
    }
    Ok(value + 0.0)
}`,
  absent: `fn absent(path: String) -> WriteError {
    WriteError::Absent(path)
}`,
  unfit: `fn unfit(path: String) -> WriteError {
    WriteError::Unfit(path)
}`,
  inflate: `/// The bytes of an LZ4 block, which begins at a place and fills the rest.
fn inflate(
    b: &[u8],
    start: usize,
    limit: usize,
    ignores_unused: bool,
    exact: Option<usize>,
    path: &str,
) -> Result<Vec<u8>, WireError> {
    let mut at = start;
    let mut out = Vec::new();
    loop {
        let token_at = at;
        let token = *b.get(at).ok_or_else(|| truncated(path, at * 8))?;
        at += 1;
        let literals = lz4_length(b, &mut at, token >> 4, path)?;
        if literals > b.len() - at {
            return Err(truncated(path, at * 8));
        }
        if literals > limit - out.len() {
            return Err(WireError::new(Code::Limit, path, at * 8));
        }
        out.extend_from_slice(&b[at..at + literals]);
        at += literals;
        if at == b.len() {
            if token & 15 != 0 && !ignores_unused {
                return Err(WireError::new(Code::BadValue, path, token_at * 8));
            }
            if exact.map_or(false, |size| size != out.len()) {
                return Err(WireError::new(Code::BadLength, path, at * 8));
            }
            return Ok(out);
        }
        let offset_at = at;
        if b.len() - at < 2 {
            return Err(truncated(path, at * 8));
        }
        let offset = usize::from(b[at]) | usize::from(b[at + 1]) << 8;
        at += 2;
        if offset == 0 || offset > out.len() {
            return Err(WireError::new(Code::BadValue, path, offset_at * 8));
        }
        let count = lz4_length(b, &mut at, token & 15, path)?.saturating_add(4);
        if count > limit - out.len() {
            return Err(WireError::new(Code::Limit, path, offset_at * 8));
        }
        // A match may run into what it writes: then it repeats.
        for _ in 0..count {
            out.push(out[out.len() - offset]);
        }
    }
}`,
  lz4_length: `/// A length of which a token has four bits.
fn lz4_length(b: &[u8], at: &mut usize, nibble: u8, path: &str) -> Result<usize, WireError> {
    let mut length = usize::from(nibble);
    if nibble < 15 {
        return Ok(length);
    }
    loop {
        let more = *b.get(*at).ok_or_else(|| truncated(path, *at * 8))?;
        *at += 1;
        length = length.saturating_add(usize::from(more));
        if more < 0xff {
            return Ok(length);
        }
    }
}`,
  refused_body: `/// The error of what came out of a block. Literals lie in the block as they are: where it has no match, places in it have places in the message.
fn refused_body(b: &[u8], at: usize, error: WireError, path: impl Into<String>) -> WireError {
    let mut from = at + 1;
    let literals = lz4_length(b, &mut from, b[at] >> 4, "").unwrap_or(0);
    let is_plain = from + literals == b.len();
    let bit_offset = if is_plain { from * 8 + error.bit_offset } else { at * 8 };
    WireError { bit_offset, ..error }.within(path)
}`,
  deflate: `/// An LZ4 block of bytes, of which the first \`head\` become literals.
fn deflate(bytes: &[u8], head: usize) -> Vec<u8> {
    let packed = lz4_compress(&bytes[head..]);
    if head == 0 {
        return packed;
    }
    let token = packed[0];
    let mut from = 1;
    let literals = lz4_length(&packed, &mut from, token >> 4, "").unwrap_or(0);
    let count = head + literals;
    let mut whole = Vec::new();
    whole.push((count.min(15) as u8) << 4 | token & 15);
    if count >= 15 {
        put_lz4_length(&mut whole, count - 15);
    }
    whole.extend_from_slice(&bytes[..head]);
    whole.extend_from_slice(&packed[from..]);
    whole
}`,
  lz4_compress: `fn lz4_compress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut anchor = 0;
    if bytes.len() > 12 {
        let mut seen = vec![usize::MAX; 1 << 12];
        let search_end = bytes.len() - 12;
        let match_end = bytes.len() - 5;
        let mut place = 0;
        let mut misses = 64;
        while place <= search_end {
            let word = u32le(bytes, place);
            let hash = (word.wrapping_mul(0x9e37_79b1) >> 20) as usize;
            let mut from = seen[hash];
            seen[hash] = place;
            if from == usize::MAX || place - from > 0xffff || u32le(bytes, from) != word {
                place += misses >> 6;
                misses += 1;
                continue;
            }
            misses = 64;
            while place > anchor && from > 0 && bytes[place - 1] == bytes[from - 1] {
                place -= 1;
                from -= 1;
            }
            let offset = place - from;
            let mut end = place + 4;
            while end < match_end && bytes[end] == bytes[end - offset] {
                end += 1;
            }
            let literals = place - anchor;
            let count = end - place - 4;
            out.push((literals.min(15) << 4 | count.min(15)) as u8);
            if literals >= 15 {
                put_lz4_length(&mut out, literals - 15);
            }
            out.extend_from_slice(&bytes[anchor..place]);
            out.push(offset as u8);
            out.push((offset >> 8) as u8);
            if count >= 15 {
                put_lz4_length(&mut out, count - 15);
            }
            anchor = end;
            place = end;
        }
    }
    let literals = bytes.len() - anchor;
    out.push((literals.min(15) as u8) << 4);
    if literals >= 15 {
        put_lz4_length(&mut out, literals - 15);
    }
    out.extend_from_slice(&bytes[anchor..]);
    out
}`,
  put_lz4_length: `fn put_lz4_length(out: &mut Vec<u8>, length: usize) {
    let mut left = length;
    while left >= 0xff {
        out.push(0xff);
        left -= 0xff;
    }
    out.push(left as u8);
}`,
  u64le: load("u64le", "u64", eight),
  put_64le: store("put_64le", "u64", eight),
  ...Object.fromEntries(numbers),
};
