/** What is in a file, in a few numbers: messages by name, the time, the players, and what was not read. */
import type { Side } from "../protocols/index.ts";
import type { JsonValue } from "../wire/index.ts";
import { type CaptureTime, formatCaptureTime, secondsBetween } from "./file/packet.ts";
import type { CaptureRecord } from "./records.ts";

/** One kind of message. */
export interface SummarisedMessage {
  readonly direction: Side;
  readonly message: string;
  readonly count: number;
  /** Of payloads. */
  readonly bytes: number;
  /** Absent: its fields are read. */
  readonly isUndescribed?: true;
}

export interface RecordSummary {
  readonly protocols: readonly string[];
  readonly connections: number;
  /** Of the first and last record: seconds since 1970 with nanoseconds, as text; null for a file without records. */
  readonly first: string | null;
  readonly last: string | null;
  readonly seconds: number;
  /** The most frequent first. */
  readonly messages: readonly SummarisedMessage[];
  /** Players that the server showed: how many different ones, and how many at once at most. Null where no message says it. */
  readonly players: { readonly seen: number; readonly mostAtOnce: number } | null;
  readonly undescribed: number;
  readonly refused: number;
  /** The first reasons, with how often each was there. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly gapBytes: number;
}

interface Count {
  readonly direction: Side;
  readonly message: string;
  readonly isUndescribed: boolean;
  count: number;
  bytes: number;
}

const MAX_REASONS = 20;

export class Summary {
  readonly #protocols = new Set<string>();
  readonly #flows = new Set<string>();
  readonly #counts: Record<Side, Map<string, Count>> = { client: new Map(), server: new Map() };
  readonly #reasons = new Map<string, number>();
  readonly #seen = new Set<number>();
  #mostAtOnce = 0;
  #hasPlayers = false;
  #reading: Pick<CaptureRecord, "flow" | "protocol" | "dialect"> | undefined;
  #first: CaptureTime | undefined;
  readonly #last = { seconds: 0, nanoseconds: 0 };
  #undescribed = 0;
  #refused = 0;
  #gapBytes = 0;

  add(record: CaptureRecord): void {
    const { time } = record;
    // A glanced record is written again.
    this.#first ??= { ...time };
    this.#last.seconds = time.seconds;
    this.#last.nanoseconds = time.nanoseconds;
    this.#seeReading(record);
    if (record.kind === "gap") this.#gapBytes += record.gap;
    else if (record.kind === "refused") this.#refuse(record.error.message);
    else this.#message(record);
  }

  get result(): RecordSummary {
    const counts = [...this.#counts.client.values(), ...this.#counts.server.values()].sort((a, b) => b.count - a.count);
    return {
      protocols: [...this.#protocols],
      connections: this.#flows.size,
      first: this.#first === undefined ? null : formatCaptureTime(this.#first),
      last: this.#first === undefined ? null : formatCaptureTime(this.#last),
      seconds: this.#first === undefined ? 0 : secondsBetween(this.#first, this.#last),
      messages: counts.map(({ isUndescribed, ...rest }) => ({
        ...rest,
        ...(isUndescribed ? { isUndescribed: true } : {}),
      })),
      players: this.#hasPlayers ? { seen: this.#seen.size, mostAtOnce: this.#mostAtOnce } : null,
      undescribed: this.#undescribed,
      refused: this.#refused,
      reasons: [...this.#reasons].map(([reason, count]) => ({ reason, count })),
      gapBytes: this.#gapBytes,
    };
  }

  /** Most records are of the reading of the one before. */
  #seeReading({ flow, protocol, dialect }: CaptureRecord): void {
    const before = this.#reading;
    if (before?.flow === flow && before.protocol === protocol && before.dialect === dialect) return;
    this.#reading = { flow, protocol, dialect };
    this.#flows.add(flow);
    if (protocol !== null) this.#protocols.add(`${protocol}/${dialect}`);
  }

  #message(record: Extract<CaptureRecord, { kind: "message" }>): void {
    const { direction, message, value, payload } = record;
    const isUndescribed = record.isUndescribed === true;
    if (isUndescribed) this.#undescribed += 1;
    else if (record.players !== undefined) this.#sawPlayers(record.players);
    else this.#players(value);
    const counts = this.#counts[direction];
    let count = counts.get(message);
    if (count === undefined) {
      count = { direction, message, isUndescribed, count: 0, bytes: 0 };
      counts.set(message, count);
    }
    count.count += 1;
    count.bytes += payload.length;
  }

  /** A stream that has the memory of players gives them in `players`, by their index. */
  #players(value: JsonValue): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const { players } = value as { readonly players?: JsonValue };
    if (typeof players !== "object" || players === null || Array.isArray(players)) return;
    this.#sawPlayers(Object.keys(players).map(Number));
  }

  #sawPlayers(players: ArrayLike<number>): void {
    this.#hasPlayers = true;
    for (let at = 0; at < players.length; at++) this.#seen.add(players[at] as number);
    this.#mostAtOnce = Math.max(this.#mostAtOnce, players.length);
  }

  #refuse(reason: string): void {
    this.#refused += 1;
    if (this.#reasons.has(reason) || this.#reasons.size < MAX_REASONS) {
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    }
  }
}
