/** Dropped files as readers of maps take them. They are read when they are asked for, a part at a time: a client's archive has 500 MB. */
import { isZip, type MapFile, MapFileError, type MapFiles, zipFiles } from "wirewalk/protocol";
import type { MapBlob } from "./messages.ts";

/** Smaller files are read as a whole. */
const WHOLE_BYTES = 4 * 1024 * 1024;
/** What is read at once of a larger one: readers ask for a few bytes after each other. */
const PAGE_BYTES = 256 * 1024;

/** `read` reads a blob at once, as `FileReaderSync` does in a worker. */
export function blobFiles(name: string, blobs: readonly MapBlob[], read: (blob: Blob) => Uint8Array): MapFiles {
  const byPath = new Map(blobs.map(({ path, file }) => [path, file]));
  const open = (path: string): MapFile | undefined => {
    const blob = byPath.get(path);
    return blob && blobFile(path, blob, read);
  };
  const [only] = blobs;
  const archive = blobs.length === 1 && only !== undefined ? open(only.path) : undefined;
  if (archive !== undefined && isZip(archive)) return zipFiles(archive);
  const paths = [...byPath.keys()].sort();
  return { name, paths: () => paths, open };
}

function blobFile(name: string, blob: Blob, read: (blob: Blob) => Uint8Array): MapFile {
  let start = 0;
  let kept = new Uint8Array(0);
  const readAt = (from: number, to: number): Uint8Array => {
    try {
      return read(blob.slice(from, to));
    } catch (error) {
      throw new MapFileError(`Cannot read ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return {
    name,
    size: blob.size,
    read(offset, length) {
      const end = Math.min(blob.size, offset + length);
      if (end <= offset) return new Uint8Array(0);
      if (offset < start || end > start + kept.length) {
        const isWhole = blob.size <= WHOLE_BYTES;
        start = isWhole ? 0 : offset;
        kept = readAt(start, isWhole ? blob.size : Math.min(blob.size, Math.max(end, offset + PAGE_BYTES))).slice();
      }
      return kept.subarray(offset - start, end - start);
    },
  };
}
