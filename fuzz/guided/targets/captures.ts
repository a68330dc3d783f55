/** Captures: files of any bytes, and TCP segments in any order. */
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

/** Pieces into which the first byte of an input cuts its file. */
const PIECE_BYTES = 7;
/** What a segment of the script has: sender and flags, place, length. */
const SEGMENT_BYTES = 4;
const MAX_SEGMENTS = 200;

/** Any bytes as a capture file: never an error but at its start, and the same packets and faults whole and in pieces. */
export const captureFiles: Target = {
  name: "capture files",
  summary:
    "a pcap or pcapng file, the size of its pieces in the first byte: the same packets and faults whole and in pieces",
  cover: new RegExp(`${src}capture/file/.*(?<!\\.test)\\.ts$`),
  maxBytes: 800,
  async open() {
    const { CaptureReader } = await import("wirewalk/capture");
    const { joinBytes, WireError } = await import("wirewalk/wire");
    const made = await import("../../../packages/wirewalk/src/capture/testing/made-packets.ts");
    const read = (file: Uint8Array, step: number): string => {
      const lines: string[] = [];
      const reader = new CaptureReader({
        packet: ({ number, time, data }) =>
          lines.push(`${number} ${time.seconds} ${time.nanoseconds} ${Buffer.from(data).toString("hex")}`),
        fault: ({ byteOffset, text }) => lines.push(`${byteOffset} ${text}`),
      });
      try {
        for (let at = 0; at < file.length; at += step) reader.push(file.slice(at, at + step));
        reader.end();
        if (reader.offset !== file.length) throw new Error(`${reader.offset} of ${file.length} bytes were read`);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        lines.push(error.message);
      }
      return lines.join("\n");
    };
    const run: Run = (input) => {
      const file = input.subarray(1);
      const whole = read(file, Math.max(1, file.length));
      const inPieces = read(file, 1 + ((input[0] ?? 0) % PIECE_BYTES));
      if (whole !== inPieces) throw new Error(`whole:\n${whole}\nin pieces:\n${inPieces}`);
    };
    const packets = [1, 2, 3].map((seconds) => ({
      seconds,
      nanoseconds: 5000,
      data: new Uint8Array(20).fill(seconds),
    }));
    const kinds = [true, false].map((littleEndian) => ({ littleEndian, nanoseconds: littleEndian }));
    const sections = [true, false].map((littleEndian) =>
      joinBytes([
        made.sectionBlock(littleEndian),
        made.interfaceBlock(littleEndian, 1, 9, 4n),
        made.enhancedBlock(littleEndian, 0, 77n, new Uint8Array(17)),
        made.block(littleEndian, 5, new Uint8Array(9)),
        made.block(littleEndian, 3, new Uint8Array(24).fill(1)),
        made.block(littleEndian, 2, new Uint8Array(40)),
      ]),
    );
    const files = [...kinds.map((kind) => made.pcapFile(packets, kind)), ...sections];
    return { run, seeds: files.map((file) => Uint8Array.of(3, ...file)) };
  },
};

/** The byte of a stream at a sequence number, counted from the first one. */
function byteAt(place: number): number {
  return (place * 31 + (place >> 8)) & 0xff;
}

/** Segments of a stream whose bytes follow from their places: what is passed on is what stands there, and every place is passed once. */
export const tcpSegments: Target = {
  name: "tcp segments",
  summary:
    "segments by flags, place and length, near a sequence number that wraps around: bytes in their places, once, with gaps",
  cover: new RegExp(`${src}capture/net/(?:connections|stream-assembler).*(?<!\\.test)\\.ts$`),
  maxBytes: 1 + SEGMENT_BYTES * MAX_SEGMENTS,
  async open() {
    const { Connections } = await import("../../../packages/wirewalk/src/capture/net/connections.ts");
    const address = [Uint8Array.of(10, 0, 0, 7), Uint8Array.of(10, 0, 0, 1)] as const;
    const run: Run = (input) => {
      const start = 0xffff_ffff - (input[0] ?? 0) * 2;
      let open = 0;
      const table = new Connections(
        () => {
          open += 1;
          let place = 0;
          return {
            data(_from, bytes) {
              if (bytes.some((byte, index) => byte !== byteAt(place + index)))
                throw new Error(`other bytes at ${place}`);
              place += bytes.length;
            },
            gap(_from, bytes) {
              if (bytes <= 0) throw new Error(`a gap of ${bytes}`);
              place += bytes;
            },
            close() {
              open -= 1;
            },
          };
        },
        { heldBytes: 2000, connections: 4 },
      );
      let number = 0;
      const payload = new Uint8Array(0);
      const opening = { sourcePort: 5, destinationPort: 80, sequence: (start - 1) >>> 0, acknowledged: undefined };
      const stampOf = () => ({ number, time: { seconds: number, nanoseconds: 0 } });
      // Without a handshake the first place would be unknown.
      const [client, server] = address;
      const packet = { source: client, destination: server, protocol: 6, payload, length: 0 };
      table.segment(packet, { ...opening, syn: true, fin: false, reset: false, payload, length: 0 }, stampOf());
      for (let at = 1; at + SEGMENT_BYTES <= input.length; at += SEGMENT_BYTES) {
        const [flags = 0, high = 0, low = 0, length = 0] = input.subarray(at, at + SEGMENT_BYTES);
        const place = ((high & 0x1f) << 8) | low;
        number += 1;
        const syn = (flags & 1) !== 0;
        const isAnswer = (flags & 2) !== 0;
        const payload =
          isAnswer || syn ? new Uint8Array(0) : Uint8Array.from({ length }, (_, index) => byteAt(place + index));
        const segment = {
          sourcePort: isAnswer ? 80 : 5,
          destinationPort: isAnswer ? 5 : 80,
          sequence: isAnswer ? 1 : syn ? (start - 1) >>> 0 : (start + place) >>> 0,
          acknowledged: isAnswer || (flags & 4) !== 0 ? (isAnswer ? (start + place) >>> 0 : 1) : undefined,
          syn: syn && !isAnswer,
          fin: (flags & 8) !== 0 && !isAnswer,
          reset: false,
          payload,
          length: payload.length,
        };
        const [source, destination] = isAnswer ? [address[1], address[0]] : address;
        table.segment({ source, destination, protocol: 6, payload, length: payload.length }, segment, stampOf());
      }
      table.finish(stampOf());
      if (open !== 0) throw new Error(`${open} connections were not closed`);
    };
    const script = (...segments: readonly (readonly [flags: number, place: number, length: number])[]): Uint8Array =>
      Uint8Array.of(9, ...segments.flatMap(([flags, place, length]) => [flags, place >> 8, place & 0xff, length]));
    return {
      run,
      seeds: [
        script([1, 0, 0], [4, 0, 50], [4, 50, 50], [2, 100, 0], [12, 100, 10]),
        script([1, 0, 0], [4, 100, 50], [4, 0, 60], [4, 20, 90], [4, 300, 200], [2, 600, 0]),
        script([4, 500, 50], [4, 450, 50], [4, 550, 50], [2, 700, 0]),
      ],
    };
  },
};
