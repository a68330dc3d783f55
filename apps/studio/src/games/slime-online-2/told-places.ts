/**
 * What the server was told of the own place. A correction names no message: it says which place the server still
 * believes. The message it answers is the first one after that place was told.
 */
import type { Key, Outgoing } from "wirewalk/slime-online-2";

interface Told {
  /** The frame after which it was told. */
  readonly frame: number;
  /** Pixels as on the wire; undefined while no message has said it. */
  readonly x: number | undefined;
  readonly y: number | undefined;
  /** The key that went down or up with it. */
  readonly key?: Key | undefined;
  /** The number of its message. */
  readonly number: number;
}

/** What a correction answers. */
export interface Answered {
  /** The frame after which the refused message was said; undefined when none of ours was. */
  readonly frame: number | undefined;
  /** The key that it told of, if the server has not heard of that key since: there it believes the opposite. */
  readonly key: Key | undefined;
}

/** More than are said within the longest way there and back that is played again. */
const MAX_TOLD = 128;

/** The places of one player, as the server knows them if it believes everything. */
export class ToldPlaces {
  #told: Told[];
  #said = 0;
  /** The number of the last message about each key. */
  readonly #keys = new Map<Key, number>();

  /** `at`: where the server has put the player, in whole pixels. */
  constructor(frame: number, at: { readonly x: number; readonly y: number }) {
    this.#told = [{ frame, x: at.x, y: at.y, number: 0 }];
  }

  /** A message was said after this frame, about a key or a landing, with a place or without. */
  tell(frame: number, key: Key | undefined, { x, y }: Pick<Outgoing, "x" | "y">): void {
    this.#said += 1;
    if (key !== undefined) this.#keys.set(key, this.#said);
    if (x === undefined) return;
    // A jump says x alone: the height stays what it was.
    this.#told.push({ frame, x, y: y ?? this.#told.at(-1)?.y, key, number: this.#said });
    if (this.#told.length > MAX_TOLD) this.#told.shift();
  }

  /**
   * The server believes this place, which is heard after `frame` was played here. Answers with what it refused; undefined
   * when the place was never told, or is not remembered.
   */
  corrected(frame: number, x: number, y: number): Answered | undefined {
    const believed = this.#told.findLastIndex((told) => told.x === x && told.y === y);
    // A message that says the believed place itself is not refused: then nothing of ours was.
    const refused = believed < 0 ? undefined : this.#told[believed + 1];
    // What was said before can be refused no more, and what comes later is measured from here.
    const later = refused === undefined ? [] : this.#told.slice(believed + 2);
    this.#told = [{ frame: refused?.frame ?? frame, x, y, number: refused?.number ?? this.#said }, ...later];
    if (believed < 0) return undefined;
    const key = refused?.key;
    const isLast = key !== undefined && this.#keys.get(key) === refused?.number;
    return { frame: refused?.frame, key: isLast ? key : undefined };
  }
}
