/**
 * The fields of a packet, or of every packet in a stretch of carried bytes.
 *
 * ```ts
 * import { traceStream } from "wirewalk/inspect";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const setup = { dialect: "documented", sender: "client", framed: true, options: {} };
 * const parts = traceStream(slimeOnline2.streams[""], Uint8Array.of(3, 0, 0, 8, 10, 3, 0), setup);
 * parts.map(({ title }) => title); // => ["Frame at byte 0: header 03 00, payload of 3 bytes", "No whole frame at byte 5"]
 * parts[0].fields.map(({ path, shown }) => `${path} ${shown}`); // => ["type movePlayer", "code leftPressAir"]
 * ```
 *
 * @module
 */
import type { PacketStream, StreamSetup, TracedBytes } from "../protocols/index.ts";
import { countBytes, formatHex, WireError } from "../wire/index.ts";
import { attempt } from "./attempt.ts";
import { drain, openReceiver, unfinishedFrame } from "./frames.ts";

/**
 * One part for a bare packet, with `framed` one for each frame; after a part what its packet held in another form. The
 * part that cannot be read has the error. Never throws for bytes; options that the stream refuses are the error too.
 */
export function traceStream(stream: PacketStream, bytes: Uint8Array, setup: StreamSetup): readonly TracedBytes[] {
  const traced = attempt(() => ({
    parts: setup.framed ? traceFrames(stream, bytes, setup) : [stream.openReader(setup).trace(bytes)],
  }));
  if (traced.error !== undefined) return [{ bytes, fields: [], error: traced.error }];
  return traced.parts.flatMap(withInner);
}

/** A part, and what its packet held in another form. */
export function withInner(part: TracedBytes): readonly TracedBytes[] {
  return part.inner === undefined ? [part] : [part, ...withInner(part.inner)];
}

function traceFrames(stream: PacketStream, bytes: Uint8Array, setup: StreamSetup): readonly TracedBytes[] {
  const channel = openReceiver(stream, setup);
  const reader = stream.openReader(setup);
  const traced: TracedBytes[] = [];
  let start = 0;
  const rest = ({ code, message, bitOffset, path }: WireError): void => {
    // A channel counts from the start of the stream, a part from its own.
    const error = new WireError(code, message, Math.max(0, bitOffset - start * 8), path);
    traced.push({ title: `No whole frame at byte ${start}`, bytes: bytes.subarray(start), fields: [], error });
  };

  // Byte by byte: only this shows which bytes carried a packet.
  for (let end = 1; end <= bytes.length; end++) {
    const broken = attempt(() => {
      drain(channel, bytes.subarray(end - 1, end), ({ payload }) => {
        const part = reader.trace(payload);
        traced.push({ title: describeFrame(bytes.subarray(start, end), part.bytes, start), ...part });
        start = end;
      });
      return {};
    });
    if (broken.error !== undefined) {
      rest(broken.error);
      return traced;
    }
  }
  if (start < bytes.length || traced.length === 0) rest(unfinishedFrame(channel.pendingBytes));
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
