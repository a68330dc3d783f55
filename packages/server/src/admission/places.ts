/**
 * **Places**: which connections the server keeps when there are more than it has room for. A connection takes one place of
 * the server, of its listener and of its address. It is **silent** until its first valid message; where no place is free the
 * connection that has been silent for longest gives up its own. A connection that has proved itself keeps its place.
 *
 * Every listener has places that no other can take, so a game that is flooded does not close the door of another.
 */

/** Why a connection has no place: all that there are, or all that its listener or its address may have, are taken. */
export type PlaceRefusal = "sessions-total" | "sessions-per-listener" | "sessions-per-address";

/** Connections counted beyond these places: those of other threads of the server. */
export interface PlaceCounts {
  readonly listeners: readonly string[];
  ofListener(name: string): number;
  ofAddress(address: string): number;
  add(listener: string, address: string, count: 1 | -1): void;
  move(from: string, to: string): void;
}

export interface PlacesOptions {
  /** Places in total. */
  readonly sessions: number;
  readonly sessionsPerAddress: number;
  /** Share of all places that is kept for the listeners, in equal parts. */
  readonly reservedShare: number;
  /** Names of the listeners. */
  readonly listeners: readonly string[];
  /** By which limits go, these places included. Default: these places alone. */
  readonly counts?: PlaceCounts | undefined;
}

/** The place of one connection. */
export interface Place {
  readonly listener: string;
  readonly address: string;
  /** True until the connection's first valid message. */
  readonly isSilent: boolean;
  /** The room for which its player asked; undefined while it has no player. */
  readonly joined: { readonly room: string | undefined } | undefined;
}

interface Taken extends Place {
  /** In the order in which places were taken. */
  readonly number: number;
  /** Ends the connection, whose place is already another's. */
  readonly evict: () => void;
  listener: string;
  isSilent: boolean;
  isTaken: boolean;
  joined: { readonly room: string | undefined } | undefined;
}

/** The places of one listener or of one address. */
interface Group {
  count: number;
  /** The longest silent first. */
  readonly silent: Set<Taken>;
}

const newGroup = (): Group => ({ count: 0, silent: new Set() });

export class Places {
  readonly #sessions: number;
  readonly #perAddress: number;
  /** Places of each listener that no other can take. */
  readonly #reserved: number;
  readonly #listeners: ReadonlyMap<string, Group>;
  readonly #addresses = new Map<string, Group>();
  readonly #counts: PlaceCounts | undefined;
  #count = 0;
  #number = 0;

  constructor({ sessions, sessionsPerAddress, reservedShare, listeners, counts }: PlacesOptions) {
    this.#counts = counts;
    const reserving = (counts?.listeners ?? listeners).length;
    this.#sessions = sessions;
    this.#perAddress = sessionsPerAddress;
    this.#reserved = Math.floor((sessions * Math.min(1, reservedShare)) / Math.max(1, reserving));
    this.#listeners = new Map(listeners.map((name) => [name, newGroup()]));
  }

  /** Places that are taken. */
  get count(): number {
    return this.#count;
  }

  countOf(listener: string): number {
    return this.#groupOf(listener).count;
  }

  /** Silent connections of a listener. */
  silentOf(listener: string): number {
    return this.#groupOf(listener).silent.size;
  }

  /**
   * Takes a place, that of the longest silent connection when none is free. `evict` is called when the place goes to
   * another connection.
   */
  take(listener: string, address: string, evict: () => void): Place | PlaceRefusal {
    const ofListener = this.#groupOf(listener);
    const ofAddress = this.#addresses.get(address) ?? newGroup();
    if ((this.#counts?.ofAddress(address) ?? ofAddress.count) >= this.#perAddress && !this.#evictFrom([ofAddress]))
      return "sessions-per-address";
    if (!this.#hasRoom(listener) && !this.#evictFrom(this.#sharing()) && !this.#evictFrom([ofListener])) {
      return this.#total >= this.#sessions ? "sessions-total" : "sessions-per-listener";
    }
    this.#number += 1;
    const place: Taken = {
      listener,
      address,
      number: this.#number,
      evict,
      isSilent: true,
      isTaken: true,
      joined: undefined,
    };
    for (const group of [ofListener, ofAddress]) {
      group.count += 1;
      group.silent.add(place);
    }
    // Again: the address may have lost its last place just now.
    this.#addresses.set(address, ofAddress);
    this.#count += 1;
    this.#counts?.add(listener, address, 1);
    return place;
  }

  /** The connection has sent a valid message: from here on its place is its own. */
  prove(place: Place): void {
    const taken = place as Taken;
    if (!taken.isSilent) return;
    taken.isSilent = false;
    this.#listeners.get(taken.listener)?.silent.delete(taken);
    this.#addresses.get(taken.address)?.silent.delete(taken);
  }

  /** The connection has a player, which asked for this room. */
  join(place: Place, room: string | undefined): void {
    (place as Taken).joined = { room };
  }

  /** The connection goes over to another listener, also where that has no place left: it gives one up. */
  move(place: Place, listener: string): void {
    const taken = place as Taken;
    if (!taken.isTaken) return;
    const [from, to] = [this.#groupOf(taken.listener), this.#groupOf(listener)];
    from.count -= 1;
    to.count += 1;
    if (from.silent.delete(taken)) to.silent.add(taken);
    this.#counts?.move(taken.listener, listener);
    taken.listener = listener;
  }

  /** Gives the place back. Nothing happens the second time. */
  release(place: Place): void {
    const taken = place as Taken;
    if (!taken.isTaken) return;
    taken.isTaken = false;
    this.#counts?.add(taken.listener, taken.address, -1);
    this.#groupOf(taken.listener).count -= 1;
    this.#groupOf(taken.listener).silent.delete(taken);
    const ofAddress = this.#addresses.get(taken.address);
    if (ofAddress !== undefined) {
      ofAddress.count -= 1;
      ofAddress.silent.delete(taken);
      if (ofAddress.count === 0) this.#addresses.delete(taken.address);
    }
    this.#count -= 1;
  }

  /**
   * Ends the connection of the listener's longest silent player, of those that asked for the same room where `room` is
   * given. False when there is none.
   */
  evictPlayer(listener: string, room?: { readonly room: string | undefined }): boolean {
    for (const place of this.#groupOf(listener).silent) {
      if (place.joined === undefined || (room !== undefined && place.joined.room !== room.room)) continue;
      this.#evict(place);
      return true;
    }
    return false;
  }

  #groupOf(listener: string): Group {
    const group = this.#listeners.get(listener);
    if (group === undefined) throw new RangeError(`Unknown listener ${listener}`);
    return group;
  }

  /** A listener has room in its own part, or in the part that all share. */
  #hasRoom(listener: string): boolean {
    if (this.#counted(listener) < this.#reserved) return true;
    let shared = 0;
    for (const name of this.#reserving) shared += Math.max(0, this.#counted(name) - this.#reserved);
    return shared < this.#sessions - this.#reserved * this.#reserving.length;
  }

  get #reserving(): readonly string[] {
    return this.#counts?.listeners ?? [...this.#listeners.keys()];
  }

  get #total(): number {
    return this.#reserving.reduce((sum, name) => sum + this.#counted(name), 0);
  }

  #counted(listener: string): number {
    return this.#counts?.ofListener(listener) ?? this.#groupOf(listener).count;
  }

  /** The listeners with places of the part that all share. */
  #sharing(): readonly Group[] {
    return [...this.#listeners].flatMap(([name, group]) => (this.#counted(name) > this.#reserved ? [group] : []));
  }

  #evictFrom(groups: readonly Group[]): boolean {
    let longest: Taken | undefined;
    for (const { silent } of groups) {
      const [first] = silent;
      if (first !== undefined && (longest === undefined || first.number < longest.number)) longest = first;
    }
    if (longest === undefined) return false;
    this.#evict(longest);
    return true;
  }

  #evict(place: Taken): void {
    this.release(place);
    place.evict();
  }
}
