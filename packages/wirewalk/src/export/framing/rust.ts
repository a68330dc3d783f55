/** The frames of a stream in Rust. */
import type { FrameTexts } from "./frame-texts.ts";

const frame = `/// A frame of a stream: its payload, the number of the message first, and how many bytes carry it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Frame<'a> {
    pub payload: Cow<'a, [u8]>,
    pub size: usize,
}

/// The next frame of what a client sends; \`None\` until all of it has come. Bytes of a frame that is not complete must be
/// kept. An error says that the bytes begin no frame: the stream has no next one. Its place counts from the frame's first
/// byte.
pub fn next_client_frame(b: &[u8]) -> Result<Option<Frame<'_>>, WireError> {
    next_frame(b, true)
}

/// The next frame of what a server sends, as [\`next_client_frame\`].
pub fn next_server_frame(b: &[u8]) -> Result<Option<Frame<'_>>, WireError> {
    next_frame(b, false)
}

/// The bytes that carry a client's payload; \`Unfit\` where no frame can.
pub fn client_frame(payload: &[u8]) -> Result<Vec<u8>, WriteError> {
    frame_of(payload, true)
}

/// The bytes that carry a server's payload, as [\`client_frame\`].
pub fn server_frame(payload: &[u8]) -> Result<Vec<u8>, WriteError> {
    frame_of(payload, false)
}

fn no_frame() -> WriteError {
    WriteError::Unfit(String::from("frame"))
}
`;

export const rustFrames: FrameTexts = {
  sizeLine: (opcode, size) => `        ${opcode} => ${size},`,
  truth: String,
  length: `${frame}
fn frame_limit(is_client: bool) -> usize {
    if is_client { {limitClient} } else { {limitServer} }
}

fn next_frame(b: &[u8], is_client: bool) -> Result<Option<Frame<'_>>, WireError> {
    if b.len() < 2 {
        return Ok(None);
    }
    let size = usize::from(b[{low}]) | usize::from(b[{high}]) << 8;
    if size > frame_limit(is_client) {
        return Err(WireError::new(Code::Limit, "", 0));
    }
    Ok(b.get(2..2 + size).map(|payload| Frame { payload: Cow::Borrowed(payload), size: 2 + size }))
}

fn frame_of(payload: &[u8], is_client: bool) -> Result<Vec<u8>, WriteError> {
    let size = payload.len();
    if size > frame_limit(is_client) {
        return Err(no_frame());
    }
    let mut frame = vec![0; 2];
    frame[{low}] = size as u8;
    frame[{high}] = (size >> 8) as u8;
    frame.extend_from_slice(payload);
    Ok(frame)
}`,
  opcode: `/// How many bytes the body of a client's opcode has: -1 where one byte before it says so, -2 where two do, the high one
/// first; -3 for no opcode.
pub fn client_body_size(opcode: u16) -> i32 {
    match opcode {
{sizesClient}
        _ => -3,
    }
}

/// How many bytes the body of a server's opcode has, as [\`client_body_size\`].
pub fn server_body_size(opcode: u16) -> i32 {
    match opcode {
{sizesServer}
        _ => -3,
    }
}

const IS_CLIENT_SMART: bool = {smartClient};
const IS_SERVER_SMART: bool = {smartServer};
const BODY_LIMIT: usize = {bodyLimit};

${frame}
fn body_size(opcode: u16, is_client: bool) -> i32 {
    if is_client { client_body_size(opcode) } else { server_body_size(opcode) }
}

fn next_frame(b: &[u8], is_client: bool) -> Result<Option<Frame<'_>>, WireError> {
    let is_smart = if is_client { IS_CLIENT_SMART } else { IS_SERVER_SMART };
    let (opcode, head) = match *b {
        [] => return Ok(None),
        [first, ..] if !is_smart || first < 128 => (u16::from(first), 1),
        [_] => return Ok(None),
        [first, second, ..] => (u16::from(first & 127) << 8 | u16::from(second), 2),
    };
    if head == 2 && opcode < 128 {
        return Err(WireError::new(Code::BadValue, "opcode", 8));
    }
    let (from, size) = match body_size(opcode, is_client) {
        -3 => return Err(WireError::new(Code::UnknownMessage, "opcode", (head - 1) * 8)),
        before @ (-2 | -1) => {
            let from = head + before.unsigned_abs() as usize;
            let Some(bytes) = b.get(head..from) else {
                return Ok(None);
            };
            (from, bytes.iter().fold(0, |size, &byte| size << 8 | usize::from(byte)))
        }
        size => (head, size as usize),
    };
    if from > head && size > BODY_LIMIT {
        return Err(WireError::new(Code::Limit, "size", head * 8));
    }
    let Some(body) = b.get(from..from + size) else {
        return Ok(None);
    };
    let mut payload = Vec::with_capacity(1 + size);
    payload.push(opcode as u8);
    payload.extend_from_slice(body);
    Ok(Some(Frame { payload: Cow::Owned(payload), size: from + size }))
}

fn frame_of(payload: &[u8], is_client: bool) -> Result<Vec<u8>, WriteError> {
    let Some((&opcode, body)) = payload.split_first() else {
        return Err(no_frame());
    };
    let size = body_size(u16::from(opcode), is_client);
    let fits = match size {
        -3 => false,
        -2 => body.len() <= BODY_LIMIT,
        -1 => body.len() <= 255,
        size => body.len() == size as usize,
    };
    if !fits {
        return Err(no_frame());
    }
    let mut frame = Vec::with_capacity(4 + body.len());
    if opcode > 127 && (if is_client { IS_CLIENT_SMART } else { IS_SERVER_SMART }) {
        frame.push(128);
    }
    frame.push(opcode);
    if size == -2 {
        frame.push((body.len() >> 8) as u8);
    }
    if size < 0 {
        frame.push(body.len() as u8);
    }
    frame.extend_from_slice(body);
    Ok(frame)
}`,
};
