/**
 * Text: with a final zero, or after its length.
 *
 * @module
 */
import { formatHex } from "../hex.ts";
import type { JsonValue } from "../json.ts";
import { decodeLatin1, encodeLatin1 } from "../latin1.ts";
import { cp1252Character, cp1252Code } from "../windows-1252.ts";
import { placeText, WireError } from "../wire-error.ts";
import type { LayoutReader, LayoutWriter } from "./cursor.ts";
import { type Layout, leaf, nameOfJson, refuseJson } from "./layout.ts";
import type { LayoutNode } from "./node.ts";
import { setPlan } from "./plan.ts";
import { checkCount, prefixedBytes } from "./runs.ts";

/** A latin1 string of at most `limit` characters and its final zero. */
export function cstring(options: { limit: number }): Layout<string> {
  const { limit } = options;
  const read = (reader: LayoutReader): string => reader.cstring(limit);
  const write = (writer: LayoutWriter, value: string): void => writer.cstring(value, limit);
  setPlan(read, { kind: "cstring", limit });
  setPlan(write, { kind: "cstring", limit });
  return leaf<string>({
    node: { kind: "text", charset: "latin1", length: { end: "zero", limit } },
    read,
    write,
    raw: (value) => `${formatHex(encodeLatin1(value), { separator: "" })}00`,
    show: (value) => JSON.stringify(value),
    toJson: (value) => value,
    fromJson(json) {
      const text = textFromJson(json, limit);
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code < 1 || code > 0xff) refuseJson(`cstring must be characters in 1..255, got ${code} at position ${at}`);
      }
      return text;
    },
  });
}

function textFromJson(json: JsonValue, limit: number): string {
  if (typeof json !== "string") refuseJson(`it must be a text, got ${nameOfJson(json)}`);
  if (json.length > limit) refuseJson(`it must have at most ${limit} characters, got ${json.length}`);
  return json;
}

/** A Windows-1252 string of at most `limit` characters and its final zero. */
export function windows1252String(options: { limit: number }): Layout<string> {
  const { limit } = options;
  const check = (text: unknown): void => {
    if (typeof text !== "string") throw new TypeError(`it must be a text, got ${typeof text}`);
    if (text.length > limit) throw new RangeError(`a text must be at most ${limit} characters, got ${text.length}`);
  };
  const codeAt = (text: string, at: number): number => {
    const code = cp1252Code(text.charAt(at));
    if (code !== undefined && code !== 0) return code;
    throw new RangeError(`a text must be characters of Windows-1252 other than 0, got another at position ${at}`);
  };
  const codes = (text: string): Uint8Array => {
    check(text);
    return Uint8Array.from({ length: text.length }, (_, at) => codeAt(text, at));
  };
  return leaf<string>({
    node: { kind: "text", charset: "windows-1252", length: { end: "zero", limit } },
    read(reader) {
      const start = reader.bitOffset;
      let text = "";
      for (let byte = reader.u8(); byte !== 0; byte = reader.u8()) {
        if (text.length === limit) {
          const why = `over its limit of ${limit} characters at ${placeText(start)}`;
          throw new WireError("limit", `Cannot read string: ${why}`, start);
        }
        text += cp1252Character(byte);
      }
      return text;
    },
    write(writer, value) {
      check(value);
      for (let at = 0; at < value.length; at++) writer.u8(codeAt(value, at));
      writer.u8(0);
    },
    raw: (value) => `${formatHex(codes(value), { separator: "" })}00`,
    show: (value) => JSON.stringify(value),
    toJson: (value) => value,
    fromJson(json) {
      const text = textFromJson(json, limit);
      try {
        codes(text);
      } catch (error) {
        refuseJson((error as Error).message);
      }
      return text;
    },
  });
}

/** A count and that many latin1 characters. A count over `limit` is refused with `limit`. */
export function prefixedString(options: { count: Layout<number>; limit: number }): Layout<string> {
  const { count, limit } = options;
  const run = prefixedBytes(options);
  const node: LayoutNode = { kind: "text", charset: "latin1", length: { count: count.node, limit } };
  const read = (reader: LayoutReader): string => decodeLatin1(run.read(reader));
  const write = (writer: LayoutWriter, value: string): void => run.write(writer, encodeLatin1(value));
  setPlan(read, { kind: "text", length: options });
  setPlan(write, { kind: "text", length: options });
  return {
    node,
    read,
    write,
    trace(reader, tracer, path) {
      const raw = run.trace(reader, tracer, path);
      const text = decodeLatin1(raw);
      if (raw.length > 0) tracer.reshow(JSON.stringify(text));
      return text;
    },
    toJson: (value) => value,
    fromJson(json) {
      const text = textFromJson(json, limit);
      for (let at = 0; at < text.length; at++) {
        if (text.charCodeAt(at) > 0xff) refuseJson(`it must be latin1, got another character at position ${at}`);
      }
      checkCount(options, text.length, "characters");
      return text;
    },
  };
}
