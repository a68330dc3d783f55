/**
 * The places that this client has reported to the server. A correction names no message: it names the place that the
 * server still believes. The message that it answers is the first one after that place was reported.
 */
import type { Key } from "wirewalk/slime-online-2";
import type { Outgoing } from "wirewalk/slime-online-2/movement";

interface Report {
  /** The frame after which it was made. */
  readonly frame: number;
  /** Pixels as on the wire; undefined while no message has carried it. */
  readonly x: number | undefined;
  readonly y: number | undefined;
  /** The key of the message. */
  readonly key?: Key | undefined;
  /** The number of the message. */
  readonly number: number;
}

/** What a correction answers. */
export interface Answer {
  /** The frame after which the refused message was made; undefined when none was refused. */
  readonly frame: number | undefined;
  /** The key of that message, if no later message was about it: the server then believes the opposite. */
  readonly key: Key | undefined;
}

/** More than a client reports within the longest round trip that is played again. */
const MAX_REPORTS = 128;

/** The places of one player, as the server knows them if it accepts everything. */
export class ReportedPlaces {
  #reports: Report[];
  #sent = 0;
  /** The number of the last message about each key. */
  readonly #keys = new Map<Key, number>();

  /** `at`: where the server has put the player, in whole pixels. */
  constructor(frame: number, at: { readonly x: number; readonly y: number }) {
    this.#reports = [{ frame, x: at.x, y: at.y, number: 0 }];
  }

  /** A message was sent that was made after this frame, about a key or a landing, with a place or without. */
  report(frame: number, key: Key | undefined, { x, y }: Pick<Outgoing, "x" | "y">): void {
    this.#sent += 1;
    if (key !== undefined) this.#keys.set(key, this.#sent);
    if (x === undefined) return;
    // A jump carries x alone: the height stays what it was.
    this.#reports.push({ frame, x, y: y ?? this.#reports.at(-1)?.y, key, number: this.#sent });
    if (this.#reports.length > MAX_REPORTS) this.#reports.shift();
  }

  /**
   * The server believes this place, in a message that arrived after `frame`. Returns what it refused; undefined when
   * the place was never reported, or too long ago.
   */
  corrected(frame: number, x: number, y: number): Answer | undefined {
    const believed = this.#reports.findLastIndex((report) => report.x === x && report.y === y);
    // A message that reports the believed place itself is not refused: then no message was.
    const refused = believed < 0 ? undefined : this.#reports[believed + 1];
    // Earlier messages can no longer be refused, and later ones are measured from here.
    const later = refused === undefined ? [] : this.#reports.slice(believed + 2);
    this.#reports = [{ frame: refused?.frame ?? frame, x, y, number: refused?.number ?? this.#sent }, ...later];
    if (believed < 0) return undefined;
    const key = refused?.key;
    const isLast = key !== undefined && this.#keys.get(key) === refused?.number;
    return { frame: refused?.frame, key: isLast ? key : undefined };
  }
}
