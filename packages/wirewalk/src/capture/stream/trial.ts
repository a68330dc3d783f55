/** How well a reading fits a connection: it is read as that, and what came of it is counted. */
import type { Side } from "../../protocols/index.ts";
import { WireError } from "../../wire/index.ts";
import type { End } from "../net/connections.ts";
import type { Stamp } from "../net/stream-assembler.ts";
import type { Candidate } from "./candidates.ts";
import { ConnectionReader, type ConnectionReaderOptions } from "./connection-reader.ts";
import type { DirectionSink } from "./direction-reader.ts";

/** Bytes or a gap of a connection, as they came. */
export interface StreamEvent {
  readonly from: End;
  /** A number of bytes that are missing, or the bytes. */
  readonly bytes: Uint8Array | number;
  readonly stamp: Stamp;
}

/** The side that an end is. */
export function sideOf(from: End, client: End): Side {
  return from === client ? "client" : "server";
}

/** Whether a direction begins with its first byte, by side. */
export function startsBySide(startsAt: readonly [boolean, boolean], client: End): Record<Side, boolean> {
  return { client: startsAt[client], server: startsAt[client === 0 ? 1 : 0] };
}

/** Gives an event to a reader. */
export function feed(reader: ConnectionReader, client: End, { from, bytes, stamp }: StreamEvent): void {
  const side = sideOf(from, client);
  if (typeof bytes === "number") reader.gap(side, bytes, stamp);
  else reader.data(side, bytes, stamp);
}

/** Refusals without a message after which a candidate is read no further. */
const HOPELESS_REFUSALS = 4;

export class Trial {
  readonly candidate: Candidate;
  messages = 0;
  payloadBytes = 0;
  refused = 0;
  /** The first refusal. */
  #reason: string | undefined;
  /** Undefined once it is read no further. */
  #reader: ConnectionReader | undefined;

  constructor(
    candidate: Candidate,
    options: Pick<ConnectionReaderOptions, "streamOptions" | "tapOptions" | "memory"> & {
      readonly startsAt: readonly [boolean, boolean];
    },
  ) {
    this.candidate = candidate;
    const { streamOptions, tapOptions, startsAt, memory } = options;
    try {
      const starts = startsBySide(startsAt, candidate.client);
      this.#reader = new ConnectionReader(
        { ...candidate, streamOptions, tapOptions, startsAt: starts, memory, isTrial: true },
        this.#sink(),
      );
    } catch (error) {
      // Options that the game refuses, or a game that cannot be read from beside: `openTap` throws `RangeError` for it.
      if (!(error instanceof WireError || error instanceof RangeError)) throw error;
      this.#refuse(error.message);
    }
  }

  /** False when it is read no further. */
  get isOpen(): boolean {
    return this.#reader !== undefined;
  }

  /** The share of what was read that was not refused, 0..1. */
  get fit(): number {
    return this.messages === 0 ? 0 : this.messages / (this.messages + this.refused);
  }

  get reason(): string {
    return this.#reason ?? (this.messages === 0 ? "no whole message" : "another fits better");
  }

  add(event: StreamEvent): void {
    if (this.#reader === undefined) return;
    feed(this.#reader, this.candidate.client, event);
    if (this.messages === 0 && this.refused >= HOPELESS_REFUSALS) this.release();
  }

  /** The connection is over. */
  close(stamp: Stamp): void {
    this.#reader?.close(stamp);
    this.#reader = undefined;
  }

  /** Reads no further. */
  release(): void {
    this.#reader?.release();
    this.#reader = undefined;
  }

  #sink(): DirectionSink {
    return {
      message: (_sender, { isUndescribed }, payload) => {
        // Any number may be that of a message without a description: it says nothing of the game.
        if (isUndescribed !== true) this.#read(payload);
      },
      refused: (sender, error, payload) => {
        // It was one, but another that it depends on is missing.
        if (error.code === "bad-state") this.#read(payload);
        else this.#refuse(`${sender}: ${error.message}`);
      },
      unread: (sender, error) => this.#refuse(`${sender}: ${error.message}`),
      gap() {},
      // A greeting shows the game as well as a message does.
      unframed: (_sender, _what, bytes) => this.#read(bytes),
    };
  }

  #read({ length }: Uint8Array): void {
    this.messages += 1;
    this.payloadBytes += length;
  }

  #refuse(reason: string): void {
    this.refused += 1;
    this.#reason ??= reason;
  }
}

/** The better fit first. */
export function byFit(a: Trial, b: Trial): number {
  return b.fit - a.fit || b.payloadBytes - a.payloadBytes;
}
