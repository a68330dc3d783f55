/** The blocks of a pcapng file, as they are written (draft-ietf-opsawg-pcapng): low byte first, times in nanoseconds. */
import { joinBytes } from "../wire/index.ts";

const SECTION_HEADER = 0x0a0d0d0a;
const INTERFACE_DESCRIPTION = 1;
const INTERFACE_STATISTICS = 5;
const ENHANCED_PACKET = 6;
const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
const LINK_ETHERNET = 1;
/** The longest packet that readers of captures accept. */
const SNAP_LENGTH = 262_144;

const OPTION_COMMENT = 1;
const OPTION_USER_APPLICATION = 4;
const OPTION_INTERFACE_NAME = 2;
const OPTION_INTERFACE_DESCRIPTION = 3;
const OPTION_TIME_RESOLUTION = 9;
/** Of statistics: packets that came, and packets that were left out, since the start. */
const OPTION_RECEIVED = 4;
const OPTION_DROPPED = 5;
/** Times are in units of 10^-9 s. */
const NANOSECONDS = 9;

/** What a section says of itself. */
export interface CaptureSection {
  /** The program that writes it: `wirewalk relay`. */
  readonly application: string;
  /** About the whole file. */
  readonly comment?: string;
}

/** What stands at the start of a file. */
export interface CaptureHeader extends CaptureSection {
  /** The name of the only interface. */
  readonly interfaceName: string;
}

/** The start of a file: a section with one Ethernet interface. */
export function pcapngHeader({ interfaceName, ...section }: CaptureHeader): Uint8Array {
  return joinBytes([pcapngSection(section), pcapngInterface({ name: interfaceName })]);
}

/** The first block of a file. Interfaces follow it. */
export function pcapngSection({ application, comment }: CaptureSection): Uint8Array {
  const section = new Uint8Array(16);
  const view = new DataView(section.buffer);
  view.setUint32(0, BYTE_ORDER_MAGIC, true);
  view.setUint16(4, 1, true);
  // The length of the section is unknown.
  view.setBigInt64(8, -1n, true);
  const comments: OptionValue[] = comment === undefined ? [] : [[OPTION_COMMENT, ascii(comment)]];
  return block(SECTION_HEADER, [section, options([...comments, [OPTION_USER_APPLICATION, ascii(application)]])]);
}

/** An Ethernet interface. Those of a section are counted from 0, and stand before the packets that name them. */
export function pcapngInterface({ name, description }: CaptureInterface): Uint8Array {
  const body = new Uint8Array(8);
  new DataView(body.buffer).setUint16(0, LINK_ETHERNET, true);
  new DataView(body.buffer).setUint32(4, SNAP_LENGTH, true);
  const about: OptionValue[] = description === undefined ? [] : [[OPTION_INTERFACE_DESCRIPTION, ascii(description)]];
  return block(INTERFACE_DESCRIPTION, [
    body,
    options([[OPTION_INTERFACE_NAME, ascii(name)], ...about, [OPTION_TIME_RESOLUTION, Uint8Array.of(NANOSECONDS)]]),
  ]);
}

/** An interface as a file describes it. */
export interface CaptureInterface {
  readonly name: string;
  readonly description?: string;
}

const PACKET_HEAD_BYTES = 28;

/** One packet. `timeNs` counts nanoseconds since 1970. */
export function pcapngPacket(timeNs: bigint, packet: Uint8Array, comment?: string, interfaceNumber = 0): Uint8Array {
  const comments = comment === undefined ? undefined : options([[OPTION_COMMENT, ascii(comment)]]);
  const paddedBytes = Math.ceil(packet.length / 4) * 4;
  // In one piece: a capture has millions of packets.
  const bytes = new Uint8Array(PACKET_HEAD_BYTES + paddedBytes + (comments?.length ?? 0) + 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, ENHANCED_PACKET, true);
  view.setUint32(4, bytes.length, true);
  view.setUint32(8, interfaceNumber, true);
  setTime(view, 12, timeNs);
  view.setUint32(20, packet.length, true);
  view.setUint32(24, packet.length, true);
  bytes.set(packet, PACKET_HEAD_BYTES);
  if (comments !== undefined) bytes.set(comments, PACKET_HEAD_BYTES + paddedBytes);
  view.setUint32(bytes.length - 4, bytes.length, true);
  return bytes;
}

/** Packets of an interface up to now: those that came, and those of them that are not in the file. */
export interface InterfaceCounts {
  readonly interfaceNumber: number;
  readonly received: number;
  readonly dropped: number;
}

/** Statistics of an interface. A later block replaces an earlier one. */
export function pcapngStatistics(timeNs: bigint, { interfaceNumber, received, dropped }: InterfaceCounts): Uint8Array {
  const body = new Uint8Array(12);
  const view = new DataView(body.buffer);
  view.setUint32(0, interfaceNumber, true);
  setTime(view, 4, timeNs);
  const count = (value: number): Uint8Array => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
    return bytes;
  };
  return block(INTERFACE_STATISTICS, [
    body,
    options([
      [OPTION_RECEIVED, count(received)],
      [OPTION_DROPPED, count(dropped)],
    ]),
  ]);
}

function setTime(view: DataView, at: number, timeNs: bigint): void {
  view.setUint32(at, Number(timeNs >> 32n), true);
  view.setUint32(at + 4, Number(timeNs & 0xffff_ffffn), true);
}

function block(type: number, parts: readonly Uint8Array[]): Uint8Array {
  const body = joinBytes(parts);
  const bytes = new Uint8Array(body.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, type, true);
  view.setUint32(4, bytes.length, true);
  bytes.set(body, 8);
  view.setUint32(bytes.length - 4, bytes.length, true);
  return bytes;
}

type OptionValue = readonly [code: number, value: Uint8Array];

function options(values: readonly OptionValue[]): Uint8Array {
  const parts = values.flatMap(([code, value]) => {
    const head = new Uint8Array(4);
    const view = new DataView(head.buffer);
    view.setUint16(0, code, true);
    view.setUint16(2, value.length, true);
    return [head, padded(value)];
  });
  // Ends with the option 0 of no length.
  return joinBytes([...parts, new Uint8Array(4)]);
}

function padded(bytes: Uint8Array): Uint8Array {
  const over = bytes.length % 4;
  return over === 0 ? bytes : joinBytes([bytes, new Uint8Array(4 - over)]);
}

/** Texts are UTF-8; other letters than those of ASCII are written as `?`. */
function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => (letter < "\u0080" ? letter.charCodeAt(0) : 0x3f));
}
