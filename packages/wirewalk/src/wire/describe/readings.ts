/**
 * Bytes that mean different things by an earlier number of the same struct. The value stays the bytes, so that whatever
 * they mean can be passed on as it came; traces and JSON show the meaning.
 *
 * ```ts
 * import { bytesReadBy, decode, i16le, parseHex, struct, toJson, u8 } from "wirewalk/wire";
 *
 * const shot = struct({
 *   action: u8,
 *   target: bytesReadBy(2, [{ name: "place", when: { field: "action", from: 24 }, of: struct({ x: i16le }) }]),
 * });
 * toJson(shot, decode(shot, parseHex("18 FE FF"))); // => { action: 24, target: "feff", place: { x: -2 } }
 * toJson(shot, decode(shot, parseHex("00 FE FF"))); // => { action: 0, target: "feff" }
 * ```
 *
 * @module
 */
import { conditionHolds } from "./conditions.ts";
import { type Layout, layoutFor } from "./layout.ts";
import type { Condition } from "./node.ts";
import { checkNames } from "./option-names.ts";
import type { WithTest } from "./structs.ts";

/** One meaning of bytes: see `ReadingNode`. */
export interface Reading<W extends Condition = Condition> {
  readonly name: string;
  readonly when: W;
  readonly of: Layout<unknown>;
}

/** Bytes with meanings: only a struct, which knows the earlier number, shows them. */
export interface ReadBytesLayout<R extends Reading = Reading> extends Layout<Uint8Array> {
  readonly readings: readonly R[];
}

/** Exactly `count` bytes, copied, with what they mean by an earlier number of the same struct. */
export function bytesReadBy<const R extends Reading>(
  count: number,
  readings: readonly (R & { readonly when: WithTest<R["when"]> })[],
): ReadBytesLayout<R> {
  for (const reading of readings) {
    checkNames<Reading>("bytesReadBy", reading, { name: true, when: true, of: true }, "a reading");
  }
  return {
    ...layoutFor<Uint8Array>({
      kind: "bytes",
      length: count,
      readings: readings.map(({ name, when, of }) => ({ name, when, node: of.node })),
    }),
    readings,
  };
}

/** The meaning of bytes in a struct with these fields. */
export function readingFor(
  { readings }: ReadBytesLayout,
  fields: Readonly<Record<string, unknown>>,
): Reading | undefined {
  return readings.find(({ when }) => conditionHolds(when, fields[when.field]));
}
