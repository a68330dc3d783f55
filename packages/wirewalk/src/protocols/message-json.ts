/**
 * Messages as JSON, for every protocol whose layouts are strict writers: bytes are hex, a `u64` is a decimal string.
 *
 * ```ts
 * messageToJson({ message: "say", value: { time: 7n } }); // => { message: "say", value: { time: "7" } }
 * ```
 */
import { formatHex, type JsonObject, type JsonValue, joinPath, WireError } from "../wire/index.ts";
import type { WireMessage } from "./codec.ts";

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
 * What {@link messageFromJson} needs of a codec. Both functions throw `RangeError` or `TypeError` for arguments that they
 * refuse.
 */
export interface MessageJsonSteps<M extends WireMessage> {
  /** Throws for the name of a message that the sender does not send. */
  readonly checkName: (message: string) => void;
  /**
   * Writes the message and reads it back, and so decides what fits. A protocol whose values are not JSON (bytes, `u64`)
   * turns the JSON into them first; it may throw `WireError` for what it cannot turn.
   */
  readonly roundTrip: (message: WireMessage) => M;
}

/**
 * A message out of JSON. The name is checked first, then the value. Throws `WireError`, usually `bad-value`, at the
 * field's path within the value: for what `steps` refuse, and for a field that the message does not have.
 */
export function messageFromJson<M extends WireMessage>(json: JsonObject, steps: MessageJsonSteps<M>): M {
  const { message, value, ...rest } = json;
  if (typeof message !== "string") throw refused("it must be a text", "message");
  refusing(() => steps.checkName(message));
  if (!isObject(value)) throw refused("it must be an object", "value");
  const [extra] = Object.keys(rest);
  if (extra !== undefined) throw refused("there is no such field beside message and value", extra);
  const read = refusing(() => steps.roundTrip({ message, value }));
  const unknown = unknownField(value, read.value, "");
  if (unknown !== undefined) throw refused(`${message} has no such field`, unknown);
  return read;
}

/** Runs a step; what it throws for the JSON's values becomes a `WireError` that says "Cannot write". */
function refusing<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof WireError) {
      const { code, message, bitOffset, path } = error;
      throw new WireError(code, message.replace(/^Cannot read /, "Cannot write "), bitOffset, path);
    }
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    // Layouts name the field: "Cannot write emotes[2]: u8 must be …".
    const [, path = "", why = error.message] = /^Cannot write ([^\s:]+): (.*)$/s.exec(error.message) ?? [];
    throw refused(why, path);
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(why: string, path: string): WireError {
  return new WireError("bad-value", `Cannot write ${path === "" ? "JSON" : path}: ${why}`, 0, path);
}

/** The first field of the JSON that the message read back does not have. */
function unknownField(json: JsonValue, read: unknown, path: string): string | undefined {
  if (typeof json !== "object" || json === null || typeof read !== "object" || read === null) return undefined;
  for (const [key, field] of Object.entries(json)) {
    const inner = joinPath(path, Array.isArray(json) ? `[${key}]` : key);
    // Own fields only: every object answers to `constructor`.
    if (!Object.hasOwn(read, key)) return inner;
    const unknown = unknownField(field, (read as Record<string, unknown>)[key], inner);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}
