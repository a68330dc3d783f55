/**
 * The path of the field that is being read, for the errors of readers that go by descriptions.
 *
 * ```ts
 * import { ByteReader, readAt } from "wirewalk/wire";
 *
 * const reader = new ByteReader(new Uint8Array(0));
 * readAt("fragments", () => readAt(3, () => reader.u8())); // throws truncated: Cannot read fragments[3]: 1 byte needed, 0 left at byte 0
 * ```
 *
 * @module
 */
import { joinPath, naming } from "./wire-error.ts";

/**
 * The path of the field that is being read, kept by readers of descriptions: a `WireError` takes it when it is made. Naming the
 * field in a `catch` of every description around it cost 0.4 us each, several times more than the error itself.
 *
 * Reading never waits, so one path serves all readers. A refusal empties it, and whole messages begin with an empty one.
 * Readers set the depth before each of their fields, and set it back at their end.
 */
export const readPath: { depth: number; readonly segments: (string | number)[] } = { depth: 0, segments: [] };

/** Reads with one more segment in the path of errors: a field's name, or an item's index. */
export function readAt<T>(segment: string | number, read: () => T): T {
  const { depth, segments } = readPath;
  segments[depth] = segment;
  readPath.depth = depth + 1;
  const value = read();
  readPath.depth = depth;
  return value;
}

/** The path that is being read with one more piece, and an end to it: nothing more is read of what was refused. */
function takePath(inner: string): string | undefined {
  const { depth, segments } = readPath;
  if (depth === 0) return undefined;
  readPath.depth = 0;
  let path = inner;
  for (let index = depth - 1; index >= 0; index--) {
    const segment = segments[index] as string | number;
    path = joinPath(typeof segment === "number" ? `[${segment}]` : segment, path);
  }
  return path;
}

naming.pathOf = takePath;
