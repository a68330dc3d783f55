/**
 * Local players of a crowd, four at a time: for every group of four and every subset of it, the bits that the movements of
 * the subset come to. Pays from some hundred players in view on (`CROWD_PLAYERS` of the engine).
 */
import { PLAYER_SLOTS, SET_WORDS } from "../constants.ts";
import * as memoryPlaces from "./engine-memory.ts";
import { countBits, type EngineMemory } from "./engine-memory.ts";
import type { PassLists } from "./pass-lists.ts";
import * as passPlaces from "./pass-lists.ts";
import type { PassSorter } from "./pass-sorter.ts";

// Constants of this module, as in `pass-sorter.ts`.
const { ENTER, ENTERS, FLAG, GROUP_PLAYERS, GROUPS, LEAVE, LEAVES, LOCAL, LOCAL_EVENTS, MOVE, MOVED } = memoryPlaces;
const { PENDING, PLAYER_CODES, RETURN, SKIPS, STATE_WORDS, TICK_SETS, WORK_SETS } = memoryPlaces;
const { CODES_END, LIST_END, PASS_COUNTS } = passPlaces;

// Facts of a group's subset, beside its code: it has events; they are over 32 bits; and, 8 bits each, the number of quiet
// players before the first event and after the last.
const SOME = 1 << 31;
const WIDE = 1 << 24;
const TRAIL_SHIFT = 16;
const LEAD_SHIFT = 8;

export class CrowdGroups {
  readonly #memory: EngineMemory;
  readonly #passLists: PassLists;
  readonly #sorter: PassSorter;
  /** Of the groups: see SOME to LEAD_SHIFT. */
  readonly #groups = new Int32Array((PLAYER_SLOTS / GROUP_PLAYERS) << GROUP_PLAYERS);
  /** Of each word: whether all its groups have codes of 32 bits at most. */
  readonly #narrow = new Uint8Array(SET_WORDS);
  #isMade = false;

  constructor(memory: EngineMemory, passLists: PassLists, sorter: PassSorter) {
    this.#memory = memory;
    this.#passLists = passLists;
    this.#sorter = sorter;
  }

  /** Forgets the codes of the last tick. */
  beginTick(): void {
    this.#isMade = false;
  }

  /** Makes the codes of this tick, unless they are made. */
  prepare(): void {
    if (!this.#isMade) this.#make();
  }

  /**
   * Lists a pass of locals of a crowd: up to four players at once by codes of groups. Groups in which a player leaves, and
   * groups whose teleports have too many bits for a code, are listed player by player.
   */
  writeLocals(base: number, list: number): void {
    const { state, work } = this.#memory;
    const lists = this.#passLists.lists;
    const groups = this.#groups;
    const narrow = this.#narrow;
    const flip = list === 1 ? 0 : -1;
    const pass = list * PASS_COUNTS;
    const observer = base / STATE_WORDS;
    let end = this.#passLists.counts[pass + CODES_END] as number;
    let run = 0;
    for (let word = 0; word < SET_WORDS; word++) {
      const at = base + word * 2;
      const members = (state[at + LOCAL] as number) & ((state[at + FLAG] as number) ^ flip);
      if (members === 0) continue;
      const mine = word * WORK_SETS;
      const quiet = members & ~(work[mine + LOCAL_EVENTS] as number);
      if (quiet === members) {
        run += countBits(members);
        continue;
      }
      const leaves = members & (work[mine + LEAVES] as number);
      if ((quiet | leaves) === 0 && narrow[word] === 1) {
        // All have events. The code of an empty group has no bits.
        if (run > 0) lists[end++] = SKIPS + run;
        run = 0;
        for (let shift = 0, group = GROUPS + (word << 7); shift < 32; shift += 4, group += 16) {
          lists[end++] = group + ((members >>> shift) & 15);
        }
      } else {
        for (let shift = 0, group = word << 7; shift < 32; shift += GROUP_PLAYERS, group += 1 << GROUP_PLAYERS) {
          const subset = group + ((members >>> shift) & 15);
          const meta = groups[subset] as number;
          if ((meta & WIDE) !== 0 || ((leaves >>> shift) & 15) !== 0) {
            this.#passLists.counts[pass + CODES_END] = end;
            run = this.#writePlayers(list, word, shift, members, run);
            end = this.#passLists.counts[pass + CODES_END] as number;
            continue;
          }
          // All bits of `some` are set when the group has events; without any, all of it adds to the run.
          const some = meta >> 31;
          const before = run + ((meta >>> LEAD_SHIFT) & 255);
          const skipped = before & some;
          lists[end] = SKIPS + skipped;
          end += -skipped >>> 31;
          lists[end] = GROUPS + subset;
          end -= some;
          run = ((meta >>> TRAIL_SHIFT) & 255) + (before & ~some);
        }
      }
      const pending = members & (work[mine + PENDING] as number);
      if (pending !== 0) this.#listPending(observer, list, word, pending, leaves);
    }
    if (run > 0) lists[end++] = SKIPS + run;
    this.#passLists.counts[pass + CODES_END] = end;
  }

  /** A group, player by player. Takes the number of skipped players before it, and returns the number at its end. */
  #writePlayers(list: number, word: number, shift: number, members: number, runBefore: number): number {
    const { work, masked } = this.#memory;
    const lists = this.#passLists.lists;
    const mine = word * WORK_SETS;
    const leaves = work[mine + LEAVES] as number;
    const enters = work[mine + ENTERS] as number;
    const events = work[mine + LOCAL_EVENTS] as number;
    let end = this.#passLists.counts[list * PASS_COUNTS + CODES_END] as number;
    let run = runBefore;
    for (let bit = shift; bit < shift + GROUP_PLAYERS; bit++) {
      const low = 1 << bit;
      if ((members & low) === 0) continue;
      if ((events & low) === 0) {
        run++;
        continue;
      }
      if (run > 0) lists[end++] = SKIPS + run;
      run = 0;
      const code = ((word << 5) + bit) * PLAYER_CODES;
      if ((leaves & low) === 0) {
        lists[end++] = code + MOVE + (((masked[word] as number) & low) === 0 ? 0 : 1);
      } else if ((enters & low) === 0) {
        lists[end++] = code + LEAVE;
      } else {
        lists[end++] = RETURN;
        lists[end++] = code + ENTER + (((work[mine + PENDING] as number) & low) === 0 ? 0 : 1);
      }
    }
    this.#passLists.counts[list * PASS_COUNTS + CODES_END] = end;
    return run;
  }

  /** Lists pending locals of a crowd; those of `leaves` have left, and another player of the same index comes into view. */
  #listPending(observer: number, list: number, word: number, pending: number, leaves: number): void {
    const lists = this.#passLists.lists;
    const pass = list * PASS_COUNTS;
    let place = this.#passLists.counts[pass + LIST_END] as number;
    for (let left = pending; left !== 0; left &= left - 1) {
      const low = left & -left;
      let entry = (word << 5) + 31 - Math.clz32(low);
      if ((leaves & low) !== 0) entry |= this.#sorter.combination(observer * SET_WORDS, word, low, true) << 11;
      lists[place++] = entry;
    }
    this.#passLists.counts[pass + LIST_END] = place;
  }

  /** Makes the codes of groups: for every subset, its bits without the last player and that player appended. */
  #make(): void {
    this.#isMade = true;
    const { codeBits, codeLength, tick, masked } = this.#memory;
    const groups = this.#groups;
    this.#narrow.fill(1);
    for (let first = 0; first < PLAYER_SLOTS; first += GROUP_PLAYERS) {
      const base = (first / GROUP_PLAYERS) << GROUP_PLAYERS;
      const masks = (masked[first >> 5] as number) >>> (first & 31);
      const events = ((tick[(first >> 5) * TICK_SETS + MOVED] as number) >>> (first & 31)) | masks;
      groups[base] = 0;
      codeBits[GROUPS + base] = 0;
      codeLength[GROUPS + base] = 0;
      for (let subset = 1; subset < 1 << GROUP_PLAYERS; subset++) {
        const player = 31 - Math.clz32(subset);
        const before = base + (subset ^ (1 << player));
        let meta = groups[before] as number;
        let bits = codeBits[GROUPS + before] as number;
        let length = codeLength[GROUPS + before] as number;
        if (((events >>> player) & 1) === 0) {
          meta += 1 << (length === 0 ? LEAD_SHIFT : TRAIL_SHIFT);
        } else {
          const trail = (meta >>> TRAIL_SHIFT) & 255;
          if (trail > 0) {
            bits |= (codeBits[SKIPS + trail] as number) >>> length;
            length += codeLength[SKIPS + trail] as number;
            meta &= ~(255 << TRAIL_SHIFT);
          }
          const code = (first + player) * PLAYER_CODES + MOVE + ((masks >>> player) & 1);
          if (length < 32) bits |= (codeBits[code] as number) >>> length;
          length += codeLength[code] as number;
          meta |= SOME;
        }
        // Of a wide subset nothing else is used, nor of those that contain it.
        if (length > 32) {
          meta |= WIDE;
          length = 32;
          this.#narrow[first >> 5] = 0;
        }
        groups[base + subset] = meta;
        codeBits[GROUPS + base + subset] = bits;
        codeLength[GROUPS + base + subset] = length;
      }
    }
  }
}
