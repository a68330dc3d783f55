/** The frames of a stream in Go. */
import type { FrameTexts } from "./frame-texts.ts";

const frame = `// NextClientFrame gives the payload of the next frame of what a client sends, and how many bytes carry it: 0 until all of
// it has come. Bytes of a frame that is not complete must be kept. A *WireError says that b begins no frame: the stream
// has no next one. Its place counts from the frame's first byte.
func NextClientFrame(b []byte) (payload []byte, size int, err error) {
	return nextFrame(b, true)
}

// NextServerFrame is NextClientFrame for what a server sends.
func NextServerFrame(b []byte) (payload []byte, size int, err error) {
	return nextFrame(b, false)
}

// AppendClientFrame appends the bytes that carry a client's payload. A payload that no frame can carry is a *FrameError.
func AppendClientFrame(b, payload []byte) ([]byte, error) {
	return appendFrame(b, payload, true)
}

// AppendServerFrame is AppendClientFrame for a server's payload.
func AppendServerFrame(b, payload []byte) ([]byte, error) {
	return appendFrame(b, payload, false)
}

// FrameError says that no frame can carry a payload.
type FrameError struct {
	// How many bytes it has.
	Bytes int
}

func (e *FrameError) Error() string {
	return "cannot frame: no frame carries this payload of " + strconv.Itoa(e.Bytes) + " bytes"
}
`;

export const goFrames: FrameTexts = {
  sizeLine: (opcode, size) => `\tcase ${opcode}:\n\t\treturn ${size}`,
  truth: String,
  length: `${frame}
func nextFrame(b []byte, isClient bool) ([]byte, int, error) {
	if len(b) < 2 {
		return nil, 0, nil
	}
	size := int(b[{low}]) | int(b[{high}])<<8
	if size > frameLimit(isClient) {
		return nil, 0, refuse(CodeLimit, "", 0)
	}
	if len(b)-2 < size {
		return nil, 0, nil
	}
	return append([]byte{}, b[2:2+size]...), 2 + size, nil
}

func appendFrame(b, payload []byte, isClient bool) ([]byte, error) {
	size := len(payload)
	if size > frameLimit(isClient) {
		return b, &FrameError{size}
	}
	head := [2]byte{}
	head[{low}] = byte(size)
	head[{high}] = byte(size >> 8)
	return append(append(b, head[:]...), payload...), nil
}

func frameLimit(isClient bool) int {
	if isClient {
		return {limitClient}
	}
	return {limitServer}
}`,
  opcode: `// ClientBodySize says how many bytes the body of a client's opcode has: -1 where one byte before it says so, -2 where two
// do, the high one first; -3 for no opcode.
func ClientBodySize(opcode int) int {
	switch opcode {
{sizesClient}
	}
	return -3
}

// ServerBodySize is ClientBodySize for a server's opcode.
func ServerBodySize(opcode int) int {
	switch opcode {
{sizesServer}
	}
	return -3
}

const (
	isClientSmart  = {smartClient}
	isServerSmart  = {smartServer}
	frameBodyLimit = {bodyLimit}
)

${frame}
func bodySize(opcode int, isClient bool) int {
	if isClient {
		return ClientBodySize(opcode)
	}
	return ServerBodySize(opcode)
}

func nextFrame(b []byte, isClient bool) ([]byte, int, error) {
	if len(b) < 1 {
		return nil, 0, nil
	}
	opcode, head := int(b[0]), 1
	if (isClient && isClientSmart || !isClient && isServerSmart) && opcode > 127 {
		if len(b) < 2 {
			return nil, 0, nil
		}
		opcode, head = (opcode&127)<<8|int(b[1]), 2
		if opcode < 128 {
			return nil, 0, refuse(CodeBadValue, "opcode", 8)
		}
	}
	size := bodySize(opcode, isClient)
	if size == -3 {
		return nil, 0, refuse(CodeUnknownMessage, "opcode", (head-1)*8)
	}
	if size < 0 {
		before := -size
		if len(b) < head+before {
			return nil, 0, nil
		}
		size = int(b[head])
		if before == 2 {
			size = size<<8 | int(b[head+1])
		}
		if size > frameBodyLimit {
			return nil, 0, refuse(CodeLimit, "size", head*8)
		}
		head += before
	}
	if len(b)-head < size {
		return nil, 0, nil
	}
	payload := make([]byte, 1+size)
	payload[0] = byte(opcode)
	copy(payload[1:], b[head:head+size])
	return payload, head + size, nil
}

func appendFrame(b, payload []byte, isClient bool) ([]byte, error) {
	if len(payload) == 0 {
		return b, &FrameError{0}
	}
	opcode, body := int(payload[0]), len(payload)-1
	size := bodySize(opcode, isClient)
	fits := body == size
	if size == -1 {
		fits = body <= 255
	} else if size == -2 {
		fits = body <= frameBodyLimit
	}
	if !fits {
		return b, &FrameError{len(payload)}
	}
	if (isClient && isClientSmart || !isClient && isServerSmart) && opcode > 127 {
		b = append(b, byte(opcode>>8|128))
	}
	b = append(b, byte(opcode))
	if size == -2 {
		b = append(b, byte(body>>8))
	}
	if size < 0 {
		b = append(b, byte(body))
	}
	return append(b, payload[1:]...), nil
}`,
};
