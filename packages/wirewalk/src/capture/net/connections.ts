/**
 * The TCP connections of a capture: segments in, the bytes of each direction out, in order. Ports that are used again make new
 * connections. Memory is bounded per direction, in all, and in the number of connections.
 */
import { ClosedConnections } from "./closed-connections.ts";
import { formatAddress, type IpPacket } from "./ip.ts";
import { type HeldTotal, type Stamp, StreamAssembler, type StreamSink } from "./stream-assembler.ts";
import type { TcpSegment } from "./tcp-segment.ts";

/** One of the two ends of a connection. */
export type End = 0 | 1;

/** `127.0.0.1` and 5555. */
export interface Endpoint {
  /** An IPv6 address stands in brackets. */
  readonly address: string;
  readonly port: number;
}

/** A connection as its handler sees it. */
export interface ConnectionInfo {
  readonly ends: readonly [Endpoint, Endpoint];
  /** The end that opened it; undefined when the capture does not have the handshake. */
  readonly opener: End | undefined;
  /** Whether the first byte of a direction is the first one that its end sent. */
  readonly startsAt: readonly [boolean, boolean];
}

/** Receives what happens on one connection. Directions are named by the end that sends. */
export interface ConnectionHandler {
  data(from: End, bytes: Uint8Array, stamp: Stamp): void;
  gap(from: End, bytes: number, stamp: Stamp): void;
  /** Nothing follows. */
  close(stamp: Stamp): void;
}

/** Limits of what is held. */
export interface ConnectionLimits {
  /** Bytes that wait behind a gap in one direction. Default 4 MiB: a window of most systems. */
  readonly heldBytes?: number;
  /** The same in all. Default 32 MiB. */
  readonly heldBytesInAll?: number;
  /** Connections that are followed at once; the one that was silent for longest is closed for a new one. Default 4096. */
  readonly connections?: number;
  /** Seconds of silence after which a connection is closed. Default 7,440: the least for which RFC 5382 (5) lets a router keep one. */
  readonly silentSeconds?: number;
  /** The same once one end has ended its stream. Default 240, from there too. */
  readonly halfEndedSeconds?: number;
}

const DEFAULTS = {
  heldBytes: 4 * 1024 * 1024,
  heldBytesInAll: 32 * 1024 * 1024,
  connections: 4096,
  silentSeconds: 7440,
  halfEndedSeconds: 240,
};
/** One of so many is closed at once when there are too many. */
const EVICTED_SHARE = 8;
/** Seconds between two looks for silent connections. */
const LOOK_SECONDS = 10;
/**
 * The most that one packet adds to the seconds of silence: a damaged time must not end all connections, and where the recorder paused
 * nobody was silent.
 */
const MAX_STEP_SECONDS = 10;
/** Packets of a connection for which bytes that its peer has confirmed are waited for: a capture may be a little out of order. */
const CONFIRMED_GRACE = 32;
/** The same before a stream with an unknown start begins. */
const START_GRACE = 8;
/** Seconds of the capture for which missing bytes are waited for, whatever was confirmed: senders give up after minutes. */
const MISSING_SECONDS = 60;
/** Packets of the capture after a reset, in which segments from before it may come. */
const RESET_GRACE = 64;
/** Segments far from where a stream is, one after the other, until they are taken for a new connection without its handshake. */
const STRAY_LIMIT = 3;

class Connection implements ConnectionInfo {
  readonly key: string;
  readonly ends: readonly [Endpoint, Endpoint];
  opener: End | undefined;
  readonly startsAt: [boolean, boolean] = [false, false];
  readonly streams: readonly [StreamAssembler, StreamAssembler];
  readonly handler: ConnectionHandler;
  isClosed = false;
  last: Stamp;
  /** Of the clock of {@link Connections}. */
  lastSeconds = 0;
  /** Packets until waiting for the start ends. */
  grace = START_GRACE;
  /** By direction: packets since missing bytes were confirmed. */
  readonly confirmed: [number, number] = [0, 0];
  strays = 0;

  constructor(
    { key, ends, stamp }: { readonly key: string; readonly ends: Connection["ends"]; readonly stamp: Stamp },
    total: HeldTotal,
    open: (connection: ConnectionInfo) => ConnectionHandler,
  ) {
    this.key = key;
    this.ends = ends;
    this.last = stamp;
    const sinkOf = (from: End): StreamSink => ({
      data: (bytes, at) => this.handler.data(from, bytes, at),
      gap: (bytes, at) => this.handler.gap(from, bytes, at),
    });
    this.streams = [new StreamAssembler(sinkOf(0), total), new StreamAssembler(sinkOf(1), total)];
    this.handler = open(this);
  }
}

export class Connections {
  readonly #open: (connection: ConnectionInfo) => ConnectionHandler;
  readonly #limits: Required<ConnectionLimits>;
  readonly #connections = new Map<string, Connection>();
  readonly #total: HeldTotal = { bytes: 0 };
  /** Streams with bytes that wait. */
  readonly #waiting = new Map<StreamAssembler, Connection>();
  /** Connections that were reset, and the packet at which they are closed. */
  #resets: { readonly connection: Connection; readonly at: number }[] = [];
  readonly #closed = new ClosedConnections();
  /** Seconds of the capture without its long pauses, and the time of the last packet. */
  #seconds = 0;
  #lastTime: number | undefined;
  #lookedAt = 0;
  /** Connections that were closed because there were too many. */
  evicted = 0;

  /** `open` is called for each connection at its first segment, and gives its handler. */
  constructor(open: (connection: ConnectionInfo) => ConnectionHandler, limits: ConnectionLimits = {}) {
    this.#open = open;
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** True while bytes wait behind a gap. */
  get isHolding(): boolean {
    return this.#waiting.size > 0;
  }

  /** The number of the first packet whose bytes wait behind a gap; infinity when none do. */
  oldestHeld(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const stream of this.#waiting.keys()) oldest = Math.min(oldest, stream.oldestHeld?.number ?? oldest);
    return oldest;
  }

  /** Gives up the gap with the oldest bytes behind it. `stamp` is of the latest packet. */
  giveUpOldest(stamp: Stamp): void {
    let oldest: StreamAssembler | undefined;
    for (const stream of this.#waiting.keys()) {
      const number = stream.oldestHeld?.number ?? Number.POSITIVE_INFINITY;
      if (oldest === undefined || number < (oldest.oldestHeld?.number ?? Number.POSITIVE_INFINITY)) oldest = stream;
    }
    if (oldest === undefined) return;
    const connection = this.#waiting.get(oldest) as Connection;
    oldest.giveUp();
    this.#note(connection, oldest);
    this.#closeComplete(connection, stamp);
  }

  /** Closes connections that have been silent for too long, and gives up their gaps. Call it now and then. */
  closeSilent(stamp: Stamp): void {
    if (this.#seconds - this.#lookedAt < LOOK_SECONDS) return;
    this.#lookedAt = this.#seconds;
    const { silentSeconds, halfEndedSeconds } = this.#limits;
    for (const connection of this.#connections.values()) {
      const { streams } = connection;
      const silence = this.#seconds - connection.lastSeconds;
      const isHalfEnded = streams[0].isEnded || streams[1].isEnded;
      if (silence > (isHalfEnded ? halfEndedSeconds : silentSeconds)) this.#close(connection, stamp);
      else if (silence > MISSING_SECONDS) this.#giveUp(connection, stamp);
    }
  }

  segment({ source, destination }: IpPacket, segment: TcpSegment, stamp: Stamp): void {
    this.#closeReset(stamp);
    const time = stamp.time.seconds;
    this.#seconds += Math.max(0, Math.min(time - (this.#lastTime ?? time), MAX_STEP_SECONDS));
    this.#lastTime = time;
    const from = endOf(source, segment.sourcePort, destination, segment.destinationPort);
    const key =
      from === 0
        ? keyOf(source, segment.sourcePort, destination, segment.destinationPort)
        : keyOf(destination, segment.destinationPort, source, segment.sourcePort);
    let connection = this.#connections.get(key);
    if (connection !== undefined && !isOf(connection, segment, from)) {
      this.#close(connection, stamp);
      connection = undefined;
    }
    if (connection === undefined) {
      if (this.#closed.has(key, from, segment)) return;
      // A lone reset or end is no connection.
      if (segment.length === 0 && !segment.syn && segment.acknowledged === undefined) return;
      const ends: [Endpoint, Endpoint] = [
        { address: formatAddress(source), port: segment.sourcePort },
        { address: formatAddress(destination), port: segment.destinationPort },
      ];
      connection = this.#add(key, from === 0 ? ends : [ends[1], ends[0]], stamp);
    }
    this.#follow(connection, from, segment, stamp);
  }

  /** The capture ends: everything that waits is passed on. */
  finish(stamp: Stamp): void {
    // In the order of their last packets, as if each had ended there.
    for (const connection of this.#bySilence()) this.#close(connection, stamp);
  }

  #add(key: string, ends: readonly [Endpoint, Endpoint], stamp: Stamp): Connection {
    if (this.#connections.size >= this.#limits.connections) this.#evict(stamp);
    const connection = new Connection({ key, ends, stamp }, this.#total, this.#open);
    connection.lastSeconds = this.#seconds;
    this.#closed.delete(key);
    this.#connections.set(key, connection);
    return connection;
  }

  #follow(connection: Connection, from: End, segment: TcpSegment, stamp: Stamp): void {
    const to: End = from === 0 ? 1 : 0;
    const stream = connection.streams[from];
    const peer = connection.streams[to];
    connection.last = stamp;
    connection.lastSeconds = this.#seconds;
    if (segment.syn) this.#handshake(connection, from, segment);
    else if (segment.acknowledged !== undefined) this.#handshakeAnswer(connection, from, segment);
    if (!stream.fits(segment.sequence)) return;
    // Data may come with SYN; SYN itself counts as a byte.
    stream.receive(segment.syn ? { ...segment, sequence: (segment.sequence + 1) >>> 0 } : segment, stamp);
    if (segment.acknowledged !== undefined) peer.acknowledge(segment.acknowledged);
    if (segment.reset) this.#resets.push({ connection, at: stamp.number + RESET_GRACE });
    this.#wait(connection, stamp);
    this.#closeComplete(connection, stamp);
  }

  #closeComplete(connection: Connection, stamp: Stamp): void {
    const [first, second] = connection.streams;
    if (first.isComplete && second.isComplete) this.#close(connection, stamp);
  }

  /** Gives up all gaps of a connection. */
  #giveUp(connection: Connection, stamp: Stamp): void {
    for (const stream of connection.streams) {
      while (stream.heldBytes > 0) stream.giveUp();
      this.#note(connection, stream);
    }
    this.#closeComplete(connection, stamp);
  }

  #handshake(connection: Connection, from: End, { sequence, acknowledged }: TcpSegment): void {
    const to: End = from === 0 ? 1 : 0;
    connection.opener ??= acknowledged === undefined ? from : to;
    this.#start(connection, from, (sequence + 1) >>> 0);
    // The answer confirms the peer's first sequence number, whether or not the capture has it.
    if (acknowledged !== undefined) this.#start(connection, to, acknowledged);
  }

  /** The third segment of a handshake confirms the first sequence number of the end that answered. */
  #handshakeAnswer(connection: Connection, from: End, { sequence, acknowledged }: TcpSegment): void {
    const to: End = from === 0 ? 1 : 0;
    if (connection.startsAt[to] || connection.opener !== from || !connection.startsAt[from]) return;
    if (connection.streams[from].startsAt(sequence) && !connection.streams[to].isPlaced) {
      this.#start(connection, to, acknowledged as number);
    }
  }

  #start(connection: Connection, from: End, sequence: number): void {
    const stream = connection.streams[from];
    if (connection.startsAt[from]) return;
    if (stream.isPlaced && !stream.isBeginning) return;
    connection.startsAt[from] = true;
    stream.startAt(sequence);
    this.#note(connection, stream);
  }

  /** Decides for how long missing bytes are waited for. */
  #wait(connection: Connection, stamp: Stamp): void {
    connection.grace -= 1;
    for (const from of [0, 1] as const) {
      const stream = connection.streams[from];
      if (stream.heldBytes === 0) {
        connection.confirmed[from] = 0;
        this.#note(connection, stream);
        continue;
      }
      if (stream.isBeginning) {
        if (connection.grace <= 0) stream.begin();
      } else {
        connection.confirmed[from] = stream.isMissingConfirmed ? connection.confirmed[from] + 1 : 0;
        const waited = stamp.time.seconds - (stream.oldestHeld?.time.seconds ?? stamp.time.seconds);
        const isLate = connection.confirmed[from] > CONFIRMED_GRACE || waited > MISSING_SECONDS;
        if (isLate || stream.heldBytes > this.#limits.heldBytes) {
          stream.giveUp();
          connection.confirmed[from] = 0;
        }
      }
      this.#note(connection, stream);
    }
    while (this.#total.bytes > this.#limits.heldBytesInAll && this.#waiting.size > 0) this.giveUpOldest(stamp);
  }

  #note(connection: Connection, stream: StreamAssembler): void {
    if (stream.heldBytes > 0) this.#waiting.set(stream, connection);
    else if (this.#waiting.size > 0) this.#waiting.delete(stream);
  }

  #close(connection: Connection, stamp: Stamp): void {
    if (connection.isClosed) return;
    connection.isClosed = true;
    for (const stream of connection.streams) {
      stream.finish();
      this.#waiting.delete(stream);
    }
    this.#connections.delete(connection.key);
    this.#closed.add(connection.key, connection.streams);
    connection.handler.close(stamp);
  }

  #closeReset(stamp: Stamp): void {
    let first = this.#resets[0];
    while (first !== undefined && first.at <= stamp.number) {
      this.#close(first.connection, stamp);
      this.#resets.shift();
      first = this.#resets[0];
    }
  }

  /** Closes the connections that were silent for longest. */
  #evict(stamp: Stamp): void {
    const open = this.#bySilence();
    for (const connection of open.slice(0, Math.ceil(open.length / EVICTED_SHARE))) {
      this.#close(connection, stamp);
      this.evicted += 1;
    }
  }

  /** The connection whose last packet is oldest first. */
  #bySilence(): readonly Connection[] {
    return [...this.#connections.values()].sort((a, b) => a.last.number - b.last.number);
  }
}

/** Whether a segment belongs to the connection, or to a new one with the same ports. */
function isOf(connection: Connection, segment: TcpSegment, from: End): boolean {
  const stream = connection.streams[from];
  const { sequence, syn } = segment;
  if (syn) {
    if (!stream.isPlaced || stream.isBeginning) return true;
    // SYN of this connection, sent again, or out of order.
    return stream.startsAt((sequence + 1) >>> 0);
  }
  if (stream.fits(sequence)) {
    connection.strays = 0;
    return true;
  }
  connection.strays += 1;
  return connection.strays < STRAY_LIMIT;
}

/** Which end sends: the lower of the two is 0. */
function endOf(source: Uint8Array, sourcePort: number, destination: Uint8Array, destinationPort: number): End {
  for (let at = 0; at < source.length; at++) {
    const difference = (source[at] as number) - (destination[at] as number);
    if (difference !== 0) return difference < 0 ? 0 : 1;
  }
  return sourcePort <= destinationPort ? 0 : 1;
}

/** Two addresses and ports as a text that is made fast: it is made for every packet. */
function keyOf(first: Uint8Array, firstPort: number, second: Uint8Array, secondPort: number): string {
  if (first.length === 4) {
    return String.fromCharCode(u16(first, 0), u16(first, 2), firstPort, u16(second, 0), u16(second, 2), secondPort);
  }
  let key = String.fromCharCode(firstPort, secondPort);
  for (let at = 0; at < first.length; at += 2) key += String.fromCharCode(u16(first, at), u16(second, at));
  return key;
}

function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
}
