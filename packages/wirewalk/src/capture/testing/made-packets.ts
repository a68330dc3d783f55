/** Capture files, packets and segments for tests, byte by byte: as a second writer beside that of the library. */
import { joinBytes } from "../../wire/index.ts";

/** What a packet of a made file has. */
export interface MadeFilePacket {
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly data: Uint8Array;
  /** Default: as long as `data`. */
  readonly originalLength?: number;
}

export interface PcapOptions {
  readonly littleEndian: boolean;
  readonly nanoseconds: boolean;
  readonly linkType?: number;
}

/** Numbers of 16, 32 and 64 bits in one byte order. */
export class Bytes {
  readonly #parts: number[] = [];
  readonly #littleEndian: boolean;

  constructor(littleEndian: boolean) {
    this.#littleEndian = littleEndian;
  }

  uint(bits: 8 | 16 | 32 | 64, value: number | bigint): this {
    const bytes = Array.from({ length: bits / 8 }, (_, index) => Number((BigInt(value) >> BigInt(8 * index)) & 0xffn));
    this.#parts.push(...(this.#littleEndian ? bytes : bytes.reverse()));
    return this;
  }

  bytes(bytes: Iterable<number>): this {
    this.#parts.push(...bytes);
    return this;
  }

  pad(): this {
    while (this.#parts.length % 4 !== 0) this.#parts.push(0);
    return this;
  }

  get done(): Uint8Array {
    return Uint8Array.from(this.#parts);
  }
}

export function pcapFile(
  packets: readonly MadeFilePacket[],
  { littleEndian, nanoseconds, linkType = 1 }: PcapOptions,
): Uint8Array {
  const head = new Bytes(littleEndian)
    .uint(32, nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4)
    .uint(16, 2)
    .uint(16, 4);
  head.uint(32, 0).uint(32, 0).uint(32, 262_144).uint(32, linkType);
  const records = packets.map(
    ({ seconds, nanoseconds: fraction, data, originalLength = data.length }) =>
      new Bytes(littleEndian)
        .uint(32, seconds)
        .uint(32, nanoseconds ? fraction : Math.floor(fraction / 1000))
        .uint(32, data.length)
        .uint(32, originalLength)
        .bytes(data).done,
  );
  return joinBytes([head.done, ...records]);
}

export function block(littleEndian: boolean, type: number, body: Uint8Array): Uint8Array {
  const padded = new Bytes(littleEndian).bytes(body).pad().done;
  const length = padded.length + 12;
  return new Bytes(littleEndian).uint(32, type).uint(32, length).bytes(padded).uint(32, length).done;
}

export function option(littleEndian: boolean, code: number, value: Uint8Array): Uint8Array {
  return new Bytes(littleEndian).uint(16, code).uint(16, value.length).bytes(value).pad().done;
}

export function sectionBlock(littleEndian: boolean): Uint8Array {
  const body = new Bytes(littleEndian)
    .uint(32, 0x1a2b3c4d)
    .uint(16, 1)
    .uint(16, 0)
    .uint(64, -1n & 0xffff_ffff_ffff_ffffn);
  return block(
    littleEndian,
    0x0a0d0d0a,
    joinBytes([body.done, option(littleEndian, 4, Uint8Array.of(65)), new Uint8Array(4)]),
  );
}

/** `resolution` is the byte of the option `if_tsresol`. */
export function interfaceBlock(
  littleEndian: boolean,
  linkType = 1,
  resolution?: number,
  offsetSeconds?: bigint,
): Uint8Array {
  const body = new Bytes(littleEndian).uint(16, linkType).uint(16, 0).uint(32, 0).done;
  const options: Uint8Array[] = [];
  // An unknown option.
  options.push(option(littleEndian, 0x4321, Uint8Array.of(1, 2, 3)));
  if (resolution !== undefined) options.push(option(littleEndian, 9, Uint8Array.of(resolution)));
  if (offsetSeconds !== undefined)
    options.push(option(littleEndian, 14, new Bytes(littleEndian).uint(64, offsetSeconds).done));
  return block(littleEndian, 1, joinBytes([body, ...options, new Uint8Array(4)]));
}

export function enhancedBlock(littleEndian: boolean, source: number, units: bigint, data: Uint8Array): Uint8Array {
  const body = new Bytes(littleEndian)
    .uint(32, source)
    .uint(32, units >> 32n)
    .uint(32, units & 0xffff_ffffn);
  body.uint(32, data.length).uint(32, data.length).bytes(data).pad();
  return block(
    littleEndian,
    6,
    joinBytes([body.done, option(littleEndian, 1, Uint8Array.of(104, 105)), new Uint8Array(4)]),
  );
}

/** An IPv4 packet. */
export function ipv4(
  payload: Uint8Array,
  fragment: { readonly id: number; readonly offset: number; readonly more: boolean } = {
    id: 0,
    offset: 0,
    more: false,
  },
): Uint8Array {
  const head = new Bytes(false)
    .uint(8, 0x45)
    .uint(8, 0)
    .uint(16, 20 + payload.length)
    .uint(16, fragment.id);
  head
    .uint(16, (fragment.more ? 0x2000 : 0) | (fragment.offset / 8))
    .uint(8, 64)
    .uint(8, 6)
    .uint(16, 0);
  return joinBytes([head.bytes([10, 0, 0, 7]).bytes([10, 0, 0, 1]).done, payload]);
}

/** An IPv6 packet with extension headers before its payload: hop-by-hop, and the header of a fragment where one is given. */
export function ipv6(
  payload: Uint8Array,
  fragment?: { readonly id: number; readonly offset: number; readonly more: boolean },
): Uint8Array {
  const hops = new Bytes(false)
    .uint(8, fragment === undefined ? 6 : 44)
    .uint(8, 0)
    .bytes([1, 4, 0, 0, 0, 0]);
  const header = new Bytes(false);
  if (fragment !== undefined)
    header
      .uint(8, 6)
      .uint(8, 0)
      .uint(16, fragment.offset | (fragment.more ? 1 : 0))
      .uint(32, fragment.id);
  const body = joinBytes([hops.done, header.done, payload]);
  const head = new Bytes(false).uint(32, 0x6000_0000).uint(16, body.length).uint(8, 0).uint(8, 64);
  head
    .bytes([0x20, 1, 0xd, 0xb8, ...new Array<number>(11).fill(0), 7])
    .bytes([0x20, 1, 0xd, 0xb8, ...new Array<number>(11).fill(0), 1]);
  return joinBytes([head.done, body]);
}

export interface MadeSegment {
  readonly fromClient: boolean;
  readonly sequence: number;
  readonly acknowledged?: number;
  readonly flags?: string;
  readonly bytes?: Uint8Array;
  readonly port?: number;
}

/** A TCP segment between ports 20000 and `port`, which is 5555 by default. Flags: any of `SFRP`. */
export function tcp({
  fromClient,
  sequence,
  acknowledged,
  flags = "",
  bytes = new Uint8Array(0),
  port = 5555,
}: MadeSegment): Uint8Array {
  const bits = [..."FSRP"].reduce(
    (sum, letter, index) => sum + (flags.includes(letter) ? 1 << index : 0),
    acknowledged === undefined ? 0 : 16,
  );
  const head = new Bytes(false).uint(16, fromClient ? 20_000 : port).uint(16, fromClient ? port : 20_000);
  head
    .uint(32, sequence >>> 0)
    .uint(32, (acknowledged ?? 0) >>> 0)
    .uint(8, 0x60)
    .uint(8, bits)
    .uint(16, 0xffff)
    .uint(32, 0);
  // Four bytes of options.
  return joinBytes([head.bytes([1, 1, 1, 0]).done, bytes]);
}
