/**
 * The older format of captures, pcap (draft-ietf-opsawg-pcap): a header, then packets with a header of 16 bytes each. Both byte
 * orders, times in microseconds and nanoseconds.
 *
 * A packet header with a length over the limit is damaged. Then the reader searches for the next place where two headers follow
 * each other with plausible lengths and times, and goes on there.
 */
import { WireError } from "../../wire/index.ts";
import type { ByteWindow } from "./byte-window.ts";
import { DamagedPlace } from "./damaged-place.ts";
import { type CaptureSink, type CaptureTime, MAX_PACKET_BYTES } from "./packet.ts";

const FILE_HEADER_BYTES = 24;
const PACKET_HEADER_BYTES = 16;
const VERSION_MAJOR = 2;
const MICROSECONDS = 0xa1b2c3d4;
const NANOSECONDS = 0xa1b23c4d;
/** The upper bits of the link type say how long frame check sequences are. */
const LINK_TYPE_MASK = 0x0fff_ffff;
/** A packet after a damaged place is at most this far from the one before it, in seconds: a day. */
const PLAUSIBLE_SECONDS = 86_400;
/** What is shorter is no packet of a network: an Ethernet header has 14 bytes, an IP header after a loopback header 24. */
const PLAUSIBLE_PACKET_BYTES = 14;
/** The longest packet that is believed after a damaged place: the limit of tcpdump and Wireshark. */
const PLAUSIBLE_LIMIT = 262_144;

/** The byte order and the unit of time of a file with these first four bytes; undefined for another format. */
export function pcapKind(bytes: Uint8Array): { littleEndian: boolean; nanoseconds: boolean } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 4);
  for (const littleEndian of [true, false]) {
    const magic = view.getUint32(0, littleEndian);
    if (magic === MICROSECONDS || magic === NANOSECONDS) return { littleEndian, nanoseconds: magic === NANOSECONDS };
  }
  return undefined;
}

export class PcapReader {
  readonly #window: ByteWindow;
  readonly #sink: CaptureSink;
  #isOpen = false;
  #littleEndian = true;
  #nanoseconds = false;
  #linkType = 0;
  #packets = 0;
  #lastSeconds: number | undefined;
  /** At the end of a file a packet that is too long for the rest may be damaged, or the file cut. */
  readonly #damage: DamagedPlace;

  constructor(window: ByteWindow, sink: CaptureSink) {
    this.#window = window;
    this.#sink = sink;
    this.#damage = new DamagedPlace(window, sink, {
      name: "packet header",
      leastBytes: PACKET_HEADER_BYTES,
      isAt: (at, isEnd) => this.#isPlausible(at, isEnd),
    });
  }

  /** Reads what the window has. `isEnd` is true when nothing follows it. Throws `WireError` for a header that is no header. */
  read(isEnd: boolean): void {
    if (!this.#isOpen && !this.#readHeader(isEnd)) return;
    while (true) {
      if (this.#damage.isOpen && !this.#damage.search(isEnd)) return;
      if (!this.#readPacket(isEnd) && !this.#damage.isOpen) return;
    }
  }

  #readHeader(isEnd: boolean): boolean {
    const { bytes, view, length, at } = this.#window;
    if (length < FILE_HEADER_BYTES) {
      if (!isEnd) return false;
      const why = `the file ends ${length} bytes into its header of ${FILE_HEADER_BYTES}`;
      throw new WireError("truncated", `Cannot read capture: ${why}`, length * 8);
    }
    const kind = pcapKind(bytes.subarray(at, at + 4));
    if (kind === undefined) throw new RangeError("The window does not begin with a pcap header");
    this.#littleEndian = kind.littleEndian;
    this.#nanoseconds = kind.nanoseconds;
    const version = view.getUint16(at + 4, kind.littleEndian);
    if (version !== VERSION_MAJOR) {
      const why = `version ${version} of pcap is not ${VERSION_MAJOR}, the only one`;
      throw new WireError("bad-value", `Cannot read capture: ${why} at byte 4`, 32);
    }
    this.#linkType = view.getUint32(at + 20, kind.littleEndian) & LINK_TYPE_MASK;
    this.#window.skip(FILE_HEADER_BYTES);
    this.#isOpen = true;
    return true;
  }

  /** False when it needs more bytes, when nothing is left, or when the place is damaged. */
  #readPacket(isEnd: boolean): boolean {
    const window = this.#window;
    const { view, at, length } = window;
    if (length < PACKET_HEADER_BYTES) {
      if (isEnd && length > 0)
        this.#damage.cut(`the file ends ${length} bytes into a packet header of ${PACKET_HEADER_BYTES}`);
      return false;
    }
    const captured = view.getUint32(at + 8, this.#littleEndian);
    if (captured <= MAX_PACKET_BYTES && length < PACKET_HEADER_BYTES + captured) {
      if (isEnd)
        this.#damage.search(true, `the file ends ${length - PACKET_HEADER_BYTES} bytes into a packet of ${captured}`);
      return isEnd && window.length > 0;
    }
    const isWhole = this.#isHeader(at, isEnd);
    if (isWhole !== true) {
      if (isWhole === false) this.#damage.open();
      return false;
    }
    const start = at + PACKET_HEADER_BYTES;
    const time = this.#timeAt(at);
    this.#lastSeconds = time.seconds;
    this.#packets += 1;
    window.skip(PACKET_HEADER_BYTES + captured);
    this.#sink.packet({
      number: this.#packets,
      time,
      linkType: this.#linkType,
      data: window.bytes.subarray(start, start + captured),
      originalLength: Math.max(captured, view.getUint32(at + 12, this.#littleEndian)),
    });
    return true;
  }

  #timeAt(at: number): CaptureTime {
    const seconds = this.#window.view.getUint32(at, this.#littleEndian);
    const fraction = this.#window.view.getUint32(at + 4, this.#littleEndian);
    const nanoseconds = this.#nanoseconds ? fraction : fraction * 1000;
    // Some writers count more than a second in the fraction.
    const over = Math.floor(nanoseconds / 1e9);
    return { seconds: seconds + over, nanoseconds: nanoseconds - over * 1e9 };
  }

  /** Whether a header can be believed: by itself, or because another one follows its packet; undefined when more bytes are needed. */
  #isHeader(at: number, isEnd: boolean): boolean | undefined {
    const { view, bytes } = this.#window;
    const captured = view.getUint32(at + 8, this.#littleEndian);
    if (captured > MAX_PACKET_BYTES) return false;
    if (this.#lastSeconds !== undefined && this.#plausibleLength(at) !== undefined) return true;
    const next = at + PACKET_HEADER_BYTES + captured;
    if (next + PACKET_HEADER_BYTES > bytes.length) return isEnd ? next === bytes.length : undefined;
    const seconds = view.getUint32(at, this.#littleEndian);
    return this.#plausibleLength(next, seconds) !== undefined;
  }

  /** Whether a packet begins there, and another one or the end of the file follows; undefined when more bytes are needed. */
  #isPlausible(at: number, isEnd: boolean): boolean | undefined {
    const first = this.#plausibleLength(at);
    if (first === undefined) return false;
    const next = at + PACKET_HEADER_BYTES + first;
    const { length } = this.#window.bytes;
    if (next + PACKET_HEADER_BYTES <= length) return this.#plausibleLength(next) !== undefined;
    if (!isEnd) return undefined;
    return next === length;
  }

  #plausibleLength(at: number, lastSeconds = this.#lastSeconds): number | undefined {
    const { view } = this.#window;
    const captured = view.getUint32(at + 8, this.#littleEndian);
    if (captured < PLAUSIBLE_PACKET_BYTES || captured > PLAUSIBLE_LIMIT) return undefined;
    const original = view.getUint32(at + 12, this.#littleEndian);
    if (original < captured || original > PLAUSIBLE_LIMIT) return undefined;
    if (view.getUint32(at + 4, this.#littleEndian) >= (this.#nanoseconds ? 1e9 : 1e6)) return undefined;
    const seconds = view.getUint32(at, this.#littleEndian);
    if (lastSeconds === undefined) return captured;
    return Math.abs(seconds - lastSeconds) <= PLAUSIBLE_SECONDS ? captured : undefined;
  }
}
