/**
 * Packet streams as lines of text: hex to JSON, JSON to hex. Lines are converted one by one, in constant memory.
 *
 * ```ts
 * import { decodeLines, encodeLines } from "wirewalk/inspect";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const stream = slimeOnline2.streams[""];
 * const setup = { dialect: "documented", sender: "client", framed: false, options: {} };
 * decodeLines(stream, setup).line("00 08 0A"); // => [{ json: { message: "movePlayer", value: { code: 10, direction: "leftPressAir" } } }]
 * decodeLines(stream, setup).line("00 08")[0].error.code; // => "truncated"
 * encodeLines(stream, setup).line('{"message":"movePlayer","value":{"code":10}}'); // => [{ text: "00080a" }]
 * ```
 *
 * @module
 */
import type { PacketStream, StreamSetup } from "../protocols/index.ts";
import { escapeControls, formatHex, type JsonObject, parseHex, WireError } from "../wire/index.ts";
import { attempt } from "./attempt.ts";
import { drain, openReceiver, unfinishedFrame } from "./frames.ts";

/** A line of output: an object to print as JSON, bare text to print as it is, or a refusal. */
export type LineResult = { readonly json: JsonObject } | { readonly text: string } | { readonly error: WireError };

/** Converts lines of text one after the other. */
export interface LineConverter {
  /** The answers to one line: with `framed` as many as there are packets, otherwise one. */
  line(text: string): readonly LineResult[];
  /** The answers that are left at the end of the input: a frame that was never completed. */
  end(): readonly LineResult[];
}

/**
 * Lines of hex to objects. A bare packet is one line; for streams whose packets need more than bytes a line is an object.
 * With `framed` the lines are one stream as it was carried, split anywhere. When the options are refused, every line is
 * answered with that error.
 *
 * Every refusal is a `WireError`, that of text too: its place counts from the packet, for a broken stream from the start
 * of the stream.
 */
export function decodeLines(stream: PacketStream, setup: StreamSetup): LineConverter {
  return setup.framed ? decodeFrames(stream, setup) : decodeBare(stream, setup);
}

function decodeBare(stream: PacketStream, setup: StreamSetup): LineConverter {
  const opened = attempt(() => ({ reader: stream.openReader(setup) }));
  return {
    line(text) {
      if (opened.error !== undefined) return [opened];
      const { reader } = opened;
      return [
        attempt(() => ({
          json: reader.readObject === undefined ? reader.read(parseHex(text)) : reader.readObject(parseObject(text)),
        })),
      ];
    },
    end: () => [],
  };
}

function decodeFrames(stream: PacketStream, setup: StreamSetup): LineConverter {
  let connected = attempt(() => ({ channel: openReceiver(stream, setup) }));
  const opened = attempt(() => ({ reader: stream.openReader(setup) }));
  return {
    line(text) {
      if (connected.error !== undefined) return [connected];
      const { channel } = connected;
      // A line that is not hex brings no bytes: the stream goes on as if it had not been there.
      const parsed = attempt(() => ({ bytes: parseHex(text) }));
      if (parsed.error !== undefined) return [parsed];
      const results: LineResult[] = [];
      const broken = attempt(() => {
        drain(channel, parsed.bytes, (received) => {
          results.push(
            opened.error !== undefined ? opened : attempt(() => ({ json: opened.reader.receive(received) })),
          );
        });
        return {};
      });
      if (broken.error !== undefined) {
        results.push(broken);
        // A broken stream starts again with the next line.
        connected = attempt(() => ({ channel: openReceiver(stream, setup) }));
      }
      return results;
    },
    end() {
      const pending = connected.error === undefined ? connected.channel.pendingBytes : 0;
      return pending === 0 ? [] : [{ error: unfinishedFrame(pending) }];
    },
  };
}

/**
 * Lines of objects to hex, one line each. Where the stream is reversible, a line may be one that was decoded, with
 * `"ok": true` and a `note` in it. When the options are refused, every line is answered with that error.
 */
export function encodeLines(stream: PacketStream, setup: StreamSetup): LineConverter {
  const opened = attempt(() => ({ writer: stream.openWriter(setup) }));
  return {
    line(text) {
      if (opened.error !== undefined) return [opened];
      return [
        asWriting(
          attempt(() => {
            const object = parseObject(text);
            const written = opened.writer.write(stream.reversible ? withoutOk(object) : object);
            const isBytes = written instanceof Uint8Array;
            return { text: isBytes ? formatHex(written, { separator: "" }) : JSON.stringify(written) };
          }),
        ),
      ];
    },
    end: () => [],
  };
}

/** What reads JSON says "read"; the caller wants to write. */
function asWriting(result: LineResult): LineResult {
  if (!("error" in result)) return result;
  const { code, message, bitOffset, path } = result.error;
  return { error: new WireError(code, message.replace(/^Cannot read /, "Cannot write "), bitOffset, path) };
}

function parseObject(text: string): JsonObject {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : "not JSON";
    throw new WireError("bad-value", `Cannot read JSON: ${escapeControls(why)}`, 0);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new WireError("bad-value", "Cannot read JSON: a line holds one object", 0);
  }
  return json as JsonObject;
}

/** The object of a line without the `ok` and the `note` of a decoded line. */
function withoutOk(object: JsonObject): JsonObject {
  const { ok = true, note = "", ...rest } = object;
  if (typeof note !== "string") throw new WireError("bad-value", "Cannot read note: it must be a text", 0, "note");
  if (ok === true) return rest;
  const why = ok === false ? "false marks a line that was refused, there is no message in it" : "must be true";
  throw new WireError("bad-value", `Cannot read ok: ${why}`, 0, "ok");
}
