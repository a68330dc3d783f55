/**
 * Bytes that mean different things by an earlier number of the same struct. The value stays the bytes, so that whatever
 * they mean can be passed on as it came; traces and JSON show the meaning.
 *
 * ```ts
 * import { bytesReadBy, decode, i16le, parseHex, struct, u8 } from "wirewalk/wire";
 *
 * const shot = struct({
 *   action: u8,
 *   target: bytesReadBy(2, [{ name: "place", when: { field: "action", from: 24 }, of: struct({ x: i16le }) }]),
 * });
 * shot.toJson(decode(shot, parseHex("18 FE FF"))); // => { action: 24, target: "feff", place: { x: -2 } }
 * shot.toJson(decode(shot, parseHex("00 FE FF"))); // => { action: 0, target: "feff" }
 * ```
 *
 * @module
 */
import type { JsonValue } from "../json.ts";
import type { Tracer } from "../trace.ts";
import { joinPath, WireError } from "../wire-error.ts";
import { conditionHolds } from "./conditions.ts";
import type { LayoutReader } from "./cursor.ts";
import { decode, type Layout } from "./layout.ts";
import type { Condition } from "./node.ts";
import { fixedBytes } from "./runs.ts";
import { sizeOf } from "./size.ts";

/** One meaning of bytes: see `ReadingNode`. */
export interface Reading {
  readonly name: string;
  readonly when: Condition;
  readonly of: Layout<unknown>;
}

/** Bytes with meanings: only a struct, which knows the earlier number, shows them. */
export interface ReadBytesLayout extends Layout<Uint8Array> {
  readonly readings: readonly Reading[];
}

/** Exactly `count` bytes, copied, with what they mean by an earlier number of the same struct. */
export function bytesReadBy(count: number, readings: readonly Reading[]): ReadBytesLayout {
  for (const { name, of } of readings) {
    const { least, most } = sizeOf(of.node);
    if (least !== count * 8 || most !== count * 8) throw new TypeError(`${name} must have ${count} bytes`);
  }
  return {
    ...fixedBytes(count),
    node: {
      kind: "bytes",
      length: count,
      readings: readings.map(({ name, when, of }) => ({ name, when, node: of.node })),
    },
    readings,
  };
}

/** Whether an optional field or a reading is there, by the fields before it. */
export function holds(when: Condition, value: Readonly<Record<string, unknown>>): boolean {
  return conditionHolds(when, value[when.field]);
}

/** The meaning of bytes in a struct with these fields. */
export function readingFor(
  { readings }: ReadBytesLayout,
  fields: Readonly<Record<string, unknown>>,
): Reading | undefined {
  return readings.find(({ when }) => holds(when, fields));
}

/** Reads the bytes and traces them by their meaning, or as bytes where they have none. */
export function traceReading(
  layout: ReadBytesLayout,
  fields: Readonly<Record<string, unknown>>,
  reader: LayoutReader,
  tracer: Tracer,
  place: { readonly path: string; readonly name: string },
): Uint8Array {
  const reading = readingFor(layout, fields);
  if (reading === undefined) return layout.trace(reader, tracer, joinPath(place.path, place.name));
  const at = reader.bitOffset;
  const value = layout.read(reader);
  reader.seek(at);
  reading.of.trace(reader, tracer, joinPath(place.path, reading.name));
  return value;
}

/** What stands beside the bytes in JSON. */
export function readingToJson(
  layout: ReadBytesLayout,
  fields: Readonly<Record<string, unknown>>,
  value: Uint8Array,
): Readonly<Record<string, JsonValue>> {
  const reading = readingFor(layout, fields);
  return reading === undefined ? {} : { [reading.name]: reading.of.toJson(decode(reading.of, value)) };
}

/** Throws {@link WireError} when JSON gives a meaning that is not that of the bytes: it would be dropped unseen. */
export function checkReadings(
  layout: ReadBytesLayout,
  fields: Readonly<Record<string, unknown>>,
  value: Uint8Array,
  json: Readonly<Record<string, JsonValue | undefined>>,
  bytesName: string,
): void {
  const shown = readingToJson(layout, fields, value);
  for (const { name } of layout.readings) {
    const given = json[name];
    if (given === undefined || sameJson(given, shown[name])) continue;
    throw new WireError("bad-value", `Cannot read ${name}: it is not what ${bytesName} says`, 0, name);
  }
}

function sameJson(a: JsonValue, b: JsonValue | undefined): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  const [given, shown] = [Object.entries(a), b as Readonly<Record<string, JsonValue>>];
  return (
    given.length === Object.keys(shown).length && given.every(([key, each]) => sameJson(each as JsonValue, shown[key]))
  );
}
