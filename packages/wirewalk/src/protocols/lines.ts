/**
 * Lines of text for any protocol whose payloads need no memory: `wirewalk decode`, `encode` and `inspect` out of its
 * codec and its channel.
 *
 * ```ts
 * const lines = payloadLines({ summary: "Payloads, without length prefix and cipher", codec, openChannel });
 * const decoder = lines.decoder({ dialect: "documented", direction: "client", framed: false, flags: {} });
 * decoder.line("00 08 0A"); // => [{ json: { message: "movePlayer", value: { code: 10, direction: "leftPressAir" } } }]
 * decoder.line("00 08"); // => [{ error: WireError truncated }]
 * ```
 *
 * @module
 */

import { countBytes, escapeControls, formatHex, type JsonObject, parseHex, WireError } from "../wire/index.ts";
import type { Channel, PayloadCodec, Received, Side, TracedBytes, WireMessage } from "./codec.ts";
import type { LineConverter, LineOptions, LineResult, LineTools } from "./line-tools.ts";
import type { Protocol } from "./protocol.ts";

/** What {@link payloadLines} needs of a protocol. */
export interface PayloadParts<C extends WireMessage = WireMessage, S extends WireMessage = WireMessage>
  extends Pick<Protocol<C, S>, "codec" | "openChannel"> {
  /** One sentence: what a line holds. */
  readonly summary: string;
}

/**
 * The tools for lines that each hold one payload: hex to `{"message", "value"}`, that back to hex, and the fields of
 * bytes. With `framed` the lines are one stream as it was carried: split and glued anywhere.
 *
 * Every refusal is a `WireError`, of text too: its place counts from the payload, for a broken stream from the stream.
 */
export function payloadLines<C extends WireMessage, S extends WireMessage>(parts: PayloadParts<C, S>): LineTools {
  return {
    summary: parts.summary,
    senders: ["client", "server"],
    flags: [],
    decoder(options) {
      const codec = parts.codec(options.dialect);
      return options.framed ? streamDecoder(parts, codec, options) : payloadDecoder(codec, options.direction);
    },
    encoder: (options) => payloadEncoder(parts, options),
    trace(bytes, options) {
      const codec = parts.codec(options.dialect);
      const traced = options.framed
        ? traceStream(parts, codec, bytes, options)
        : [{ ...codec.trace(options.direction, bytes), bytes }];
      return traced.flatMap((part) => (part.inner === undefined ? [part] : [part, part.inner]));
    },
  };
}

function payloadDecoder<C extends WireMessage, S extends WireMessage>(
  codec: PayloadCodec<C, S>,
  sender: Side,
): LineConverter {
  return {
    line: (text) => [attempt(() => ({ json: codec.toJson(sender, codec.read(sender, parseHex(text))) }))],
    end: () => [],
  };
}

/** One end of a connection: the client's channel writes what the client says and reads what the server says. */
function openEnd<C extends WireMessage, S extends WireMessage>(
  parts: PayloadParts<C, S>,
  side: Side,
  dialect: string,
): Channel<C | S, C | S> {
  return side === "server"
    ? parts.openChannel({ side, dialect, carrier: "stream" })
    : parts.openChannel({ side, dialect, carrier: "stream" });
}

function receiverOf(sender: Side): Side {
  return sender === "client" ? "server" : "client";
}

function streamDecoder<C extends WireMessage, S extends WireMessage>(
  parts: PayloadParts<C, S>,
  codec: PayloadCodec<C, S>,
  { direction, dialect }: LineOptions,
): LineConverter {
  const receiver = receiverOf(direction);
  let channel = openEnd(parts, receiver, dialect);

  return {
    line(text) {
      // A line that is not hex brings no bytes: the stream goes on as if it had not been there.
      const parsed = attempt(() => ({ bytes: parseHex(text) }));
      if (parsed.error !== undefined) return [parsed];
      const results: LineResult[] = [];
      const broken = attempt(() => {
        drain(channel, parsed.bytes, (received) => {
          const { message, error } = received;
          results.push(error === undefined ? { json: codec.toJson(direction, message) } : { error });
        });
        return {};
      });
      if (broken.error !== undefined) {
        results.push(broken);
        channel = openEnd(parts, receiver, dialect);
      }
      return results;
    },
    end() {
      const pending = channel.pendingBytes;
      return pending === 0 ? [] : [{ error: unfinished(pending) }];
    },
  };
}

/** Gives the channel the bytes and `take` every payload. What broke the stream is thrown after what came before it. */
function drain<M extends WireMessage>(
  channel: Channel<M, M>,
  bytes: Uint8Array,
  take: (received: Received<M>) => void,
): void {
  const pushed = attempt(() => {
    channel.push(bytes);
    return {};
  });
  try {
    for (let received = channel.next(); received !== undefined; received = channel.next()) take(received);
  } catch (error) {
    // The first reason is the real one: after it `next` says only that the stream is refused.
    throw pushed.error ?? error;
  }
  if (pushed.error !== undefined) throw pushed.error;
}

function unfinished(pendingBytes: number): WireError {
  const why = `the input ends ${countBytes(pendingBytes)} into it`;
  return new WireError("truncated", `Cannot read frame: ${why}`, 0);
}

function payloadEncoder<C extends WireMessage, S extends WireMessage>(
  parts: PayloadParts<C, S>,
  { direction, dialect, framed }: LineOptions,
): LineConverter {
  const codec = parts.codec(dialect);
  const channel = framed ? openEnd(parts, direction, dialect) : undefined;
  let greeting = channel?.greeting;

  return {
    line: (text) => [
      attempt(() => {
        const payload = writeJson(codec, direction, parseMessage(text));
        if (channel === undefined) return { text: formatHex(payload, { separator: "" }) };
        // The stream begins with the greeting; on the line of the first message, lines stay one per message.
        const start = greeting === undefined ? "" : formatHex(greeting, { separator: "" });
        greeting = undefined;
        return { text: start + formatHex(channel.frame(payload), { separator: "" }) };
      }),
    ],
    end: () => [],
  };
}

/** The object of a line, without the `ok` that `decode` adds. */
function parseMessage(text: string): JsonObject {
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
  const { ok = true, ...message } = json as JsonObject;
  if (ok !== true) {
    const why = ok === false ? "false marks a line that was refused, there is no message in it" : "must be true";
    throw new WireError("bad-value", `Cannot read ok: ${why}`, 0, "ok");
  }
  return message;
}

function writeJson<C extends WireMessage, S extends WireMessage>(
  codec: PayloadCodec<C, S>,
  sender: Side,
  json: JsonObject,
): Uint8Array {
  const message = codec.fromJson(sender, json);
  try {
    return codec.write(sender, message);
  } catch (error) {
    // Our caller is the text: a value that cannot be written is the text's fault.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const path = /^Cannot write ([^\s:]+): /.exec(error.message)?.[1] ?? "";
    throw new WireError("bad-value", error.message, 0, path);
  }
}

function traceStream<C extends WireMessage, S extends WireMessage>(
  parts: PayloadParts<C, S>,
  codec: PayloadCodec<C, S>,
  bytes: Uint8Array,
  { direction, dialect }: LineOptions,
): readonly TracedBytes[] {
  const channel = openEnd(parts, receiverOf(direction), dialect);
  const traced: TracedBytes[] = [];
  let start = 0;
  const rest = ({ code, message, bitOffset, path }: WireError): void => {
    // A channel counts from the start of the stream, a part from its own.
    const error = new WireError(code, message, Math.max(0, bitOffset - start * 8), path);
    traced.push({ title: `No whole frame at byte ${start}`, bytes: bytes.subarray(start), fields: [], error });
  };

  // Byte by byte, since only so it shows which bytes carried a payload.
  for (let end = 1; end <= bytes.length; end++) {
    const broken = attempt(() => {
      drain(channel, bytes.subarray(end - 1, end), ({ payload }) => {
        const title = describeFrame(bytes.subarray(start, end), payload, start);
        traced.push({ title, ...codec.trace(direction, payload), bytes: payload });
        start = end;
      });
      return {};
    });
    if (broken.error !== undefined) {
      rest(broken.error);
      return traced;
    }
  }
  if (start < bytes.length || traced.length === 0) rest(unfinished(channel.pendingBytes));
  return traced;
}

/** How much of a frame a title shows. */
const TITLE_BYTES = 16;

/** Which bytes are the frame around a payload, and whether the payload was carried in clear. */
function describeFrame(carried: Uint8Array, payload: Uint8Array, start: number): string {
  const header = carried.subarray(0, carried.length - payload.length);
  const body = carried.subarray(header.length);
  const inClear = body.length === payload.length && body.every((byte, index) => byte === payload[index]);
  const words = [`Frame at byte ${start}: ${header.length === 0 ? "no header" : `header ${shorten(header)}`}`];
  words.push(`payload of ${countBytes(payload.length)}`);
  if (!inClear) words.push(`deciphered from ${shorten(body)}`);
  return words.join(", ");
}

function shorten(bytes: Uint8Array): string {
  const hex = formatHex(bytes.subarray(0, TITLE_BYTES));
  return bytes.length > TITLE_BYTES ? `${hex} ...` : hex;
}

/** The result, or the `WireError` that stood in its way. Other errors are faults of ours and go on. */
function attempt<T extends object>(
  work: () => T,
): (T & { readonly error?: undefined }) | { readonly error: WireError } {
  try {
    return work();
  } catch (error) {
    if (error instanceof WireError) return { error };
    throw error;
  }
}
