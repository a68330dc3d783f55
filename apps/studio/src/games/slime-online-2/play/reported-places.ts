/**
 * The places that this client has reported to the server. A correction names no message: it names where the keys had taken the player
 * when a message was refused, and believes the key of that message. So it answers the message that reports the nearest place.
 */
import type { Outgoing } from "wirewalk/slime-online-2/movement";

interface Report {
  /** The frame after which it was made. */
  readonly frame: number;
  /** Pixels as on the wire; y is undefined while no message has carried it. */
  readonly x: number;
  readonly y: number | undefined;
}

/** More than a client reports within the longest round trip that is played again. */
const MAX_REPORTS = 128;

/** How far a line that varies moves the server's place from the reported one, px: 0.3 s of a run. */
const NEAR_PX = 45;

/** The places of one player, as the server knows them if it accepts everything. */
export class ReportedPlaces {
  #reports: Report[];

  /** `at`: where the server has put the player, in whole pixels. */
  constructor(frame: number, at: { readonly x: number; readonly y: number }) {
    this.#reports = [{ frame, x: at.x, y: at.y }];
  }

  /** A message was sent that was made after this frame, with a place or without. */
  report(frame: number, { x, y }: Pick<Outgoing, "x" | "y">): void {
    if (x === undefined) return;
    // A jump carries x alone: the height stays what it was.
    this.#reports.push({ frame, x, y: y ?? this.#reports.at(-1)?.y });
    if (this.#reports.length > MAX_REPORTS) this.#reports.shift();
  }

  /**
   * The server has put the player there, in a message that arrived after `frame`. Returns the frame after which the refused
   * message was made; undefined when no place near it was reported, or too long ago.
   */
  corrected(frame: number, x: number, y: number): number | undefined {
    const distances = this.#reports.map((report) => Math.hypot(report.x - x, (report.y ?? y) - y));
    const nearest = Math.min(...distances);
    const index = nearest <= NEAR_PX ? distances.lastIndexOf(nearest) : -1;
    const answered = this.#reports[index];
    // Earlier messages can no longer be refused, and later ones are measured from here.
    const later = answered === undefined ? [] : this.#reports.slice(index + 1);
    this.#reports = [{ frame: answered?.frame ?? frame, x, y }, ...later];
    return answered?.frame;
  }
}
