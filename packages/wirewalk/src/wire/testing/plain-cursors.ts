/** Cursors that layouts do not know: with them they read and write field by field, without plans. For tests of the plans. */
import { ByteReader, ByteWriter } from "../index.ts";
import type { LayoutReader, LayoutWriter } from "../layout/cursor.ts";

const CURSOR = Symbol("cursor");

/**
 * A prototype whose members call those of the cursor that an object of it holds. Made once for each class: binding every method anew
 * for each message took a tenth of the tests of descriptions.
 */
function forwarding(prototype: object): object {
  const copy = {};
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === "constructor") continue;
    Object.defineProperty(
      copy,
      name,
      get === undefined
        ? {
            value(this: { [CURSOR]: Record<string, (...args: unknown[]) => unknown> }, ...args: unknown[]) {
              return this[CURSOR][name]?.(...args);
            },
          }
        : {
            get(this: { [CURSOR]: object }): unknown {
              return get.call(this[CURSOR]);
            },
          },
    );
  }
  return copy;
}

const readers = forwarding(ByteReader.prototype);
const writers = forwarding(ByteWriter.prototype);

/** An object that does what the cursor does, and is none of its class. */
function plain<T extends object>(cursor: T, prototype: object): T {
  const copy = Object.create(prototype) as Record<PropertyKey, unknown>;
  for (const [name, value] of Object.entries(cursor)) copy[name] = value;
  copy[CURSOR] = cursor;
  return copy as T;
}

/** A reader of all the bytes. */
export function plainReader(bytes: Uint8Array): LayoutReader {
  return plain<LayoutReader>(new ByteReader(bytes), readers);
}

/** A writer in front of another. */
export function plainWriter(writer: ByteWriter): LayoutWriter {
  return plain<LayoutWriter>(writer, writers);
}
