/** What a capture holds, as records: messages, what was refused, gaps. */
import type { Side } from "../protocols/index.ts";
import { formatHex, type JsonValue, type WireError } from "../wire/index.ts";
import { type CaptureTime, formatCaptureTime } from "./file/packet.ts";

interface RecordBase {
  /** When it could be read: the time of the packet that completed it. */
  readonly time: CaptureTime;
  /** The place of that packet in the capture. */
  readonly packet: number;
  /** `<address:port>-<address:port>`: the client first. */
  readonly flow: string;
  /** Who sent it. */
  readonly direction: Side;
  /** Null where no protocol fits. */
  readonly protocol: string | null;
  readonly dialect: string | null;
}

/** A message. */
export interface MessageRecord extends RecordBase {
  readonly kind: "message";
  readonly message: string;
  /** Null for a message that is not described. */
  readonly value: JsonValue;
  /** The game has this message, and what is in it is not described: its name and its bytes are all that is known. */
  readonly isUndescribed?: true;
  readonly payload: Uint8Array;
  /** Of a record without its value: the players that the server shows after it, where its reader has them. Valid until the next record. */
  readonly players?: ArrayLike<number> | undefined;
}

/** A payload that was refused, or bytes that are in no frame. */
export interface RefusedRecord extends RecordBase {
  readonly kind: "refused";
  readonly error: WireError;
  readonly payload: Uint8Array;
}

/** Bytes that the capture does not have. */
export interface GapRecord extends RecordBase {
  readonly kind: "gap";
  readonly gap: number;
}

export type CaptureRecord = MessageRecord | RefusedRecord | GapRecord;

/**
 * A record as one line of JSON. A message has `time` (seconds since 1970 with nanoseconds, as text), `flow`, `direction`, `protocol`,
 * `dialect`, `message` and `value`. One that is not described has `size` and `hex` of its payload in the place of the value. A refused
 * one has `error` and `hex` in the place of `message` and `value`. A gap has `gap`, `flow` and `direction`.
 */
export function recordJson(record: CaptureRecord): string {
  const { flow, direction, protocol, dialect } = record;
  if (record.kind === "gap") return JSON.stringify({ gap: record.gap, flow, direction });
  const time = formatCaptureTime(record.time);
  if (record.kind === "message") {
    const { message, value, payload } = record;
    if (record.isUndescribed) {
      const body = { size: payload.length, hex: formatHex(payload, { separator: "" }) };
      return JSON.stringify({ time, flow, direction, protocol, dialect, message, ...body });
    }
    return JSON.stringify({ time, flow, direction, protocol, dialect, message, value });
  }
  const { code, path, bitOffset, message: text } = record.error;
  const error = { code, path, byteOffset: Math.floor(bitOffset / 8), text };
  const hex = formatHex(record.payload, { separator: "" });
  return JSON.stringify({ time, flow, direction, protocol, dialect, error, hex });
}
