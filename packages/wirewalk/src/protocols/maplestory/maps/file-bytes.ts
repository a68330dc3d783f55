/** Numbers at any place of a large file, little endian, read block by block: of a client's archive of 0.5 GB a map needs some 100 kB. */
import type { MapFile } from "../../map-files.ts";
import { MapError } from "../../maps.ts";

/** Bytes that are read at once: a map of an `.nx` lies in 5 to 20 such blocks, its names in as many. */
const BLOCK_BYTES = 16_384;
/** Blocks that are kept of all files of a set: 1 MiB. */
const MAX_BLOCKS = 64;
/** More than the blocks of the largest file. */
const KEYS_OF_FILE = 2 ** 32;
/** The widest number. */
const WIDEST_BYTES = 8;

/** Blocks of the files of a set: a client may have its maps in 60 files. */
export class BlockCache {
  /** The one that was used last is the last. */
  readonly #blocks = new Map<number, DataView>();
  #files = 0;

  /** What the keys of a file's blocks begin with. */
  addFile(): number {
    this.#files += 1;
    return this.#files;
  }

  /** A block of a file, read where it is not kept. */
  get(file: number, number: number, read: () => DataView): DataView {
    const key = file * KEYS_OF_FILE + number;
    const block = this.#blocks.get(key) ?? read();
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > MAX_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
    return block;
  }
}

/** A file with a cache of its blocks. All places are checked: none is read past the end. */
export class FileBytes {
  readonly name: string;
  readonly size: number;
  readonly #file: MapFile;
  readonly #blocks: BlockCache;
  readonly #number: number;
  /** For a number across two blocks. */
  readonly #joined = new DataView(new ArrayBuffer(WIDEST_BYTES));
  /** The block that was used last, and the place of its first byte. */
  #block: DataView = new DataView(new ArrayBuffer(0));
  #start = 0;
  /** Where `#locate` has found the bytes. */
  #view: DataView = this.#block;

  constructor(file: MapFile, blocks: BlockCache = new BlockCache()) {
    this.#file = file;
    this.#blocks = blocks;
    this.#number = blocks.addFile();
    this.name = file.name;
    this.size = file.size;
  }

  /** The error of something that cannot be read at a place. */
  fault(at: number, reason: string): MapError {
    return new MapError(`${this.name}: ${reason} at byte ${at}`);
  }

  u8(at: number): number {
    const index = this.#locate(at, 1);
    return this.#view.getUint8(index);
  }

  i8(at: number): number {
    const index = this.#locate(at, 1);
    return this.#view.getInt8(index);
  }

  u16(at: number): number {
    const index = this.#locate(at, 2);
    return this.#view.getUint16(index, true);
  }

  i16(at: number): number {
    const index = this.#locate(at, 2);
    return this.#view.getInt16(index, true);
  }

  u32(at: number): number {
    const index = this.#locate(at, 4);
    return this.#view.getUint32(index, true);
  }

  i32(at: number): number {
    const index = this.#locate(at, 4);
    return this.#view.getInt32(index, true);
  }

  f32(at: number): number {
    const index = this.#locate(at, 4);
    return this.#view.getFloat32(index, true);
  }

  f64(at: number): number {
    const index = this.#locate(at, 8);
    return this.#view.getFloat64(index, true);
  }

  /** Rounded beyond 2^53: no place of a file and no number of a map is there. */
  u64(at: number): number {
    const index = this.#locate(at, 8);
    return this.#view.getUint32(index + 4, true) * 2 ** 32 + this.#view.getUint32(index, true);
  }

  /** Rounded beyond 2^53. */
  i64(at: number): number {
    const index = this.#locate(at, 8);
    return this.#view.getInt32(index + 4, true) * 2 ** 32 + this.#view.getUint32(index, true);
  }

  /** A copy. */
  bytes(at: number, length: number): Uint8Array {
    this.#check(at, length);
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const block = this.#blockAt(at + done);
      const from = at + done - this.#start;
      const count = Math.min(block.byteLength - from, length - done);
      bytes.set(new Uint8Array(block.buffer, block.byteOffset + from, count), done);
      done += count;
    }
    return bytes;
  }

  #check(at: number, length: number): void {
    if (at < 0 || at + length > this.size) {
      throw this.fault(at, `${length} bytes wanted, the file has ${this.size},`);
    }
  }

  /** Where `length` bytes stand in `#view`. */
  #locate(at: number, length: number): number {
    const index = at - this.#start;
    if (index >= 0 && index + length <= this.#block.byteLength) {
      this.#view = this.#block;
      return index;
    }
    this.#check(at, length);
    const block = this.#blockAt(at);
    if (at - this.#start + length <= block.byteLength) {
      this.#view = block;
      return at - this.#start;
    }
    for (let byte = 0; byte < length; byte++) {
      const each = this.#blockAt(at + byte);
      this.#joined.setUint8(byte, each.getUint8(at + byte - this.#start));
    }
    this.#view = this.#joined;
    return 0;
  }

  #blockAt(at: number): DataView {
    const number = Math.floor(at / BLOCK_BYTES);
    const start = number * BLOCK_BYTES;
    if (start === this.#start && this.#block.byteLength > 0) return this.#block;
    const block = this.#blocks.get(this.#number, number, () => this.#read(start));
    this.#block = block;
    this.#start = start;
    return block;
  }

  #read(start: number): DataView {
    const length = Math.min(BLOCK_BYTES, this.size - start);
    // A copy: what is read is ours until the next call only, and `slice` of a Buffer makes none.
    const bytes = new Uint8Array(this.#file.read(start, length));
    if (bytes.length !== length) throw this.fault(start, `${length} bytes wanted, got ${bytes.length},`);
    return new DataView(bytes.buffer);
  }
}
