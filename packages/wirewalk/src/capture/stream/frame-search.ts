/**
 * Searches for the next frame in bytes that begin anywhere: after a gap, or where a capture begins in the middle of a connection.
 *
 * Where frames do not depend on those before, each place is tried: from it, messages must be read one after the other. Where they do
 * (an IV that every frame rolls), the game searches by itself.
 */
import type { Tapping } from "../../protocols/index.ts";
import { WireError } from "../../wire/index.ts";
import type { Carried } from "./carried.ts";

/** Messages in a row that show that a place is a frame's. */
const SURE_MESSAGES = 3;
/** Where the bytes end with a message, this many are enough; and one is where the bytes begin with it. */
const SURE_AT_END = 2;
/** Bytes that are kept while no frame is found. The longest frame of a game here has 40,003. */
const MAX_KEPT_BYTES = 65_536;
/** Places that are tried before a search is given up: one costs some microseconds. */
const MAX_TRIALS = 65_536;
/** A game searches by itself at each of so many first segments, then each time that the bytes have doubled: a search costs milliseconds. */
const EAGER_SEARCHES = 8;

/** Where reading goes on: the bytes from `offset` on have to be given to `carried`. */
export interface FoundFrame {
  readonly offset: number;
  readonly carried: Carried;
}

/** How a direction is found again. */
export interface SearchMeans {
  /** Opens a direction that begins at a frame; undefined where frames depend on those before. */
  readonly fresh: (() => Carried) | undefined;
  /** How the game searches by itself. */
  readonly resume:
    | ((bytes: Uint8Array, refused: Set<number>) => ReturnType<NonNullable<Tapping["resume"]>>)
    | undefined;
  /** Places that are tried. Default 65,536. */
  readonly trials?: number | undefined;
}

interface Place {
  offset: number;
  tries: number;
  /** It is tried again when there are so many bytes. */
  dueBytes: number;
  isRefused: boolean;
}

export class FrameSearch {
  readonly #means: SearchMeans;
  readonly #limit: number;
  /** Doubles as bytes arrive. */
  #memory = new Uint8Array(0);
  #bytes: Uint8Array = this.#memory;
  /** Bytes that were dropped because no frame was found in them. */
  dropped = 0;
  #trials = 0;
  #searches = 0;
  #nextSearchBytes = 0;
  /** Places that a game has tried in vain. */
  readonly #refused = new Set<number>();
  /** Places at which a frame may begin that has not ended. */
  #undecided: Place[] = [];
  /** The first place that was not tried. */
  #next = 0;

  constructor(means: SearchMeans) {
    this.#means = means;
    this.#limit = means.trials ?? MAX_TRIALS;
  }

  /** False when nothing can be found any more. */
  get isPossible(): boolean {
    return this.#trials < this.#limit && (this.#means.fresh !== undefined || this.#means.resume !== undefined);
  }

  /** The bytes in which no frame was found so far. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  add(bytes: Uint8Array): void {
    const { length } = this.#bytes;
    const needed = length + bytes.length;
    if (needed > this.#memory.length) {
      const grown = new Uint8Array(Math.max(needed, this.#memory.length * 2));
      grown.set(this.#bytes);
      this.#memory = grown;
    }
    this.#memory.set(bytes, length);
    this.#bytes = this.#memory.subarray(0, needed);
  }

  /** The first frame in the bytes. `isEnd` is true when nothing follows: then one message is enough. */
  find(isEnd: boolean): FoundFrame | undefined {
    const found = this.#means.fresh === undefined ? this.#resumed(isEnd) : this.#tried(this.#means.fresh, isEnd);
    if (found === undefined && this.#bytes.length > MAX_KEPT_BYTES) this.#drop(this.#bytes.length - MAX_KEPT_BYTES / 2);
    return found;
  }

  #resumed(isEnd: boolean): FoundFrame | undefined {
    const { resume } = this.#means;
    if (resume === undefined) return undefined;
    const isDue = this.#searches < EAGER_SEARCHES || this.#bytes.length >= this.#nextSearchBytes || isEnd;
    if (!isDue) return undefined;
    this.#searches += 1;
    this.#nextSearchBytes = this.#bytes.length * 2;
    const found = resume(this.#bytes, this.#refused);
    return found === undefined ? undefined : { offset: found.offset, carried: found.channel };
  }

  #tried(fresh: () => Carried, isEnd: boolean): FoundFrame | undefined {
    const { length } = this.#bytes;
    for (const place of this.#undecided) {
      if (!isEnd && length < place.dueBytes) continue;
      place.tries += 1;
      // Most frames end in the next segments. One that does not is looked at again each time that the bytes have doubled.
      place.dueBytes = place.tries < EAGER_SEARCHES ? length + 1 : length * 2;
      if (this.#isFrame(fresh, place, isEnd)) return { offset: place.offset, carried: fresh() };
    }
    this.#undecided = this.#undecided.filter(({ isRefused }) => !isRefused);
    for (; this.#next < length && this.#trials < this.#limit; this.#next += 1) {
      const place: Place = { offset: this.#next, tries: 1, dueBytes: length + 1, isRefused: false };
      if (this.#isFrame(fresh, place, isEnd)) return { offset: place.offset, carried: fresh() };
      if (!place.isRefused) this.#undecided.push(place);
    }
    return undefined;
  }

  /** Whether a frame begins there. Marks a place where none can begin. */
  #isFrame(fresh: () => Carried, place: Place, isEnd: boolean): boolean {
    this.#trials += 1;
    const trial = tryAt(fresh, this.#bytes.subarray(place.offset));
    if (trial === "refused") {
      place.isRefused = true;
      return false;
    }
    const { messages, pendingBytes } = trial;
    const enough = isEnd || place.offset + this.dropped === 0 ? 1 : SURE_AT_END;
    return messages >= SURE_MESSAGES || (messages >= enough && (pendingBytes === 0 || isEnd));
  }

  #drop(count: number): void {
    this.#memory = this.#bytes.slice(count);
    this.#bytes = this.#memory;
    this.#next = Math.max(0, this.#next - count);
    for (const place of this.#undecided) place.offset -= count;
    this.#undecided = this.#undecided.filter(({ offset }) => offset >= 0);
    this.dropped += count;
    this.#refused.clear();
  }
}

/** Reads messages from the start of the bytes. Refused when one of the first of them cannot be read. */
function tryAt(
  fresh: () => Carried,
  bytes: Uint8Array,
): "refused" | { readonly messages: number; readonly pendingBytes: number } {
  const carried = fresh();
  let messages = 0;
  try {
    carried.push(bytes);
    for (let next = carried.next(); next !== undefined; next = carried.next()) {
      if (next.payload !== undefined && next.error !== undefined) return "refused";
      messages += 1;
      if (messages === SURE_MESSAGES) break;
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    // Payloads before a place that cannot be read.
    if (messages < SURE_MESSAGES) return "refused";
  }
  return { messages, pendingBytes: carried.pendingBytes };
}
