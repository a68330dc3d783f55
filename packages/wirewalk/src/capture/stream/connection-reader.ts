/** Both directions of one connection, read as one protocol, dialect and carrier. */

import {
  openTap,
  type ProtocolWith,
  type ResumeSearch,
  type Side,
  type StreamOptionValues,
  type Tap,
} from "../../protocols/index.ts";
import { joinBytes } from "../../wire/index.ts";
import type { Stamp } from "../net/stream-assembler.ts";
import { type Carried, type CarrierKind, freshCarried, overWebSocket, tapped } from "./carried.ts";
import { DirectionReader, type DirectionSink } from "./direction-reader.ts";
import type { SearchMeans } from "./frame-search.ts";
import { PayloadReaders, type StreamOptions } from "./payload-readers.ts";
import type { ReaderMemory } from "./reader-memory.ts";

/** What a connection is read as. */
export interface Reading {
  readonly protocol: ProtocolWith<"openChannel">;
  readonly dialect: string;
  readonly carrier: CarrierKind;
}

export interface ConnectionReaderOptions extends Reading {
  /** Of packet streams. */
  readonly streamOptions: StreamOptions;
  /** Of taps, by protocol. */
  readonly tapOptions: Readonly<Record<string, StreamOptionValues>>;
  /** Of the readers of all connections. */
  readonly memory?: ReaderMemory | undefined;
  /** Whether the first bytes of a direction are the first that its side sent. */
  readonly startsAt: Readonly<Record<Side, boolean>>;
  /** True to find out whether this is the protocol: a direction that breaks is another one, and little is searched. */
  readonly isTrial?: boolean;
}

/** Places that a trial searches for a frame: more than the frames of all games have bytes, but for player info with many players. */
const TRIAL_PLACES = 2048;
/** Bytes of a direction that are kept while its channel waits for the other direction's greeting. */
const MAX_WAITING_BYTES = 65_536;

export class ConnectionReader {
  readonly #options: ConnectionReaderOptions;
  readonly #tap: Tap | undefined;
  readonly #directions: Readonly<Record<Side, DirectionReader>>;
  /** Bytes of a direction that the tap keeps because the greeting has not arrived, to be searched when it never does. */
  readonly #waiting: Record<Side, Uint8Array[]> = { client: [], server: [] };
  #waitingBytes = 0;
  readonly #begun: Record<Side, boolean> = { client: false, server: false };
  readonly #readers: PayloadReaders[] = [];

  /** Throws `WireError` for options that the game refuses. */
  constructor(options: ConnectionReaderOptions, sink: DirectionSink) {
    this.#options = options;
    const { protocol, dialect, carrier } = options;
    this.#tap =
      carrier === "tcp" ? openTap(protocol, { dialect, options: options.tapOptions[protocol.name] ?? {} }) : undefined;
    this.#directions = { client: this.#open("client", sink), server: this.#open("server", sink) };
  }

  data(sender: Side, bytes: Uint8Array, stamp: Stamp): void {
    if (!this.#begun[sender]) this.#begin(sender, bytes, stamp);
    if (this.#isWaiting(sender) && this.#waitingBytes < MAX_WAITING_BYTES) {
      this.#waiting[sender].push(bytes.slice());
      this.#waitingBytes += bytes.length;
    }
    this.#directions[sender].data(bytes, stamp);
    if (this.#tap === undefined || this.#waitingBytes === 0) return;
    for (const side of ["client", "server"] as const) {
      if (this.#waiting[side].length === 0 || this.#isWaiting(side)) continue;
      // The greeting arrived: what the tap kept can be read.
      this.#waiting[side] = [];
      this.#directions[side].data(new Uint8Array(0), stamp);
    }
    if (this.#waiting.client.length + this.#waiting.server.length === 0) this.#waitingBytes = 0;
    // A greeting that was refused will not come again.
    else if (this.#directions.server.isSearching) this.#loseWaiting("client", stamp);
  }

  gap(sender: Side, bytes: number, stamp: Stamp): void {
    this.#begun[sender] = true;
    // The server greets: without its greeting the client's bytes have to be read by themselves.
    const losesGreeting = sender === "server" && this.#isWaiting("server");
    this.#directions[sender].gap(bytes, stamp);
    if (losesGreeting) this.#loseWaiting("client", stamp);
  }

  close(stamp: Stamp): void {
    this.#loseWaiting("client", stamp);
    this.#directions.client.close(stamp);
    this.#directions.server.close(stamp);
    this.release();
  }

  /** Gives up its memory: nothing is read any more. */
  release(): void {
    for (const readers of this.#readers) readers.release();
  }

  /** A direction with an unknown start begins anywhere in a frame, unless its first bytes can be told. */
  #begin(sender: Side, bytes: Uint8Array, stamp: Stamp): void {
    this.#begun[sender] = true;
    const { startsAt, protocol, carrier } = this.#options;
    if (startsAt[sender] || (carrier === "websocket" && isHttp(bytes))) return;
    if (freshCarried(protocol, this.#options, sender) === undefined) return;
    this.#directions[sender].lose("before the first whole frame", new Uint8Array(0), stamp);
  }

  /** True while a direction's channel waits for the greeting of the other one. */
  #isWaiting(sender: Side): boolean {
    return this.#tap !== undefined && this.#directions[sender].isFromStart && this.#tap.save(sender) === undefined;
  }

  /** The greeting that a direction waits for is missing. */
  #loseWaiting(side: Side, stamp: Stamp): void {
    const waiting = this.#waiting[side];
    if (waiting.length === 0 || !this.#isWaiting(side)) return;
    this.#waiting[side] = [];
    this.#directions[side].lose("without the greeting of its peer", joinBytes(waiting), stamp);
  }

  #open(sender: Side, sink: DirectionSink): DirectionReader {
    const { protocol, dialect, streamOptions, startsAt, memory, isTrial = false } = this.#options;
    const tap = this.#tap;
    const start: Carried = tap === undefined ? overWebSocket(protocol, dialect, sender, false) : tapped(tap, sender);
    const hasStart = startsAt[sender];
    const readers = new PayloadReaders({ protocol, dialect, sender, options: streamOptions, hasStart, memory });
    this.#readers.push(readers);
    const endsWhenBroken = isTrial && startsAt[sender];
    const search = (before: ResumeSearch["before"]): SearchMeans => this.#search(sender, before);
    return new DirectionReader({ sender, readers, start, endsWhenBroken, search }, sink);
  }

  #search(sender: Side, before: ResumeSearch["before"]): SearchMeans {
    const { protocol, dialect, isTrial } = this.#options;
    const trials = isTrial === true ? TRIAL_PLACES : undefined;
    if (freshCarried(protocol, this.#options, sender) !== undefined) {
      return { fresh: () => freshCarried(protocol, this.#options, sender) as Carried, resume: undefined, trials };
    }
    const tap = protocol.capabilities?.tap;
    if (tap?.resume === undefined) return { fresh: undefined, resume: undefined };
    return { fresh: undefined, resume: (bytes, refused) => tap.resume?.({ dialect, sender, bytes, refused, before }) };
  }
}

/** Whether bytes begin an HTTP request or answer, as every WebSocket connection does. */
export function isHttp(bytes: Uint8Array): boolean {
  return ["GET ", "HTTP/1."].some((start) => [...start].every((letter, at) => bytes[at] === letter.charCodeAt(0)));
}
