/**
 * Datagrams out of their fragments. Bounded: what a capture holds of unfinished datagrams has limits in number and bytes, and the
 * oldest ones are given up first.
 */
import { behindExtensions, type IpPacket } from "./ip.ts";

/** Unfinished datagrams. */
const MAX_DATAGRAMS = 256;
/** Bytes of all their fragments. */
const MAX_BYTES = 4 * 1024 * 1024;
/** The longest datagram of both versions. */
const MAX_DATAGRAM_BYTES = 65_535;
/** The least fragments are 8 bytes: without a limit a datagram could have 8,192. */
const MAX_FRAGMENTS = 1024;

interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

interface Datagram {
  /** Of the first fragment that arrived. */
  readonly first: IpPacket;
  pieces: Piece[];
  bytes: number;
  /** Known from the last fragment. */
  length: number | undefined;
}

export class IpFragments {
  readonly #datagrams = new Map<string, Datagram>();
  #bytes = 0;
  /** Datagrams that were given up, because fragments of them are missing, overlap or are over a limit. */
  lost = 0;

  /** Datagrams that wait for fragments. */
  get waiting(): number {
    return this.#datagrams.size;
  }

  /** Takes a fragment. The whole datagram, when it is the last one that was missing. */
  add(packet: IpPacket & { readonly fragment: NonNullable<IpPacket["fragment"]> }): IpPacket | undefined {
    const { fragment, payload, length } = packet;
    const key = String.fromCharCode(...packet.source, ...packet.destination, packet.protocol) + fragment.id;
    let datagram = this.#datagrams.get(key);
    // A fragment that the capture cut can never be completed.
    if (payload.length < length || fragment.offset + length > MAX_DATAGRAM_BYTES) {
      this.#giveUp(key, datagram);
      if (datagram === undefined) this.lost += 1;
      return undefined;
    }
    if (datagram === undefined) {
      datagram = { first: copyOf(packet), pieces: [], bytes: 0, length: undefined };
      this.#datagrams.set(key, datagram);
    }
    const overlap = overlapOf(datagram.pieces, fragment.offset, length);
    if (overlap === "same") return undefined;
    if (overlap === "other" || datagram.pieces.length >= MAX_FRAGMENTS) {
      // RFC 5722: a datagram with overlapping fragments is refused. No sender makes one.
      this.#giveUp(key, datagram);
      return undefined;
    }
    datagram.pieces.push({ offset: fragment.offset, bytes: payload.slice() });
    datagram.bytes += length;
    this.#bytes += length;
    if (!fragment.more) datagram.length = fragment.offset + length;
    if (datagram.length === datagram.bytes) {
      this.#remove(key, datagram);
      return joined(datagram, datagram.length);
    }
    this.#keepLimits();
    return undefined;
  }

  #keepLimits(): void {
    while (this.#datagrams.size > MAX_DATAGRAMS || this.#bytes > MAX_BYTES) {
      const [oldest] = this.#datagrams;
      if (oldest === undefined) return;
      this.#giveUp(...oldest);
    }
  }

  #giveUp(key: string, datagram: Datagram | undefined): void {
    if (datagram === undefined) return;
    this.#remove(key, datagram);
    this.lost += 1;
  }

  #remove(key: string, datagram: Datagram): void {
    this.#datagrams.delete(key);
    this.#bytes -= datagram.bytes;
  }
}

/** Whether bytes of a fragment are there already: as the same fragment, or as part of others. */
function overlapOf(pieces: readonly Piece[], offset: number, length: number): "none" | "same" | "other" {
  for (const piece of pieces) {
    if (piece.offset === offset && piece.bytes.length === length) return "same";
    if (piece.offset < offset + length && offset < piece.offset + piece.bytes.length) return "other";
  }
  return "none";
}

function copyOf(packet: IpPacket): IpPacket {
  return {
    ...packet,
    source: packet.source.slice(),
    destination: packet.destination.slice(),
    payload: new Uint8Array(0),
  };
}

/** The pieces do not overlap and have as many bytes as the datagram: together they are all of it, unless one lies behind its end. */
function joined({ first, pieces }: Datagram, length: number): IpPacket | undefined {
  const payload = new Uint8Array(length);
  for (const { offset, bytes } of pieces) {
    if (offset + bytes.length > length) return undefined;
    payload.set(bytes, offset);
  }
  const { source, destination, protocol } = first;
  const packet = { source, destination, protocol, payload, length };
  return source.length === 4 ? packet : behindExtensions(packet);
}
