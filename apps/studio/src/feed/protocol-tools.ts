/** The protocol's own readers, at work in this page. */
import type { ServedWorld } from "@wirewalk/server/feed";
import type { PayloadTrace, Protocol } from "wirewalk/protocol";
import { type JsonObject, parseHex, WireError } from "wirewalk/wire";
import type { WireRecord } from "./wire-record.ts";

/** Reads a payload to its fields. */
export type TracePayload = (sender: "client" | "server", payload: Uint8Array) => PayloadTrace;

/**
 * The reader of what a server speaks. It refuses everything for a dialect that this page was not built with, and without
 * `known`: for a protocol that this page does not have, or whose chunk is not loaded.
 */
export function payloadTracer(served: ServedWorld, known: Protocol | undefined): TracePayload {
  const { protocol, dialect, settings } = served;
  if (known?.dialects.some((each) => each.name === dialect) !== true) {
    const error = new WireError("unknown-message", `This page cannot read ${protocol} (${dialect}).`, 0);
    return () => ({ fields: [], error });
  }
  // As the server has set it: its opcodes, for one.
  const codec = (known.capabilities?.settings?.configure(settings) ?? known).codec(dialect);
  return (sender, payload) => codec.trace(sender, payload);
}

/** A message as `wirewalk decode` prints it; undefined where it is none, or where this page does not have the protocol. */
export type MessageJson = (sender: "client" | "server", trace: PayloadTrace) => JsonObject | undefined;

export function messageJson(
  { dialect, settings }: Pick<ServedWorld, "dialect" | "settings">,
  known: Protocol | undefined,
): MessageJson {
  if (known?.dialects.some((each) => each.name === dialect) !== true) return () => undefined;
  const codec = (known.capabilities?.settings?.configure(settings) ?? known).codec(dialect);
  return (sender, { message }) => {
    if (message === undefined) return undefined;
    try {
      return codec.toJson(sender, message);
    } catch {
      // A view that reads packets with memory makes messages of its own.
      return { message: message.message };
    }
  };
}

/** Fields of a logged message: as its view read it, or by the protocol's codec. */
export function traceRecord(trace: TracePayload, { sender, payload, reading }: WireRecord): PayloadTrace {
  return reading?.trace() ?? trace(sender, payload);
}

/** A logged message in a few words. */
export function recordWords(trace: TracePayload, { sender, payload, reading }: WireRecord): string {
  return reading?.words ?? summarize(trace(sender, payload));
}

/** A message in a row of a list. */
export interface RowWords {
  readonly message: string;
  /** `x 448, y 160`: names and values of the fields after the first, which is its type. */
  readonly values: string;
}

/** Values in a row at most: what does not fit is not read. */
const MAX_ROW_VALUES = 12;

/** By the reader too: until a game is loaded there is another one, which reads nothing. */
const rowWords = new WeakMap<WireRecord, { readonly by: TracePayload; readonly words: RowWords }>();

/** A logged message for a row. Records never change: each is read once. */
export function recordRow(trace: TracePayload, record: WireRecord): RowWords {
  const known = rowWords.get(record);
  if (known?.by === trace) return known.words;
  const words = readRow(trace, record);
  rowWords.set(record, { by: trace, words });
  return words;
}

function readRow(trace: TracePayload, { sender, payload, reading }: WireRecord): RowWords {
  if (reading !== undefined) {
    const [message = "", ...rest] = reading.words.split(" ");
    return { message, values: rest.join(" ") };
  }
  const { message, fields, error, inner } = trace(sender, payload);
  if (message === undefined) return { message: error?.code ?? "?", values: error?.message ?? "" };
  const values = new Map<string, string>();
  // What was compressed says more than how: the tokens of a block are in the inspector.
  for (const { path, shown } of inner?.fields ?? fields.slice(1)) {
    if (path === "token") continue;
    const [, list, index] = /^(\w+)\[(\d+)\]/.exec(path) ?? [];
    if (list === undefined) values.set(path, shown);
    else values.set(list, `× ${Number(index) + 1}`);
    if (values.size > MAX_ROW_VALUES) break;
  }
  return { message: message.message, values: Array.from(values, ([name, value]) => `${name} ${value}`).join(", ") };
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
