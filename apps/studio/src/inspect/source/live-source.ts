/** The packets of the live wire as a source: those of the page's own socket, of a followed player, or of a relay, newest first. */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { ServedWorld } from "@wirewalk/server/feed";
import type { CaptureRecord } from "wirewalk/capture";
import type { PayloadTrace, Protocol } from "wirewalk/protocol";
import type { JsonObject, JsonValue } from "wirewalk/wire";
import {
  type MessageJson,
  messageJson,
  payloadTracer,
  type TracePayload,
  traceRecord,
} from "../../feed/protocol-tools.ts";
import type { WireEntry } from "../../feed/wire-log.ts";
import { inspectable } from "../model/inspectable.ts";
import { type MemoryPacket, MemorySource } from "./memory-source.ts";
import type { PacketSource } from "./packet-source.ts";

/** What the page knows of its live wire. */
export interface LivePackets {
  readonly entries: ReadonlySignal<readonly WireEntry[]>;
  readonly served: ReadonlySignal<ServedWorld | undefined>;
  readonly protocolOf: (name: string) => Protocol | undefined;
}

export function liveSource({ entries, served, protocolOf }: LivePackets): PacketSource {
  const paused = signal(false);
  const shown = signal<readonly WireEntry[]>([]);
  effect(() => {
    const now = entries.value;
    if (!paused.value) shown.value = now;
  });
  const packets = computed((): readonly MemoryPacket[] => {
    const world = served.value;
    const known = world === undefined ? undefined : protocolOf(world.protocol);
    if (world === undefined) return [];
    const [trace, jsonOf] = [payloadTracer(world, known), messageJson(world, known)];
    return shown.value.map((entry) => memoryPacket(entry, world, jsonOf, trace));
  });
  return new MemorySource({
    title: "Live packets",
    packets,
    text: (count) =>
      count === 0 ? "Join a room in the live view, follow a player, or connect a client to the relay." : "newest first",
    pause: {
      paused,
      toggle() {
        paused.value = !paused.peek();
      },
    },
  });
}

/** Traces of entries: an entry never changes, and the list is drawn many times. */
const traces = new WeakMap<WireEntry, PayloadTrace>();

function memoryPacket(
  entry: WireEntry,
  { protocol: name, dialect }: ServedWorld,
  jsonOf: MessageJson,
  trace: TracePayload,
): MemoryPacket {
  const { sender, payload, player, atMs, id } = entry;
  const traced = (): PayloadTrace => {
    const found = traces.get(entry) ?? traceRecord(trace, entry);
    traces.set(entry, found);
    return found;
  };
  const json = (): JsonObject | undefined => jsonOf(sender, traced());
  return {
    get record(): CaptureRecord {
      const time = { seconds: Math.floor(atMs / 1000), nanoseconds: Math.round((atMs % 1000) * 1e6) };
      const whom = player === undefined ? "live" : `player ${player}`;
      const base = { time, packet: id, flow: `${whom}-server`, direction: sender, protocol: name, dialect, payload };
      const { error } = traced();
      if (error !== undefined) return { kind: "refused", ...base, error };
      const { message = "packet", value = null } = json() ?? {};
      return { kind: "message", ...base, message: String(message), value: value as JsonValue };
    },
    inspect: () =>
      inspectable({
        key: `live ${id}`,
        origin: `message ${id}${player === undefined ? "" : `, player #${player}`}`,
        reading: { protocol: name, part: "", dialect, sender, framed: false },
        sender,
        bytes: payload,
        trace: traced(),
        json: json(),
      }),
  };
}
