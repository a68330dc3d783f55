/** A packet as the inspector looks at it, whatever it came from. */
import type { PayloadTrace, Side } from "wirewalk/protocol";
import type { InnerTrace, JsonObject, TraceField, WireError, WireErrorJson } from "wirewalk/wire";
import type { Reading } from "./reading.ts";

/** Bytes with their fields. */
export interface TracedPart {
  readonly title: string | undefined;
  readonly bytes: Uint8Array;
  readonly fields: readonly TraceField[];
  readonly error: WireErrorJson | undefined;
}

/** What leaves the page in a copy or a link. */
export interface ExportedPacket {
  readonly bytes: Uint8Array;
  readonly json: JsonObject | undefined;
}

export interface Inspectable {
  /** Two of the same key are the same packet. */
  readonly key: string;
  /** The message's name, or what else it is. */
  readonly title: string;
  /** Where it comes from: time, flow, number. */
  readonly origin: string;
  readonly reading: Reading | undefined;
  readonly sender: Side;
  /** The packet, then what it holds in another form. */
  readonly parts: readonly [TracedPart, ...TracedPart[]];
  /** The message's name where it is one. */
  readonly message: string | undefined;
  /** As `wirewalk decode` prints it. */
  readonly json: JsonObject | undefined;
  readonly notes: readonly string[];
  /** The packet of the same sender before it, where what it moved depends on that. */
  readonly before: JsonObject | undefined;
  /** The packet for copies and links. Undefined when it is not known what in it is personal: then nothing leaves the page. */
  readonly exported: ExportedPacket | undefined;
}

export interface InspectableOptions {
  readonly key: string;
  readonly origin: string;
  readonly reading: Reading | undefined;
  readonly sender: Side;
  readonly bytes: Uint8Array;
  readonly trace: PayloadTrace;
  readonly json: JsonObject | undefined;
  readonly title?: string | undefined;
  readonly notes?: readonly string[];
  readonly before?: JsonObject | undefined;
  /** Default: the packet itself. `none`: nothing leaves the page. */
  readonly exported?: ExportedPacket | "none";
}

/** A trace as a packet to look at. Everything in it is plain data: a worker can send it. */
export function inspectable(options: InspectableOptions): Inspectable {
  const { key, origin, reading, sender, bytes, trace, json, notes = [], before, exported = { bytes, json } } = options;
  const { inner } = trace;
  const outer: TracedPart = { title: options.title, bytes, fields: trace.fields, error: errorOf(trace.error) };
  const name = trace.message?.message ?? (typeof json?.message === "string" ? json.message : undefined);
  return {
    key,
    title: name ?? (trace.error === undefined ? (options.title ?? "packet") : "refused"),
    origin,
    reading,
    sender,
    parts: inner === undefined ? [outer] : [outer, innerPart(inner)],
    message: name,
    json,
    notes,
    before,
    exported: exported === "none" ? undefined : exported,
  };
}

function innerPart({
  title,
  bytes,
  fields,
  error,
}: Pick<InnerTrace, "bytes" | "fields"> & Partial<InnerTrace>): TracedPart {
  return { title, bytes, fields, error: errorOf(error) };
}

function errorOf(error: WireError | undefined): WireErrorJson | undefined {
  if (error === undefined) return undefined;
  const { code, message, bitOffset, path } = error;
  return { code, message, bitOffset, path };
}
