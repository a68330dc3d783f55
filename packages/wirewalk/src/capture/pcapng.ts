/** The blocks of a pcapng file, as they are written (draft-ietf-opsawg-pcapng): low byte first, times in nanoseconds. */

const SECTION_HEADER = 0x0a0d0d0a;
const INTERFACE_DESCRIPTION = 1;
const ENHANCED_PACKET = 6;
const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
const LINK_ETHERNET = 1;
/** The longest packet that readers of captures accept. */
const SNAP_LENGTH = 262_144;

const OPTION_COMMENT = 1;
const OPTION_USER_APPLICATION = 4;
const OPTION_INTERFACE_NAME = 2;
const OPTION_TIME_RESOLUTION = 9;
/** Times are in units of 10^-9 s. */
const NANOSECONDS = 9;

/** What stands at the start of a file. */
export interface CaptureHeader {
  /** The program that writes it: `wirewalk relay`. */
  readonly application: string;
  /** The name of the only interface. */
  readonly interfaceName: string;
}

/** The start of a file: a section with one Ethernet interface. */
export function pcapngHeader({ application, interfaceName }: CaptureHeader): Uint8Array {
  const section = new Uint8Array(16);
  const view = new DataView(section.buffer);
  view.setUint32(0, BYTE_ORDER_MAGIC, true);
  view.setUint16(4, 1, true);
  // The length of the section is unknown.
  view.setBigInt64(8, -1n, true);
  const description = new Uint8Array(8);
  new DataView(description.buffer).setUint16(0, LINK_ETHERNET, true);
  new DataView(description.buffer).setUint32(4, SNAP_LENGTH, true);
  return joined([
    block(SECTION_HEADER, [section, options([[OPTION_USER_APPLICATION, ascii(application)]])]),
    block(INTERFACE_DESCRIPTION, [
      description,
      options([
        [OPTION_INTERFACE_NAME, ascii(interfaceName)],
        [OPTION_TIME_RESOLUTION, Uint8Array.of(NANOSECONDS)],
      ]),
    ]),
  ]);
}

/** One packet. `timeNs` counts nanoseconds since 1970. */
export function pcapngPacket(timeNs: bigint, packet: Uint8Array, comment?: string): Uint8Array {
  const head = new Uint8Array(20);
  const view = new DataView(head.buffer);
  view.setUint32(4, Number(timeNs >> 32n), true);
  view.setUint32(8, Number(timeNs & 0xffff_ffffn), true);
  view.setUint32(12, packet.length, true);
  view.setUint32(16, packet.length, true);
  const comments = comment === undefined ? [] : [options([[OPTION_COMMENT, ascii(comment)]])];
  return block(ENHANCED_PACKET, [head, padded(packet), ...comments]);
}

function block(type: number, parts: readonly Uint8Array[]): Uint8Array {
  const body = joined(parts);
  const bytes = new Uint8Array(body.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, type, true);
  view.setUint32(4, bytes.length, true);
  bytes.set(body, 8);
  view.setUint32(bytes.length - 4, bytes.length, true);
  return bytes;
}

function options(values: readonly (readonly [code: number, value: Uint8Array])[]): Uint8Array {
  const parts = values.flatMap(([code, value]) => {
    const head = new Uint8Array(4);
    const view = new DataView(head.buffer);
    view.setUint16(0, code, true);
    view.setUint16(2, value.length, true);
    return [head, padded(value)];
  });
  // Ends with the option 0 of no length.
  return joined([...parts, new Uint8Array(4)]);
}

function padded(bytes: Uint8Array): Uint8Array {
  const over = bytes.length % 4;
  return over === 0 ? bytes : joined([bytes, new Uint8Array(4 - over)]);
}

/** Texts are UTF-8; other letters than those of ASCII are written as `?`. */
function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => (letter < "\u0080" ? letter.charCodeAt(0) : 0x3f));
}

/** All of them in one piece. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
