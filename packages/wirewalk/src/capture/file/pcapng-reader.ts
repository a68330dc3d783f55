/**
 * The newer format of captures, pcapng (draft-ietf-opsawg-pcapng): blocks with a type and their length at both ends. A section has a
 * byte order and interfaces, an interface a link type and a unit of time. Blocks and options that it does not know are skipped.
 *
 * A block whose lengths do not agree is damaged. Then the reader searches for the next block that is whole, and goes on there with the
 * byte order and interfaces that it knows.
 */
import { WireError } from "../../wire/index.ts";
import type { ByteWindow } from "./byte-window.ts";
import { DamagedPlace } from "./damaged-place.ts";
import type { CaptureSink, CaptureTime } from "./packet.ts";

const SECTION_HEADER = 0x0a0d0d0a;
const INTERFACE_DESCRIPTION = 1;
/** Obsolete, and written by old tools. */
const PACKET = 2;
const SIMPLE_PACKET = 3;
const ENHANCED_PACKET = 6;
/** The types that a search after a damaged place believes: those above, names, statistics, secrets, custom blocks. */
const KNOWN_TYPES: ReadonlySet<number> = new Set([SECTION_HEADER, 1, 2, 3, 4, 5, 6, 10, 0xbad, 0x4000_0bad]);
const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
const VERSION_MAJOR = 1;

/** Type, length, and the length again at the end. */
const FRAME_BYTES = 12;
const HEAD_BYTES = 8;
/** A block is held whole up to this length. No writer makes a longer one: its length is damaged. */
const MAX_BLOCK_BYTES = 16 * 1024 * 1024;
/** The longest block that is believed after a damaged place: deciding takes so many bytes. */
const PLAUSIBLE_BYTES = 262_144;
/** Interfaces of one section. */
const MAX_INTERFACES = 65_536;

const OPTION_END = 0;
const OPTION_TIME_RESOLUTION = 9;
const OPTION_TIME_OFFSET = 14;
const TIME_OFFSET_BYTES = 8;

const MICROSECONDS_PER_SECOND = 1_000_000;

interface CaptureInterface {
  readonly linkType: number;
  /** 0 for no limit. */
  readonly snapLength: number;
  readonly unitsPerSecond: bigint;
  /** Added to every time. */
  readonly offsetSeconds: number;
}

/** True for the first four bytes of a pcapng file. */
export function isPcapng(bytes: Uint8Array): boolean {
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) === SECTION_HEADER;
}

export class PcapngReader {
  readonly #window: ByteWindow;
  readonly #sink: CaptureSink;
  #littleEndian = true;
  #sections = 0;
  #interfaces: CaptureInterface[] = [];
  #packets = 0;
  #lastTime: CaptureTime = { seconds: 0, nanoseconds: 0 };
  readonly #damage: DamagedPlace;

  constructor(window: ByteWindow, sink: CaptureSink) {
    this.#window = window;
    this.#sink = sink;
    this.#damage = new DamagedPlace(window, sink, {
      name: "block",
      leastBytes: FRAME_BYTES,
      isAt: (at, isEnd) => this.#isBlock(at, isEnd),
    });
  }

  /** Reads what the window has. `isEnd` is true when nothing follows it. Throws `WireError` when the first section cannot be read. */
  read(isEnd: boolean): void {
    while (true) {
      if (this.#damage.isOpen && !this.#damage.search(isEnd)) return;
      if (!this.#readBlock(isEnd) && !this.#damage.isOpen) return;
    }
  }

  /** False when it needs more bytes, when nothing is left, or when the place is damaged. */
  #readBlock(isEnd: boolean): boolean {
    const window = this.#window;
    if (window.length < FRAME_BYTES) {
      if (isEnd && window.length > 0) this.#damage.cut(`the file ends ${window.length} bytes into the head of a block`);
      return false;
    }
    const { view, at } = window;
    if (view.getUint32(at) === SECTION_HEADER && !this.#readByteOrder(at)) return this.#damaged();
    const type = view.getUint32(at, this.#littleEndian);
    const length = view.getUint32(at + 4, this.#littleEndian);
    if (length < FRAME_BYTES || length % 4 !== 0 || length > MAX_BLOCK_BYTES) return this.#damaged();
    if (window.length < length) {
      if (!isEnd) return false;
      this.#damage.search(true, `the file ends ${window.length} bytes into a block of ${length}`);
      return window.length > 0;
    }
    if (view.getUint32(at + length - 4, this.#littleEndian) !== length) return this.#damaged();
    this.#take(type, at, length);
    window.skip(length);
    return true;
  }

  #take(type: number, at: number, length: number): void {
    switch (type) {
      case SECTION_HEADER:
        this.#beginSection(at, length);
        return;
      case INTERFACE_DESCRIPTION:
        this.#addInterface(at, length);
        return;
      case ENHANCED_PACKET:
        this.#timedPacket(at, length, 32);
        return;
      case SIMPLE_PACKET:
        this.#simplePacket(at, length);
        return;
      case PACKET:
        this.#timedPacket(at, length, 16);
        return;
    }
  }

  /** Of a section's head. False when it has none. */
  #readByteOrder(at: number): boolean {
    const { view } = this.#window;
    for (const littleEndian of [true, false]) {
      if (view.getUint32(at + 8, littleEndian) !== BYTE_ORDER_MAGIC) continue;
      this.#littleEndian = littleEndian;
      return true;
    }
    return false;
  }

  #beginSection(at: number, length: number): void {
    const version = length >= 28 ? this.#u16(at + 12) : 0;
    if (version !== VERSION_MAJOR) {
      const why = `version ${version} of pcapng is not ${VERSION_MAJOR}, the only one`;
      if (this.#sections === 0) throw new WireError("bad-value", `Cannot read capture: ${why} at byte 12`, 96);
      this.#fault(`a section is not read: ${why}`);
    }
    this.#sections += 1;
    this.#interfaces = [];
  }

  #addInterface(at: number, length: number): void {
    if (length < FRAME_BYTES + 8) {
      this.#fault("an interface is not read: its block is too short");
      return;
    }
    if (this.#interfaces.length >= MAX_INTERFACES) {
      this.#fault(`an interface is not read: the section has more than ${MAX_INTERFACES}`);
      return;
    }
    let unitsPerSecond = BigInt(MICROSECONDS_PER_SECOND);
    let offsetSeconds = 0;
    const { view } = this.#window;
    const end = at + length - 4;
    for (let option = at + HEAD_BYTES + 8; option + 4 <= end; ) {
      const code = this.#u16(option);
      const bytes = this.#u16(option + 2);
      const value = option + 4;
      if (code === OPTION_END || value + bytes > end) break;
      if (code === OPTION_TIME_RESOLUTION && bytes === 1) {
        const resolution = view.getUint8(value);
        // The first bit says whether it is a power of 2 or of 10.
        unitsPerSecond = (resolution & 0x80) !== 0 ? 2n ** BigInt(resolution & 0x7f) : 10n ** BigInt(resolution);
      }
      if (code === OPTION_TIME_OFFSET && bytes === TIME_OFFSET_BYTES) {
        offsetSeconds = Number(view.getBigInt64(value, this.#littleEndian));
      }
      option = value + Math.ceil(bytes / 4) * 4;
    }
    this.#interfaces.push({
      linkType: this.#u16(at + HEAD_BYTES),
      snapLength: this.#u32(at + HEAD_BYTES + 4),
      unitsPerSecond,
      offsetSeconds: Number.isSafeInteger(offsetSeconds) ? offsetSeconds : 0,
    });
  }

  /** An enhanced packet block, or an obsolete one, which has its interface in 16 bits. */
  #timedPacket(at: number, length: number, interfaceBits: 16 | 32): void {
    const body = at + HEAD_BYTES;
    if (length < FRAME_BYTES + 20) {
      this.#fault("a packet is not read: its block is too short");
      return;
    }
    const source = this.#interfaceOf(interfaceBits === 16 ? this.#u16(body) : this.#u32(body));
    if (source === undefined) return;
    const time = this.#timeOf(source, this.#u32(body + 4), this.#u32(body + 8));
    const captured = this.#u32(body + 12);
    this.#packet(source, time, { at: body + 20, end: at + length - 4, captured, original: this.#u32(body + 16) });
  }

  /** A packet of the first interface. It has no time: that of the packet before it stands for it. */
  #simplePacket(at: number, length: number): void {
    const body = at + HEAD_BYTES;
    if (length < FRAME_BYTES + 4) {
      this.#fault("a packet is not read: its block is too short");
      return;
    }
    const source = this.#interfaceOf(0);
    if (source === undefined) return;
    const original = this.#u32(body);
    const limit = source.snapLength === 0 ? original : Math.min(original, source.snapLength);
    const end = at + length - 4;
    this.#packet(source, this.#lastTime, { at: body + 4, end, captured: Math.min(limit, end - body - 4), original });
  }

  #packet(
    { linkType }: CaptureInterface,
    time: CaptureTime,
    { at, end, captured, original }: { at: number; end: number; captured: number; original: number },
  ): void {
    if (captured > end - at) {
      this.#fault(`a packet is not read: it has ${captured} bytes, its block only ${end - at}`);
      return;
    }
    this.#packets += 1;
    this.#lastTime = time;
    this.#sink.packet({
      number: this.#packets,
      time,
      linkType,
      data: this.#window.bytes.subarray(at, at + captured),
      originalLength: Math.max(captured, original),
    });
  }

  #interfaceOf(number: number): CaptureInterface | undefined {
    const found = this.#interfaces[number];
    if (found === undefined) this.#fault(`a packet is not read: the section has no interface ${number}`);
    return found;
  }

  #timeOf({ unitsPerSecond, offsetSeconds }: CaptureInterface, high: number, low: number): CaptureTime {
    const units = high * 0x1_0000_0000 + low;
    if (unitsPerSecond === 1_000_000n && high < 0x20_0000) {
      const seconds = Math.floor(units / MICROSECONDS_PER_SECOND);
      return { seconds: seconds + offsetSeconds, nanoseconds: (units - seconds * MICROSECONDS_PER_SECOND) * 1000 };
    }
    const exact = (BigInt(high) << 32n) | BigInt(low);
    const seconds = exact / unitsPerSecond;
    const nanoseconds = Number(((exact - seconds * unitsPerSecond) * 1_000_000_000n) / unitsPerSecond);
    return { seconds: Number(seconds) + offsetSeconds, nanoseconds };
  }

  #damaged(): false {
    if (this.#sections === 0) {
      const why = "its first block is no section header, or is damaged";
      throw new WireError("bad-value", `Cannot read capture: ${why} at byte 0`, 0);
    }
    this.#damage.open();
    return false;
  }

  #fault(text: string): void {
    this.#sink.fault({ byteOffset: this.#window.offset, text });
  }

  /** Whether a whole block begins there; undefined when more bytes are needed. */
  #isBlock(at: number, isEnd: boolean): boolean | undefined {
    const { view, bytes } = this.#window;
    let littleEndian = this.#littleEndian;
    if (view.getUint32(at) === SECTION_HEADER) littleEndian = view.getUint32(at + 8, true) === BYTE_ORDER_MAGIC;
    if (!KNOWN_TYPES.has(view.getUint32(at, littleEndian))) return false;
    const length = view.getUint32(at + 4, littleEndian);
    if (length < FRAME_BYTES || length % 4 !== 0 || length > PLAUSIBLE_BYTES) return false;
    if (at + length > bytes.length) return isEnd ? false : undefined;
    return view.getUint32(at + length - 4, littleEndian) === length;
  }

  #u16(at: number): number {
    return this.#window.view.getUint16(at, this.#littleEndian);
  }

  #u32(at: number): number {
    return this.#window.view.getUint32(at, this.#littleEndian);
  }
}
