/**
 * What every layout owes, as one check. Protocols call it for each of their messages.
 *
 * @module
 */

import fc from "fast-check";
import { expect } from "vitest";
import { expectEqual } from "../../testing/inner-loops.ts";
import { decode, encode, type Layout, tilingFault, traceLayout, WireError } from "../index.ts";

/** Runs `action`; gives the {@link WireError} it throws, or `undefined`. Any other error fails the test. */
export function wireErrorOf(action: () => unknown): WireError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

/** Bytes decode to a value that encodes to bytes of the same value, or are refused; and the trace says the same. */
export function checkBytes<T>(layout: Layout<T>, bytes: Uint8Array): void {
  const trace = traceLayout(layout, bytes);
  let value: T;
  try {
    value = decode(layout, bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    expectEqual(trace.error?.toJSON(), error.toJSON());
    if (error.bitOffset > bytes.length * 8) expect.fail(`${error.message}: behind the end`);
    return;
  }
  expectEqual(trace.error, undefined);
  expectEqual(trace.value, value);
  expectEqual(tilingFault(trace.fields, bytes.length), undefined);
  expectEqual(decode(layout, encode(layout, value)), value);
}

/**
 * Every value round-trips; its bytes are tiled by the trace; every prefix is refused as `truncated`; one byte more is
 * refused; damaged bytes and random bytes keep {@link checkBytes}. `open: true` is for layouts that take whatever is
 * left, whose prefixes and extensions may be whole messages.
 */
export function checkLayout<T>(layout: Layout<T>, values: fc.Arbitrary<T>, options: { open?: boolean } = {}): void {
  const place = fc.nat();
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(values, place, byte, (value, at, replacement) => {
      const bytes = encode(layout, value);
      expect(decode(layout, bytes)).toEqual(value);
      checkBytes(layout, bytes);
      if (options.open !== true) {
        for (let length = 0; length < bytes.length; length++) {
          expect(wireErrorOf(() => decode(layout, bytes.subarray(0, length)))?.code).toBe("truncated");
        }
        expect(wireErrorOf(() => decode(layout, Uint8Array.of(...bytes, replacement)))?.code).toBe("trailing");
      }
      if (bytes.length > 0) {
        const damaged = bytes.slice();
        damaged[at % bytes.length] = replacement;
        checkBytes(layout, damaged);
      }
    }),
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => checkBytes(layout, bytes)));
}
