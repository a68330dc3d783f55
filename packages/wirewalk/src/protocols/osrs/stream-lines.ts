/**
 * Lines of carried bytes (`--framed`): what decoding and inspecting them share, whatever the frames hold.
 */
import { countBytes, formatHex, parseHex, WireError } from "../../wire/index.ts";
import type { TracedBytes } from "../codec.ts";
import type { LineConverter, LineResult } from "../line-tools.ts";
import { type BodySizes, headerBytesOf, OsrsDeframer } from "./wire/framing.ts";

/** The outcome of work that refuses by `WireError`. */
export function attempt<T extends object>(work: () => T): T | { readonly error: WireError } {
  try {
    return work();
  } catch (error) {
    if (error instanceof WireError) return { error };
    throw error;
  }
}

/** One line of hex in, one out for each payload (opcode, body). Frames may be split and glued anywhere. */
export function streamDecoder(sizes: BodySizes, decode: (payload: Uint8Array) => LineResult): LineConverter {
  let deframer = new OsrsDeframer(sizes);
  return {
    line(text) {
      const results: LineResult[] = [];
      try {
        deframer.push(parseHex(text));
        for (let payload = deframer.next(); payload !== undefined; payload = deframer.next()) {
          const whole = payload;
          results.push(attempt(() => decode(whole)));
        }
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        results.push({ error });
        // A broken stream starts again on the next line. One that is not hex brought no bytes: the stream goes on.
        if (error.code !== "bad-hex") deframer = new OsrsDeframer(sizes);
      }
      return results;
    },
    end: () => (deframer.pending === 0 ? [] : [{ error: unfinished(deframer.pending) }]),
  };
}

/** The frames of a stream, one after the other; each with what `trace` says of its payload (opcode, body). */
export function traceFrames(
  bytes: Uint8Array,
  sizes: BodySizes,
  trace: (payload: Uint8Array) => TracedBytes,
): readonly TracedBytes[] {
  const deframer = new OsrsDeframer(sizes);
  const traced: TracedBytes[] = [];
  let start = 0;
  const rest = (error: WireError): void => {
    const { code, message, path } = error;
    const here = new WireError(code, message, 0, path);
    traced.push({ title: `No whole frame at byte ${start}`, bytes: bytes.subarray(start), fields: [], error: here });
  };
  try {
    deframer.push(bytes);
    for (let payload = deframer.next(); payload !== undefined; payload = deframer.next()) {
      const head = headerBytesOf(sizes, payload[0]);
      const header = formatHex(bytes.subarray(start, start + head));
      const body = payload.length - 1;
      const title = `Frame at byte ${start}: header ${header}, payload of ${countBytes(body)}`;
      traced.push({ title, ...trace(payload) });
      start += head + body;
    }
    if (deframer.pending > 0 || traced.length === 0) rest(unfinished(deframer.pending));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    rest(error);
  }
  return traced;
}

function unfinished(pendingBytes: number): WireError {
  const why = `the input ends ${countBytes(pendingBytes)} into it`;
  return new WireError("truncated", `Cannot read frame: ${why}`, 0);
}
