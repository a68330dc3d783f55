/**
 * The fields of a mouse packet with their places: what `wirewalk inspect` shows.
 *
 * ```ts
 * const { fields } = traceMousePacket("client", parseHex("0000 5860"));
 * fields.at(-2); // => { path: "records[0].x", bitOffset: 20, bitLength: 6, raw: 33, shown: "+1" }
 * ```
 */
import { formatHex, Tracer, WireError } from "../../../../wire/index.ts";
import type { PayloadTrace } from "../../../codec.ts";
import { CYCLE_MS, type MouseRules, mouseRules } from "./dialect.ts";
import type { MouseMoveMessage } from "./message.ts";
import {
  HEADER_BYTES,
  isFirstOfProcess,
  MouseCursor,
  type MouseReadOptions,
  packetSpan,
  readMousePacket,
} from "./packet.ts";

/**
 * The fields of one payload, down to the bit, with positions as far as this payload alone tells them. Never throws for
 * bytes; throws `RangeError` for an unknown dialect.
 */
export function traceMousePacket(dialect: string, payload: Uint8Array, options: MouseReadOptions = {}): PayloadTrace {
  const rules = mouseRules(dialect);
  const tracer = new Tracer();
  const cursor = new MouseCursor(dialect);
  try {
    cursor.open(payload, options.start);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { fields: tracer.fields, error };
  }
  const { start = 0 } = options;
  const packet = readMousePacket(dialect, payload, { start });
  const span = packetSpan(rules, packet);
  const window = rules.header === "window";
  const averageIs = window ? "cycles per record, floored" : "ms left over per record";
  const excessIs = window ? `cycles; time window ${span}` : `ms; the packet spans ${span} ms`;
  tracer.field("average", start * 8, 8, cursor.average, `${cursor.average} ${averageIs}`);
  tracer.field("excess", start * 8 + 8, 8, cursor.excess, `${cursor.excess} ${excessIs}`);

  const place: Place = { x: 0, y: 0, known: false };
  let index = 0;
  let at = start + HEADER_BYTES;
  while (cursor.next()) {
    traceRecord(tracer, rules, cursor, payload, at, index, place);
    at = cursor.offset;
    index += 1;
  }
  const error = cursor.refusal(index);
  const message: MouseMoveMessage = { message: "mouseMove", value: packet };
  if (error === undefined) return { message, fields: tracer.fields };
  if (options.strict) return { fields: tracer.fields, error };
  tracer.field("cut", at * 8, (payload.length - at) * 8, formatHex(packet.cut, { separator: "" }), error.message);
  return { message, fields: tracer.fields };
}

interface Place {
  x: number;
  y: number;
  known: boolean;
}

function traceRecord(
  tracer: Tracer,
  rules: MouseRules,
  cursor: MouseCursor,
  payload: Uint8Array,
  at: number,
  index: number,
  place: Place,
): void {
  const { form, dt, outside } = cursor;
  const large = form === "largeQuick" || form === "full";
  const isPlace = outside || (large && rules.absolute);
  if (isPlace) {
    place.x = cursor.x;
    place.y = cursor.y;
    place.known = true;
  } else {
    place.x += cursor.x;
    place.y += cursor.y;
  }
  const path = `records[${index}]`;
  let bit = at * 8;
  const field = (name: string, bitLength: number, raw: number, shown?: string): void => {
    tracer.field(`${path}.${name}`, bit, bitLength, raw, shown);
    bit += bitLength;
  };
  const coordinate = (axis: "x" | "y"): string => {
    if (outside) return "outside the window";
    if (isPlace) return String(place[axis]);
    const offset = cursor[axis];
    return `${offset < 0 ? "" : "+"}${offset}${place.known ? ` to ${place[axis]}` : ""}`;
  };
  const isFirst = rules.header === "residue" && isFirstOfProcess(cursor, index);
  const time = isFirst ? "the process's first" : `${dt * CYCLE_MS} ms`;
  const byte = (offset: number): number => payload[offset] as number;

  if (form === "small") {
    const packed = (byte(at) << 8) | byte(at + 1);
    const width = rules.smallMask === 0x3f ? 6 : 5;
    field("form", 1, 0, "small");
    field("dt", 3, dt, time);
    if (width === 5) field("unused", 1, (packed >> 11) & 1);
    field("x", width, (packed >> 6) & rules.smallMask, coordinate("x"));
    if (width === 5) field("unused", 1, (packed >> 5) & 1);
    field("y", width, packed & rules.smallMask, coordinate("y"));
  } else {
    field("form", 3, byte(at) >> 5, form);
    field("dt", form === "full" ? 13 : 5, dt, time);
    const start = at + (form === "full" ? 2 : 1);
    if (large) {
      field("y", 16, (byte(start) << 8) | byte(start + 1), coordinate("y"));
      field("x", 16, (byte(start + 2) << 8) | byte(start + 3), coordinate("x"));
    } else {
      field("x", 8, byte(start), coordinate("x"));
      field("y", 8, byte(start + 1), coordinate("y"));
    }
  }
  if (rules.buttons) field("button", 8, cursor.button, buttonNames.get(cursor.button));
}

const buttonNames: ReadonlyMap<number, string> = new Map([
  [0, "none"],
  [2, "left"],
  [8, "right"],
  [14, "middle"],
]);
