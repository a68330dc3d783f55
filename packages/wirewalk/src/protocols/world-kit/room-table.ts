/** What every room has: the players who are in it, in the order in which they came. */
export interface RoomOf<P> {
  readonly players: Set<P>;
}

/**
 * The rooms of a world by key: a name, or a number where the game numbers them. A room is made when it is first needed,
 * and dropped when its last player has left, unless it still holds something that the game has placed in it. So what a
 * client asks for costs nothing once the client has left, and nothing that game code placed is ever lost.
 *
 * ```ts
 * const rooms = new RoomTable<string, Room>({ holds: ({ monsters }) => monsters.size > 0 });
 * const room = rooms.obtain("7", () => ({ players: new Set(), monsters: new Map() }));
 * room.players.add(player);
 * room.players.delete(player);
 * rooms.dropIfUnused("7"); // true: rooms.get("7") is undefined
 * ```
 */
export class RoomTable<K extends string | number, R extends RoomOf<unknown>> {
  readonly #rooms: Map<K, R>;
  readonly #holds: (room: R) => boolean;

  /** `holds` answers whether an empty room has to stay. `rooms` are those of a saved world. */
  constructor({ holds = () => false, rooms = [] }: RoomTableOptions<K, R> = {}) {
    this.#holds = holds;
    this.#rooms = new Map(rooms);
  }

  /** Rooms in all, with and without players. */
  get size(): number {
    return this.#rooms.size;
  }

  get(key: K): R | undefined {
    return this.#rooms.get(key);
  }

  /** The room with this key, made now if there is no such room yet. */
  obtain(key: K, create: () => R): R {
    let room = this.#rooms.get(key);
    if (room === undefined) {
      room = create();
      this.#rooms.set(key, room);
    }
    return room;
  }

  /** Call it after a player has left and after something placed was removed. True when the room was dropped. */
  dropIfUnused(key: K): boolean {
    const room = this.#rooms.get(key);
    if (room === undefined || room.players.size > 0 || this.#holds(room)) return false;
    return this.#rooms.delete(key);
  }

  /** Every room, those without players too, in the order in which they were made. */
  values(): MapIterator<R> {
    return this.#rooms.values();
  }

  entries(): MapIterator<[K, R]> {
    return this.#rooms.entries();
  }

  /** Players by room, for the rooms that have some: what `World.rooms` returns. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const [key, { players }] of this.#rooms) if (players.size > 0) counts.set(String(key), players.size);
    return counts;
  }
}

export interface RoomTableOptions<K, R> {
  readonly holds?: (room: R) => boolean;
  readonly rooms?: Iterable<readonly [K, R]>;
}
