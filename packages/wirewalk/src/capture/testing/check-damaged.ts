/**
 * What must be read of a damaged capture, worked out from the whole one: every message that no missing packet has carried a part of.
 * It uses nothing but the numbers of packets.
 */
import type { CaptureRecord, MessageRecord } from "../records.ts";

/** A direction of a connection. */
export function directionOf({ flow, direction }: Pick<CaptureRecord, "flow" | "direction">): string {
  return `${flow} ${direction}`;
}

/** Of one direction. */
export interface DamageCheck {
  readonly direction: string;
  /** Messages of which no part is missing. */
  readonly certain: number;
  /** Payloads that were found: messages, and those that were refused because they depend on missing ones. */
  readonly found: number;
  /** A payload that was found and was never sent, or not in this order. */
  readonly invented: CaptureRecord | undefined;
}

/**
 * Compares the records of a damaged capture with those of the whole one. `dropped` are the numbers of the missing packets with bytes, by
 * direction.
 */
export function checkDamaged(
  whole: readonly CaptureRecord[],
  dropped: ReadonlyMap<string, readonly number[]>,
  damaged: readonly CaptureRecord[],
): readonly DamageCheck[] {
  const sent = byDirection(whole.filter((record): record is MessageRecord => record.kind === "message"));
  const found = byDirection(damaged.filter(isPayload));
  return [...new Set([...sent.keys(), ...found.keys()])].map((direction) => {
    const messages = sent.get(direction) ?? [];
    const payloads = found.get(direction) ?? [];
    let at = 0;
    const invented = payloads.find((record) => {
      while (at < messages.length && !isSame((messages[at] as MessageRecord).payload, record.payload)) at += 1;
      at += 1;
      return at > messages.length;
    });
    const certain = messages.length - lostOf(messages, dropped.get(direction) ?? []).size;
    return { direction, certain, found: payloads.length, invented };
  });
}

/** The messages of which a packet carried a part: those that it completes, and the next one, which may begin in it. */
function lostOf(messages: readonly MessageRecord[], dropped: readonly number[]): ReadonlySet<MessageRecord> {
  const lost = new Set<MessageRecord>();
  for (const packet of dropped) {
    for (const message of messages) {
      if (message.packet < packet) continue;
      lost.add(message);
      if (message.packet > packet) break;
    }
  }
  return lost;
}

function byDirection<R extends CaptureRecord>(records: readonly R[]): ReadonlyMap<string, readonly R[]> {
  const lists = new Map<string, R[]>();
  for (const record of records) {
    const key = directionOf(record);
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [record]);
    else list.push(record);
  }
  return lists;
}

/** Messages, and payloads in their frames that were refused. Bytes that are in no frame are neither. */
function isPayload(record: CaptureRecord): record is Exclude<CaptureRecord, { kind: "gap" }> {
  if (record.kind === "message") return true;
  return record.kind === "refused" && !/^Cannot read (?:stream|frame|hello|header)/.test(record.error.message);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
