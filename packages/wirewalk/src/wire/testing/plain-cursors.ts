/** Cursors that layouts do not know: with them they read and write field by field, without plans. For tests of the plans. */
import { ByteReader, ByteWriter } from "../index.ts";
import type { LayoutReader, LayoutWriter } from "../layout/cursor.ts";

/** An object that does what the cursor does, and is none of its class. */
function plain<T extends object>(cursor: T, prototype: object): T {
  const copy = {};
  for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (get !== undefined) Object.defineProperty(copy, name, { get: () => get.call(cursor) as unknown });
    else if (name !== "constructor") {
      Object.defineProperty(copy, name, { value: (value as (...args: unknown[]) => unknown).bind(cursor) });
    }
  }
  for (const name of Object.keys(cursor)) Object.defineProperty(copy, name, { value: cursor[name as keyof T] });
  return copy as T;
}

/** A reader of all the bytes. */
export function plainReader(bytes: Uint8Array): LayoutReader {
  return plain<LayoutReader>(new ByteReader(bytes), ByteReader.prototype);
}

/** A writer in front of another. */
export function plainWriter(writer: ByteWriter): LayoutWriter {
  return plain<LayoutWriter>(writer, ByteWriter.prototype);
}
