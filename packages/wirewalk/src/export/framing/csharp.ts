/** The frames of a stream in C#. */
import type { FrameTexts } from "./frame-texts.ts";

const frame = `/// <summary>A frame of a stream: its payload, the number of the message first, and how many bytes carry it.</summary>
public sealed class Frame
{
    public byte[] Payload { get; private set; }
    public int Size { get; private set; }

    internal Frame(byte[] payload, int size)
    {
        Payload = payload;
        Size = size;
    }
}

/// <summary>
/// The next frame of what a client sends; null until all of it has come. Bytes of a frame that is not complete must be kept.
/// </summary>
/// <exception cref="WireError">The bytes begin no frame: the stream has no next one. Its place counts from the frame's first byte.</exception>
public static Frame NextClientFrame(byte[] bytes, int offset, int length)
{
    return NextFrame(bytes, offset, length, true);
}

/// <summary>The next frame of what a server sends, as NextClientFrame.</summary>
public static Frame NextServerFrame(byte[] bytes, int offset, int length)
{
    return NextFrame(bytes, offset, length, false);
}

/// <summary>The bytes that carry a client's payload.</summary>
/// <exception cref="ArgumentException">No frame can carry it.</exception>
public static byte[] ClientFrame(byte[] payload)
{
    return FrameOf(payload, true);
}

/// <summary>The bytes that carry a server's payload, as ClientFrame.</summary>
public static byte[] ServerFrame(byte[] payload)
{
    return FrameOf(payload, false);
}
`;

const range = `    if (offset < 0 || length < 0 || length > bytes.Length - offset)
    {
        throw new ArgumentOutOfRangeException("length");
    }`;

export const csharpFrames: FrameTexts = {
  sizeLine: (opcode, size) => `        case ${opcode}:\n            return ${size};`,
  truth: String,
  length: `${frame}
private static Frame NextFrame(byte[] bytes, int offset, int length, bool isClient)
{
${range}
    if (length < 2)
    {
        return null;
    }
    int size = bytes[offset + {low}] | bytes[offset + {high}] << 8;
    if (size > (isClient ? {limitClient} : {limitServer}))
    {
        throw new WireError(Code.Limit, "", 0);
    }
    if (length - 2 < size)
    {
        return null;
    }
    byte[] payload = new byte[size];
    Buffer.BlockCopy(bytes, offset + 2, payload, 0, size);
    return new Frame(payload, 2 + size);
}

private static byte[] FrameOf(byte[] payload, bool isClient)
{
    int size = payload.Length;
    int limit = isClient ? {limitClient} : {limitServer};
    if (size > limit)
    {
        throw new ArgumentException("Cannot frame: a payload has at most " + limit + " bytes, got " + size);
    }
    byte[] frame = new byte[2 + size];
    frame[{low}] = (byte)(size & 255);
    frame[{high}] = (byte)(size >> 8);
    Buffer.BlockCopy(payload, 0, frame, 2, size);
    return frame;
}`,
  opcode: `/// <summary>
/// How many bytes the body of a client's opcode has: -1 where one byte before it says so, -2 where two do, the high one
/// first; -3 for no opcode.
/// </summary>
public static int ClientBodySize(int opcode)
{
    switch (opcode)
    {
{sizesClient}
        default:
            return -3;
    }
}

/// <summary>How many bytes the body of a server's opcode has, as ClientBodySize.</summary>
public static int ServerBodySize(int opcode)
{
    switch (opcode)
    {
{sizesServer}
        default:
            return -3;
    }
}

${frame}
private static Frame NextFrame(byte[] bytes, int offset, int length, bool isClient)
{
${range}
    if (length < 1)
    {
        return null;
    }
    bool isSmart = isClient ? {smartClient} : {smartServer};
    int opcode = bytes[offset];
    int head = 1;
    if (isSmart && opcode > 127)
    {
        if (length < 2)
        {
            return null;
        }
        opcode = (opcode & 127) << 8 | bytes[offset + 1];
        head = 2;
        if (opcode < 128)
        {
            throw new WireError(Code.BadValue, "opcode", 8);
        }
    }
    int size = isClient ? ClientBodySize(opcode) : ServerBodySize(opcode);
    if (size == -3)
    {
        throw new WireError(Code.UnknownMessage, "opcode", (head - 1) * 8L);
    }
    if (size < 0)
    {
        int before = -size;
        if (length < head + before)
        {
            return null;
        }
        size = bytes[offset + head];
        if (before == 2)
        {
            size = size << 8 | bytes[offset + head + 1];
        }
        if (size > {bodyLimit})
        {
            throw new WireError(Code.Limit, "size", head * 8L);
        }
        head += before;
    }
    if (length - head < size)
    {
        return null;
    }
    byte[] payload = new byte[1 + size];
    payload[0] = (byte)opcode;
    Buffer.BlockCopy(bytes, offset + head, payload, 1, size);
    return new Frame(payload, head + size);
}

private static byte[] FrameOf(byte[] payload, bool isClient)
{
    int opcode = payload.Length == 0 ? -1 : payload[0];
    int body = payload.Length - 1;
    int size = isClient ? ClientBodySize(opcode) : ServerBodySize(opcode);
    bool fits = size == -2 ? body <= {bodyLimit} : size == -1 ? body <= 255 : size >= 0 && body == size;
    if (!fits)
    {
        throw new ArgumentException("Cannot frame: opcode " + opcode + " has no body of " + body + " bytes");
    }
    bool isSmart = isClient ? {smartClient} : {smartServer};
    int before = size < 0 ? -size : 0;
    int head = (isSmart && opcode > 127 ? 2 : 1) + before;
    byte[] frame = new byte[head + body];
    int at = 0;
    if (head - before == 2)
    {
        frame[at++] = (byte)(opcode >> 8 | 128);
    }
    frame[at++] = (byte)opcode;
    if (before == 2)
    {
        frame[at++] = (byte)(body >> 8);
    }
    if (before > 0)
    {
        frame[at] = (byte)(body & 255);
    }
    Buffer.BlockCopy(payload, 1, frame, head, body);
    return frame;
}`,
};
