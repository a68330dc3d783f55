/** The **room index** of a world: which room's broadcasts a player receives, and in which others it is shown. */
import type { PlayerId } from "wirewalk/motion";

export class RoomIndex {
  readonly #entered = new Map<PlayerId, string>();
  /** By room: players that are shown in it without receiving its broadcasts. */
  readonly #shown = new Map<string, Set<PlayerId>>();

  /** The room whose broadcasts the player receives. */
  of(player: PlayerId): string | undefined {
    return this.#entered.get(player);
  }

  /** Players that receive the room's broadcasts or are shown in it. */
  playersIn(room: string): readonly PlayerId[] {
    const entered = [...this.#entered].flatMap(([player, theirs]) => (theirs === room ? [player] : []));
    return [...entered, ...(this.#shown.get(room) ?? [])];
  }

  /** Whether a player receives the room's broadcasts or is shown in it. */
  isIn(player: PlayerId, room: string): boolean {
    return this.#entered.get(player) === room || this.#shown.get(room)?.has(player) === true;
  }

  /** A player enters a room, or with undefined leaves; the room that it was in before. */
  move(player: PlayerId, to: string | undefined): string | undefined {
    const from = this.#entered.get(player);
    if (to === undefined) this.#entered.delete(player);
    else this.#entered.set(player, to);
    return from;
  }

  show(player: PlayerId, room: string, isShown: boolean): void {
    const shown = this.#shown.get(room) ?? new Set<PlayerId>();
    if (isShown) this.#shown.set(room, shown.add(player));
    else if (shown.delete(player) && shown.size === 0) this.#shown.delete(room);
  }
}
