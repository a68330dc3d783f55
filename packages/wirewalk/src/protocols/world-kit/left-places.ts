import { copyPlain } from "./plain-data.ts";
import { list, type MembersOf, number, type State, state, text } from "./state/describe.ts";

const leftMembers = {
  /** No other entry has or had it. */
  id: number,
  /** `Joining.account`: an address may be several people, each of which left something. */
  account: text,
  room: text,
  leftMs: number,
};

/** What a player left behind in a room when it disconnected. */
export interface Left<T> extends Readonly<MembersOf<typeof leftMembers>> {
  /** Its place and what it had gained: plain data that nobody changes. */
  readonly kept: T;
}

/** Whether an account may be several people, also at the same time: an address without a name (`Joining.account`). */
export function mayBeSeveral(account: string): boolean {
  return account.startsWith("address:") && !account.includes(" ");
}

export interface LeftPlacesOptions {
  /** What was left longer ago is forgotten, milliseconds. */
  readonly keptMs: number;
  /** In all. With more, what the account left that has been away for longest is forgotten. */
  readonly most: number;
}

/** What {@link LeftPlaces.save} returns. */
export interface SavedLeftPlaces<T> {
  readonly nextId: number;
  /** In the order in which accounts left something most recently. */
  readonly entries: readonly Left<T>[];
}

/** The saved places with what each entry has kept. */
export function savedLeftPlaces<T>(kept: State<T>): State<SavedLeftPlaces<T>> {
  return { node: state({ nextId: number, entries: list(state({ ...leftMembers, kept })) }).node };
}

/** Of one account: as many players as one address may have. With more, the oldest is forgotten. */
const MOST_OF_ACCOUNT = 64;

/**
 * Where players were when they left, so that to connect again is no way to get elsewhere. An account that several people
 * share has several entries; a player that comes back takes the one that fits.
 *
 * ```ts
 * const places = new LeftPlaces({ keptMs: 600_000, most: 20_000 });
 * places.add({ account: "login:ann", room: "1", leftMs: 5_000, kept: { x: 448, y: 160 } });
 * const [last] = places.of("login:ann", "1", 6_000);
 * last.kept; // => { x: 448, y: 160 }
 * places.take("login:ann", last.id);
 * places.of("login:ann", "1", 6_000); // => []
 * ```
 */
export class LeftPlaces<T> {
  readonly #options: LeftPlacesOptions;
  /** By account, the one that left something most recently last; of each account the oldest first. */
  readonly #accounts = new Map<string, Left<T>[]>();
  #size = 0;
  #nextId = 1;

  /** With a copy of what {@link save} returned. Throws `TypeError` for data that is not plain. */
  constructor(options: LeftPlacesOptions, saved?: SavedLeftPlaces<T>) {
    this.#options = options;
    for (const left of saved?.entries ?? []) this.#add(copyPlain(left));
    this.#nextId = saved?.nextId ?? 1;
  }

  add(left: Omit<Left<T>, "id">): void {
    this.#add({ ...left, id: this.#nextId });
    this.#nextId += 1;
  }

  #add(left: Left<T>): void {
    const { account } = left;
    const mine = this.#accounts.get(account) ?? [];
    this.#accounts.delete(account);
    this.#accounts.set(account, mine);
    mine.push(left);
    this.#size += 1;
    if (mine.length > MOST_OF_ACCOUNT) {
      mine.shift();
      this.#size -= 1;
    }
    for (const [oldest, theirs] of this.#accounts) {
      if (this.#size <= this.#options.most) return;
      theirs.shift();
      this.#size -= 1;
      if (theirs.length === 0) this.#accounts.delete(oldest);
    }
  }

  /** What an account left in a room, or in any, the latest first. */
  of(account: string, room: string | undefined, nowMs: number): readonly Left<T>[] {
    const mine = this.#accounts.get(account) ?? [];
    return mine
      .filter((left) => (room === undefined || left.room === room) && nowMs - left.leftMs < this.#options.keptMs)
      .reverse();
  }

  /** Its player has come back. Nothing happens when another one has taken it. */
  take(account: string, id: number): void {
    const mine = this.#accounts.get(account) ?? [];
    const index = mine.findIndex((left) => left.id === id);
    if (index < 0) return;
    mine.splice(index, 1);
    this.#size -= 1;
    if (mine.length === 0) this.#accounts.delete(account);
  }

  /** Forgets what is too old. */
  tick(nowMs: number): void {
    for (const [account, mine] of this.#accounts) {
      const last = mine.at(-1);
      if (last !== undefined && nowMs - last.leftMs < this.#options.keptMs) return;
      this.#accounts.delete(account);
      this.#size -= mine.length;
    }
  }

  /** The state, which shares nothing with the places. */
  save(): SavedLeftPlaces<T> {
    return { nextId: this.#nextId, entries: copyPlain([...this.#accounts.values()].flat()) };
  }
}
