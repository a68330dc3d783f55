/**
 * A TCP connection as the packets of a capture. Made of the bytes that each side sent, with headers that a network could
 * have carried: right lengths, checksums, sequence numbers and acknowledgements, so that readers of captures join them again.
 */
import { joinBytes } from "../wire/index.ts";

/** One end of a connection. */
export interface CaptureEnd {
  /** IPv4 or IPv6. */
  readonly address: string;
  readonly port: number;
}

const FIN = 1;
const SYN = 2;
const RST = 4;
const PSH = 8;
const ACK = 16;

const ETHERNET_BYTES = 14;
const IPV4_BYTES = 20;
const IPV6_BYTES = 40;
const TCP_BYTES = 20;
const TCP_PROTOCOL = 6;
const ETHERTYPE_IPV4 = 0x0800;
const ETHERTYPE_IPV6 = 0x86dd;
/** Locally administered addresses: network cards do not have them. */
const MAC = { client: [2, 0, 0, 0, 0, 1], server: [2, 0, 0, 0, 0, 2] } as const;
/** An IP packet has at most 65,535 bytes. */
const MAX_SEGMENT_BYTES = 65_000;
const WINDOW = 65_535;
const HOPS = 64;

type Sender = "client" | "server";

/** The packets of one connection. Each call returns Ethernet frames in order. */
export class TcpPackets {
  readonly #addresses: Readonly<Record<Sender, Uint8Array>>;
  readonly #ports: Readonly<Record<Sender, number>>;
  /** The sequence number of each side's next byte. */
  readonly #next = { client: 0, server: 0 };
  #packets = 0;

  /** Throws `RangeError` for an invalid address. */
  constructor({ client, server }: Readonly<Record<Sender, CaptureEnd>>) {
    const addresses = { client: addressBytes(client.address), server: addressBytes(server.address) };
    const isIpv6 = addresses.client.length !== 4 || addresses.server.length !== 4;
    this.#addresses = isIpv6 ? { client: mapped(addresses.client), server: mapped(addresses.server) } : addresses;
    this.#ports = { client: client.port, server: server.port };
  }

  /** The handshake. */
  open(): readonly Uint8Array[] {
    return [this.#packet("client", SYN), this.#packet("server", SYN | ACK), this.#packet("client", ACK)];
  }

  data(sender: Sender, bytes: Uint8Array): readonly Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += MAX_SEGMENT_BYTES) {
      packets.push(this.#packet(sender, PSH | ACK, bytes.subarray(at, at + MAX_SEGMENT_BYTES)));
    }
    return packets;
  }

  /** Bytes that were carried and are not in the capture: their sequence numbers are left out. */
  skip(sender: Sender, bytes: number): void {
    this.#next[sender] = (this.#next[sender] + bytes) >>> 0;
  }

  /** The sender has ended its direction. */
  end(sender: Sender): readonly Uint8Array[] {
    return [this.#packet(sender, FIN | ACK)];
  }

  /** The sender has reset the connection. */
  reset(sender: Sender): readonly Uint8Array[] {
    return [this.#packet(sender, RST | ACK)];
  }

  #packet(sender: Sender, flags: number, body: Uint8Array = new Uint8Array(0)): Uint8Array {
    const receiver = sender === "client" ? "server" : "client";
    const from = this.#addresses[sender];
    const to = this.#addresses[receiver];
    const isIpv4 = from.length === 4;
    const ipBytes = isIpv4 ? IPV4_BYTES : IPV6_BYTES;
    const bytes = new Uint8Array(ETHERNET_BYTES + ipBytes + TCP_BYTES + body.length);
    const view = new DataView(bytes.buffer);
    bytes.set(MAC[receiver], 0);
    bytes.set(MAC[sender], 6);
    view.setUint16(12, isIpv4 ? ETHERTYPE_IPV4 : ETHERTYPE_IPV6);
    this.#packets += 1;
    const segmentBytes = TCP_BYTES + body.length;
    const ip = new DataView(bytes.buffer, ETHERNET_BYTES);
    if (isIpv4) writeIpv4(ip, { from, to, segmentBytes, number: this.#packets });
    else writeIpv6(ip, { from, to, segmentBytes });

    const at = ETHERNET_BYTES + ipBytes;
    view.setUint16(at, this.#ports[sender]);
    view.setUint16(at + 2, this.#ports[receiver]);
    view.setUint32(at + 4, this.#next[sender]);
    if ((flags & ACK) !== 0) view.setUint32(at + 8, this.#next[receiver]);
    bytes[at + 12] = (TCP_BYTES / 4) << 4;
    bytes[at + 13] = flags;
    view.setUint16(at + 14, WINDOW);
    bytes.set(body, at + TCP_BYTES);
    const pseudoHeader = joinBytes([from, to, Uint8Array.of(0, TCP_PROTOCOL, segmentBytes >>> 8, segmentBytes & 0xff)]);
    view.setUint16(at + 16, checksum(pseudoHeader, bytes.subarray(at)));
    const used = body.length + ((flags & (SYN | FIN)) === 0 ? 0 : 1);
    this.#next[sender] = (this.#next[sender] + used) >>> 0;
    return bytes;
  }
}

interface IpHeader {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly segmentBytes: number;
}

function writeIpv4(view: DataView, { from, to, segmentBytes, number }: IpHeader & { readonly number: number }): void {
  view.setUint8(0, 0x45);
  view.setUint16(2, IPV4_BYTES + segmentBytes);
  view.setUint16(4, number & 0xffff);
  // Not to be fragmented.
  view.setUint16(6, 0x4000);
  view.setUint8(8, HOPS);
  view.setUint8(9, TCP_PROTOCOL);
  const header = new Uint8Array(view.buffer, view.byteOffset, IPV4_BYTES);
  header.set(from, 12);
  header.set(to, 16);
  view.setUint16(10, checksum(header));
}

function writeIpv6(view: DataView, { from, to, segmentBytes }: IpHeader): void {
  view.setUint32(0, 0x6000_0000);
  view.setUint16(4, segmentBytes);
  view.setUint8(6, TCP_PROTOCOL);
  view.setUint8(7, HOPS);
  const header = new Uint8Array(view.buffer, view.byteOffset, IPV6_BYTES);
  header.set(from, 8);
  header.set(to, 24);
}

/** The Internet checksum (RFC 1071); all parts but the last have an even number of bytes. */
function checksum(...parts: readonly Uint8Array[]): number {
  let sum = 0;
  for (const bytes of parts) {
    for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] as number) << 8) | (bytes[at + 1] ?? 0);
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + Math.floor(sum / 0x1_0000);
  return ~sum & 0xffff;
}

function mapped(address: Uint8Array): Uint8Array {
  return address.length === 16 ? address : joinBytes([new Uint8Array(10), Uint8Array.of(0xff, 0xff), address]);
}

/** The bytes of an address: 4 or 16. A scope, as in `fe80::1%eth0`, is left out. Throws `RangeError` for anything else. */
export function addressBytes(text: string): Uint8Array {
  const plain = text.split("%", 1)[0] as string;
  const bytes = ipv4Bytes(plain) ?? ipv6Bytes(plain);
  if (bytes === undefined) throw new RangeError(`Not an IP address: ${text}`);
  return bytes;
}

function ipv4Bytes(text: string): Uint8Array | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined;
  const numbers = text.split(".").map(Number);
  return numbers.every((number) => number <= 255) ? Uint8Array.from(numbers) : undefined;
}

function ipv6Bytes(text: string): Uint8Array | undefined {
  const halves = text.split("::");
  if (halves.length > 2 || !text.includes(":")) return undefined;
  const [before, after] = halves.map(groupBytes);
  if (before === undefined || (halves.length === 2 && after === undefined)) return undefined;
  const known = before.length + (after?.length ?? 0);
  if (halves.length === 1 ? known !== 16 : known > 14) return undefined;
  return Uint8Array.from([...before, ...new Array<number>(16 - known).fill(0), ...(after ?? [])]);
}

/** The bytes of the groups between colons; the last one may be an IPv4 address. */
function groupBytes(text: string): readonly number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [index, group] of groups.entries()) {
    const ipv4 = index === groups.length - 1 ? ipv4Bytes(group) : undefined;
    if (ipv4 !== undefined) bytes.push(...ipv4);
    else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const word = Number.parseInt(group, 16);
      bytes.push(word >>> 8, word & 0xff);
    } else return undefined;
  }
  return bytes;
}
