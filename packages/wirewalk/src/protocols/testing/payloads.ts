/** One payload against its codec, and payloads to check. */
import type { Random } from "../../motion/index.ts";
import { formatHex, WireError } from "../../wire/index.ts";
import type { PayloadCodec, Side, WireMessage } from "../codec.ts";
import { equalBytes, mutated, randomBytes } from "./random-bytes.ts";
import { must } from "./rule.ts";

export const sides: readonly Side[] = ["client", "server"];
const MAX_NOISE_BYTES = 64;

/** A valid payload, a damaged one, or noise. */
export function somePayload(random: Random, valid: readonly Uint8Array[]): Uint8Array {
  if (valid.length === 0 || random.chance(0.2)) return randomBytes(random, MAX_NOISE_BYTES);
  const payload = random.pick(valid);
  return random.chance(0.2) ? payload : mutated(random, payload);
}

/** The message in the bytes, or undefined when they are refused as they should be. */
export function readOrRefuse(codec: PayloadCodec, side: Side, payload: Uint8Array): WireMessage | undefined {
  try {
    return codec.read(side, payload);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

/** A payload is a message that encodes back to the same bytes, straight and by way of JSON, or it is a `WireError`. */
export function checkPayload(codec: PayloadCodec, side: Side, payload: Uint8Array): void {
  const before = payload.slice();
  const message = readOrRefuse(codec, side, payload);
  const trace = codec.trace(side, payload);
  const hex = formatHex(payload);
  must(equalBytes(before, payload), () => `reading changes the bytes ${formatHex(before)}`);
  must((message === undefined) === (trace.error !== undefined), () => `trace and read disagree about ${hex}`);
  if (message === undefined) return;
  const back = codec.write(side, message);
  const text = JSON.stringify(codec.toJson(side, message));
  // Compressed payloads have many forms: another one must at least say the same.
  const says = (bytes: Uint8Array): string | undefined => {
    const again = readOrRefuse(codec, side, bytes);
    return again && JSON.stringify(codec.toJson(side, again));
  };
  must(equalBytes(back, payload) || says(back) === text, () => `${hex} is written back as ${formatHex(back)}`);
  const json = JSON.parse(text) as ReturnType<PayloadCodec["toJson"]>;
  const byJson = codec.write(side, codec.fromJson(side, json));
  must(equalBytes(byJson, back), () => `${hex} is written back by way of JSON as ${formatHex(byJson)}`);
}
