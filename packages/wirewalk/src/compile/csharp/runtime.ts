/** What generated C# calls: parts of one file, of which it brings those that it needs. */
import type { RuntimeParts } from "../typed/parts.ts";

/** The error of bytes. Every file has it. */
export const wireError = `/// <summary>What was wrong with bytes.</summary>
public enum Code
{
    /// <summary>The bytes end before the value does.</summary>
    Truncated,
    /// <summary>The message is complete and bytes are left.</summary>
    Trailing,
    /// <summary>No message of this sender has that number.</summary>
    UnknownMessage,
    /// <summary>A value that selects a layout or a name selects none.</summary>
    UnknownVariant,
    /// <summary>A field holds a value that it may not hold.</summary>
    BadValue,
    /// <summary>A count or length is over its limit.</summary>
    Limit,
    /// <summary>A length contradicts what it measures.</summary>
    BadLength,
}

/// <summary>Bytes were refused. Readers throw this and nothing else, whatever the bytes.</summary>
public sealed class WireError : Exception
{
    private static readonly string[] Texts =
        { "truncated", "trailing", "unknown-message", "unknown-variant", "bad-value", "limit", "bad-length" };

    /// <summary>What was wrong.</summary>
    public Code Code { get; private set; }

    /// <summary>The code as all languages write it.</summary>
    public string CodeText { get { return Texts[(int)Code]; } }

    /// <summary>The field, as in fragments[3].x; empty when no field was being read.</summary>
    public string Path { get; private set; }

    /// <summary>Where, in bits from the start of the message.</summary>
    public long BitOffset { get; private set; }

    internal WireError(Code code, string path, long bitOffset)
        : base("Cannot read " + (path == "" ? "message" : path) + ": " + Texts[(int)code] + Place(bitOffset))
    {
        Code = code;
        Path = path;
        BitOffset = bitOffset;
    }

    private static string Place(long bit)
    {
        return " at byte " + bit / 8 + (bit % 8 == 0 ? "" : " bit " + bit % 8);
    }
}

/// <summary>Bytes that are being read: where the last reader has ended, and what was refused.</summary>
private sealed class Input
{
    public readonly byte[] Bytes;
    public readonly int Start;
    public int At;
    public Code Code;
    public string Path;
    public long Bit;

    /// <summary>The bytes ended within a field.</summary>
    public bool IsCut;

    public Input(byte[] bytes, int start)
    {
        Bytes = bytes;
        Start = start;
        At = start;
    }

    public WireError Error()
    {
        return new WireError(Code, Path, Bit);
    }

    /// <summary>Notes a refusal at a bit of the array.</summary>
    public bool Refuse(Code code, long bit, string path, params int[] indexes)
    {
        Code = code;
        Bit = bit - Start * 8L;
        Path = WithIndexes(path, indexes);
        IsCut = false;
        return false;
    }

    /// <summary>The bytes end at a bit of the array within a field.</summary>
    public bool Truncate(long bit, string path, params int[] indexes)
    {
        Refuse(Code.Truncated, bit, path, indexes);
        IsCut = true;
        return false;
    }

    /// <summary>The bytes end within one of some fields, given as name:bits.</summary>
    public bool Cut(long bit, int end, string fields, params int[] indexes)
    {
        string[] pieces = fields.Split(' ');
        long from = bit;
        int index = 0;
        while (index < pieces.Length - 1 && end * 8L - from >= BitsOf(pieces[index]))
        {
            from += BitsOf(pieces[index]);
            index += 1;
        }
        string piece = pieces[index];
        return Truncate(from, piece.Substring(0, piece.LastIndexOf(':')), indexes);
    }

    /// <summary>The same within items of one size.</summary>
    public bool CutItems(int itemBits, long bit, int end, string fields, params int[] indexes)
    {
        int item = (int)((end * 8L - bit) / itemBits);
        int[] own = new int[indexes.Length + 1];
        Array.Copy(indexes, own, indexes.Length);
        own[indexes.Length] = item;
        return Cut(bit + (long)item * itemBits, end, fields, own);
    }

    /// <summary>Adds the path under which the refused part was read.</summary>
    public bool Within(string outer, params int[] indexes)
    {
        if (Code == Code.Trailing)
        {
            return false;
        }
        string whole = WithIndexes(outer, indexes);
        Path = whole == "" || Path == "" || Path.StartsWith("[", StringComparison.Ordinal) ? whole + Path : whole + "." + Path;
        return false;
    }

    private static int BitsOf(string piece)
    {
        return int.Parse(piece.Substring(piece.LastIndexOf(':') + 1), System.Globalization.CultureInfo.InvariantCulture);
    }
}

/// <summary>A path with numbers for its [].</summary>
private static string WithIndexes(string path, params int[] indexes)
{
    string whole = path;
    int next = 0;
    for (int at = whole.IndexOf("[]", StringComparison.Ordinal); at >= 0; at = whole.IndexOf("[]", at + 1, StringComparison.Ordinal))
    {
        whole = whole.Substring(0, at + 1) + indexes[next++] + whole.Substring(at + 1);
    }
    return whole;
}`;

const load = (name: string, type: string, text: string): Record<string, string> => ({
  [name]: `private static ${type} ${name}(byte[] b, int at)
{
    return ${text};
}`,
});

/** All other parts, by the name that stands in the code where they are needed. */
export const csharpRuntime: RuntimeParts = {
  ...load("I8", "int", "(sbyte)b[at]"),
  ...load("U16be", "int", "b[at] << 8 | b[at + 1]"),
  ...load("U16le", "int", "b[at] | b[at + 1] << 8"),
  ...load("I16be", "int", "(sbyte)b[at] << 8 | b[at + 1]"),
  ...load("I16le", "int", "b[at] | (sbyte)b[at + 1] << 8"),
  ...load("U24be", "int", "b[at] << 16 | b[at + 1] << 8 | b[at + 2]"),
  ...load("U24le", "int", "b[at] | b[at + 1] << 8 | b[at + 2] << 16"),
  ...load("I24be", "int", "(sbyte)b[at] << 16 | b[at + 1] << 8 | b[at + 2]"),
  ...load("I24le", "int", "b[at] | b[at + 1] << 8 | (sbyte)b[at + 2] << 16"),
  ...load("U32be", "uint", "(uint)I32be(b, at)"),
  ...load("U32le", "uint", "(uint)I32le(b, at)"),
  ...load("U64le", "ulong", "U32le(b, at) | (ulong)U32le(b, at + 4) << 32"),
  ...load("I32be", "int", "b[at] << 24 | b[at + 1] << 16 | b[at + 2] << 8 | b[at + 3]"),
  ...load("I32le", "int", "b[at] | b[at + 1] << 8 | b[at + 2] << 16 | b[at + 3] << 24"),
  HighBits: `/// <summary>Bits at any place, the most significant one first.</summary>
private static int HighBits(byte[] b, long bit, int width)
{
    int last = (int)((bit + width - 1) >> 3);
    ulong word = 0;
    for (int at = (int)(bit >> 3); at <= last; at++)
    {
        word = word << 8 | b[at];
    }
    return (int)(word >> (int)((last + 1) * 8L - bit - width) & (1UL << width) - 1);
}`,
  LowBits: `/// <summary>Bits within one byte, counted from its low end.</summary>
private static int LowBits(byte[] b, long bit, int width)
{
    return b[(int)(bit >> 3)] >> (int)(bit & 7) & (1 << width) - 1;
}`,
  BytesAt: `private static byte[] BytesAt(byte[] b, int at, int count)
{
    byte[] copy = new byte[count];
    Buffer.BlockCopy(b, at, copy, 0, count);
    return copy;
}`,
  ChangedBytes: `/// <summary>Bytes of which each is changed, perhaps in reverse.</summary>
private static byte[] ChangedBytes(byte[] b, int at, int count, string change, bool isReversed)
{
    byte[] copy = new byte[count];
    for (int i = 0; i < count; i++)
    {
        copy[isReversed ? count - 1 - i : i] = Changed(b[at + i], change);
    }
    return copy;
}`,
  BytesOfBits: `private static byte[] BytesOfBits(byte[] b, long bit, int count)
{
    byte[] copy = new byte[count];
    for (int i = 0; i < count; i++)
    {
        copy[i] = (byte)HighBits(b, bit + i * 8L, 8);
    }
    return copy;
}`,
  AllZero: `private static bool AllZero(byte[] bytes)
{
    foreach (byte each in bytes)
    {
        if (each != 0)
        {
            return false;
        }
    }
    return true;
}`,
  ZeroAt: `/// <summary>Where the zero byte of a text lies; -1 where the bytes end first, -2 where the text is over its limit.</summary>
private static int ZeroAt(byte[] b, int at, int end, int limit)
{
    bool isLimited = at + limit < end;
    int last = isLimited ? at + limit : end - 1;
    for (int zero = at; zero <= last; zero++)
    {
        if (b[zero] == 0)
        {
            return zero;
        }
    }
    return isLimited ? -2 : -1;
}`,
  Latin1: `private static string Latin1(byte[] b, int at, int count)
{
    char[] text = new char[count];
    for (int i = 0; i < count; i++)
    {
        text[i] = (char)b[at + i];
    }
    return new string(text);
}`,
  Windows1252: `private static string Windows1252(byte[] b, int at, int count)
{
    char[] text = new char[count];
    for (int i = 0; i < count; i++)
    {
        int code = b[at + i];
        text[i] = code < 0x80 || code > 0x9f ? (char)code : SpecialCharacters[code - 0x80];
    }
    return new string(text);
}`,
  PutWindows1252: `private static void PutWindows1252(byte[] b, int at, string text, int least, string path, params int[] indexes)
{
    for (int i = 0; i < text.Length; i++)
    {
        char own = text[i];
        int special = SpecialCharacters.IndexOf(own);
        int code = own < 0x80 || (own > 0x9f && own <= 0xff) ? own : special < 0 ? -1 : 0x80 + special;
        if (code < least)
        {
            throw Unfit(path, indexes);
        }
        b[at + i] = (byte)code;
    }
}`,
  SpecialCharacters: `/// <summary>Characters of 0x80 to 0x9F in windows-1252.</summary>
private const string SpecialCharacters =
    "\\u20ac\\u0081\\u201a\\u0192\\u201e\\u2026\\u2020\\u2021\\u02c6\\u2030\\u0160\\u2039\\u0152\\u008d\\u017d\\u008f"
    + "\\u0090\\u2018\\u2019\\u201c\\u201d\\u2022\\u2013\\u2014\\u02dc\\u2122\\u0161\\u203a\\u0153\\u009d\\u017e\\u0178";`,
  PutLatin1: `private static void PutLatin1(byte[] b, int at, string text, int least, string path, params int[] indexes)
{
    for (int i = 0; i < text.Length; i++)
    {
        char code = text[i];
        if (code < least || code > 0xff)
        {
            throw Unfit(path, indexes);
        }
        b[at + i] = (byte)code;
    }
}`,
  Put16be: `private static void Put16be(byte[] b, int at, int value)
{
    b[at] = (byte)(value >> 8);
    b[at + 1] = (byte)value;
}`,
  Put16le: `private static void Put16le(byte[] b, int at, int value)
{
    b[at] = (byte)value;
    b[at + 1] = (byte)(value >> 8);
}`,
  Put24be: `private static void Put24be(byte[] b, int at, int value)
{
    b[at] = (byte)(value >> 16);
    Put16be(b, at + 1, value);
}`,
  Put24le: `private static void Put24le(byte[] b, int at, int value)
{
    Put16le(b, at, value);
    b[at + 2] = (byte)(value >> 16);
}`,
  Put64le: `private static void Put64le(byte[] b, int at, ulong value)
{
    Put32le(b, at, (int)value);
    Put32le(b, at + 4, (int)(value >> 32));
}`,
  Put32be: `private static void Put32be(byte[] b, int at, int value)
{
    b[at] = (byte)(value >> 24);
    b[at + 1] = (byte)(value >> 16);
    b[at + 2] = (byte)(value >> 8);
    b[at + 3] = (byte)value;
}`,
  Put32le: `private static void Put32le(byte[] b, int at, int value)
{
    b[at] = (byte)value;
    b[at + 1] = (byte)(value >> 8);
    b[at + 2] = (byte)(value >> 16);
    b[at + 3] = (byte)(value >> 24);
}`,
  PutHighBits: `/// <summary>Writes bits at any place, the most significant one first. What follows in the last byte becomes 0.</summary>
private static void PutHighBits(byte[] b, long bit, int width, int value)
{
    long at = bit;
    for (int left = width; left > 0;)
    {
        int used = (int)(at & 7);
        int count = Math.Min(8 - used, left);
        int piece = value >> (left - count) & (1 << count) - 1;
        int moved = piece << (8 - used - count);
        b[(int)(at >> 3)] = (byte)(used == 0 ? moved : b[(int)(at >> 3)] | moved);
        at += count;
        left -= count;
    }
}`,
  PutLowBits: `/// <summary>Writes bits within one byte, counted from its low end. The first bits of a byte clear the others.</summary>
private static void PutLowBits(byte[] b, long bit, int width, int value)
{
    int at = (int)(bit >> 3);
    int used = (int)(bit & 7);
    int own = (value & (1 << width) - 1) << used;
    b[at] = (byte)(used == 0 ? own : b[at] | own);
}`,
  PutSmart: `private static int PutSmart(byte[] b, int at, int value)
{
    if (value < 128)
    {
        b[at] = (byte)value;
        return at + 1;
    }
    Put16be(b, at, value | 0x8000);
    return at + 2;
}`,
  PutWideSmart: `private static int PutWideSmart(byte[] b, int at, int value)
{
    if (value < 32767)
    {
        Put16be(b, at, value == -1 ? 32767 : value);
        return at + 2;
    }
    Put32be(b, at, value | int.MinValue);
    return at + 4;
}`,
  PutBytes: `private static void PutBytes(byte[] b, int at, byte[] bytes)
{
    if (bytes.Length > b.Length - at)
    {
        throw new IndexOutOfRangeException();
    }
    Buffer.BlockCopy(bytes, 0, b, at, bytes.Length);
}`,
  PutChanged: `private static void PutChanged(byte[] b, int at, byte[] bytes, string change, bool isReversed)
{
    for (int i = 0; i < bytes.Length; i++)
    {
        b[at + (isReversed ? bytes.Length - 1 - i : i)] = Changed(bytes[i], change);
    }
}`,
  Changed: `/// <summary>A byte as it stands on the wire, and back.</summary>
private static byte Changed(byte own, string change)
{
    switch (change)
    {
        case "+128":
            return (byte)(own + 128);
        case "neg":
            return (byte)-own;
        case "sub":
            return (byte)(128 - own);
        default:
            return own;
    }
}`,
  Fit: `/// <summary>A number that must be in a range.</summary>
private static int Fit(int value, int min, int max, string path, params int[] indexes)
{
    return (int)Fit((long)value, (long)min, (long)max, path, indexes);
}

private static long Fit(long value, long min, long max, string path, params int[] indexes)
{
    if (value < min || value > max)
    {
        throw new ArgumentException(
            "Cannot write " + WithIndexes(path, indexes) + ": " + value + " is not in " + min + ".." + max);
    }
    return value;
}`,
  Fixed: `/// <summary>A multiple of a fraction as a whole number.</summary>
private static long Fixed(double value, int divisor, long min, long max, string path, params int[] indexes)
{
    double whole = value * divisor;
    if (!(whole == Math.Floor(whole)) || whole < min || whole > max)
    {
        throw Unfit(path, indexes);
    }
    return (long)whole;
}`,
  FloatBits: `/// <summary>A float and its bits. One that is no number keeps its bits, and is a quiet one.</summary>
[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)]
private struct FloatBits
{
    [System.Runtime.InteropServices.FieldOffset(0)]
    private int bits;

    [System.Runtime.InteropServices.FieldOffset(0)]
    private float number;

    internal static float From(int bits)
    {
        FloatBits own = new FloatBits();
        own.bits = bits;
        return own.number;
    }

    internal static int Of(float value)
    {
        FloatBits own = new FloatBits();
        own.number = value;
        return float.IsNaN(value) ? own.bits | 0x00400000 : own.bits;
    }
}`,
  Finite: `/// <summary>A float that must be finite; -0 becomes 0.</summary>
private static float Finite(float value, string path, params int[] indexes)
{
    if (float.IsNaN(value) || float.IsInfinity(value))
    {
        throw Unfit(path, indexes);
    }
    return PlainZero(value);
}`,
  PlainZero: `/// <summary>The float, and 0 for -0. To add 0 is not enough: Mono leaves that out.</summary>
private static float PlainZero(float value)
{
    return value == 0f ? 0f : value;
}`,
  Absent: `private static ArgumentException Absent(string path, params int[] indexes)
{
    return new ArgumentException("Cannot write " + WithIndexes(path, indexes) + ": it is absent");
}`,
  Unfit: `private static ArgumentException Unfit(string path, params int[] indexes)
{
    return new ArgumentException("Cannot write " + WithIndexes(path, indexes) + ": its value does not fit");
}`,
  Lz4: `/// <summary>LZ4 blocks that hold messages.</summary>
private static class Lz4
{
    private const int More = 15;
    private const int MinMatch = 4;
    private const int LastLiterals = 5;
    private const int MatchMargin = 12;
    private const int HashBits = 12;

    /// <summary>The body of the block from at to end; null where the block is refused.</summary>
    internal static Input Open(Input input, int at, int end, int limit, bool ignoresUnused, int exact, string path)
    {
        byte[] b = input.Bytes;
        byte[] output = new byte[Math.Min(limit, 4096)];
        int size = 0;
        while (true)
        {
            int tokenAt = at;
            if (at >= end)
            {
                return Truncated(input, at, path);
            }
            int token = b[at++];
            long literals = token >> 4;
            if (literals == More && !Length(b, ref at, end, ref literals))
            {
                return Truncated(input, at, path);
            }
            if (literals > end - at)
            {
                return Truncated(input, at, path);
            }
            if (literals > limit - size)
            {
                return Refused(input, Code.Limit, at, path);
            }
            output = WithRoom(output, size + (int)literals, limit);
            Buffer.BlockCopy(b, at, output, size, (int)literals);
            at += (int)literals;
            size += (int)literals;
            if (at == end)
            {
                if ((token & 15) != 0 && !ignoresUnused)
                {
                    return Refused(input, Code.BadValue, tokenAt, path);
                }
                if (exact >= 0 && size != exact)
                {
                    return Refused(input, Code.BadLength, end, path);
                }
                return new Input(Part(output, 0, size), 0);
            }
            int offsetAt = at;
            if (end - at < 2)
            {
                return Truncated(input, at, path);
            }
            int offset = b[at] | b[at + 1] << 8;
            at += 2;
            if (offset == 0 || offset > size)
            {
                return Refused(input, Code.BadValue, offsetAt, path);
            }
            long match = (token & 15) + MinMatch;
            if ((token & 15) == More && !Length(b, ref at, end, ref match))
            {
                return Truncated(input, at, path);
            }
            if (match > limit - size)
            {
                return Refused(input, Code.Limit, offsetAt, path);
            }
            output = WithRoom(output, size + (int)match, limit);
            // A match may run into what it writes: then it repeats.
            for (int i = 0; i < match; i++)
            {
                output[size + i] = output[size - offset + i];
            }
            size += (int)match;
        }
    }

    private static Input Refused(Input input, Code code, int at, string path)
    {
        input.Refuse(code, at * 8L, path);
        return null;
    }

    private static Input Truncated(Input input, int at, string path)
    {
        input.Truncate(at * 8L, path);
        return null;
    }

    /// <summary>Adds the bytes of a length that did not fit in a token; false where the bytes end.</summary>
    private static bool Length(byte[] b, ref int at, int end, ref long length)
    {
        int more;
        do
        {
            if (at >= end)
            {
                return false;
            }
            more = b[at++];
            length += more;
        }
        while (more == 0xff);
        return true;
    }

    private static byte[] Part(byte[] bytes, int from, int count)
    {
        byte[] part = new byte[count];
        Buffer.BlockCopy(bytes, from, part, 0, count);
        return part;
    }

    private static byte[] WithRoom(byte[] output, int size, int limit)
    {
        if (size <= output.Length)
        {
            return output;
        }
        byte[] larger = new byte[Math.Min(limit, Math.Max(size, output.Length * 2))];
        Buffer.BlockCopy(output, 0, larger, 0, output.Length);
        return larger;
    }

    /// <summary>What came out of a block was refused, or is longer than what it holds.</summary>
    internal static bool Refuse(Input input, int at, int end, Input body, bool isRead, string path)
    {
        if (isRead)
        {
            body.Refuse(Code.Trailing, body.At * 8L, "");
        }
        // Literals lie in the block as they are: where it has no match, places in it have places in the bytes.
        byte[] b = input.Bytes;
        int from = at + 1;
        long literals = b[at] >> 4;
        if (literals == More)
        {
            Length(b, ref from, end, ref literals);
        }
        long bit = from + literals == end ? from * 8L + body.Bit : at * 8L;
        input.Refuse(body.Code, bit, body.Path);
        input.IsCut = body.IsCut;
        return input.Within(path);
    }

    /// <summary>A block of bytes, of which the first ones become literals.</summary>
    internal static byte[] Pack(byte[] bytes, int head)
    {
        byte[] content = Part(bytes, head, bytes.Length - head);
        byte[] output = new byte[content.Length + content.Length / 255 + 16];
        byte[] packed = Part(output, 0, Compress(content, output));
        if (head == 0)
        {
            return packed;
        }
        int token = packed[0];
        long literals = token >> 4;
        int from = 1;
        if (literals == More)
        {
            Length(packed, ref from, packed.Length, ref literals);
        }
        int count = head + (int)literals;
        byte[] whole = new byte[packed.Length + head + count / 255 + 2];
        whole[0] = (byte)(Math.Min(count, More) << 4 | token & 15);
        int to = count >= More ? PutLength(whole, 1, count - More) : 1;
        Buffer.BlockCopy(bytes, 0, whole, to, head);
        Buffer.BlockCopy(packed, from, whole, to + head, packed.Length - from);
        return Part(whole, 0, to + head + packed.Length - from);
    }

    private static int Compress(byte[] bytes, byte[] output)
    {
        int length = bytes.Length;
        if (length <= MatchMargin)
        {
            return PutLast(output, 0, bytes, 0);
        }
        int[] seen = new int[1 << HashBits];
        for (int i = 0; i < seen.Length; i++)
        {
            seen[i] = -1;
        }
        int searchEnd = length - MatchMargin;
        int matchEnd = length - LastLiterals;
        int to = 0;
        int anchor = 0;
        int place = 0;
        int misses = 64;
        while (place <= searchEnd)
        {
            int word = I32le(bytes, place);
            int hash = (int)((uint)word * 0x9e3779b1u >> 32 - HashBits);
            int from = seen[hash];
            seen[hash] = place;
            if (from < 0 || place - from > 0xffff || I32le(bytes, from) != word)
            {
                place += misses++ >> 6;
                continue;
            }
            misses = 64;
            while (place > anchor && from > 0 && bytes[place - 1] == bytes[from - 1])
            {
                place--;
                from--;
            }
            int offset = place - from;
            int end = place + MinMatch;
            while (end < matchEnd && bytes[end] == bytes[end - offset])
            {
                end++;
            }
            int literals = place - anchor;
            int match = end - place - MinMatch;
            output[to++] = (byte)(Math.Min(literals, More) << 4 | Math.Min(match, More));
            if (literals >= More)
            {
                to = PutLength(output, to, literals - More);
            }
            Buffer.BlockCopy(bytes, anchor, output, to, literals);
            to += literals;
            output[to++] = (byte)offset;
            output[to++] = (byte)(offset >> 8);
            if (match >= More)
            {
                to = PutLength(output, to, match - More);
            }
            anchor = end;
            place = end;
        }
        return PutLast(output, to, bytes, anchor);
    }

    private static int PutLast(byte[] output, int at, byte[] bytes, int from)
    {
        int literals = bytes.Length - from;
        int to = at;
        output[to++] = (byte)(Math.Min(literals, More) << 4);
        if (literals >= More)
        {
            to = PutLength(output, to, literals - More);
        }
        Buffer.BlockCopy(bytes, from, output, to, literals);
        return to + literals;
    }

    private static int PutLength(byte[] output, int at, int length)
    {
        int to = at;
        int left = length;
        for (; left >= 0xff; left -= 0xff)
        {
            output[to++] = 0xff;
        }
        output[to++] = (byte)left;
        return to;
    }
}`,
};
