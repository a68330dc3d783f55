/** The frames of a stream in Python. */
import type { FrameTexts } from "./frame-texts.ts";

const frame = `def next_client_frame(b: Bytes) -> tuple[bytes, int] | None:
    """The payload of the next frame of what a client sends, and how many bytes carry it; None until all of it has come.

    Bytes of a frame that is not complete must be kept. Raises WireError for bytes that begin no frame: the stream has
    no next one. Its place counts from the frame's first byte.
    """
    return _next_frame(b, True)


def next_server_frame(b: Bytes) -> tuple[bytes, int] | None:
    """The next frame of what a server sends, as \`\`next_client_frame\`\`."""
    return _next_frame(b, False)


def client_frame(payload: Bytes) -> bytes:
    """The bytes that carry a client's payload. Raises ValueError for one that no frame can carry."""
    return _frame(payload, True)


def server_frame(payload: Bytes) -> bytes:
    """The bytes that carry a server's payload, as \`\`client_frame\`\`."""
    return _frame(payload, False)
`;

export const pythonFrames: FrameTexts = {
  sizeLine: (opcode, size) => `    ${opcode}: ${size},`,
  truth: (value) => (value ? "True" : "False"),
  length: `${frame}

def _next_frame(b: Bytes, is_client: bool) -> tuple[bytes, int] | None:
    if len(b) < 2:
        return None
    size = b[{low}] | b[{high}] << 8
    if size > ({limitClient} if is_client else {limitServer}):
        raise WireError(Code.LIMIT, "", 0)
    if len(b) - 2 < size:
        return None
    return bytes(b[2 : 2 + size]), 2 + size


def _frame(payload: Bytes, is_client: bool) -> bytes:
    size = len(payload)
    limit = {limitClient} if is_client else {limitServer}
    if size > limit:
        raise ValueError(f"Cannot frame: a payload has at most {limit} bytes, got {size}")
    head = bytearray(2)
    head[{low}] = size & 255
    head[{high}] = size >> 8
    return bytes(head) + bytes(payload)`,
  opcode: `# How many bytes the body of an opcode has: -1 where one byte before it says so, -2 where two do, the high one first.
CLIENT_BODY_SIZES: dict[int, int] = {
{sizesClient}
}
SERVER_BODY_SIZES: dict[int, int] = {
{sizesServer}
}
_IS_CLIENT_SMART = {smartClient}
_IS_SERVER_SMART = {smartServer}
_BODY_LIMIT = {bodyLimit}


${frame}

def _next_frame(b: Bytes, is_client: bool) -> tuple[bytes, int] | None:
    if len(b) < 1:
        return None
    opcode = b[0]
    head = 1
    if (_IS_CLIENT_SMART if is_client else _IS_SERVER_SMART) and opcode > 127:
        if len(b) < 2:
            return None
        opcode = (opcode & 127) << 8 | b[1]
        head = 2
        if opcode < 128:
            raise WireError(Code.BAD_VALUE, "opcode", 8)
    size = (CLIENT_BODY_SIZES if is_client else SERVER_BODY_SIZES).get(opcode)
    if size is None:
        raise WireError(Code.UNKNOWN_MESSAGE, "opcode", (head - 1) * 8)
    if size < 0:
        before = -size
        if len(b) < head + before:
            return None
        size = int.from_bytes(b[head : head + before], "big")
        if size > _BODY_LIMIT:
            raise WireError(Code.LIMIT, "size", head * 8)
        head += before
    if len(b) - head < size:
        return None
    return bytes((opcode,)) + bytes(b[head : head + size]), head + size


def _frame(payload: Bytes, is_client: bool) -> bytes:
    opcode = payload[0] if len(payload) > 0 else -1
    body = len(payload) - 1
    size = (CLIENT_BODY_SIZES if is_client else SERVER_BODY_SIZES).get(opcode)
    fits = size is not None and (body <= (255 if size == -1 else _BODY_LIMIT) if size < 0 else body == size)
    if size is None or not fits:
        raise ValueError(f"Cannot frame: opcode {opcode} has no body of {body} bytes")
    is_wide = (_IS_CLIENT_SMART if is_client else _IS_SERVER_SMART) and opcode > 127
    head = bytes((opcode >> 8 | 128, opcode & 255)) if is_wide else bytes((opcode,))
    return head + (body.to_bytes(-size, "big") if size < 0 else b"") + bytes(payload[1:])`,
};
