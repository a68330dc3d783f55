/**
 * IP packets of both versions: addresses, protocol and payload. Checksums are not compared, because a capture on the sending machine
 * has packets whose checksums the network card will write.
 */

/** The payload of an IP packet, or a fragment of one. */
export interface IpPacket {
  /** 4 or 16 bytes. Views of the packet, as the payload. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  /** The protocol of the payload: 6 is TCP. */
  readonly protocol: number;
  /** What the capture has of the payload. */
  readonly payload: Uint8Array;
  /** Bytes of the payload on the network: more than `payload` where the capture kept only the start. */
  readonly length: number;
  /** Set for a fragment. */
  readonly fragment?: {
    /** Equal for all fragments of a datagram between two addresses. */
    readonly id: number;
    /** Where its payload belongs in that of the datagram, in bytes. */
    readonly offset: number;
    readonly more: boolean;
  };
}

export const TCP = 6;

const IPV4_BYTES = 20;
const IPV6_BYTES = 40;
const MORE_FRAGMENTS = 0x2000;
const FRAGMENT_OFFSET = 0x1fff;
const FRAGMENT_UNIT = 8;

const FRAGMENT_OFFSET_IPV6 = 0xfff8;
const EXTENSION_UNIT = 8;

const HOP_BY_HOP = 0;
const ROUTING = 43;
const FRAGMENT = 44;
const AUTHENTICATION = 51;
const DESTINATION_OPTIONS = 60;
const MOBILITY = 135;
/** More than a sender has a use for. */
const MAX_EXTENSIONS = 16;

/** Reads the packet at an index; undefined for bytes that are no IP packet. */
export function readIp(data: Uint8Array, at: number): IpPacket | undefined {
  const version = (data[at] ?? 0) >> 4;
  if (version === 4) return readIpv4(data, at);
  return version === 6 ? readIpv6(data, at) : undefined;
}

function readIpv4(data: Uint8Array, at: number): IpPacket | undefined {
  const headerBytes = ((data[at] as number) & 0x0f) * 4;
  if (headerBytes < IPV4_BYTES || at + headerBytes > data.length) return undefined;
  const total = u16(data, at + 2);
  const start = at + headerBytes;
  // A card that cuts packets itself is given packets without a length: what was captured is all of it.
  const end = total === 0 ? data.length : at + total;
  if (end < start) return undefined;
  const flags = u16(data, at + 6);
  const offset = (flags & FRAGMENT_OFFSET) * FRAGMENT_UNIT;
  const more = (flags & MORE_FRAGMENTS) !== 0;
  const packet = {
    source: data.subarray(at + 12, at + 16),
    destination: data.subarray(at + 16, at + 20),
    protocol: data[at + 9] as number,
    payload: data.subarray(start, Math.min(end, data.length)),
    length: end - start,
  };
  return more || offset > 0 ? { ...packet, fragment: { id: u16(data, at + 4), offset, more } } : packet;
}

function readIpv6(data: Uint8Array, at: number): IpPacket | undefined {
  if (at + IPV6_BYTES > data.length) return undefined;
  const start = at + IPV6_BYTES;
  const payloadLength = u16(data, at + 4);
  const end = payloadLength === 0 ? data.length : start + payloadLength;
  return behindExtensions({
    source: data.subarray(at + 8, at + 24),
    destination: data.subarray(at + 24, at + 40),
    protocol: data[at + 6] as number,
    payload: data.subarray(start, Math.min(end, data.length)),
    length: end - start,
  });
}

/** An IPv6 packet without the extension headers before its payload, up to the header of a fragment. Undefined for malformed ones. */
export function behindExtensions(packet: IpPacket): IpPacket | undefined {
  let { protocol } = packet;
  const { payload, length } = packet;
  let at = 0;
  for (let extensions = 0; extensions < MAX_EXTENSIONS && isExtension(protocol); extensions++) {
    if (at + EXTENSION_UNIT > payload.length) return undefined;
    const next = payload[at] as number;
    const units = payload[at + 1] as number;
    const fragment = protocol === FRAGMENT ? fragmentOf(payload, at) : undefined;
    if (protocol === FRAGMENT) at += EXTENSION_UNIT;
    else at += protocol === AUTHENTICATION ? (units + 2) * 4 : (units + 1) * EXTENSION_UNIT;
    protocol = next;
    if (at > payload.length) return undefined;
    // Some senders put the header before packets that are whole (RFC 6946).
    if (fragment === undefined || (fragment.offset === 0 && !fragment.more)) continue;
    return { ...packet, protocol, payload: payload.subarray(at), length: length - at, fragment };
  }
  return at === 0 ? packet : { ...packet, protocol, payload: payload.subarray(at), length: length - at };
}

function fragmentOf(header: Uint8Array, at: number): NonNullable<IpPacket["fragment"]> {
  const word = u16(header, at + 2);
  return { id: u32(header, at + 4), offset: word & FRAGMENT_OFFSET_IPV6, more: (word & 1) !== 0 };
}

function isExtension(protocol: number): boolean {
  switch (protocol) {
    case HOP_BY_HOP:
    case ROUTING:
    case FRAGMENT:
    case AUTHENTICATION:
    case DESTINATION_OPTIONS:
    case MOBILITY:
      return true;
    default:
      return false;
  }
}

function u16(data: Uint8Array, at: number): number {
  return ((data[at] as number) << 8) | (data[at + 1] as number);
}

function u32(data: Uint8Array, at: number): number {
  return u16(data, at) * 0x1_0000 + u16(data, at + 2);
}

/** `127.0.0.1`, or `[2001:db8::1]` as it stands before a port. */
export function formatAddress(address: Uint8Array): string {
  if (address.length === 4) return address.join(".");
  const groups: number[] = [];
  for (let at = 0; at < 16; at += 2) groups.push(u16(address, at));
  // An IPv4 address in an IPv6 socket.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return `[::ffff:${address.subarray(12).join(".")}]`;
  }
  return `[${shortened(groups)}]`;
}

/** Hex groups, the longest run of at least two zeros as `::`, the first of equal ones (RFC 5952). */
function shortened(groups: readonly number[]): string {
  let best = { start: 0, length: 1 };
  for (let start = 0; start < groups.length; ) {
    let end = start;
    while (groups[end] === 0) end += 1;
    if (end - start > best.length) best = { start, length: end - start };
    start = end + 1;
  }
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(":");
  if (best.length < 2) return text(groups);
  return `${text(groups.slice(0, best.start))}::${text(groups.slice(best.start + best.length))}`;
}
