/** The frames of a stream in Java. */
import type { FrameTexts } from "./frame-texts.ts";

const frame = `/** A frame of a stream: its payload, the number of the message first, and how many bytes carry it. */
public record Frame(byte[] payload, int size) {}

/**
 * The next frame of what a client sends; null until all of it has come. Bytes of a frame that is not complete must be kept.
 *
 * @throws WireError for bytes that begin no frame: the stream has no next one. Its place counts from the frame's first byte
 */
public static Frame nextClientFrame(byte[] bytes, int offset, int length) {
  return nextFrame(bytes, offset, length, true);
}

/** The next frame of what a server sends, as {@code nextClientFrame}. */
public static Frame nextServerFrame(byte[] bytes, int offset, int length) {
  return nextFrame(bytes, offset, length, false);
}

/**
 * The bytes that carry a client's payload.
 *
 * @throws IllegalArgumentException for a payload that no frame can carry
 */
public static byte[] clientFrame(byte[] payload) {
  return frameOf(payload, true);
}

/** The bytes that carry a server's payload, as {@code clientFrame}. */
public static byte[] serverFrame(byte[] payload) {
  return frameOf(payload, false);
}
`;

export const javaFrames: FrameTexts = {
  sizeLine: (opcode, size) => `    case ${opcode} -> ${size};`,
  truth: String,
  length: `${frame}
private static Frame nextFrame(byte[] bytes, int offset, int length, boolean isClient) {
  java.util.Objects.checkFromIndexSize(offset, length, bytes.length);
  if (length < 2) {
    return null;
  }
  int size = bytes[offset + {low}] & 255 | (bytes[offset + {high}] & 255) << 8;
  if (size > (isClient ? {limitClient} : {limitServer})) {
    throw new WireError(Code.LIMIT, "", 0);
  }
  if (length - 2 < size) {
    return null;
  }
  return new Frame(Arrays.copyOfRange(bytes, offset + 2, offset + 2 + size), 2 + size);
}

private static byte[] frameOf(byte[] payload, boolean isClient) {
  int size = payload.length;
  int limit = isClient ? {limitClient} : {limitServer};
  if (size > limit) {
    throw new IllegalArgumentException("Cannot frame: a payload has at most " + limit + " bytes, got " + size);
  }
  byte[] frame = new byte[2 + size];
  frame[{low}] = (byte) size;
  frame[{high}] = (byte) (size >>> 8);
  System.arraycopy(payload, 0, frame, 2, size);
  return frame;
}`,
  opcode: `/**
 * How many bytes the body of a client's opcode has: -1 where one byte before it says so, -2 where two do, the high one
 * first; -3 for no opcode.
 */
public static int clientBodySize(int opcode) {
  return switch (opcode) {
{sizesClient}
    default -> -3;
  };
}

/** How many bytes the body of a server's opcode has, as {@code clientBodySize}. */
public static int serverBodySize(int opcode) {
  return switch (opcode) {
{sizesServer}
    default -> -3;
  };
}

${frame}
private static Frame nextFrame(byte[] bytes, int offset, int length, boolean isClient) {
  java.util.Objects.checkFromIndexSize(offset, length, bytes.length);
  if (length < 1) {
    return null;
  }
  boolean isSmart = isClient ? {smartClient} : {smartServer};
  int opcode = bytes[offset] & 255;
  int head = 1;
  if (isSmart && opcode > 127) {
    if (length < 2) {
      return null;
    }
    opcode = (opcode & 127) << 8 | bytes[offset + 1] & 255;
    head = 2;
    if (opcode < 128) {
      throw new WireError(Code.BAD_VALUE, "opcode", 8);
    }
  }
  int size = isClient ? clientBodySize(opcode) : serverBodySize(opcode);
  if (size == -3) {
    throw new WireError(Code.UNKNOWN_MESSAGE, "opcode", (head - 1) * 8L);
  }
  if (size < 0) {
    int before = -size;
    if (length < head + before) {
      return null;
    }
    size = bytes[offset + head] & 255;
    if (before == 2) {
      size = size << 8 | bytes[offset + head + 1] & 255;
    }
    if (size > {bodyLimit}) {
      throw new WireError(Code.LIMIT, "size", head * 8L);
    }
    head += before;
  }
  if (length - head < size) {
    return null;
  }
  byte[] payload = new byte[1 + size];
  payload[0] = (byte) opcode;
  System.arraycopy(bytes, offset + head, payload, 1, size);
  return new Frame(payload, head + size);
}

private static byte[] frameOf(byte[] payload, boolean isClient) {
  int opcode = payload.length == 0 ? -1 : payload[0] & 255;
  int body = payload.length - 1;
  int size = isClient ? clientBodySize(opcode) : serverBodySize(opcode);
  boolean fits =
      switch (size) {
        case -3 -> false;
        case -2 -> body <= {bodyLimit};
        case -1 -> body <= 255;
        default -> body == size;
      };
  if (!fits) {
    throw new IllegalArgumentException("Cannot frame: opcode " + opcode + " has no body of " + body + " bytes");
  }
  boolean isSmart = isClient ? {smartClient} : {smartServer};
  int before = size < 0 ? -size : 0;
  int head = (isSmart && opcode > 127 ? 2 : 1) + before;
  byte[] frame = new byte[head + body];
  int at = 0;
  if (head - before == 2) {
    frame[at++] = (byte) (opcode >>> 8 | 128);
  }
  frame[at++] = (byte) opcode;
  if (before == 2) {
    frame[at++] = (byte) (body >>> 8);
  }
  if (before > 0) {
    frame[at] = (byte) body;
  }
  System.arraycopy(payload, 1, frame, head, body);
  return frame;
}`,
};
