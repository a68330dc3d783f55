/**
 * The present blocks kept by index that each observer's client has. A client keeps them for the index even while the player
 * is out of view, so they are sent again only after a change.
 */
import { SET_WORDS } from "../constants.ts";
import { type EngineMemory, inSet, LOCAL } from "./engine-memory.ts";
import { ENTERING } from "./mask-store.ts";

/** Bookkeeping over `memory.known`, after each packet. */
export class KnownBlocks {
  readonly #memory: EngineMemory;
  /** How many blocks of the revision are kept by index. */
  readonly #count: number;

  constructor(memory: EngineMemory, count: number) {
    this.#memory = memory;
    this.#count = count;
  }

  /** A client that knows nothing. */
  forget(observer: number): void {
    const base = observer * SET_WORDS;
    for (const known of this.#memory.known) known.fill(0, base, base + SET_WORDS);
  }

  /** The blocks of which any player has a new one in this tick: a bit for each. */
  changed(): number {
    let changed = 0;
    this.#memory.changed.forEach((set, which) => {
      if (set.some((word) => word !== 0)) changed |= 1 << which;
    });
    return changed;
  }

  /** After a packet: the observer has the kept blocks of all players in view, and no new blocks of the others. */
  update(observer: number, changed: number): void {
    const { state, next, has, known, changed: changes } = this.#memory;
    const base = observer * SET_WORDS;
    let lacked = 0;
    for (let which = 0; which < this.#count; which++) {
      const knows = known[which] as Int32Array;
      const having = has[which] as Int32Array;
      const change = changes[which] as Int32Array;
      const anyChange = (changed & (1 << which)) !== 0;
      for (let word = 0; word < SET_WORDS; word++) {
        const local = next[(base + word) * 2 + LOCAL] as number;
        const enters = local & ~(state[(base + word) * 2 + LOCAL] as number);
        const fresh = anyChange ? (change[word] as number) : 0;
        if ((enters | fresh) === 0) continue;
        const before = knows[base + word] as number;
        const sent = (enters | (local & fresh)) & (having[word] as number);
        lacked |= enters & (having[word] as number) & ~before;
        knows[base + word] = (before & ~fresh) | sent;
      }
    }
    this.#memory.lacked[observer] = lacked === 0 ? 0 : 1;
  }

  /**
   * The same after a packet of {@link OwnPackets}: it may have brought what the observer was owed, and the blocks of the
   * players in `waiting` were not sent.
   */
  updateOwn(observer: number, waiting: Int32Array): void {
    const { next, has, known, changed } = this.#memory;
    const base = observer * SET_WORDS;
    for (let which = 0; which < this.#count; which++) {
      const knows = known[which] as Int32Array;
      for (let word = 0; word < SET_WORDS; word++) {
        const sent = (next[(base + word) * 2 + LOCAL] as number) & ~(waiting[word] as number);
        const before = (knows[base + word] as number) & ~((changed[which] as Int32Array)[word] as number);
        knows[base + word] = before | (sent & ((has[which] as Int32Array)[word] as number));
      }
    }
  }

  /** Whether two observers lacked the same blocks: none of the players that come into the view of `twin`. */
  isSame(observer: number, twin: number): boolean {
    if (this.#memory.lacked[twin] === 1) return false;
    if (this.#count === 0) return true;
    const { state, next, has, known } = this.#memory;
    for (let word = 0; word < SET_WORDS; word++) {
      const at = (twin * SET_WORDS + word) * 2 + LOCAL;
      const enters = (next[at] as number) & ~(state[at] as number);
      if (enters === 0) continue;
      for (let which = 0; which < this.#count; which++) {
        const knows = (known[which] as Int32Array)[observer * SET_WORDS + word] as number;
        if ((enters & ((has[which] as Int32Array)[word] as number) & ~knows) !== 0) return false;
      }
    }
    return true;
  }

  /**
   * The present blocks of a player that the observer's client keeps, as a combination of the mask store. `isWhole`: the
   * client also has the blocks that it keeps only while the player is in view.
   */
  combination(observer: number, index: number, isWhole: boolean): number {
    const { has, known, changed } = this.#memory;
    let combination = isWhole ? ENTERING : 0;
    for (let which = 0; which < this.#count; which++) {
      const knows = inSet(known[which] as Int32Array, index, observer * SET_WORDS);
      const isThere = inSet(has[which] as Int32Array, index) && !inSet(changed[which] as Int32Array, index);
      if (knows && isThere) combination |= 1 << which;
    }
    return combination;
  }
}
