/** Values of messages as JSON, for readers that have a message and not its codec. The same as the codec's `toJson` for numbers, lists and bytes. */
import { formatHex, type JsonObject, type JsonValue } from "../../../wire/index.ts";

/** The fields of a message, bytes as hex. */
export function plainJson(value: object): JsonObject {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, memberJson(member)]));
}

function memberJson(member: unknown): JsonValue {
  if (member instanceof Uint8Array) return formatHex(member, { separator: "" });
  if (Array.isArray(member)) return member.map(memberJson);
  return typeof member === "object" && member !== null ? plainJson(member) : (member as JsonValue);
}
