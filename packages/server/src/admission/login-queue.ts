/**
 * The **queue of logins** that wait for their password to be hashed: a queue for each address, in it one for each name, and
 * each in turn. However many logins one address sends, another waits for one of them at most; however many of an address
 * try one name, another name of that address waits for one of them at most.
 *
 * Logins come in three ranks. The first two are served alternately, the third when they are empty.
 */

/** `known`: this name has logged in from this address before. `suspect`: many logins of this address have failed. */
export type LoginRank = "known" | "plain" | "suspect";

const ranks: readonly LoginRank[] = ["known", "plain", "suspect"];

export interface QueuedLogin {
  readonly rank: LoginRank;
  /** What counts as one peer. */
  readonly address: string;
  /** With its protocol. */
  readonly name: string;
  /** False when the peer is gone: then it is not started. */
  readonly isWanted: () => boolean;
  /** Hashes; called at most once. */
  readonly start: () => Promise<void>;
  /** Called instead of `start`: the queue is full, or the peer is gone. */
  readonly drop: () => void;
}

export interface LoginQueueOptions {
  /** Hashes at the same time. */
  readonly atOnce: number;
  /** Logins that wait. */
  readonly waiting: number;
  /** Logins with one name from one address that wait. */
  readonly waitingPerPair: number;
}

/** By address, then by name, each in the order of its turn. */
type Queues = Map<string, Map<string, QueuedLogin[]>>;

export class LoginQueue {
  readonly #options: LoginQueueOptions;
  readonly #queues: Readonly<Record<LoginRank, Queues>> = { known: new Map(), plain: new Map(), suspect: new Map() };
  /** Names whose password is being hashed. One at a time: a name that many addresses try takes one hash of those at once. */
  readonly #running = new Set<string>();
  #waiting = 0;
  #last: LoginRank = "plain";

  constructor(options: LoginQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Starts the login in its turn, or drops one: this, or one of the longest queue. */
  add(login: QueuedLogin): void {
    const { address, name, rank } = login;
    const names = this.#queues[rank].get(address) ?? new Map<string, QueuedLogin[]>();
    const queue = names.get(name) ?? [];
    if (queue.length >= this.#options.waitingPerPair) {
      login.drop();
      return;
    }
    this.#queues[rank].set(address, names.set(name, queue));
    queue.push(login);
    this.#waiting += 1;
    this.#fill();
    if (this.#waiting > this.#options.waiting) this.#shorten();
  }

  #fill(): void {
    while (this.#running.size < this.#options.atOnce) {
      const login = this.#next();
      if (login === undefined) return;
      if (!login.isWanted()) {
        login.drop();
        continue;
      }
      this.#running.add(login.name);
      login.start().finally(() => {
        this.#running.delete(login.name);
        this.#fill();
      });
    }
  }

  /** Takes out the login whose turn it is. */
  #next(): QueuedLogin | undefined {
    const first: LoginRank = this.#last === "known" ? "plain" : "known";
    for (const rank of [first, this.#last, "suspect"] as const) {
      const login = this.#nextOf(this.#queues[rank]);
      if (login === undefined) continue;
      if (rank !== "suspect") this.#last = rank;
      return login;
    }
    return undefined;
  }

  #nextOf(queues: Queues): QueuedLogin | undefined {
    for (const [address, names] of queues) {
      for (const [name, queue] of names) {
        if (this.#running.has(name)) continue;
        const login = queue.shift();
        if (login === undefined) continue;
        this.#waiting -= 1;
        // Behind the others.
        names.delete(name);
        if (queue.length > 0) names.set(name, queue);
        queues.delete(address);
        if (names.size > 0) queues.set(address, names);
        return login;
      }
    }
    return undefined;
  }

  /** Drops the last login of the address with the most that wait, of the name with the most; suspects first. */
  #shorten(): void {
    for (const rank of ranks.toReversed()) {
      const queues = this.#queues[rank];
      const [address, names] = longest(queues, (of) => sum(of)) ?? [];
      if (address === undefined || names === undefined) continue;
      const [name, queue] = longest(names, ({ length }) => length) ?? [];
      const login = queue?.pop();
      if (name === undefined || login === undefined) continue;
      this.#waiting -= 1;
      if (queue?.length === 0) names.delete(name);
      if (names.size === 0) queues.delete(address);
      login.drop();
      return;
    }
  }
}

function sum(names: ReadonlyMap<string, readonly QueuedLogin[]>): number {
  let count = 0;
  for (const { length } of names.values()) count += length;
  return count;
}

/** The entry with the greatest size, the last of several. */
function longest<V>(map: ReadonlyMap<string, V>, sizeOf: (value: V) => number): readonly [string, V] | undefined {
  let found: readonly [string, V] | undefined;
  let most = 0;
  for (const entry of map) {
    const size = sizeOf(entry[1]);
    if (size < most) continue;
    most = size;
    found = entry;
  }
  return found;
}
