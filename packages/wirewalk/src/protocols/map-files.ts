/**
 * Files with the places of a game, as a reader of maps takes them: a folder, one file, or an archive. A reader does not know where the
 * bytes are.
 *
 * ```ts
 * const files = memoryFiles("town", new Map([["Map0/000000001.img.xml", bytes]]));
 * files.open("Map0/000000001.img.xml")?.read(0, 5); // its first five bytes
 * ```
 */

/** A file that is read in parts: a client's archive is far larger than the maps that are asked for. */
export interface MapFile {
  /** For errors: the path as the user knows it. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /**
   * The bytes from `offset` on, fewer only at the end of the file. They are the caller's until the next call. Throws
   * {@link MapFileError} where they cannot be read.
   */
  read(offset: number, length: number): Uint8Array;
}

/** What a user has given as maps. Reading is synchronous: a world asks for a map when the first player enters it. */
export interface MapFiles {
  /** As the user named it. */
  readonly name: string;
  /** Paths of all files, relative, with `/` between names, sorted by code units. A single file has its own name alone. */
  paths(): readonly string[];
  /** Undefined where there is no such file, or where the path leads out of the folder. */
  open(path: string): MapFile | undefined;
}

/** A file of maps cannot be read: it went away, may not be opened, or is no archive. */
export class MapFileError extends Error {
  override readonly name = "MapFileError";
}

/** Files that are in memory already: dropped on a page, or made by a test. */
export function memoryFiles(name: string, files: ReadonlyMap<string, Uint8Array>): MapFiles {
  const paths = [...files.keys()].sort();
  return {
    name,
    paths: () => paths,
    open(path) {
      const bytes = files.get(path);
      return bytes && memoryFile(path, bytes);
    },
  };
}

/** One file that is in memory. */
export function memoryFile(name: string, bytes: Uint8Array): MapFile {
  return { name, size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}
