/** What descriptions say of payloads, by a second reader that knows nothing but them (`interpret.ts`), beside what codecs read. */
import { formatHex, type JsonValue, sizeOf, WireError } from "../../wire/index.ts";
import { interpret, Refusal } from "../../wire/testing/interpret.ts";
import type { PayloadCodec, Side } from "../codec.ts";

/** What a codec says of a payload, in the words of the interpreter. */
function realReading(codec: PayloadCodec, sender: Side, payload: Uint8Array): JsonValue | WireError {
  try {
    return codec.toJson(sender, codec.read(sender, payload)).value as JsonValue;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

/** The payload by the description of the message that its id names; undefined for an id without a message. */
function describedReading(codec: PayloadCodec, sender: Side, payload: Uint8Array): JsonValue | Refusal | undefined {
  const { id, layouts } = codec;
  const idBytes = sizeOf(id.node).most / 8;
  if (payload.length < idBytes) return new Refusal("truncated", 0, id.name);
  const number = interpret(id.node, payload.subarray(0, idBytes), 0);
  const info = codec.messages.find((each) => each.sender === sender && each.id === number);
  const layout = info && layouts[sender][info.message];
  return layout && interpret(layout.node, payload, idBytes);
}

/** Throws unless the codec reads a payload as its description says: the same value, or the same refusal at the same place. */
export function compareWithDescription(codec: PayloadCodec, sender: Side, payload: Uint8Array): "value" | "refused" {
  return compareReadings(payload, realReading(codec, sender, payload), describedReading(codec, sender, payload));
}

/** Throws unless both readings are the same; `expected` is undefined for an unknown message. */
export function compareReadings(
  payload: Uint8Array,
  found: JsonValue | WireError,
  expected: JsonValue | Refusal | undefined,
): "value" | "refused" {
  const say = (reading: unknown): string =>
    reading instanceof WireError || reading instanceof Refusal
      ? `${reading.code} ${reading.path} at bit ${"bit" in reading ? reading.bit : reading.bitOffset}`
      : JSON.stringify(reading);
  const mismatch = (): Error =>
    new Error(`${formatHex(payload)}\n  codec:       ${say(found)}\n  description: ${say(expected)}`);
  if (expected === undefined) {
    if (!(found instanceof WireError && found.code === "unknown-message")) throw mismatch();
    return "refused";
  }
  if (expected instanceof Refusal) {
    if (!(found instanceof WireError)) throw mismatch();
    const sameCode = expected.code === "*" || expected.code === found.code;
    const samePlace = expected.bit < 0 || expected.bit === found.bitOffset;
    const samePath = expected.path === found.path || expected.code === "trailing";
    if (!sameCode || !samePlace || !samePath) throw mismatch();
    return "refused";
  }
  if (found instanceof WireError || JSON.stringify(found) !== JSON.stringify(expected)) throw mismatch();
  return "value";
}
