/** Pasted packets as records of a list: then the same filter and the same columns hold for them. */
import type { CaptureRecord } from "wirewalk/capture";
import type { JsonValue } from "wirewalk/wire";
import { pastedPacket } from "../model/pasted-packet.ts";
import type { Reading, ReadPacket } from "../model/reading.ts";
import type { MemoryPacket } from "./memory-source.ts";

/** Pasted bytes have no time and no addresses. */
const nowhere = { time: { seconds: 0, nanoseconds: 0 }, flow: "pasted-pasted" } as const;

export function memoryPackets(packets: readonly ReadPacket[], reading: Reading | undefined): readonly MemoryPacket[] {
  return packets.map((packet, index) => ({
    record: recordOf(packet, index, reading),
    inspect: () => pastedPacket(packets, index, reading),
  }));
}

function recordOf({ bytes, trace, json }: ReadPacket, index: number, reading: Reading | undefined): CaptureRecord {
  const { protocol = null, dialect = null, sender = "client", part = "" } = reading ?? {};
  const base = { ...nowhere, packet: index + 1, direction: sender, protocol, dialect, payload: bytes } as const;
  if (trace.error !== undefined) return { kind: "refused", ...base, error: trace.error };
  const { message = part, value, ...rest } = json ?? {};
  return { kind: "message", ...base, message: String(message), value: (value ?? rest) as JsonValue };
}
