/**
 * The fields of a mouse packet with their places: what `wirewalk inspect` shows. They come from the description; here are
 * the words that depend on more than one number: positions, the span of the packet, why a record ends it.
 *
 * ```ts
 * const { fields } = traceMousePacket("client", parseHex("0000 5860"));
 * fields.at(-2); // => { path: "records[0].x", bitOffset: 20, bitLength: 6, raw: 33, shown: "+1" }
 * ```
 */
import { ByteReader, readPath, type TraceField, Tracer, traceInto, WireError } from "../../../../wire/index.ts";
import type { PayloadTrace } from "../../../codec.ts";
import { type MouseRules, mouseRules } from "./dialect.ts";
import type { MouseMoveMessage } from "./message.ts";
import { isFirstOfProcess, type MouseReadOptions, packetSpan, recordRefusal } from "./packet.ts";
import { type MousePacket, mousePacketDescription } from "./packet-description.ts";

/**
 * The fields of one payload, down to the bit, with the positions that this payload alone gives. Never throws for
 * bytes; throws `RangeError` for an unknown dialect.
 */
export function traceMousePacket(dialect: string, payload: Uint8Array, options: MouseReadOptions = {}): PayloadTrace {
  const rules = mouseRules(dialect);
  const tracer = new Tracer();
  try {
    readPath.depth = 0;
    const { start = 0 } = options;
    const reader = new ByteReader(payload, start);
    const packet = traceInto(mousePacketDescription(rules.name), reader, tracer, "");
    const refusal = addMouseWords(rules, packet, tracer, payload);
    if (refusal !== undefined && options.strict) {
      // The last field is `cut`, which a strict reader does not have.
      tracer.truncate(tracer.fields.length - 1);
      return { fields: tracer.fields, error: refusal };
    }
    const message: MouseMoveMessage = { message: "mouseMove", value: packet };
    return { message, fields: tracer.fields };
  } catch (error) {
    if (error instanceof WireError) return { fields: tracer.fields, error };
    throw error;
  }
}

/**
 * Puts words into the fields of a packet that was traced by its description: those after the first `before`. `bytes` end with
 * it. Gives why the rest of the packet is not a record, where some is left.
 */
export function addMouseWords(
  rules: MouseRules,
  packet: MousePacket,
  { fields, before = 0 }: { readonly fields: readonly TraceField[]; readonly before?: number },
  bytes: Uint8Array,
): WireError | undefined {
  const { cut, records } = packet;
  const refusal = cut.length > 0 ? recordRefusal(rules, bytes, bytes.length - cut.length, records.length) : undefined;
  const words = wordsOf(rules, packet, refusal);
  for (const field of fields.slice(before)) field.shown = words.get(field.path) ?? field.shown;
  return refusal;
}

/** Words by the path of the field that they are for. */
function wordsOf(rules: MouseRules, packet: MousePacket, refusal: WireError | undefined): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const say = (field: string, text: string): unknown => words.set(field, text);
  const span = packetSpan(rules, packet);
  const spanText = rules.header === "window" ? `cycles; time window ${span}` : `ms; the packet spans ${span} ms`;
  say("excess", `${packet.excess} ${spanText}`);
  let place = { x: 0, y: 0 };
  let isKnown = false;
  for (const [index, { form, dt, x, y, outside }] of packet.records.entries()) {
    const isLarge = form === "largeQuick" || form === "full";
    const isPlace = outside || (isLarge && rules.absolute);
    const from = isPlace ? { x: 0, y: 0 } : place;
    place = { x: from.x + x, y: from.y + y };
    isKnown ||= isPlace;
    const coordinate = (offset: number, sum: number): string => {
      if (outside) return "outside the window";
      if (isPlace) return String(sum);
      return `${offset < 0 ? "" : "+"}${offset}${isKnown ? ` to ${sum}` : ""}`;
    };
    say(`records[${index}].x`, coordinate(x, place.x));
    say(`records[${index}].y`, coordinate(y, place.y));
    if (rules.header === "residue" && isFirstOfProcess({ form, dt }, index)) {
      say(`records[${index}].dt`, "the process's first");
    }
  }
  if (refusal !== undefined) say("cut", refusal.message);
  return words;
}
