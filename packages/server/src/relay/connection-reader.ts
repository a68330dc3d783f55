/** Reads one connection of a relay from what passes on it: deframed, deciphered, decoded, and judged by the shadow world. */
import {
  type PacketReader,
  type PayloadCodec,
  packetStreams,
  type Received,
  type SavedChannel,
  type Side,
  type StreamOptionValues,
  type Tapped,
  type Unframed,
  type WireMessage,
} from "wirewalk/protocol";
import { countBytes, type JsonObject, WireError } from "wirewalk/wire";
import { requestedUpgrade, STUDIO } from "../http/web-upgrade.ts";
import type { Reading } from "../session/read-queue.ts";
import type { JoinRequest } from "../session/session.ts";
import { ConnectionTap, type ReadGame } from "./connection-tap.ts";
import type { DirectionCounts, RelayEvent } from "./relay-events.ts";

export interface ConnectionReaderOptions extends ReadGame {
  readonly connection: number;
  readonly emit: (event: RelayEvent) => void;
  /** The client has requested a WebSocket, whose address may name a room and an account. */
  readonly requested: (request: JoinRequest, arrivedMs: number) => void;
  /** A message of the client that could be read. */
  readonly judge: (message: WireMessage, payload: Uint8Array, arrivedMs: number) => void;
  /** A message of the server that could be read. */
  readonly observe: (message: WireMessage, payload: Uint8Array, arrivedMs: number) => void;
  /** A message that could not be read, or that is not described. */
  readonly missed: (sender: Side, payload: Uint8Array, arrivedMs: number) => void;
  /** A direction cannot be read any further. */
  readonly lost: (sender: Side, arrivedMs: number) => void;
  /** The `session` of the earlier connection whose session this one continues: see `TapSetup`. */
  readonly resumed?: () => unknown;
  /** Bytes of the client, which the tap has taken and whose messages follow. */
  readonly carried?: (bytes: Uint8Array, arrivedMs: number, save: () => SavedChannel | undefined) => void;
}

/** Moments of one arrival: by the clock of the relay, and since 1970. */
export interface Arrival {
  readonly arrivedMs: number;
  readonly timeMs: number;
}

/** Bytes given to the tap at once: a channel deciphers all of them before it gives the first payload. */
const PIECE_BYTES = 2_048;
/** What an entry of the queue costs beside its bytes. */
const ENTRY_BYTES = 200;

const newCounts = (): DirectionCounts => ({ bytes: 0, messages: 0, unreadable: 0, unreadBytes: 0 });

export class ConnectionReader {
  readonly counts: Readonly<Record<Side, DirectionCounts>> = { client: newCounts(), server: newCounts() };
  readonly #options: ConnectionReaderOptions;
  readonly #codec: PayloadCodec;
  readonly #tap: ConnectionTap;
  readonly #readers: Readonly<Record<Side, PacketReader | undefined>>;
  readonly #lost = { client: false, server: false };

  /** Throws `WireError` for options that the game refuses, and `RangeError` for an unknown dialect. */
  constructor(options: ConnectionReaderOptions) {
    this.#options = options;
    this.#codec = options.protocol.codec(options.dialect);
    this.#tap = new ConnectionTap(options, options.resumed);
    this.#readers = { client: packetReader(options, "client"), server: packetReader(options, "server") };
  }

  /** What a sender sent, to be read later. */
  bytes(direction: Side, bytes: Uint8Array, arrival: Arrival): Reading {
    let at = 0;
    return {
      bytes: bytes.length + ENTRY_BYTES,
      read: (isOver) => {
        while (!this.#lost[direction]) {
          if (!this.#readNext(direction, arrival, isOver)) return false;
          if (at === bytes.length || this.#lost[direction]) break;
          const piece = bytes.subarray(at, at + PIECE_BYTES);
          at += piece.length;
          this.counts[direction].bytes += piece.length;
          this.#push(direction, piece, arrival);
        }
        this.#pass(direction, bytes.length - at);
        return true;
      },
    };
  }

  /** Bytes that were passed on, and that there was no time to read: this direction cannot be read any further. */
  skip(direction: Side, bytes: number, arrival: Arrival): void {
    this.#lose(direction, arrival, "reading fell too far behind the path");
    this.#pass(direction, bytes);
  }

  /** What a later connection needs to continue the session of this one. */
  get session(): unknown {
    return this.#tap.session;
  }

  /** The connection has ended: an incomplete login or frame that is still held will not be read. */
  close(arrival: Arrival): void {
    for (const direction of ["client", "server"] as const) {
      const pending = this.#tap.pendingBytes(direction);
      this.counts[direction].unreadBytes += pending;
      if (pending === 0) continue;
      this.#lose(
        direction,
        arrival,
        `the connection ended within a message or a login, ${countBytes(pending)} after its start`,
      );
    }
  }

  #pass(direction: Side, bytes: number): void {
    const counts = this.counts[direction];
    counts.bytes += bytes;
    counts.unreadBytes += bytes;
  }

  #push(direction: Side, piece: Uint8Array, arrival: Arrival): void {
    const failure = attempt(() => this.#tap.push(direction, piece));
    if (direction === "client") {
      this.#options.carried?.(piece, arrival.arrivedMs, () => this.#tap.saveChannel());
    }
    if (failure === undefined) return;
    // What was complete before the stream broke can be read. The first error has the cause: after it the tap says only that
    // the stream was refused.
    this.#readNext(direction, arrival, () => false, failure);
    this.#lose(direction, arrival, failure.message);
  }

  /** Reads all that is complete. False: the slice is over before that. */
  #readNext(direction: Side, arrival: Arrival, isOver: () => boolean, cause?: WireError): boolean {
    for (;;) {
      let tapped: Tapped | undefined;
      const failure = attempt(() => {
        tapped = this.#tap.next(direction);
      });
      if (failure !== undefined) {
        this.#lose(direction, arrival, (cause ?? failure).message);
        return true;
      }
      if (tapped === undefined) return true;
      if (tapped.payload === undefined) this.#readUnframed(direction, arrival, tapped);
      else this.#read(direction, arrival, tapped);
      if (isOver()) return false;
    }
  }

  #readUnframed(direction: Side, arrival: Arrival, { unframed, what }: Unframed): void {
    const { connection, emit, requested } = this.#options;
    const { timeMs, arrivedMs } = arrival;
    emit({ event: "unframed", connection, timeMs, direction, what, bytes: unframed });
    if (direction !== "client" || !this.#tap.isWebSocket) return;
    const [, url = ""] = Buffer.from(unframed).toString("latin1").split(" ", 2);
    const { listener, joinRequest } = requestedUpgrade(url);
    if (listener === STUDIO) {
      for (const side of ["client", "server"] as const) this.#lose(side, arrival, "it is the feed of a page");
    } else if (joinRequest !== undefined) requested(joinRequest, arrivedMs);
  }

  #read(direction: Side, { timeMs, arrivedMs }: Arrival, received: Received): void {
    const { connection, emit, judge, observe, missed } = this.#options;
    const { payload, message } = received;
    const counts = this.counts[direction];
    const undescribed = this.#codec.undescribed?.(direction, payload);
    if (undescribed !== undefined) {
      counts.messages += 1;
      const value = { size: payload.length };
      emit({ event: "message", connection, timeMs, direction, message: undescribed, value, payload });
      missed(direction, payload, arrivedMs);
      return;
    }
    let value: JsonObject = {};
    const failure =
      received.error ??
      attempt(() => {
        value = this.#valueOf(direction, received);
      });
    if (failure === undefined) {
      counts.messages += 1;
      const name = (message as WireMessage).message;
      emit({ event: "message", connection, timeMs, direction, message: name, value, payload });
    } else {
      counts.unreadable += 1;
      emit({ event: "unreadable", connection, timeMs, direction, error: failure, payload });
    }
    if (message === undefined) missed(direction, payload, arrivedMs);
    else if (direction === "client") judge(message, payload, arrivedMs);
    else observe(message, payload, arrivedMs);
  }

  #valueOf(direction: Side, received: Received): JsonObject {
    const json = this.#readers[direction]?.receive(received) ?? {};
    const { message, value, ...rest } = json;
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { ...value, ...rest } as JsonObject;
    return value === undefined ? rest : { ...rest, value };
  }

  #lose(direction: Side, { timeMs, arrivedMs }: Arrival, reason: string): void {
    if (this.#lost[direction]) return;
    this.#lost[direction] = true;
    const { connection, emit, lost } = this.#options;
    emit({ event: "lost", connection, timeMs, direction, reason });
    lost(direction, arrivedMs);
  }
}

/** The reader of the game's packet stream for a sender: of a game with several parts, the first one that it sends. */
function packetReader({ protocol, dialect, options }: ReadGame, sender: Side): PacketReader | undefined {
  const stream = Object.values(packetStreams(protocol)).find(({ senders }) => senders.includes(sender));
  const { streamOptions } = protocol.capabilities?.tap ?? {};
  return stream?.openReader({ dialect, sender, framed: true, options: withDefaults(options, streamOptions) });
}

function withDefaults(given: StreamOptionValues, defaults: StreamOptionValues = {}): StreamOptionValues {
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(known) };
}

/** The error that was thrown. A bug in a reader must not end the relay: it is shown like an error of the bytes. */
export function attempt(call: () => void): WireError | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof WireError) return error;
    const why = error instanceof Error ? error.message : String(error);
    return new WireError("bad-state", `Cannot read message: the reader failed: ${why}`, 0);
  }
}
