/**
 * Messages as JSON, for every protocol whose layouts are strict writers: bytes are hex, a `u64` is a decimal string.
 *
 * ```ts
 * messageToJson({ message: "ping", value: {} }); // { message: "ping", value: {} }
 * ```
 */
import { formatHex, type JsonObject, type JsonValue, WireError } from "../wire/index.ts";
import type { WireMessage } from "./protocol.ts";

/** A message as plain JSON. */
export function messageToJson(message: WireMessage): JsonObject {
  return { message: message.message, value: toJson(message.value) };
}

function toJson(value: unknown): JsonValue {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return formatHex(value, { separator: "" });
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toJson(field)]));
  }
  return value as string | number | boolean | null;
}

/**
 * A message out of JSON. `roundTrip` writes and reads it back, and so decides what fits: all that it throws for wrong
 * arguments becomes a `WireError` (`bad-value`), and so does a field of the JSON that the message does not have.
 */
export function messageFromJson<M extends WireMessage>(json: JsonObject, roundTrip: (message: WireMessage) => M): M {
  const { message, value } = json;
  if (typeof message !== "string") throw refused("message must be a text", "message");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refused("value must be an object", "value");
  let read: M;
  try {
    read = roundTrip({ message, value });
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) {
      throw refused(error.message, /^(?:Cannot write )?([\w.[\]]+)[: ]/.exec(error.message)?.[1] ?? "");
    }
    throw error;
  }
  const unknown = unknownField(value as JsonObject, read.value, "value");
  if (unknown !== undefined) throw refused(`${message} has no field ${unknown}`, unknown);
  return read;
}

function refused(why: string, path: string): WireError {
  return new WireError("bad-value", why, 0, path);
}

/** The first field of the JSON that the message read back does not have. */
function unknownField(json: JsonValue, read: unknown, path: string): string | undefined {
  if (typeof json !== "object" || json === null || typeof read !== "object" || read === null) return undefined;
  for (const [key, field] of Object.entries(json)) {
    const inner = Array.isArray(json) ? `${path}[${key}]` : `${path}.${key}`;
    if (!(key in read)) return inner;
    const unknown = unknownField(field, (read as Record<string, unknown>)[key], inner);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}
