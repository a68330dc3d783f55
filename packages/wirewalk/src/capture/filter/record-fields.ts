/** A record as a filter and columns see it. */
import type { JsonObject } from "../../wire/index.ts";
import { type CaptureTime, secondsBetween } from "../file/packet.ts";
import type { CaptureRecord } from "../records.ts";
import type { FilterFields } from "./filter.ts";

/** `start` is the time of the first packet: `time` counts from there. */
export function recordFields(record: CaptureRecord, start: CaptureTime): FilterFields {
  const { time, packet, flow, direction, protocol, dialect, kind } = record;
  const [client = "", server = ""] = endsOf(flow);
  return {
    time: secondsBetween(start, time),
    epoch: time.seconds + time.nanoseconds / 1e9,
    packet,
    flow,
    client,
    server,
    direction,
    protocol,
    dialect,
    kind,
    message: record.kind === "message" ? record.message : undefined,
    value: record.kind === "message" ? record.value : undefined,
    bytes: record.kind === "gap" ? undefined : record.payload.length,
    error: record.kind === "refused" ? errorOf(record) : undefined,
    gap: record.kind === "gap" ? record.gap : undefined,
  };
}

function errorOf({ error }: Extract<CaptureRecord, { kind: "refused" }>): JsonObject {
  const { code, path, bitOffset, message } = error;
  return { code, path, byteOffset: Math.floor(bitOffset / 8), text: message };
}

/** An address of IPv6 stands in brackets and has no hyphen. */
function endsOf(flow: string): readonly string[] {
  return flow.split("-");
}
