/**
 * Places of a set that are read when they are first asked for: a bounded number of them is kept, and one that cannot be read is told once.
 * Every game's set of maps is made of it.
 */
import { MapFileError } from "./map-files.ts";
import { type LoadMapsOptions, MapError } from "./maps.ts";

export interface KeptPlacesOptions<K, T> extends LoadMapsOptions {
  /** Reads a place. Undefined where there is none. Throws {@link MapError} or `MapFileError` where it cannot be read. May ask for others. */
  readonly read: (key: K) => T | undefined;
  /** Places that are kept, from 1. */
  readonly kept: number;
}

export class KeptPlaces<K extends number | string, T> {
  readonly #read: (key: K) => T | undefined;
  readonly #most: number;
  readonly #onProblem: LoadMapsOptions["onProblem"];
  /** The one that was used last is last. */
  readonly #kept = new Map<K, T>();
  readonly #broken = new Map<K, MapError>();
  /** A world asks for one place many times in a row. */
  #last: { readonly key: K; readonly place: T } | undefined;
  /** Places that are being read: one, and those that it asks for. */
  #depth = 0;

  /** Throws `RangeError` for a number of kept places that is not a whole number from 1 on. */
  constructor({ read, kept, onProblem }: KeptPlacesOptions<K, T>) {
    if (!(Number.isInteger(kept) && kept >= 1)) {
      throw new RangeError(`kept must be a whole number from 1 on, got ${kept}`);
    }
    this.#read = read;
    this.#most = kept;
    this.#onProblem = onProblem;
  }

  /** Undefined where there is no such place, or where it cannot be read. */
  get(key: K): T | undefined {
    try {
      return this.need(key);
    } catch (error) {
      if (error instanceof MapError) return undefined;
      throw error;
    }
  }

  /** The same, but throws {@link MapError} where it cannot be read. */
  need(key: K): T | undefined {
    if (this.#last?.key === key) return this.#last.place;
    const known = this.#broken.get(key);
    if (known !== undefined) throw known;
    const place = this.#kept.get(key) ?? this.#readNew(key);
    if (place === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, place);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest);
    this.#last = { key, place };
    return place;
  }

  #readNew(key: K): T | undefined {
    this.#depth += 1;
    try {
      return this.#read(key);
    } catch (error) {
      const broken = asMapError(error);
      // Whether one that another asks for is broken by itself is found when it is asked for itself.
      if (this.#depth === 1) {
        this.#broken.set(key, broken);
        this.#onProblem?.({ place: String(key), reason: broken.message });
      }
      throw broken;
    } finally {
      this.#depth -= 1;
    }
  }
}

/** What a file of maps has wrong. Any other error is thrown on: it is no fault of the file. */
export function asMapError(error: unknown): MapError {
  if (error instanceof MapError) return error;
  if (error instanceof MapFileError) return new MapError(error.message, { cause: error });
  throw error;
}
