/** What generated Go calls: parts of one file, of which it brings those that it needs. */
import type { RuntimeParts } from "../typed/parts.ts";

/** The errors of bytes and of values. Every file has them. */
export const errors = `// Code says what was wrong with bytes.
type Code uint8

const (
	// CodeTruncated: the bytes end before the value does.
	CodeTruncated Code = iota
	// CodeTrailing: the message is complete and bytes are left.
	CodeTrailing
	// CodeUnknownMessage: no message of this sender has that number.
	CodeUnknownMessage
	// CodeUnknownVariant: a value that selects a layout or a name selects none.
	CodeUnknownVariant
	// CodeBadValue: a field holds a value that it may not hold.
	CodeBadValue
	// CodeLimit: a count or length is over its limit.
	CodeLimit
	// CodeBadLength: a length contradicts what it measures.
	CodeBadLength
)

var codes = [...]string{"truncated", "trailing", "unknown-message", "unknown-variant", "bad-value", "limit", "bad-length"}

// String is the code as all languages write it.
func (c Code) String() string {
	if int(c) < len(codes) {
		return codes[c]
	}
	return "unknown"
}

// WireError says why bytes were refused. Readers give it as error and never panic, whatever the bytes.
type WireError struct {
	// What was wrong.
	Code Code
	// The field, as in fragments[3].x; empty when no field was being read.
	Path string
	// Where, in bits from the start of the message.
	BitOffset int
	isCut     bool
}

func (e *WireError) Error() string {
	what := e.Path
	if what == "" {
		what = "message"
	}
	text := "cannot read " + what + ": " + e.Code.String() + " at byte " + strconv.Itoa(e.BitOffset/8)
	if e.BitOffset%8 != 0 {
		text += " bit " + strconv.Itoa(e.BitOffset%8)
	}
	return text
}

// within adds the path under which the refused part was read.
func (e *WireError) within(outer string, indexes ...int) *WireError {
	if e.Code == CodeTrailing {
		return e
	}
	whole := withIndexes(outer, indexes)
	if whole != "" && e.Path != "" && !strings.HasPrefix(e.Path, "[") {
		whole += "."
	}
	e.Path = whole + e.Path
	return e
}

// withIndexes puts numbers into the brackets of a path.
func withIndexes(path string, indexes []int) string {
	parts := strings.Split(path, "[]")
	whole := parts[0]
	for i, part := range parts[1:] {
		whole += "[" + strconv.Itoa(indexes[i]) + "]" + part
	}
	return whole
}

func refuse(code Code, path string, bit int, indexes ...int) *WireError {
	return &WireError{Code: code, Path: withIndexes(path, indexes), BitOffset: bit}
}

// ErrNoRoom says that a message is longer than the buffer that it is written to.
var ErrNoRoom = errors.New("cannot write: the buffer has no room")

// WriteError says which field cannot hold its value, or is absent though the message needs it.
type WriteError struct {
	Path     string
	IsAbsent bool
}

func (e *WriteError) Error() string {
	what := e.Path
	if what == "" {
		what = "message"
	}
	if e.IsAbsent {
		return "cannot write " + what + ": it is absent"
	}
	return "cannot write " + what + ": its value does not fit"
}

// writer keeps the first error of what is written: all that follows goes on, and its bytes are not used.
type writer struct {
	err error
}

//go:noinline
func (w *writer) fail(path string, isAbsent bool, indexes []int) {
	if w.err == nil {
		w.err = &WriteError{Path: withIndexes(path, indexes), IsAbsent: isAbsent}
	}
}`;

const load = (name: string, type: string, bytes: readonly number[]): string => {
  const parts = bytes.map((shift, at) => {
    const byte = `${type}(b[at${at === 0 ? "" : `+${at}`}])`;
    return shift === 0 ? byte : `${byte}<<${shift}`;
  });
  return `func ${name}(b []byte, at int) ${type} {\n\treturn ${parts.join(" | ")}\n}`;
};

const store = (name: string, bytes: readonly number[]): string => {
  const lines = bytes.map(
    (shift, at) => `\tb[at${at === 0 ? "" : `+${at}`}] = byte(${shift === 0 ? "value" : `value >> ${shift}`})`,
  );
  return `func ${name}(b []byte, at int, value uint32) {\n${lines.join("\n")}\n}`;
};

const numbers = [16, 24, 32].flatMap((bits) =>
  ["be", "le"].flatMap((order) => {
    const low = Array.from({ length: bits / 8 }, (_, index) => index * 8);
    const shifts = order === "le" ? low : low.reverse();
    const [name, type] = [`u${bits}${order}`, bits === 16 ? "uint16" : "uint32"];
    const endian = `binary.${order === "le" ? "Little" : "Big"}Endian`;
    if (bits === 24)
      return [
        [name, load(name, type, shifts)],
        [`put24${order}`, store(`put24${order}`, shifts)],
      ] as const;
    const value = bits === 16 ? "uint16(value)" : "value";
    return [
      // Two bytes are put together faster than a slice is made.
      [
        name,
        bits === 16
          ? load(name, type, shifts)
          : `func ${name}(b []byte, at int) ${type} {\n\treturn ${endian}.Uint${bits}(b[at:])\n}`,
      ],
      [
        `put${bits}${order}`,
        `func put${bits}${order}(b []byte, at int, value uint32) {\n\t${endian}.PutUint${bits}(b[at:], ${value})\n}`,
      ],
    ] as const;
  }),
);

/** All other parts, by the name that stands in the code where they are needed. */
export const goRuntime: RuntimeParts = {
  truncated: `func truncated(path string, bit int, indexes ...int) *WireError {
	return &WireError{Code: CodeTruncated, Path: withIndexes(path, indexes), BitOffset: bit, isCut: true}
}`,
  cut: `// cut finds the one of some fields, given as name:bits, within which the bytes end.
func cut(fields string, bit int, end int, indexes ...int) *WireError {
	from := bit
	path := ""
	for _, piece := range strings.Split(fields, " ") {
		colon := strings.LastIndexByte(piece, ':')
		path = piece[:colon]
		bits, _ := strconv.Atoi(piece[colon+1:])
		if end*8-from < bits {
			break
		}
		from += bits
	}
	return truncated(path, from, indexes...)
}`,
  cutItems: `// cutItems does the same within items of one size.
func cutItems(itemBits int, fields string, bit int, end int, indexes ...int) *WireError {
	item := (end*8 - bit) / itemBits
	own := append(append([]int{}, indexes...), item)
	return cut(fields, bit+item*itemBits, end, own...)
}`,
  span: `// span is a number of units; one that no bytes have for what would be more, or less than none.
func span(count int64, unit int) int {
	if count < 0 || count > int64(math.MaxInt/2/(unit+1)) {
		return math.MaxInt / 2
	}
	return int(count) * unit
}`,
  min64: `func min64(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}`,
  between: `func between(value, low, high int) int {
	if value < low {
		return low
	}
	if value > high {
		return high
	}
	return value
}`,
  ptr: `func ptr[T any](value T) *T {
	return &value
}`,
  signed: `// signed is the value of so many bits in two's complement.
func signed(bits uint32, width int) int32 {
	return int32(bits<<(32-width)) >> (32 - width)
}`,
  wideShort: `func wideShort(b []byte, at int) int32 {
	if value := u16be(b, at); value != 32767 {
		return int32(value)
	}
	return -1
}`,
  putSmart: `func putSmart(b []byte, at int, value int64) int {
	if value < 128 {
		b[at] = byte(value)
		return at + 1
	}
	put16be(b, at, uint32(value)|0x8000)
	return at + 2
}`,
  putWideSmart: `func putWideSmart(b []byte, at int, value int64) int {
	if value >= 32767 {
		put32be(b, at, uint32(value)|0x80000000)
		return at + 4
	}
	if value == -1 {
		value = 32767
	}
	put16be(b, at, uint32(value))
	return at + 2
}`,
  highBits: `// highBits reads bits at any place, the most significant one first.
func highBits(b []byte, bit int, width int) uint32 {
	last := (bit + width - 1) >> 3
	var word uint64
	for _, each := range b[bit>>3 : last+1] {
		word = word<<8 | uint64(each)
	}
	return uint32(word >> ((last+1)*8 - bit - width) & (1<<width - 1))
}`,
  lowBits: `// lowBits reads bits within one byte, counted from its low end.
func lowBits(b []byte, bit int, width int) uint32 {
	return uint32(b[bit>>3]) >> (bit & 7) & (1<<width - 1)
}`,
  putHighBits: `// putHighBits writes bits at any place, the most significant one first. What follows in the last byte becomes 0.
func putHighBits(b []byte, bit int, width int, value uint32) {
	for at, left := bit, width; left > 0; {
		used := at & 7
		count := 8 - used
		if left < count {
			count = left
		}
		moved := byte(value >> (left - count) & (1<<count - 1) << (8 - used - count))
		if used == 0 {
			b[at>>3] = moved
		} else {
			b[at>>3] |= moved
		}
		at += count
		left -= count
	}
}`,
  putLowBits: `// putLowBits writes bits within one byte, counted from its low end. The first bits of a byte clear the others.
func putLowBits(b []byte, bit int, width int, value uint32) {
	own := byte(value & (1<<width - 1) << (bit & 7))
	if bit&7 == 0 {
		b[bit>>3] = own
	} else {
		b[bit>>3] |= own
	}
}`,
  bytesOfBits: `func bytesOfBits(b []byte, bit int, count int) []byte {
	bytes := make([]byte, count)
	for i := range bytes {
		bytes[i] = byte(highBits(b, bit+i*8, 8))
	}
	return bytes
}`,
  changed: `// changed gives bytes of which each is changed, perhaps in reverse. Done twice, it gives the same bytes again.
func changed(bytes []byte, change string, isReversed bool) []byte {
	own := make([]byte, len(bytes))
	for i, each := range bytes {
		switch change {
		case "+128":
			each += 128
		case "neg":
			each = -each
		case "sub":
			each = 128 - each
		}
		if isReversed {
			own[len(own)-1-i] = each
		} else {
			own[i] = each
		}
	}
	return own
}`,
  allZero: `func allZero(bytes []byte) bool {
	for _, each := range bytes {
		if each != 0 {
			return false
		}
	}
	return true
}`,
  zeroAt: `// zeroAt is where the zero byte of a text lies; -1 where the bytes end first, -2 where the text is over its limit.
func zeroAt(b []byte, at int, limit int) int {
	own := b[at:]
	isLimited := limit < len(own)
	if isLimited {
		own = own[:limit+1]
	}
	for i, each := range own {
		if each == 0 {
			return at + i
		}
	}
	if isLimited {
		return -2
	}
	return -1
}`,
  latin1: `func latin1(bytes []byte) string {
	for _, each := range bytes {
		if each >= 0x80 {
			runes := make([]rune, len(bytes))
			for i, own := range bytes {
				runes[i] = rune(own)
			}
			return string(runes)
		}
	}
	return string(bytes)
}`,
  windows1252: `func windows1252(bytes []byte) string {
	for _, each := range bytes {
		if each >= 0x80 {
			runes := make([]rune, len(bytes))
			for i, own := range bytes {
				runes[i] = rune(own)
				if own >= 0x80 && own <= 0x9f {
					runes[i] = windows1252Runes[own-0x80]
				}
			}
			return string(runes)
		}
	}
	return string(bytes)
}`,
  putLatin1: `func (w *writer) putLatin1(b []byte, text string, least rune, path string, indexes ...int) {
	i := 0
	for _, own := range text {
		if own < least || own > 0xff {
			w.fail(path, false, indexes)
		}
		b[i] = byte(own)
		i++
	}
}`,
  putWindows1252: `func (w *writer) putWindows1252(b []byte, text string, least rune, path string, indexes ...int) {
	i := 0
	for _, own := range text {
		code := own
		if own >= 0x80 && (own < 0xa0 || own > 0xff) {
			code = -1
			for special, each := range windows1252Runes {
				if each == own {
					code = rune(0x80 + special)
				}
			}
		}
		if code < least {
			w.fail(path, false, indexes)
		}
		b[i] = byte(code)
		i++
	}
}`,
  windows1252Runes: `// windows1252Runes are the characters of 0x80 to 0x9F.
var windows1252Runes = [32]rune{
	0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
}`,
  bitIf: `func bitIf(isSet bool, bit int) uint32 {
	if isSet {
		return 1 << bit
	}
	return 0
}`,
  either: `func either(test bool, yes, no int) int {
	if test {
		return yes
	}
	return no
}`,
  unfit: `func (w *writer) unfit(at int, path string, indexes ...int) int {
	w.fail(path, false, indexes)
	return at
}`,
  absent: `func (w *writer) absent(at int, path string, indexes ...int) int {
	w.fail(path, true, indexes)
	return at
}`,
  fit: `// fit notes a number that is not in its range.
func (w *writer) fit(value, low, high int64, path string, indexes ...int) int64 {
	if value < low || value > high {
		w.fail(path, false, indexes)
	}
	return value
}`,
  fitLength: `// fitLength notes a length that is not in its range.
func (w *writer) fitLength(length, low, high int, path string, indexes ...int) int {
	if length < low || length > high {
		w.fail(path, false, indexes)
	}
	return length
}`,
  fixed: `// fixed is a multiple of a fraction as a whole number.
func (w *writer) fixed(value float64, divisor, low, high int64, path string, indexes ...int) int64 {
	whole := value * float64(divisor)
	if !(whole >= float64(low) && whole <= float64(high)) || math.Trunc(whole) != whole {
		w.fail(path, false, indexes)
		return 0
	}
	return int64(whole)
}`,
  floatBits: `// floatBits are the bits of a float. One that is no number keeps its bits, and is a quiet one.
func floatBits(value float32) uint32 {
	bits := math.Float32bits(value)
	if value != value {
		bits |= 0x400000
	}
	return bits
}`,
  finite: `// finite notes a float that is not finite; -0 becomes 0.
func (w *writer) finite(value float32, path string, indexes ...int) float32 {
	if !isFinite(value) {
		w.fail(path, false, indexes)
	}
	return value + 0
}`,
  isFinite: `func isFinite(value float32) bool {
	return value-value == 0
}`,
  inflate: `// inflate gives the bytes of an LZ4 block, which begins at a place and fills the rest.
func inflate(b []byte, start, limit int, ignoresUnused bool, exact int, path string, indexes ...int) ([]byte, *WireError) {
	at := start
	out := []byte{}
	for {
		tokenAt := at
		if at == len(b) {
			return nil, truncated(path, at*8, indexes...)
		}
		token := b[at]
		literals, next, isWhole := lz4Length(b, at+1, token>>4)
		if !isWhole || literals > len(b)-next {
			return nil, truncated(path, next*8, indexes...)
		}
		if literals > limit-len(out) {
			return nil, refuse(CodeLimit, path, next*8, indexes...)
		}
		at = next + literals
		out = append(out, b[next:at]...)
		if at == len(b) {
			if token&15 != 0 && !ignoresUnused {
				return nil, refuse(CodeBadValue, path, tokenAt*8, indexes...)
			}
			if exact >= 0 && exact != len(out) {
				return nil, refuse(CodeBadLength, path, at*8, indexes...)
			}
			return out, nil
		}
		offsetAt := at
		if len(b)-at < 2 {
			return nil, truncated(path, at*8, indexes...)
		}
		offset := int(b[at]) | int(b[at+1])<<8
		if offset == 0 || offset > len(out) {
			return nil, refuse(CodeBadValue, path, offsetAt*8, indexes...)
		}
		count, next, isWhole := lz4Length(b, at+2, token&15)
		if !isWhole {
			return nil, truncated(path, next*8, indexes...)
		}
		if count+4 > limit-len(out) {
			return nil, refuse(CodeLimit, path, offsetAt*8, indexes...)
		}
		at = next
		// A match may run into what it writes: then it repeats.
		for i := 0; i < count+4; i++ {
			out = append(out, out[len(out)-offset])
		}
	}
}`,
  lz4Length: `// lz4Length is a length of which a token has four bits, and the place behind it; false where the bytes end first.
func lz4Length(b []byte, at int, nibble byte) (length int, next int, isWhole bool) {
	length = int(nibble)
	for more := byte(0xff); nibble == 15 && more == 0xff; at++ {
		if at == len(b) {
			return length, at, false
		}
		more = b[at]
		length += int(more)
	}
	return length, at, true
}`,
  refusedBody: `// refusedBody is the error of what came out of a block. Literals lie in the block as they are: where it has no match, places in it have
// places in the message.
func refusedBody(b []byte, at int, err *WireError, path string, indexes ...int) *WireError {
	literals, from, _ := lz4Length(b, at+1, b[at]>>4)
	if from+literals == len(b) {
		err.BitOffset += from * 8
	} else {
		err.BitOffset = at * 8
	}
	return err.within(path, indexes...)
}`,
  deflate: `// deflate gives an LZ4 block of bytes, of which the first become literals.
func deflate(bytes []byte, head int) []byte {
	packed := lz4Compress(bytes[head:])
	if head == 0 {
		return packed
	}
	token := packed[0]
	literals, from, _ := lz4Length(packed, 1, token>>4)
	whole := lz4Token(nil, head+literals, int(token&15))
	whole = append(whole, bytes[:head]...)
	return append(whole, packed[from:]...)
}`,
  lz4Compress: `func lz4Compress(bytes []byte) []byte {
	var out []byte
	anchor := 0
	if len(bytes) > 12 {
		// Places are kept with 1 added: 0 is none.
		seen := make([]int, 1<<12)
		place := 0
		misses := 64
		for place <= len(bytes)-12 {
			word := u32le(bytes, place)
			hash := word * 0x9e3779b1 >> 20
			from := seen[hash] - 1
			seen[hash] = place + 1
			if from < 0 || place-from > 0xffff || u32le(bytes, from) != word {
				place += misses >> 6
				misses++
				continue
			}
			misses = 64
			for place > anchor && from > 0 && bytes[place-1] == bytes[from-1] {
				place--
				from--
			}
			offset := place - from
			end := place + 4
			for end < len(bytes)-5 && bytes[end] == bytes[end-offset] {
				end++
			}
			count := end - place - 4
			out = lz4Token(out, place-anchor, between(count, 0, 15))
			out = append(out, bytes[anchor:place]...)
			out = append(out, byte(offset), byte(offset>>8))
			if count >= 15 {
				out = putLz4Length(out, count-15)
			}
			anchor = end
			place = end
		}
	}
	out = lz4Token(out, len(bytes)-anchor, 0)
	return append(out, bytes[anchor:]...)
}`,
  lz4Token: `// lz4Token appends a token with its count of literals.
func lz4Token(out []byte, literals, count int) []byte {
	out = append(out, byte(between(literals, 0, 15)<<4|count))
	if literals >= 15 {
		out = putLz4Length(out, literals-15)
	}
	return out
}`,
  putLz4Length: `func putLz4Length(out []byte, length int) []byte {
	for ; length >= 0xff; length -= 0xff {
		out = append(out, 0xff)
	}
	return append(out, byte(length))
}`,
  u64le: `func u64le(b []byte, at int) uint64 {
	return binary.LittleEndian.Uint64(b[at:])
}`,
  put64le: `func put64le(b []byte, at int, value uint64) {
	binary.LittleEndian.PutUint64(b[at:], value)
}`,
  ...Object.fromEntries(numbers),
};
