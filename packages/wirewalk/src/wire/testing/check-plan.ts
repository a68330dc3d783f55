/** What layouts owe that read and write by plans: the same as field by field, refusals included. */

import { expectEqual } from "../../testing/inner-loops.ts";
import { ByteReader, ByteWriter, type Layout } from "../index.ts";
import { readPath, WireError } from "../wire-error.ts";
import { plainReader, plainWriter } from "./plain-cursors.ts";

/** What a call gives, or what it throws. */
function outcome(call: () => unknown): unknown {
  readPath.depth = 0;
  try {
    return call();
  } catch (error) {
    if (error instanceof WireError) return error.toJSON();
    if (error instanceof RangeError || error instanceof TypeError) return `${error.name}: ${error.message}`;
    throw error;
  }
}

/** Reads the bytes both ways: equal values, keys in the same order, equal ends. Gives the value, where there is one. */
export function checkReadPlan<T>(layout: Layout<T>, bytes: Uint8Array): T | undefined {
  const byPlan = outcome(() => {
    const reader = new ByteReader(bytes);
    const value = layout.read(reader);
    return { value, keys: keysOf(value), end: reader.bitOffset };
  });
  const plain = outcome(() => {
    const reader = plainReader(bytes);
    const value = layout.read(reader);
    return { value, keys: keysOf(value), end: reader.bitOffset };
  });
  expectEqual(byPlan, plain);
  return (byPlan as { readonly value?: T }).value;
}

/** Writes a value both ways, a wrong one too: equal bytes, or equal refusals. */
export function checkWritePlan(layout: Layout<unknown>, value: unknown): void {
  const written = (write: (writer: ByteWriter) => void): unknown =>
    outcome(() => {
      // Bytes that an earlier message left in the memory.
      const writer = new ByteWriter(16);
      writer.u32be(0xffff_ffff);
      writer.u32be(0xffff_ffff);
      writer.reset();
      writer.u8(7);
      write(writer);
      return writer.toBytes();
    });
  expectEqual(
    written((writer) => layout.write(writer, value)),
    written((writer) => layout.write(plainWriter(writer), value)),
  );
}

/** All keys in their order, those of inner objects too. */
function keysOf(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "bigint" || each instanceof Uint8Array ? 0 : typeof each === "object" ? each : 0,
  );
}

/** The value with one of its parts replaced, at any depth. */
export function damagedValue(value: unknown, choose: (count: number) => number, wrong: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return wrong;
  const keys = Object.keys(value);
  const key = keys[choose(keys.length + 1)];
  if (key === undefined) return wrong;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  copy[key] = choose(3) === 0 ? wrong : damagedValue(copy[key], choose, wrong);
  return copy;
}
