/** Where the IP packet begins in what an interface captured. Source: https://www.tcpdump.org/linktypes.html. */

const NULL = 0;
const ETHERNET = 1;
/** Raw IP has three numbers: files have 101, some systems wrote their own 12 or 14. */
const RAW: ReadonlySet<number> = new Set([12, 14, 101]);
const LOOP = 108;
const LINUX_COOKED = 113;
const IPV4 = 228;
const IPV6 = 229;
const LINUX_COOKED_2 = 276;

const ETHERTYPE_IPV4 = 0x0800;
const ETHERTYPE_IPV6 = 0x86dd;
/** VLAN tags: 802.1Q, 802.1ad (QinQ), and the number that was used before it. */
const VLAN: ReadonlySet<number> = new Set([0x8100, 0x88a8, 0x9100]);
const VLAN_BYTES = 4;
/** Two are usual; more are read up to this count. */
const MAX_VLANS = 8;

const ETHERNET_TYPE_AT = 12;
const COOKED_TYPE_AT = 14;
const COOKED_2_TYPE_AT = 0;
const COOKED_2_BYTES = 20;
const FAMILY_BYTES = 4;
const FAMILY_IPV4 = 2;
/** IPv6 has another number in each system: NetBSD and OpenBSD, FreeBSD, macOS, Linux. */
const FAMILIES_IPV6: ReadonlySet<number> = new Set([24, 28, 30, 10]);

/** Why a packet has no IP in it: another protocol, or a link type that this reader does not know. */
export type NotIp = "other" | "unknown-link";

/** True for the link types that are read. */
export function knowsLinkType(linkType: number): boolean {
  return RAW.has(linkType) || [NULL, ETHERNET, LOOP, LINUX_COOKED, IPV4, IPV6, LINUX_COOKED_2].includes(linkType);
}

/** The index of the IP header in a packet. */
export function ipStart(linkType: number, data: Uint8Array): number | NotIp {
  switch (linkType) {
    case ETHERNET:
      return behindType(data, ETHERNET_TYPE_AT);
    case LINUX_COOKED:
      return behindType(data, COOKED_TYPE_AT);
    case LINUX_COOKED_2:
      // The type stands first, the header of 20 bytes follows.
      return behindType(data, COOKED_2_TYPE_AT, COOKED_2_BYTES);
    case NULL:
    case LOOP:
      return behindFamily(data);
    case IPV4:
    case IPV6:
      return 0;
    default:
      return RAW.has(linkType) ? 0 : "unknown-link";
  }
}

function behindType(data: Uint8Array, typeAt: number, headerBytes = typeAt + 2): number | NotIp {
  let type = u16(data, typeAt);
  let at = headerBytes;
  for (let tags = 0; VLAN.has(type) && tags < MAX_VLANS; tags++) {
    type = u16(data, at + 2);
    at += VLAN_BYTES;
  }
  return type === ETHERTYPE_IPV4 || type === ETHERTYPE_IPV6 ? at : "other";
}

/** The family stands in the byte order of the machine that captured (NULL), or high byte first (LOOP): one of its ends is 0. */
function behindFamily(data: Uint8Array): number | NotIp {
  const high = u16(data, 0);
  const low = u16(data, 2);
  const family = high === 0 ? low : low === 0 ? ((high & 0xff) << 8) | (high >> 8) : -1;
  return family === FAMILY_IPV4 || FAMILIES_IPV6.has(family) ? FAMILY_BYTES : "other";
}

/** 0 past the end: no type and no family is 0. */
function u16(data: Uint8Array, at: number): number {
  return ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);
}
