/** How well a reading fits the first bytes of a connection. */
import type { Side } from "../../protocols/index.ts";
import { WireError } from "../../wire/index.ts";
import type { End } from "../net/connections.ts";
import type { Stamp } from "../net/stream-assembler.ts";
import type { Candidate } from "./candidates.ts";
import { ConnectionReader, type ConnectionReaderOptions } from "./connection-reader.ts";

/** Bytes or a gap of a connection, as they came. */
export interface StreamEvent {
  readonly from: End;
  /** A number of bytes that are missing, or the bytes. */
  readonly bytes: Uint8Array | number;
  readonly stamp: Stamp;
}

/** What came of reading events as a candidate. */
export interface TrialResult {
  readonly candidate: Candidate;
  readonly messages: number;
  readonly payloadBytes: number;
  readonly refused: number;
  /** The first refusal. */
  readonly reason: string | undefined;
}

/** The side that an end is. */
export function sideOf(from: End, client: End): Side {
  return from === client ? "client" : "server";
}

/** Whether a direction begins with its first byte, by side. */
export function startsBySide(startsAt: readonly [boolean, boolean], client: End): Record<Side, boolean> {
  return { client: startsAt[client], server: startsAt[client === 0 ? 1 : 0] };
}

/** Reads the events. `isEnd` is true when they are all of the connection. */
export function tryCandidate(
  candidate: Candidate,
  events: readonly StreamEvent[],
  options: Pick<ConnectionReaderOptions, "streamOptions" | "tapOptions"> & {
    readonly startsAt: readonly [boolean, boolean];
    readonly isEnd: boolean;
  },
): TrialResult {
  const count = { messages: 0, payloadBytes: 0, refused: 0 };
  let reason: string | undefined;
  const refuse = (sender: Side, error: WireError): void => {
    count.refused += 1;
    reason ??= `${sender}: ${error.message}`;
  };
  const { streamOptions, tapOptions, startsAt, isEnd } = options;
  try {
    const reader = new ConnectionReader(
      { ...candidate, streamOptions, tapOptions, startsAt: startsBySide(startsAt, candidate.client), isTrial: true },
      {
        message(_sender, _message, payload) {
          count.messages += 1;
          count.payloadBytes += payload.length;
        },
        refused(sender, error, payload) {
          // It was one, but another that it depends on is missing.
          if (error.code === "bad-state") {
            count.messages += 1;
            count.payloadBytes += payload.length;
          } else refuse(sender, error);
        },
        unread: refuse,
        gap() {},
        unframed(_sender, _what, bytes) {
          // A greeting shows the game as well as a message does.
          count.messages += 1;
          count.payloadBytes += bytes.length;
        },
      },
    );
    for (const { from, bytes, stamp } of events) {
      const side = sideOf(from, candidate.client);
      if (typeof bytes === "number") reader.gap(side, bytes, stamp);
      else reader.data(side, bytes, stamp);
    }
    const last = events.at(-1);
    if (isEnd && last !== undefined) reader.close(last.stamp);
  } catch (error) {
    // Options that the game refuses.
    if (!(error instanceof WireError)) throw error;
    return { candidate, messages: 0, payloadBytes: 0, refused: 1, reason: error.message };
  }
  return { candidate, ...count, reason };
}

/** The share of what was read that was not refused, 0..1. */
export function fitOf({ messages, refused }: TrialResult): number {
  return messages === 0 ? 0 : messages / (messages + refused);
}
