/** The protocol's own readers, at work in this page. */
import type { FeedProtocol } from "@wirewalk/server/feed";
import type { PayloadTrace, Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { parseHex, WireError } from "wirewalk/wire";
import type { WireRecord } from "./wire-record.ts";

/** Fields of a payload; a protocol or dialect that this page was not built with has none. */
export function tracePayload(protocol: FeedProtocol, sender: "client" | "server", payload: Uint8Array): PayloadTrace {
  const known = protocols[protocol.name];
  if (known?.dialects.some(({ name }) => name === protocol.dialect) !== true) {
    const error = new WireError("unknown-message", `This page cannot read ${protocol.name} (${protocol.dialect}).`, 0);
    return { fields: [], error };
  }
  return asServed(known, protocol).codec(protocol.dialect).trace(sender, payload);
}

/** Fields of a logged message: as its view read it, or by the protocol's codec. */
export function traceRecord(protocol: FeedProtocol, { sender, payload, reading }: WireRecord): PayloadTrace {
  return reading?.trace() ?? tracePayload(protocol, sender, payload);
}

/** A logged message in a few words. */
export function recordWords(protocol: FeedProtocol, { sender, payload, reading }: WireRecord): string {
  return reading?.words ?? summarize(tracePayload(protocol, sender, payload));
}

/** A game as the server has set it: its opcodes, for one. */
function asServed(known: Protocol, { settings }: FeedProtocol): Protocol {
  return known.capabilities.settings?.configure(settings) ?? known;
}

/**
 * A message in a few words: its name, how many of what it lists (`records × 12`), and the shown values of its other fields
 * after the first, which is its type.
 */
export function summarize(trace: PayloadTrace): string {
  if (trace.message === undefined) return trace.error === undefined ? "?" : trace.error.code;
  const counts = new Map<string, number>();
  const values: string[] = [];
  for (const { path, shown } of trace.fields.slice(1)) {
    const [, list, index] = /^(\w+)\[(\d+)\]/.exec(path) ?? [];
    if (list === undefined) values.push(shown);
    else counts.set(list, Number(index) + 1);
  }
  return [trace.message.message, ...Array.from(counts, ([list, count]) => `${list} × ${count},`), ...values].join(" ");
}

/** The bytes of a verdict's message; none when it is not hex. */
export function verdictBytes(message: string): Uint8Array {
  try {
    return parseHex(message);
  } catch {
    return new Uint8Array();
  }
}
