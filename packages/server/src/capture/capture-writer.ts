/** Connections as pcapng, made beside the path and with a limit on what waits to be written. */
import { pcapngPacket, pcapngStatistics, TcpPackets } from "wirewalk/capture";
import type { Clock } from "wirewalk/net";
import type { Side } from "wirewalk/protocol";
import { countBytes } from "wirewalk/wire";
import type { Runtime } from "../runtime/runtime.ts";
import { ReadQueue } from "../session/read-queue.ts";

/** Both ends of a connection. */
export interface CaptureEnds {
  readonly client: { readonly address: string; readonly port: number };
  readonly server: { readonly address: string; readonly port: number };
}

/** Where the bytes of a capture go. */
export interface CaptureOutput {
  /** Bytes that were given and have not left. */
  readonly queuedBytes: number;
  /** Whole blocks. */
  write(blocks: Uint8Array): void;
  /** Nothing follows: resolves when all has left, or never will. */
  close(): Promise<void>;
}

export interface CaptureWriterOptions {
  readonly sink: CaptureOutput;
  readonly clock: Clock;
  readonly runtime: Runtime;
  /** Bytes that wait to be packed, and bytes that wait in the sink, each. More are left out, and counted. */
  readonly maxWaitingBytes: number;
  /** Receives what making a packet throws, a bug: the connection is left out. */
  readonly onError: (error: Error) => void;
}

/** How a connection stands in the capture. */
export interface CaptureStart {
  readonly interfaceNumber?: number;
  /** On its first packet. */
  readonly comment?: string;
  /** False for a connection that was open before the capture began: it has no handshake. Default true. */
  readonly isNew?: boolean;
}

interface Connection {
  readonly packets: TcpPackets;
  readonly interfaceNumber: number;
  /** For the next packet. */
  comment: string | undefined;
  /** Bytes that were left out since the last packet. */
  readonly missed: Record<Side, number>;
}

interface Counts {
  received: number;
  dropped: number;
  /** Packets that were left out and are in no statistics block yet. */
  isReported: boolean;
}

/** What an entry of the queue costs beside its bytes. */
const ENTRY_BYTES = 200;

export class CaptureWriter {
  /** Bytes and packets that are not in the capture, because it could not be written fast enough. */
  missedBytes = 0;
  missedPackets = 0;
  readonly #options: CaptureWriterOptions;
  readonly #queue: ReadQueue;
  readonly #connections = new Map<number, Connection>();
  readonly #counts = new Map<number, Counts>();

  constructor(options: CaptureWriterOptions) {
    const { runtime, clock, maxWaitingBytes, onError } = options;
    this.#options = options;
    this.#queue = new ReadQueue(runtime, clock, (error) => onError(error as Error), maxWaitingBytes);
  }

  /** `connection` is a number that no other open connection has. */
  open(connection: number, ends: CaptureEnds, timeMs: number, start: CaptureStart = {}): void {
    this.#queue.push({
      bytes: 0,
      read: () => {
        const { interfaceNumber = 0, comment, isNew = true } = start;
        const packets = new TcpPackets(ends);
        const opened: Connection = { packets, interfaceNumber, comment, missed: { client: 0, server: 0 } };
        this.#connections.set(connection, opened);
        if (isNew) this.#write(opened, timeMs, packets.open());
        return true;
      },
    });
  }

  /** The bytes are kept until they are packed: they must not change. */
  bytes(connection: number, sender: Side, bytes: Uint8Array, timeMs: number): void {
    const isTaken = this.#queue.push({
      bytes: bytes.length + ENTRY_BYTES,
      read: () => {
        const { sink, maxWaitingBytes } = this.#options;
        const found = this.#connections.get(connection);
        if (found === undefined) return true;
        if (sink.queuedBytes > maxWaitingBytes) this.#miss(found, sender, bytes.length);
        else this.#write(found, timeMs, found.packets.data(sender, bytes));
        return true;
      },
    });
    if (!isTaken) this.#add(connection, (found) => this.#miss(found, sender, bytes.length));
  }

  /** A sentence for the connection's next packet. */
  comment(connection: number, text: string): void {
    this.#add(connection, (found) => {
      found.comment = found.comment === undefined ? text : `${found.comment}; ${text}`;
    });
  }

  end(connection: number, sender: Side, timeMs: number): void {
    this.#add(connection, (found) => this.#write(found, timeMs, found.packets.end(sender)));
  }

  reset(connection: number, sender: Side, timeMs: number): void {
    this.#add(connection, (found) => this.#write(found, timeMs, found.packets.reset(sender)));
  }

  closed(connection: number): void {
    this.#add(connection, () => void this.#connections.delete(connection));
  }

  /** Packets of an interface, with those that were left out, in a block of statistics. */
  statistics(interfaceNumber: number, timeMs: number): Uint8Array {
    const { received, dropped } = this.#countsOf(interfaceNumber);
    return pcapngStatistics(nanoseconds(timeMs), { interfaceNumber, received, dropped });
  }

  /** Resolves when all that was given is in the sink. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  #add(connection: number, call: (connection: Connection) => void): void {
    this.#queue.push({
      bytes: 0,
      read: () => {
        const found = this.#connections.get(connection);
        if (found !== undefined) call(found);
        return true;
      },
    });
  }

  #miss(connection: Connection, sender: Side, bytes: number): void {
    const { packets, interfaceNumber, missed } = connection;
    this.missedBytes += bytes;
    this.missedPackets += 1;
    packets.skip(sender, bytes);
    missed[sender] += bytes;
    const counts = this.#countsOf(interfaceNumber);
    counts.received += 1;
    counts.dropped += 1;
    counts.isReported = false;
  }

  #write(connection: Connection, timeMs: number, packets: readonly Uint8Array[]): void {
    const { sink } = this.#options;
    const { interfaceNumber } = connection;
    const counts = this.#countsOf(interfaceNumber);
    counts.received += packets.length;
    const timeNs = nanoseconds(timeMs);
    for (const packet of packets) {
      sink.write(pcapngPacket(timeNs, packet, commentOf(connection), interfaceNumber));
    }
    if (counts.dropped === 0 || counts.isReported) return;
    counts.isReported = true;
    sink.write(this.statistics(interfaceNumber, timeMs));
  }

  #countsOf(interfaceNumber: number): Counts {
    let counts = this.#counts.get(interfaceNumber);
    if (counts === undefined) {
      counts = { received: 0, dropped: 0, isReported: true };
      this.#counts.set(interfaceNumber, counts);
    }
    return counts;
  }
}

/** What has to be said of the next packet: once. */
function commentOf(connection: Connection): string | undefined {
  const { comment, missed } = connection;
  const texts = comment === undefined ? [] : [comment];
  for (const side of ["client", "server"] as const) {
    if (missed[side] === 0) continue;
    texts.push(
      `${countBytes(missed[side])} of the ${side} are missing before this: the capture was written too slowly`,
    );
    missed[side] = 0;
  }
  connection.comment = undefined;
  return texts.length === 0 ? undefined : texts.join("; ");
}

/** In two steps: milliseconds since 1970 have no room for nanoseconds in a number. */
function nanoseconds(timeMs: number): bigint {
  const wholeMs = Math.floor(timeMs);
  return BigInt(wholeMs) * 1_000_000n + BigInt(Math.round((timeMs - wholeMs) * 1e6));
}
