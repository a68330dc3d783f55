import type { PlayerId } from "../../motion/index.ts";
import type { Refusal } from "../world.ts";

/** Player ids are u16 on the wires of these games, and 0 is nobody. */
export const MAX_PLAYER_ID = 65_535;

/**
 * The players of a world by id, in the order in which they joined. It holds the rules that all worlds share: ids are
 * integers from 1 to 65535, each is used once, and there are at most `capacity`.
 */
export class PlayerTable<P> {
  readonly capacity: number;
  readonly #players: Map<PlayerId, P>;

  /** With the players of a saved world. Throws `RangeError` for ids that break a rule. */
  constructor(capacity: number, players: Iterable<readonly [PlayerId, P]> = []) {
    this.capacity = capacity;
    this.#players = new Map();
    for (const [id, player] of players) this.add(id, player);
  }

  get size(): number {
    return this.#players.size;
  }

  get isFull(): boolean {
    return this.#players.size >= this.capacity;
  }

  has(id: PlayerId): boolean {
    return this.#players.has(id);
  }

  get(id: PlayerId): P | undefined {
    return this.#players.get(id);
  }

  /** For game code. Throws `RangeError` for an unknown player. */
  need(id: PlayerId): P {
    const player = this.#players.get(id);
    if (player === undefined) throw new RangeError(`There is no player ${id}`);
    return player;
  }

  values(): MapIterator<P> {
    return this.#players.values();
  }

  entries(): MapIterator<[PlayerId, P]> {
    return this.#players.entries();
  }

  /**
   * Throws `RangeError` when the player may not join: first for what the world's `refuses` has answered, then for an id
   * that is invalid or in use. Nothing has changed then, so that `join` begins with it.
   */
  checkJoin(id: PlayerId, refusal: Refusal | undefined): void {
    if (refusal !== undefined) throw new RangeError(`Cannot join: ${refusal}`);
    if (!(Number.isInteger(id) && id >= 1 && id <= MAX_PLAYER_ID))
      throw new RangeError(`Cannot join: id must be 1..${MAX_PLAYER_ID}, got ${id}`);
    if (this.#players.has(id)) throw new RangeError(`Cannot join: player ${id} is here already`);
  }

  /** Throws `RangeError` for an id that is invalid or in use, and when the table is full. */
  add(id: PlayerId, player: P): void {
    this.checkJoin(id, this.isFull ? "full" : undefined);
    this.#players.set(id, player);
  }

  /** The removed player; undefined for an unknown one. */
  remove(id: PlayerId): P | undefined {
    const player = this.#players.get(id);
    this.#players.delete(id);
    return player;
  }
}
