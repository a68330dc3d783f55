/**
 * Binary `.wz` files: a header, directories, and images at places that they name. Version and key of the client are found by trying.
 *
 * The header has `PKG1`, size of the data (u64), start of the data (u32), and a text up to there. At the start a u16 has a byte of the
 * version; then comes the root directory.
 */

import { MapError } from "../../maps.ts";
import { type ImageArchive, mapImageName } from "./archives.ts";
import type { FileBytes } from "./file-bytes.ts";
import { MAX_DEPTH } from "./image-node.ts";
import type { TreeNode } from "./tree.ts";
import { WzCursor } from "./wz-cursor.ts";
import { imageClass, readWzImage } from "./wz-image.ts";
import { type WzKey, wzKeys } from "./wz-key.ts";
import { hashesWith, hashesWithoutByte, scrambleOffset } from "./wz-version.ts";

/** `PKG1`, size, start. */
const HEADER_BYTES = 16;
const VERSION_BYTES = 2;
/** Only one byte of a version's hash is stored. */
const MAX_STORED = 0xff;
const NO_VERSION = MAX_STORED + 1;
/** Images and directories of a file, of which each takes 300 bytes: the largest Map.wz has some 20,000. */
const MAX_ENTRIES = 100_000;
/** Characters of all paths: the largest Map.wz has 600,000. */
const MAX_PATH_CHARACTERS = 1 << 24;
/** Entries that are looked at for an image that shows whether a version is the right one. */
const MAX_TRIED = 5000;
/** A type, a name, size, sum and place. */
const MIN_ENTRY_BYTES = 8;

const kinds = { unknown: 1, named: 2, directory: 3, image: 4 } as const;
const printable = /^[\x20-\x7e]+$/;

/** An entry as a directory has it. */
interface Entry {
  readonly name: string;
  readonly isImage: boolean;
  readonly size: number;
  /** Where its place stands. */
  readonly at: number;
}

/** An image in the file. */
export interface WzImageEntry {
  readonly name: string;
  readonly at: number;
  readonly size: number;
}

/** How a file is scrambled, and where its root begins. */
interface Scrambling {
  readonly key: WzKey;
  readonly hash: number;
  readonly root: number;
}

export class WzFile implements ImageArchive {
  readonly #bytes: FileBytes;
  readonly #start: number;
  readonly #scrambling: Scrambling;
  #images: ReadonlyMap<string, WzImageEntry> | undefined;

  /** Throws `MapError` where no version and key give a root directory and an image. */
  constructor(bytes: FileBytes) {
    this.#bytes = bytes;
    if (bytes.size < HEADER_BYTES) throw bytes.fault(0, `${HEADER_BYTES} bytes of a header wanted`);
    this.#start = bytes.u32(12);
    if (this.#start < HEADER_BYTES || this.#start >= bytes.size) {
      throw bytes.fault(12, `data begin at ${this.#start}, the file has ${bytes.size} bytes,`);
    }
    this.#scrambling = this.#findScrambling();
  }

  /** The name of the stream of its texts. */
  get key(): string {
    return this.#scrambling.key.name;
  }

  /** All images by their path from the root, with `/`. Throws `MapError` where a directory cannot be read. Reads no image. */
  images(): ReadonlyMap<string, WzImageEntry> {
    if (this.#images !== undefined) return this.#images;
    const images = new Map<string, WzImageEntry>();
    const seen = new Set<number>();
    let left = MAX_ENTRIES;
    let charactersLeft = MAX_PATH_CHARACTERS;
    const read = (at: number, path: string, depth: number): void => {
      if (depth > MAX_DEPTH) throw this.#bytes.fault(at, `more than ${MAX_DEPTH} levels of directories`);
      if (seen.has(at)) throw this.#bytes.fault(at, `a directory "${path}" that was there before`);
      seen.add(at);
      for (const entry of this.#directory(at, this.#scrambling.key)) {
        const entryPath = `${path}${entry.name}`;
        left -= 1;
        charactersLeft -= entryPath.length;
        if (left < 0) throw this.#bytes.fault(at, `more than ${MAX_ENTRIES} entries of directories`);
        if (charactersLeft < 0) throw this.#bytes.fault(at, `more than ${MAX_PATH_CHARACTERS} characters of paths`);
        const place = this.#placeOf(entry, this.#scrambling.hash);
        if (!entry.isImage) read(place, `${entryPath}/`, depth + 1);
        else if (!images.has(entryPath)) {
          images.set(entryPath, { name: entry.name, at: place, size: entry.size });
        }
      }
    };
    read(this.#scrambling.root, "", 0);
    this.#images = images;
    return images;
  }

  /** No other image has a name of nine digits, in whatever folder it is. */
  *mapPaths(): Generator<string, void, undefined> {
    for (const [path, { name }] of this.images()) if (mapImageName.test(name)) yield path;
  }

  image(path: string, wanted?: ReadonlySet<string>): TreeNode | undefined {
    const image = this.images().get(path);
    return image && readWzImage(this.#cursorOf(image.at, image.size, this.#scrambling.key), image.name, wanted);
  }

  #cursorOf(at: number, size: number, key: WzKey): WzCursor {
    if (size < 0 || at < this.#start || at + size > this.#bytes.size) {
      throw this.#bytes.fault(at, `an image of ${size} bytes, the file has ${this.#bytes.size},`);
    }
    return new WzCursor(this.#bytes, key, at, at + size);
  }

  #placeOf({ at }: Entry, hash: number): number {
    return (scrambleOffset(this.#bytes.u32(at), at, this.#start, hash) + 2 * this.#start) >>> 0;
  }

  *#directory(at: number, key: WzKey): Generator<Entry, void, undefined> {
    const cursor = new WzCursor(this.#bytes, key, at, this.#bytes.size);
    const count = cursor.count("entries of a directory", MIN_ENTRY_BYTES);
    if (count > MAX_ENTRIES) throw this.#bytes.fault(at, `${count} entries of a directory, at most ${MAX_ENTRIES},`);
    for (let index = 0; index < count; index++) {
      const entryAt = cursor.at;
      let kind = cursor.u8();
      let name = "";
      if (kind === kinds.unknown) {
        // Nobody knows what an entry of this kind is: it has ten bytes.
        cursor.skip(10);
        continue;
      }
      if (kind === kinds.named) {
        const named = this.#namedEntry(key, this.#start + cursor.u32());
        kind = named.u8();
        name = named.text();
      } else if (kind === kinds.directory || kind === kinds.image) {
        name = cursor.text();
      }
      if (kind !== kinds.directory && kind !== kinds.image) {
        throw this.#bytes.fault(entryAt, `an entry of unknown kind ${kind}`);
      }
      const size = cursor.compressed();
      // A checksum.
      cursor.compressed();
      // The place is enciphered by where it stands itself.
      const place = cursor.at;
      cursor.skip(4);
      yield { name, isImage: kind === kinds.image, size, at: place };
    }
  }

  /** Kind and name of an entry that stand elsewhere. Files of version 229 have the place one byte too low. */
  #namedEntry(key: WzKey, at: number): WzCursor {
    const kind = new WzCursor(this.#bytes, key, at, this.#bytes.size).u8();
    const isThere = kind === kinds.directory || kind === kinds.image;
    return new WzCursor(this.#bytes, key, isThere ? at : at + 1, this.#bytes.size);
  }

  /** Names must be printable, and the first image must begin as one. */
  #findScrambling(): Scrambling {
    // A file without entries has one byte here.
    const stored = this.#start + VERSION_BYTES > this.#bytes.size ? NO_VERSION : this.#bytes.u16(this.#start);
    // Where the second byte is not 0 the file has no version, and the root directory begins here.
    const forms = [
      { root: this.#start + VERSION_BYTES, hashes: stored > MAX_STORED ? [] : hashesWith(stored) },
      { root: this.#start, hashes: hashesWithoutByte },
    ];
    for (const { root, hashes } of forms) {
      for (const key of hashes.length === 0 ? [] : wzKeys) {
        const entries = attempt(() => this.#printableEntries(root, key));
        if (entries === undefined) continue;
        const hash = hashes.find((each) => this.#fits(entries, key, each));
        if (hash !== undefined) return { key, hash, root };
      }
    }
    throw this.#bytes.fault(this.#start, "no version and key of a client under which the root directory can be read");
  }

  /** Undefined where a name is not printable. */
  #printableEntries(at: number, key: WzKey): readonly Entry[] | undefined {
    const entries: Entry[] = [];
    for (const entry of this.#directory(at, key)) {
      if (!printable.test(entry.name)) return undefined;
      entries.push(entry);
    }
    return entries;
  }

  /** Whether places lead to an image, or to directories where there is no image. */
  #fits(root: readonly Entry[], key: WzKey, hash: number): boolean {
    const queue: Iterable<Entry>[] = [root];
    let tried = 0;
    const fits = attempt(() => {
      for (const entries of queue) {
        for (const entry of entries) {
          const place = this.#placeOf(entry, hash);
          if (entry.isImage) return imageClass(this.#cursorOf(place, entry.size, key)) === "Property";
          tried += 1;
          if (tried > MAX_TRIED) return false;
          queue.push(this.#directory(place, key));
        }
      }
      return true;
    });
    return fits === true;
  }
}

/** Undefined for what cannot be read: another version is tried. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof MapError) return undefined;
    throw error;
  }
}
