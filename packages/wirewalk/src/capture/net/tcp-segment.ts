/** TCP segments (RFC 9293, section 3.1), as far as their bytes have to be put in order. */

/** One segment. */
export interface TcpSegment {
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** Of the first byte, or of SYN. */
  readonly sequence: number;
  /** The next byte that the sender expects of its peer; undefined without the flag ACK. */
  readonly acknowledged: number | undefined;
  readonly syn: boolean;
  readonly fin: boolean;
  readonly reset: boolean;
  /** What the capture has of the segment's bytes: a view. */
  readonly payload: Uint8Array;
  /** Bytes of the segment on the network. */
  readonly length: number;
}

const HEADER_BYTES = 20;
const FIN = 1;
const SYN = 2;
const RST = 4;
const ACK = 16;

/** Reads a segment with `length` bytes on the network, of which the capture has `data`; undefined for bytes that cannot be a segment. */
export function readTcp(data: Uint8Array, length: number): TcpSegment | undefined {
  if (data.length < HEADER_BYTES) return undefined;
  const headerBytes = ((data[12] as number) >> 4) * 4;
  if (headerBytes < HEADER_BYTES || headerBytes > length) return undefined;
  const flags = data[13] as number;
  return {
    sourcePort: ((data[0] as number) << 8) | (data[1] as number),
    destinationPort: ((data[2] as number) << 8) | (data[3] as number),
    sequence: u32(data, 4),
    acknowledged: (flags & ACK) === 0 ? undefined : u32(data, 8),
    syn: (flags & SYN) !== 0,
    fin: (flags & FIN) !== 0,
    reset: (flags & RST) !== 0,
    payload: data.subarray(Math.min(headerBytes, data.length)),
    length: length - headerBytes,
  };
}

function u32(data: Uint8Array, at: number): number {
  return (
    (((data[at] as number) << 24) |
      ((data[at + 1] as number) << 16) |
      ((data[at + 2] as number) << 8) |
      (data[at + 3] as number)) >>>
    0
  );
}
