/** The header of a session in JSON lines, `{"session": header}`: anybody can have written it, so it is checked whole. */
import type { SessionHeader } from "wirewalk/capture";
import type { Protocol } from "wirewalk/protocol";
import type { JsonObject, JsonValue } from "wirewalk/wire";
import { UsageError } from "../context.ts";
import { settingsOf } from "../input/settings.ts";

/** Throws {@link UsageError} that names `at` and the member; `fields` are checked by the writer of the format that has them. */
export function sessionHeaderOf(
  given: JsonValue,
  protocols: Readonly<Record<string, Protocol>>,
  at: string,
): SessionHeader {
  const header = objectOf(given, `${at}: "session"`);
  const member = (name: string) => `${at}: "session.${name}"`;
  const text = (name: string): string => {
    const value = header[name];
    if (typeof value !== "string") throw new UsageError(`${member(name)} must be a text, got ${shown(value)}`);
    return value;
  };
  const number = (name: string): number | undefined => {
    const value = header[name];
    if (value === undefined || typeof value === "number") return value;
    throw new UsageError(`${member(name)} must be a number, got ${shown(value)}`);
  };
  const protocol = protocolOf(protocols, text("protocol"), at);
  const observer = number("observer");
  return {
    format: text("format"),
    protocol: protocol.name,
    dialect: header.dialect === undefined ? undefined : text("dialect"),
    settings: knownSettings(protocol, objectOf(header.settings, member("settings")), at),
    startMs: number("startMs"),
    ...(observer === undefined ? {} : { observer }),
    flow: text("flow"),
    fields: objectOf(header.fields, member("fields")),
  };
}

function knownSettings(protocol: Protocol, given: JsonObject, at: string): SessionHeader["settings"] {
  try {
    return settingsOf(protocol, given);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${at}: ${error.message}`);
    throw error;
  }
}

/** Throws {@link UsageError} for a game that is not known. */
export function protocolOf(protocols: Readonly<Record<string, Protocol>>, name: string, at: string): Protocol {
  const protocol = Object.hasOwn(protocols, name) ? protocols[name] : undefined;
  if (protocol === undefined) throw new UsageError(`${at}: unknown protocol ${name}`);
  return protocol;
}

/** A JSON object. Throws {@link UsageError}. */
export function objectOf(value: JsonValue | undefined, what: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new UsageError(`${what} must be an object, got ${shown(value)}`);
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 40);
}
