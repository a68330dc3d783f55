/** Packets of a dropped file without the names, chat and looks of its players: what copies and links have of them. */
import { type CaptureRecord, PrivateRecords } from "wirewalk/capture";
import type { Protocol, Pseudonyms } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";

export interface PrivatePacket {
  readonly payload: Uint8Array;
  readonly json: JsonObject | undefined;
}

/**
 * The last of some records without personal data. `records`: all of one direction of a connection that it is read with, in their order.
 * Undefined where its personal data is not known.
 */
export function privatePacket(
  records: Iterable<CaptureRecord>,
  protocol: Protocol,
  pseudonyms: Pseudonyms,
): PrivatePacket | undefined {
  const privately = new PrivateRecords({ protocols: { [protocol.name]: protocol }, whose: "all", pseudonyms });
  let last: CaptureRecord | undefined;
  try {
    for (const record of records) last = privately.record(record);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  if (last === undefined || last.kind === "gap") return undefined;
  const json = last.kind === "message" ? { message: last.message, value: last.value } : undefined;
  return { payload: last.payload, json };
}
