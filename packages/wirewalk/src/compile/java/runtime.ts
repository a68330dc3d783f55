/** What generated Java calls: parts of one file, of which it brings those that it needs. */
import type { RuntimeParts } from "../typed/parts.ts";

/** What the error of a file has beside code, path and place. */
export interface MoreOfError {
  /** Names of further codes, with what they say. */
  readonly codes?: readonly (readonly [text: string, doc: string])[];
  /** Further numbers, with what they say. */
  readonly numbers?: readonly (readonly [name: string, doc: string])[];
}

/** The error of bytes. Every file has it. */
export const wireError = ({ codes = [], numbers = [] }: MoreOfError = {}): string => `/** What was wrong with bytes. */
public enum Code {
  /** The bytes end before the value does. */
  TRUNCATED("truncated"),
  /** The message is complete and bytes are left. */
  TRAILING("trailing"),
  /** No message of this sender has that number. */
  UNKNOWN_MESSAGE("unknown-message"),
  /** A value that selects a layout or a name selects none. */
  UNKNOWN_VARIANT("unknown-variant"),
  /** A field holds a value that it may not hold. */
  BAD_VALUE("bad-value"),
  /** A count or length is over its limit. */
  LIMIT("limit"),
  /** A length contradicts what it measures. */
  BAD_LENGTH("bad-length")${codes
    .map(
      ([text, doc]) => `,
  /** ${doc} */
  ${text.toUpperCase().replaceAll("-", "_")}("${text}")`,
    )
    .join("")};

  /** The code as all languages write it. */
  public final String text;

  Code(String text) {
    this.text = text;
  }
}

/**
 * Bytes were refused. Readers throw this and nothing else, whatever the bytes. It has no stack trace:
 * hostile bytes cause it as fast as they arrive.
 */
public static final class WireError extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What was wrong. */
  public final Code code;

  /** The field, as in {@code fragments[3].x}; empty when no field was being read. */
  public final String path;

  /** Where, in bits from the start of the message. */
  public final long bitOffset;
${numbers
  .map(
    ([name, doc]) => `
  /** ${doc} */
  public final int ${name};
`,
  )
  .join("")}
  WireError(Code code, String path, long bitOffset${numbers.map(([name]) => `, int ${name}`).join("")}) {
    super("Cannot read " + (path.isEmpty() ? "message" : path) + ": " + code.text + place(bitOffset), null, false, false);
    this.code = code;
    this.path = path;
    this.bitOffset = bitOffset;${numbers
      .map(
        ([name]) => `
    this.${name} = ${name};`,
      )
      .join("")}
  }

  private static String place(long bit) {
    return " at byte " + bit / 8 + (bit % 8 == 0 ? "" : " bit " + bit % 8);
  }
}

/** Bytes that are being read: where the last reader has ended, and what was refused. */
private static final class In {
  final byte[] bytes;
  final int start;
  int at;
  Code code;
  String path;
  long bit;

  /** The bytes ended within a field. */
  boolean isCut;

  In(byte[] bytes, int start) {
    this.bytes = bytes;
    this.start = start;
    this.at = start;
  }

  WireError error() {
    return new WireError(code, path, bit${numbers.map(() => ", 0").join("")});
  }

  /** Notes a refusal at a bit of the array. */
  <T> T refuse(Code code, long bit, String path, int... indexes) {
    this.code = code;
    this.bit = bit - start * 8L;
    this.path = withIndexes(path, indexes);
    this.isCut = false;
    return null;
  }

  /** The bytes end at a bit of the array within a field. */
  <T> T truncate(long bit, String path, int... indexes) {
    refuse(Code.TRUNCATED, bit, path, indexes);
    isCut = true;
    return null;
  }

  /** The bytes end within one of some fields, given as {@code name:bits}. */
  <T> T cut(long bit, int end, String fields, int... indexes) {
    String[] pieces = fields.split(" ");
    long from = bit;
    int index = 0;
    while (index < pieces.length - 1 && end * 8L - from >= bitsOf(pieces[index])) {
      from += bitsOf(pieces[index]);
      index += 1;
    }
    String piece = pieces[index];
    return truncate(from, piece.substring(0, piece.lastIndexOf(':')), indexes);
  }

  /** The same within items of one size. */
  <T> T cutItems(int itemBits, long bit, int end, String fields, int... indexes) {
    int item = (int) ((end * 8L - bit) / itemBits);
    int[] own = Arrays.copyOf(indexes, indexes.length + 1);
    own[indexes.length] = item;
    return cut(bit + (long) item * itemBits, end, fields, own);
  }

  /** Adds the path under which the refused part was read. */
  <T> T within(String outer, int... indexes) {
    if (code == Code.TRAILING) {
      return null;
    }
    String whole = withIndexes(outer, indexes);
    path = whole.isEmpty() || path.isEmpty() || path.startsWith("[") ? whole + path : whole + "." + path;
    return null;
  }

  private static int bitsOf(String piece) {
    return Integer.parseInt(piece.substring(piece.lastIndexOf(':') + 1));
  }
}

/** A path with numbers for its {@code []}. */
private static String withIndexes(String path, int... indexes) {
  String whole = path;
  int next = 0;
  for (int at = whole.indexOf("[]"); at >= 0; at = whole.indexOf("[]", at + 1)) {
    whole = whole.substring(0, at + 1) + indexes[next++] + whole.substring(at + 1);
  }
  return whole;
}`;

/** All other parts, by the name that stands in the code where they are needed. */
export const javaRuntime: RuntimeParts = {
  // Views of bytes load a number at once, with one check of bounds.
  SHORT_BE: `private static final VarHandle SHORT_BE =
    MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);`,
  SHORT_LE: `private static final VarHandle SHORT_LE =
    MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);`,
  INT_BE: `private static final VarHandle INT_BE =
    MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);`,
  INT_LE: `private static final VarHandle INT_LE =
    MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);`,
  u8: `private static int u8(byte[] b, int at) {
  return b[at] & 0xff;
}`,
  i8: `private static int i8(byte[] b, int at) {
  return b[at];
}`,
  u16be: `private static int u16be(byte[] b, int at) {
  return (short) SHORT_BE.get(b, at) & 0xffff;
}`,
  u16le: `private static int u16le(byte[] b, int at) {
  return (short) SHORT_LE.get(b, at) & 0xffff;
}`,
  i16be: `private static int i16be(byte[] b, int at) {
  return (short) SHORT_BE.get(b, at);
}`,
  i16le: `private static int i16le(byte[] b, int at) {
  return (short) SHORT_LE.get(b, at);
}`,
  u24be: `private static int u24be(byte[] b, int at) {
  return (b[at] & 0xff) << 16 | (b[at + 1] & 0xff) << 8 | (b[at + 2] & 0xff);
}`,
  u24le: `private static int u24le(byte[] b, int at) {
  return (b[at] & 0xff) | (b[at + 1] & 0xff) << 8 | (b[at + 2] & 0xff) << 16;
}`,
  i24be: `private static int i24be(byte[] b, int at) {
  return b[at] << 16 | (b[at + 1] & 0xff) << 8 | (b[at + 2] & 0xff);
}`,
  i24le: `private static int i24le(byte[] b, int at) {
  return (b[at] & 0xff) | (b[at + 1] & 0xff) << 8 | b[at + 2] << 16;
}`,
  u32be: `private static long u32be(byte[] b, int at) {
  return i32be(b, at) & 0xffffffffL;
}`,
  u32le: `private static long u32le(byte[] b, int at) {
  return i32le(b, at) & 0xffffffffL;
}`,
  u64le: `private static long u64le(byte[] b, int at) {
  return u32le(b, at) | u32le(b, at + 4) << 32;
}`,
  i32be: `private static int i32be(byte[] b, int at) {
  return (int) INT_BE.get(b, at);
}`,
  i32le: `private static int i32le(byte[] b, int at) {
  return (int) INT_LE.get(b, at);
}`,
  highBits: `/** Bits at any place, the most significant one first. */
private static int highBits(byte[] b, long bit, int width) {
  int last = (int) ((bit + width - 1) >> 3);
  long word = 0;
  for (int at = (int) (bit >> 3); at <= last; at++) {
    word = word << 8 | (b[at] & 0xff);
  }
  return (int) (word >>> ((last + 1) * 8L - bit - width) & (1L << width) - 1);
}`,
  lowBits: `/** Bits within one byte, counted from its low end. */
private static int lowBits(byte[] b, long bit, int width) {
  return (b[(int) (bit >> 3)] & 0xff) >> (bit & 7) & (1 << width) - 1;
}`,
  bytesAt: `private static byte[] bytesAt(byte[] b, int at, int count) {
  return Arrays.copyOfRange(b, at, at + count);
}`,
  changedBytes: `/** Bytes of which each is changed, perhaps in reverse. */
private static byte[] changedBytes(byte[] b, int at, int count, String change, boolean isReversed) {
  byte[] copy = new byte[count];
  for (int i = 0; i < count; i++) {
    copy[isReversed ? count - 1 - i : i] = changed(b[at + i], change);
  }
  return copy;
}`,
  bytesOfBits: `private static byte[] bytesOfBits(byte[] b, long bit, int count) {
  byte[] copy = new byte[count];
  for (int i = 0; i < count; i++) {
    copy[i] = (byte) highBits(b, bit + i * 8L, 8);
  }
  return copy;
}`,
  allZero: `private static boolean allZero(byte[] bytes) {
  for (byte each : bytes) {
    if (each != 0) {
      return false;
    }
  }
  return true;
}`,
  zeroAt: `/** Where the zero byte of a text lies; -1 where the bytes end first, -2 where the text is over its limit. */
private static int zeroAt(byte[] b, int at, int end, int limit) {
  boolean isLimited = at + limit < end;
  int last = isLimited ? at + limit : end - 1;
  for (int zero = at; zero <= last; zero++) {
    if (b[zero] == 0) {
      return zero;
    }
  }
  return isLimited ? -2 : -1;
}`,
  latin1: `private static String latin1(byte[] b, int at, int count) {
  return new String(b, at, count, java.nio.charset.StandardCharsets.ISO_8859_1);
}`,
  windows1252: `private static String windows1252(byte[] b, int at, int count) {
  StringBuilder text = new StringBuilder(count);
  for (int i = at; i < at + count; i++) {
    int code = b[i] & 0xff;
    text.append(code < 0x80 || code > 0x9f ? (char) code : WINDOWS_1252.charAt(code - 0x80));
  }
  return text.toString();
}`,
  putWindows1252: `private static void putWindows1252(byte[] b, int at, String text, int least, String path, int... indexes) {
  for (int i = 0; i < text.length(); i++) {
    char own = text.charAt(i);
    int special = WINDOWS_1252.indexOf(own);
    int code = own < 0x80 || (own > 0x9f && own <= 0xff) ? own : special < 0 ? -1 : 0x80 + special;
    if (code < least) {
      throw unfit(path, indexes);
    }
    b[at + i] = (byte) code;
  }
}`,
  WINDOWS_1252: `/** Characters of 0x80 to 0x9F. */
private static final String WINDOWS_1252 =
    "\\u20ac\\u0081\\u201a\\u0192\\u201e\\u2026\\u2020\\u2021\\u02c6\\u2030\\u0160\\u2039\\u0152\\u008d\\u017d\\u008f"
        + "\\u0090\\u2018\\u2019\\u201c\\u201d\\u2022\\u2013\\u2014\\u02dc\\u2122\\u0161\\u203a\\u0153\\u009d\\u017e\\u0178";`,
  putLatin1: `private static void putLatin1(byte[] b, int at, String text, int least, String path, int... indexes) {
  for (int i = 0; i < text.length(); i++) {
    char code = text.charAt(i);
    if (code < least || code > 0xff) {
      throw unfit(path, indexes);
    }
    b[at + i] = (byte) code;
  }
}`,
  put16be: `private static void put16be(byte[] b, int at, int value) {
  b[at] = (byte) (value >> 8);
  b[at + 1] = (byte) value;
}`,
  put16le: `private static void put16le(byte[] b, int at, int value) {
  b[at] = (byte) value;
  b[at + 1] = (byte) (value >> 8);
}`,
  put24be: `private static void put24be(byte[] b, int at, int value) {
  b[at] = (byte) (value >> 16);
  put16be(b, at + 1, value);
}`,
  put24le: `private static void put24le(byte[] b, int at, int value) {
  put16le(b, at, value);
  b[at + 2] = (byte) (value >> 16);
}`,
  put64le: `private static void put64le(byte[] b, int at, long value) {
  put32le(b, at, (int) value);
  put32le(b, at + 4, (int) (value >>> 32));
}`,
  put32be: `private static void put32be(byte[] b, int at, int value) {
  b[at] = (byte) (value >> 24);
  b[at + 1] = (byte) (value >> 16);
  b[at + 2] = (byte) (value >> 8);
  b[at + 3] = (byte) value;
}`,
  put32le: `private static void put32le(byte[] b, int at, int value) {
  b[at] = (byte) value;
  b[at + 1] = (byte) (value >> 8);
  b[at + 2] = (byte) (value >> 16);
  b[at + 3] = (byte) (value >> 24);
}`,
  putHighBits: `/** Writes bits at any place, the most significant one first. What follows in the last byte becomes 0. */
private static void putHighBits(byte[] b, long bit, int width, int value) {
  long at = bit;
  for (int left = width; left > 0; ) {
    int used = (int) (at & 7);
    int count = Math.min(8 - used, left);
    int piece = value >>> (left - count) & (1 << count) - 1;
    int moved = piece << (8 - used - count);
    b[(int) (at >> 3)] = (byte) (used == 0 ? moved : b[(int) (at >> 3)] | moved);
    at += count;
    left -= count;
  }
}`,
  putLowBits: `/** Writes bits within one byte, counted from its low end. The first bits of a byte clear the others. */
private static void putLowBits(byte[] b, long bit, int width, int value) {
  int at = (int) (bit >> 3);
  int used = (int) (bit & 7);
  int own = (value & (1 << width) - 1) << used;
  b[at] = (byte) (used == 0 ? own : b[at] | own);
}`,
  putSmart: `private static int putSmart(byte[] b, int at, int value) {
  if (value < 128) {
    b[at] = (byte) value;
    return at + 1;
  }
  put16be(b, at, value | 0x8000);
  return at + 2;
}`,
  putWideSmart: `private static int putWideSmart(byte[] b, int at, int value) {
  if (value < 32767) {
    put16be(b, at, value == -1 ? 32767 : value);
    return at + 2;
  }
  put32be(b, at, value | 0x80000000);
  return at + 4;
}`,
  putBytes: `private static void putBytes(byte[] b, int at, byte[] bytes) {
  System.arraycopy(bytes, 0, b, at, bytes.length);
}`,
  putChanged: `private static void putChanged(byte[] b, int at, byte[] bytes, String change, boolean isReversed) {
  for (int i = 0; i < bytes.length; i++) {
    b[at + (isReversed ? bytes.length - 1 - i : i)] = changed(bytes[i], change);
  }
}`,
  changed: `/** A byte as it stands on the wire, and back. */
private static byte changed(byte own, String change) {
  return switch (change) {
    case "+128" -> (byte) (own + 128);
    case "neg" -> (byte) -own;
    case "sub" -> (byte) (128 - own);
    default -> own;
  };
}`,
  fit: `/** A number that must be in a range. */
private static int fit(int value, int min, int max, String path, int... indexes) {
  if (value < min || value > max) {
    throw new IllegalArgumentException(
        "Cannot write " + withIndexes(path, indexes) + ": " + value + " is not in " + min + ".." + max);
  }
  return value;
}

private static long fit(long value, long min, long max, String path, int... indexes) {
  if (value < min || value > max) {
    throw new IllegalArgumentException(
        "Cannot write " + withIndexes(path, indexes) + ": " + value + " is not in " + min + ".." + max);
  }
  return value;
}`,
  fixed: `/** A multiple of a fraction as a whole number. */
private static long fixed(double value, int divisor, long min, long max, String path, int... indexes) {
  double whole = value * divisor;
  if (whole != Math.rint(whole) || whole < min || whole > max) {
    throw unfit(path, indexes);
  }
  return (long) whole;
}`,
  floatBits: `/** The bits of a float. One that is no number keeps its bits, and is a quiet one. */
private static int floatBits(float value) {
  int bits = Float.floatToRawIntBits(value);
  return Float.isNaN(value) ? bits | 0x00400000 : bits;
}`,
  finite: `/** A float that must be finite; -0 becomes 0. */
private static float finite(float value, String path, int... indexes) {
  if (!Float.isFinite(value)) {
    throw unfit(path, indexes);
  }
  return value + 0.0f;
}`,
  absent: `private static IllegalArgumentException absent(String path, int... indexes) {
  return new IllegalArgumentException("Cannot write " + withIndexes(path, indexes) + ": it is absent");
}`,
  unfit: `private static IllegalArgumentException unfit(String path, int... indexes) {
  return new IllegalArgumentException("Cannot write " + withIndexes(path, indexes) + ": its value does not fit");
}`,
  Lz4: `/** LZ4 blocks that hold messages. */
private static final class Lz4 {
  private static final int MORE = 15;
  private static final int MIN_MATCH = 4;
  private static final int LAST_LITERALS = 5;
  private static final int MATCH_MARGIN = 12;
  private static final int HASH_BITS = 12;

  /** The body of the block from {@code at} to {@code end}; null where the block is refused. */
  static In open(In in, int at, int end, int limit, boolean ignoresUnused, int exact, String path) {
    byte[] b = in.bytes;
    byte[] out = new byte[Math.min(limit, 4096)];
    int size = 0;
    while (true) {
      int tokenAt = at;
      if (at >= end) {
        return in.truncate(at * 8L, path);
      }
      int token = b[at++] & 0xff;
      long literals = token >>> 4;
      if (literals == MORE) {
        int more;
        do {
          if (at >= end) {
            return in.truncate(at * 8L, path);
          }
          more = b[at++] & 0xff;
          literals += more;
        } while (more == 0xff);
      }
      if (literals > end - at) {
        return in.truncate(at * 8L, path);
      }
      if (literals > limit - size) {
        return in.refuse(Code.LIMIT, at * 8L, path);
      }
      out = withRoom(out, size + (int) literals, limit);
      System.arraycopy(b, at, out, size, (int) literals);
      at += (int) literals;
      size += (int) literals;
      if (at == end) {
        if ((token & 15) != 0 && !ignoresUnused) {
          return in.refuse(Code.BAD_VALUE, tokenAt * 8L, path);
        }
        if (exact >= 0 && size != exact) {
          return in.refuse(Code.BAD_LENGTH, end * 8L, path);
        }
        return new In(Arrays.copyOf(out, size), 0);
      }
      int offsetAt = at;
      if (end - at < 2) {
        return in.truncate(at * 8L, path);
      }
      int offset = (b[at] & 0xff) | (b[at + 1] & 0xff) << 8;
      at += 2;
      if (offset == 0 || offset > size) {
        return in.refuse(Code.BAD_VALUE, offsetAt * 8L, path);
      }
      long match = (token & 15) + MIN_MATCH;
      if ((token & 15) == MORE) {
        int more;
        do {
          if (at >= end) {
            return in.truncate(at * 8L, path);
          }
          more = b[at++] & 0xff;
          match += more;
        } while (more == 0xff);
      }
      if (match > limit - size) {
        return in.refuse(Code.LIMIT, offsetAt * 8L, path);
      }
      out = withRoom(out, size + (int) match, limit);
      // A match may run into what it writes: then it repeats.
      for (int i = 0; i < match; i++) {
        out[size + i] = out[size - offset + i];
      }
      size += (int) match;
    }
  }

  private static byte[] withRoom(byte[] out, int size, int limit) {
    return size <= out.length ? out : Arrays.copyOf(out, Math.min(limit, Math.max(size, out.length * 2)));
  }

  /** What came out of a block was refused, or is longer than what it holds. */
  static <T> T refuse(In in, int at, int end, In body, boolean isRead, String path) {
    if (isRead) {
      body.refuse(Code.TRAILING, body.at * 8L, "");
    }
    // Literals lie in the block as they are: where it has no match, places in it have places in the bytes.
    byte[] b = in.bytes;
    int from = at + 1;
    int literals = (b[at] & 0xff) >>> 4;
    if (literals == MORE) {
      int more;
      do {
        more = b[from++] & 0xff;
        literals += more;
      } while (more == 0xff);
    }
    long bit = from + literals == end ? from * 8L + body.bit : at * 8L;
    in.refuse(body.code, bit, body.path);
    in.isCut = body.isCut;
    return in.within(path);
  }

  /** A block of bytes, of which the first {@code head} become literals. */
  static byte[] pack(byte[] bytes, int head) {
    byte[] content = Arrays.copyOfRange(bytes, head, bytes.length);
    byte[] out = new byte[content.length + content.length / 255 + 16];
    byte[] packed = Arrays.copyOf(out, compress(content, out));
    if (head == 0) {
      return packed;
    }
    int token = packed[0] & 0xff;
    int literals = token >>> 4;
    int from = 1;
    if (literals == MORE) {
      int more;
      do {
        more = packed[from++] & 0xff;
        literals += more;
      } while (more == 0xff);
    }
    int count = head + literals;
    byte[] whole = new byte[packed.length + head + count / 255 + 2];
    whole[0] = (byte) (Math.min(count, MORE) << 4 | token & 15);
    int to = count >= MORE ? putLength(whole, 1, count - MORE) : 1;
    System.arraycopy(bytes, 0, whole, to, head);
    System.arraycopy(packed, from, whole, to + head, packed.length - from);
    return Arrays.copyOf(whole, to + head + packed.length - from);
  }

  private static int compress(byte[] bytes, byte[] out) {
    int length = bytes.length;
    if (length <= MATCH_MARGIN) {
      return putLast(out, 0, bytes, 0);
    }
    int[] seen = new int[1 << HASH_BITS];
    Arrays.fill(seen, -1);
    int searchEnd = length - MATCH_MARGIN;
    int matchEnd = length - LAST_LITERALS;
    int to = 0;
    int anchor = 0;
    int place = 0;
    int misses = 64;
    while (place <= searchEnd) {
      int word = i32le(bytes, place);
      int hash = word * 0x9e3779b1 >>> 32 - HASH_BITS;
      int from = seen[hash];
      seen[hash] = place;
      if (from < 0 || place - from > 0xffff || i32le(bytes, from) != word) {
        place += misses++ >> 6;
        continue;
      }
      misses = 64;
      while (place > anchor && from > 0 && bytes[place - 1] == bytes[from - 1]) {
        place--;
        from--;
      }
      int offset = place - from;
      int end = place + MIN_MATCH;
      while (end < matchEnd && bytes[end] == bytes[end - offset]) {
        end++;
      }
      int literals = place - anchor;
      int match = end - place - MIN_MATCH;
      out[to++] = (byte) (Math.min(literals, MORE) << 4 | Math.min(match, MORE));
      if (literals >= MORE) {
        to = putLength(out, to, literals - MORE);
      }
      System.arraycopy(bytes, anchor, out, to, literals);
      to += literals;
      out[to++] = (byte) offset;
      out[to++] = (byte) (offset >>> 8);
      if (match >= MORE) {
        to = putLength(out, to, match - MORE);
      }
      anchor = end;
      place = end;
    }
    return putLast(out, to, bytes, anchor);
  }

  private static int putLast(byte[] out, int at, byte[] bytes, int from) {
    int literals = bytes.length - from;
    int to = at;
    out[to++] = (byte) (Math.min(literals, MORE) << 4);
    if (literals >= MORE) {
      to = putLength(out, to, literals - MORE);
    }
    System.arraycopy(bytes, from, out, to, literals);
    return to + literals;
  }

  private static int putLength(byte[] out, int at, int length) {
    int to = at;
    int left = length;
    for (; left >= 0xff; left -= 0xff) {
      out[to++] = (byte) 0xff;
    }
    out[to++] = (byte) left;
    return to;
  }
}`,
};
