/** Layouts that are not described yet: they go as the games' messages are ported. */
import type { Tracer } from "../trace.ts";
import type { LayoutReader, LayoutWriter } from "./cursor.ts";
import type { Layout } from "./layout.ts";

const undescribed = { kind: "bytes", length: 0, opaque: "not described yet" } as const;
const refuse = (): never => {
  throw new Error("Cannot happen: a layout without a description has no JSON");
};

/** A layout of three closures. */
export function handWritten<T>(functions: {
  read: (reader: LayoutReader) => T;
  write: (writer: LayoutWriter, value: T) => void;
  trace: (reader: LayoutReader, tracer: Tracer, path: string) => T;
}): Layout<T> {
  return { node: undescribed, ...functions, toJson: refuse, fromJson: refuse };
}

/** The same bytes, seen as another type. */
export function mapped<A, B>(
  layout: Layout<A>,
  mapping: {
    read: (value: A, bitOffset: number) => B;
    write: (value: B) => A;
    show?: (value: B) => string;
  },
): Layout<B> {
  return handWritten({
    read(reader) {
      const bitOffset = reader.bitOffset;
      return mapping.read(layout.read(reader), bitOffset);
    },
    write: (writer, value: B) => layout.write(writer, mapping.write(value)),
    trace(reader, tracer, path) {
      const bitOffset = reader.bitOffset;
      const fieldsBefore = tracer.fields.length;
      const value = mapping.read(layout.trace(reader, tracer, path), bitOffset);
      if (mapping.show !== undefined && tracer.fields.length === fieldsBefore + 1) tracer.reshow(mapping.show(value));
      return value;
    },
  });
}
