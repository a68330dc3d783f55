/** What a reader leaves out of a room, counted: a broken file has thousands of such places. */
import type { RoomOmission } from "./room.ts";

/** Named one by one. */
const MOST_NAMED = 200;

export class Omissions {
  readonly #named: RoomOmission[] = [];
  #count = 0;

  add(what: string, id: number, reason: string): void {
    this.#count += 1;
    if (this.#named.length < MOST_NAMED) this.#named.push({ what, id, reason });
  }

  get all(): readonly RoomOmission[] {
    const more = this.#count - this.#named.length;
    return more === 0
      ? this.#named
      : [...this.#named, { what: "others", id: more, reason: `${more} more are not named` }];
  }
}
