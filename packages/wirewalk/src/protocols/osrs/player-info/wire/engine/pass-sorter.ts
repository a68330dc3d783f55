/**
 * Sorts the players for one observer by operations on sets, 32 players at a time: players that leave, enter, move, have masks
 * or are skipped. The result is the four passes as lists of codes, which have been made once for all observers.
 *
 * `sort` is one long function on purpose (measured): it is nearly all the time of a scattered crowd. Whether a player
 * among 32 moves is as good as random, and a processor that guesses wrong loses more time than the work takes: so there is
 * a branch per word and not per player, and what is rare is in `#sortOdd`.
 */
import { SET_WORDS } from "../constants.ts";
import type { PlayerInfoDialect } from "../dialect.ts";
import * as memoryPlaces from "./engine-memory.ts";
import { countBits, type EngineMemory } from "./engine-memory.ts";
import { ENTERING } from "./mask-store.ts";
import type { PassLists } from "./pass-lists.ts";
import * as passPlaces from "./pass-lists.ts";

// Constants of this module are part of the compiled code. Imported ones are read from their module each time: with those
// of the lists imported, the benchmark's scene `town` took 9.8 ms instead of 8.4.
const { ENTER, ENTERS, FLAG, LEAVE, LEAVES, LOCAL, LOCAL_EVENTS, MOVE, MOVED, PENDING, PLAYER_CODES } = memoryPlaces;
const { QUARTER, QUARTER_MOVED, RETURN, REUSED, SKIPS, STATE_WORDS, TICK_SETS, WORK_SETS } = memoryPlaces;
const { CODES_END, LIST_END, MEMBERS, PASS_COUNTS, RANK } = passPlaces;

export class PassSorter {
  readonly #memory: EngineMemory;
  readonly #passLists: PassLists;
  /** How many blocks of the revision are kept by index. */
  readonly #keptByIndex: number;
  readonly #addedFlags: 0 | -1;

  constructor(memory: EngineMemory, passLists: PassLists, keptByIndex: number, dialect: PlayerInfoDialect) {
    this.#memory = memory;
    this.#passLists = passLists;
    this.#keptByIndex = keptByIndex;
    this.#addedFlags = dialect.flagsAdded ? -1 : 0;
  }

  /**
   * Lists the codes of all four passes (players that leave, enter, move or have masks, or are skipped), and makes
   * the observer's next state.
   *
   * @param masked the players with masks
   * @param grouped leaves the locals to {@link CrowdGroups}
   * @param own the masks are those of one observer
   */
  sort(observer: number, masked: Int32Array, grouped: boolean, own: boolean): void {
    const { state, next, view, tick, work } = this.#memory;
    const lists = this.#passLists.lists;
    const counts = this.#passLists.counts;
    const addedFlags = this.#addedFlags;
    const selfWord = observer >> 5;
    let at = observer * STATE_WORDS;
    // Slot 0 is unused.
    let slots = ~1;
    this.#passLists.begin();
    for (let word = 0; word < SET_WORDS; word++) {
      const local = state[at + LOCAL] as number;
      const flag = state[at + FLAG] as number;
      const sees = view[word] as number;
      const mask = masked[word] as number;
      const global = word * TICK_SETS;
      let stale = tick[global + REUSED] as number;
      // A new player of a slot is new to all observers but itself.
      if (stale !== 0 && word === selfWord) stale &= ~(1 << (observer & 31));
      const stay = local & sees & ~stale;
      const leaves = local & ~stay;
      const enters = sees & ~local;
      // The slot has a new player and it is in view: one packet removes the old player and adds the new one.
      const returns = leaves & sees;
      const quarters = (tick[global + QUARTER_MOVED] as number) & ~local & ~enters;
      const acts = stay & ((tick[global + MOVED] as number) | mask);
      const events = leaves | acts | enters | quarters;
      next[at + LOCAL] = stay | enters | returns;
      // Players without an update in this packet count as skipped, and so do players that pass 3 or 4 adds.
      next[at + FLAG] = ~events | (enters & addedFlags);
      at += 2;

      let pending = (stay | enters | returns) & mask;
      let odd = returns;
      if (enters !== 0) {
        const owed = enters & this.#owedEntering(observer, word);
        pending |= owed;
        odd |= owed;
      }
      if (own) odd = -1;
      let left = events;
      if (grouped || own) {
        const mine = word * WORK_SETS;
        work[mine + LEAVES] = leaves;
        work[mine + ENTERS] = enters | returns;
        work[mine + LOCAL_EVENTS] = leaves | acts;
        work[mine + PENDING] = pending;
        if (grouped) left &= ~local;
      }
      if (odd === 0) {
        // The kind of code in three bits: see MOVE to ENTER_MASKED.
        const kind0 = (stay & mask) | quarters | (enters & pending);
        const kind1 = leaves | quarters;
        while (left !== 0) {
          const low = left & -left;
          left ^= low;
          const bit = 31 - Math.clz32(low);
          const external = ~(local >> bit) & 1;
          const skipped = (flag >>> bit) & 1;
          const pass = (external * 2 + skipped) * PASS_COUNTS;
          // Players of the same pass before this one: with the last rank they give the number of skipped players.
          const before = (local ^ -external) & (flag ^ (skipped - 1)) & slots & (low - 1);
          const rank = (counts[pass + MEMBERS] as number) + countBits(before);
          const run = rank - (counts[pass + RANK] as number);
          counts[pass + RANK] = rank + 1;
          const player = (word << 5) + bit;
          let end = counts[pass + CODES_END] as number;
          // A skip of 0 players is overwritten: a branch would be mispredicted half of the time.
          lists[end] = SKIPS + run;
          end += -run >>> 31;
          const kind = ((kind0 >>> bit) & 1) | (((kind1 >>> bit) & 1) << 1) | (((enters >>> bit) & 1) << 2);
          lists[end] = player * PLAYER_CODES + kind;
          counts[pass + CODES_END] = end + 1;
          const place = counts[pass + LIST_END] as number;
          lists[place] = player;
          counts[pass + LIST_END] = place + ((pending >>> bit) & 1);
        }
      } else {
        this.#sortOdd(observer, word, left, leaves, enters | returns, mask, pending);
      }
      const external = ~local & slots;
      const clearLocals = countBits(local & ~flag);
      const setLocals = countBits(local & flag);
      const clearExternals = countBits(external & ~flag);
      counts[MEMBERS] = (counts[MEMBERS] as number) + clearLocals;
      counts[PASS_COUNTS + MEMBERS] = (counts[PASS_COUNTS + MEMBERS] as number) + setLocals;
      counts[2 * PASS_COUNTS + MEMBERS] = (counts[2 * PASS_COUNTS + MEMBERS] as number) + clearExternals;
      // Slots of the word: 31 of the first, 32 of the others.
      const setExternals = 33 - (slots & 1 ? 1 : 2) - clearLocals - setLocals - clearExternals;
      counts[3 * PASS_COUNTS + MEMBERS] = (counts[3 * PASS_COUNTS + MEMBERS] as number) + setExternals;
      slots = -1;
    }
  }

  /** Players of a word with blocks that an observer lacks beside those of the tick, if they come into view. */
  #owedEntering(observer: number, word: number): number {
    const { enterKept, has, known } = this.#memory;
    let owed = enterKept[word] as number;
    for (let which = 0; which < this.#keptByIndex; which++) {
      const knows = (known[which] as Int32Array)[observer * SET_WORDS + word] as number;
      owed |= ((has[which] as Int32Array)[word] as number) & ~knows;
    }
    return owed;
  }

  /** A word with a rare case: a slot with a new player, or masks beside those of the tick. */
  #sortOdd(
    observer: number,
    word: number,
    events: number,
    leaves: number,
    enters: number,
    masked: number,
    pending: number,
  ): void {
    const { state } = this.#memory;
    const lists = this.#passLists.lists;
    const counts = this.#passLists.counts;
    const at = observer * STATE_WORDS + word * 2;
    const flag = state[at + FLAG] as number;
    const slots = word === 0 ? ~1 : -1;
    for (let left = events; left !== 0; left &= left - 1) {
      const low = left & -left;
      const bit = 31 - Math.clz32(low);
      const external = ((state[at + LOCAL] as number) & low) === 0;
      const skipped = (flag & low) !== 0;
      const pass = ((external ? 2 : 0) + (skipped ? 1 : 0)) * PASS_COUNTS;
      const side = (state[at + LOCAL] as number) ^ (external ? -1 : 0);
      const before = side & (flag ^ (skipped ? 0 : -1)) & slots & (low - 1);
      const rank = (counts[pass + MEMBERS] as number) + countBits(before);
      const run = rank - (counts[pass + RANK] as number);
      counts[pass + RANK] = rank + 1;
      let end = counts[pass + CODES_END] as number;
      if (run > 0) lists[end++] = SKIPS + run;
      const code = ((word << 5) + bit) * PLAYER_CODES;
      const hasMask = (pending & low) === 0 ? 0 : 1;
      if (external) {
        lists[end++] = code + ((enters & low) === 0 ? QUARTER : ENTER + hasMask);
      } else if ((leaves & low) === 0) {
        lists[end++] = code + MOVE + ((masked & low) === 0 ? 0 : 1);
      } else if ((enters & low) === 0) {
        lists[end++] = code + LEAVE;
      } else {
        // The slot has a new player. An add begins with the bit for an update after a removal.
        lists[end++] = RETURN;
        lists[end++] = code + ENTER + hasMask;
      }
      counts[pass + CODES_END] = end;
      if (hasMask === 1) {
        const combination = this.combination(observer * SET_WORDS, word, low, (enters & low) !== 0);
        const place = counts[pass + LIST_END] as number;
        lists[place] = (word << 5) + bit + (combination << 11);
        counts[pass + LIST_END] = place + 1;
      }
    }
  }

  /**
   * The blocks of a player that an observer lacks beside those of this tick, as a combination of the mask store.
   * `base` is the observer's row in tables of sets, `word` and `bit` are the player's place in a set.
   */
  combination(base: number, word: number, bit: number, enters: boolean): number {
    const { has, known, enterKept } = this.#memory;
    let combination = enters && ((enterKept[word] as number) & bit) !== 0 ? ENTERING : 0;
    for (let which = 0; which < this.#keptByIndex; which++) {
      const has32 = (has[which] as Int32Array)[word] as number;
      if ((has32 & ~((known[which] as Int32Array)[base + word] as number) & bit) !== 0) combination |= 1 << which;
    }
    return combination;
  }
}
