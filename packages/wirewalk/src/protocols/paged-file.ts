/**
 * Large files whose bytes arrive later, as those that are dropped on a page do. Readers of maps are synchronous: they read from pages that
 * are in memory. A page that is not there ends the reading, is fetched, and the reading begins again.
 *
 * ```ts
 * const files = new PagedFiles("client", new Map([["Map.wz", blobSource(dropped)]]));
 * const maps = await withPages(files, () => maplestory.capabilities.maps.load(files));
 * const summary = await withPages(files, () => maps.summary("100000000"));
 * ```
 */
import { type MapFile, MapFileError, type MapFiles } from "./map-files.ts";

/** Where the pages of a file come from. */
export interface PageSource {
  /** In bytes. */
  readonly size: number;
  /** The bytes from `offset` on, exactly `length`: they are never asked for past the end. */
  fetch(offset: number, length: number): Promise<Uint8Array>;
}

export interface PagedFilesOptions {
  /** Bytes of a page. Default 131,072: a map of 400 kB is read in some 4 beginnings. */
  readonly pageBytes?: number;
  /** Pages of all files that are in memory at the same time. Default 256, which is 32 MiB. */
  readonly keptPages?: number;
}

const DEFAULT_PAGE_BYTES = 1 << 17;
const DEFAULT_KEPT_PAGES = 256;

/** As much of a browser's `Blob` as is used: `File` is one. */
export interface BlobLike {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** The pages of a file of the browser. */
export function blobSource(blob: BlobLike): PageSource {
  return {
    size: blob.size,
    fetch: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

/** Ends a reading: {@link withPages} begins it again when the page is there. */
class MissingPage extends Error {
  override readonly name = "MissingPage";
}

/** A page that readings have asked for. */
interface WantedPage {
  readonly key: string;
  readonly path: string;
  readonly offset: number;
}

/** Files that are read by pages. What reads them is called by {@link withPages}. */
export class PagedFiles implements MapFiles {
  readonly name: string;
  readonly #sources: ReadonlyMap<string, PageSource>;
  readonly #paths: readonly string[];
  readonly #pageBytes: number;
  readonly #keptPages: number;
  /** By path and place; the one that was used last is the last. */
  readonly #pages = new Map<string, Uint8Array>();
  /** Pages that the present reading has used. */
  readonly #used = new Set<string>();
  #wanted: WantedPage | undefined;
  /** Ends when the readings that were begun before have ended. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(name: string, sources: ReadonlyMap<string, PageSource>, options: PagedFilesOptions = {}) {
    const { pageBytes = DEFAULT_PAGE_BYTES, keptPages = DEFAULT_KEPT_PAGES } = options;
    if (!(Number.isSafeInteger(pageBytes) && pageBytes > 0)) throw new RangeError(`pageBytes is ${pageBytes}`);
    if (!(Number.isSafeInteger(keptPages) && keptPages > 0)) throw new RangeError(`keptPages is ${keptPages}`);
    this.name = name;
    this.#sources = sources;
    this.#paths = [...sources.keys()].sort();
    this.#pageBytes = pageBytes;
    this.#keptPages = keptPages;
  }

  paths(): readonly string[] {
    return this.#paths;
  }

  open(path: string): MapFile | undefined {
    const source = this.#sources.get(path);
    if (source === undefined) return undefined;
    const { size } = source;
    return { name: path, size, read: (offset, length) => this.#read(path, size, offset, length) };
  }

  /** {@link withPages} for these files. One at a time: the others wait. */
  run<T>(reading: () => T): Promise<T> {
    const result = this.#turn.then(() => this.#readAgain(reading));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #readAgain<T>(reading: () => T): Promise<T> {
    for (;;) {
      this.#wanted = undefined;
      this.#used.clear();
      let result: { readonly value: T } | { readonly error: unknown };
      try {
        result = { value: reading() };
      } catch (error) {
        result = { error };
      }
      // Also where the reading has gone on without the page: what it gives is not whole.
      const wanted = this.#wanted as WantedPage | undefined;
      if (wanted !== undefined) await this.#fetch(wanted);
      else if ("value" in result) return result.value;
      else throw result.error;
    }
  }

  async #fetch({ key, path, offset }: WantedPage): Promise<void> {
    if (this.#used.size >= this.#keptPages) {
      throw new MapFileError(
        `${path}: more than ${this.#keptPages} pages of ${this.#pageBytes} bytes at the same time`,
      );
    }
    const source = this.#sources.get(path) as PageSource;
    const length = Math.min(this.#pageBytes, source.size - offset);
    let page: Uint8Array;
    try {
      page = await source.fetch(offset, length);
    } catch (cause) {
      throw new MapFileError(`${path}: cannot read ${length} bytes at byte ${offset}: ${String(cause)}`, { cause });
    }
    if (page.length !== length) {
      throw new MapFileError(`${path}: ${length} bytes wanted, got ${page.length} at byte ${offset}`);
    }
    if (this.#pages.size >= this.#keptPages) {
      // Those of the present reading were used last, and there are fewer of them.
      const [oldest] = this.#pages.keys();
      if (oldest !== undefined) this.#pages.delete(oldest);
    }
    this.#pages.set(key, page);
  }

  #read(path: string, size: number, offset: number, length: number): Uint8Array {
    const end = Math.min(offset + length, size);
    const bytes = new Uint8Array(Math.max(0, end - offset));
    for (let done = 0; done < bytes.length; ) {
      const within = (offset + done) % this.#pageBytes;
      const page = this.#page(path, offset + done - within);
      const piece = page.subarray(within, within + bytes.length - done);
      bytes.set(piece, done);
      done += piece.length;
    }
    return bytes;
  }

  #page(path: string, offset: number): Uint8Array {
    const key = `${offset} ${path}`;
    const page = this.#pages.get(key);
    if (page === undefined) {
      this.#wanted ??= { key, path, offset };
      throw new MissingPage(`${path}: the page at byte ${offset} is not in memory: call this within withPages`);
    }
    if (!this.#used.has(key)) {
      this.#used.add(key);
      this.#pages.delete(key);
      this.#pages.set(key, page);
    }
    return page;
  }
}

/**
 * What `reading` returns or throws when all pages that it reads are in memory. It is called again from its beginning after each page that was
 * fetched: it must keep nothing of a call that has not ended, and must not wait. Throws {@link MapFileError} where a page cannot be
 * fetched, or where one reading needs more pages than are kept.
 */
export function withPages<T>(files: PagedFiles, reading: () => T): Promise<T> {
  return files.run(reading);
}
