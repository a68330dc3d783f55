/**
 * Writes the packets of one tick, by algebra on sets of players: who leaves, enters, has something to say and is
 * skipped, 32 players at a time. A pass becomes a list of codes, which have been made once for all observers, and the
 * bits of the codes are then joined.
 *
 * Two things make this fast, both measured. Whether a player among 32 moves is as good as random, and a processor that
 * guesses wrong loses more time than the work takes: so there is a branch per word and not per player. And what one
 * loop needs stands by turns in few arrays.
 */
import { MAX_PACKET_BYTES, PLAYER_SLOTS, SET_WORDS } from "../constants.ts";
import type { PlayerInfoDialect } from "../dialect.ts";
import { MAX_PLAYER_MASK_BYTES } from "../masks/mask-revision.ts";
import {
  countBits,
  ENTER,
  ENTERS,
  type EngineMemory,
  FLAG,
  GROUP_PLAYERS,
  GROUPS,
  inSet,
  LEAVE,
  LEAVES,
  LOCAL,
  LOCAL_EVENTS,
  MOVE,
  MOVED,
  PENDING,
  PLAYER_CODES,
  QUARTER,
  QUARTER_MOVED,
  RETURN,
  REUSED,
  SKIPS,
  STATE_WORDS,
  TICK_SETS,
  WORK_SETS,
} from "./engine-memory.ts";
import { COPY_SLACK_BYTES, ENTERING, type MaskStore } from "./mask-store.ts";
import { makeFixedCodes } from "./tick-bits.ts";

/** What a full packet writes too much before it is seen to be full. */
const SLACK_BYTES = MAX_PLAYER_MASK_BYTES + COPY_SLACK_BYTES + 64;
const FIRST_OUTPUT_BYTES = 1 << 20;

// Both lists of a pass: a player has two codes at most, a skip and its own, or the two of a return; one list is longer
// by
// a word, since what is listed for nothing is overwritten.
const CODE_WORDS = PLAYER_SLOTS * 3;
const PASS_WORDS = CODE_WORDS + PLAYER_SLOTS + 1;
// By pass: players in it so far; the rank after its last event; the ends of its lists.
const PASS_COUNTS = 4;
const MEMBERS = 0;
const RANK = 1;
const CODES_END = 2;
const LIST_END = 3;

// What is known of a group's subset, beside its code: it has events; they are over 32 bits; and, by 8 bits each, how
// many
// quiet players come before the first and after the last.
const SOME = 1 << 31;
const WIDE = 1 << 24;
const TRAIL_SHIFT = 16;
const LEAD_SHIFT = 8;

/** What is different for one observer. */
export interface OwnMasks {
  /**
   * Composes the masks of a player; its combination says what else the observer does not have. Result as of the store.
   */
  compose(index: number, combination: number): void;
}

/** Makes packets one after the other in one memory, which is kept from tick to tick. */
export class PacketWriter {
  /** All packets of the tick; another array when it had to grow. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_OUTPUT_BYTES);
  #data = new DataView(this.bytes.buffer);
  readonly #memory: EngineMemory;
  readonly #masks: MaskStore;
  readonly #dialect: PlayerInfoDialect;

  /** Bits not yet written, the first the highest; how many; and the next byte. */
  readonly #cursor = new Int32Array(3);
  /** By pass: its codes; and its pending players in their order, index | combination << 11. */
  readonly #lists = new Int32Array(4 * PASS_WORDS);
  /** By pass: what is counted while its lists are made. */
  readonly #passes = new Int32Array(4 * PASS_COUNTS);
  /** Of the groups: see SOME to LEAD_SHIFT. */
  readonly #groups = new Int32Array((PLAYER_SLOTS / GROUP_PLAYERS) << GROUP_PLAYERS);
  /** Of each word: whether all its groups have codes of 32 bits at most. */
  readonly #narrow = new Uint8Array(SET_WORDS);
  #groupsMade = false;
  #bitBytes = 0;

  constructor(memory: EngineMemory, masks: MaskStore, dialect: PlayerInfoDialect) {
    this.#memory = memory;
    this.#masks = masks;
    this.#dialect = dialect;
    makeFixedCodes(memory);
  }

  /** The end of the last packet, where the next one begins. */
  get end(): number {
    return this.#cursor[2] as number;
  }

  /** Bytes that the passes of the last packet took. */
  get bitBytes(): number {
    return this.#bitBytes;
  }

  beginTick(): void {
    this.#cursor.fill(0);
    this.#groupsMade = false;
  }

  /**
   * Appends the packet of an observer whose view is `memory.view`, and puts what it makes of the observer's state into
   * `memory.next`. Returns false, with nothing appended, when it would be over the limit.
   *
   * @param masked who of the players in view has masks
   * @param isCrowd whether to write locals by groups; the bytes are the same
   */
  write(observer: number, masked: Int32Array, isCrowd: boolean, own?: OwnMasks): boolean {
    const start = this.#cursor[2] as number;
    this.#reserve(MAX_PACKET_BYTES + SLACK_BYTES);
    const { passFlags, alignsPasses } = this.#dialect;
    const grouped = isCrowd && own === undefined;
    if (grouped && !this.#groupsMade) this.#makeGroups();
    this.#sort(observer, masked, grouped, own !== undefined);
    for (let pass = 0; pass < 4; pass++) {
      const list = (pass & 2) | (passFlags[pass] as number);
      if (grouped && list < 2) this.#writeLocalGroups(observer * STATE_WORDS, list);
      else this.#skipRest(list);
      this.#join(list);
      if (alignsPasses || pass === 3) this.#align();
    }
    this.#bitBytes = this.end - start;
    if (this.#appendMasks(start + MAX_PACKET_BYTES, own)) return true;
    this.#cursor[2] = start;
    return false;
  }

  #reserve(bytes: number): void {
    const needed = this.end + bytes;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
    this.#data = new DataView(grown.buffer);
  }

  /**
   * Who leaves, who enters, who has something to say and who is skipped: lists the codes of all four passes, and makes
   * the observer's next state. Locals of a crowd are left to {@link #writeLocalGroups}.
   */
  #sort(observer: number, masked: Int32Array, grouped: boolean, own: boolean): void {
    const { state, next, view, tick, work } = this.#memory;
    const lists = this.#lists;
    const passes = this.#passes;
    const addedFlags = this.#dialect.flagsAdded ? -1 : 0;
    const selfWord = observer >> 5;
    let at = observer * STATE_WORDS;
    // Slot 0 is nobody's.
    let slots = ~1;
    for (let pass = 0; pass < 4; pass++) {
      passes[pass * PASS_COUNTS + MEMBERS] = 0;
      passes[pass * PASS_COUNTS + RANK] = 0;
      passes[pass * PASS_COUNTS + CODES_END] = pass * PASS_WORDS;
      passes[pass * PASS_COUNTS + LIST_END] = pass * PASS_WORDS + CODE_WORDS;
    }
    for (let word = 0; word < SET_WORDS; word++) {
      const local = state[at + LOCAL] as number;
      const flag = state[at + FLAG] as number;
      const sees = view[word] as number;
      const mask = masked[word] as number;
      const global = word * TICK_SETS;
      let stale = tick[global + REUSED] as number;
      // A slot that has a new player is new to all but that player.
      if (stale !== 0 && word === selfWord) stale &= ~(1 << (observer & 31));
      const stay = local & sees & ~stale;
      const leaves = local & ~stay;
      const enters = sees & ~local;
      // Whose slot has a new player, who is in view, comes in the packet in which the old one goes.
      const returns = leaves & sees;
      const quarters = (tick[global + QUARTER_MOVED] as number) & ~local & ~enters;
      const acts = stay & ((tick[global + MOVED] as number) | mask);
      const events = leaves | acts | enters | quarters;
      next[at + LOCAL] = stay | enters | returns;
      // Everybody counts as skipped whose update is not read; who is added by pass 3 or 4 does too.
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
          // How many players of the same pass come before: it tells how many are skipped since the last event.
          const before = (local ^ -external) & (flag ^ (skipped - 1)) & slots & (low - 1);
          const rank = (passes[pass + MEMBERS] as number) + countBits(before);
          const run = rank - (passes[pass + RANK] as number);
          passes[pass + RANK] = rank + 1;
          const player = (word << 5) + bit;
          let end = passes[pass + CODES_END] as number;
          // A skip of none is overwritten: nobody could guess a branch.
          lists[end] = SKIPS + run;
          end += -run >>> 31;
          const kind = ((kind0 >>> bit) & 1) | (((kind1 >>> bit) & 1) << 1) | (((enters >>> bit) & 1) << 2);
          lists[end] = player * PLAYER_CODES + kind;
          passes[pass + CODES_END] = end + 1;
          const place = passes[pass + LIST_END] as number;
          lists[place] = player;
          passes[pass + LIST_END] = place + ((pending >>> bit) & 1);
        }
      } else {
        this.#sortOdd(observer, word, left, leaves, enters | returns, mask, pending);
      }
      const external = ~local & slots;
      const clearLocals = countBits(local & ~flag);
      const setLocals = countBits(local & flag);
      const clearExternals = countBits(external & ~flag);
      passes[MEMBERS] = (passes[MEMBERS] as number) + clearLocals;
      passes[PASS_COUNTS + MEMBERS] = (passes[PASS_COUNTS + MEMBERS] as number) + setLocals;
      passes[2 * PASS_COUNTS + MEMBERS] = (passes[2 * PASS_COUNTS + MEMBERS] as number) + clearExternals;
      // Slots of the word: 31 of the first, and else 32.
      const setExternals = 33 - (slots & 1 ? 1 : 2) - clearLocals - setLocals - clearExternals;
      passes[3 * PASS_COUNTS + MEMBERS] = (passes[3 * PASS_COUNTS + MEMBERS] as number) + setExternals;
      slots = -1;
    }
  }

  /** Blocks beside those of the tick that an observer does not have, of those of a word who come into view. */
  #owedEntering(observer: number, word: number): number {
    const { enterKept, has, known } = this.#memory;
    let owed = enterKept[word] as number;
    for (let which = 0; which < this.#masks.keptByIndex.length; which++) {
      const knows = (known[which] as Int32Array)[observer * SET_WORDS + word] as number;
      owed |= ((has[which] as Int32Array)[word] as number) & ~knows;
    }
    return owed;
  }

  /** A word in which not everything is as usual: a slot that has changed hands, or masks beside those of the tick. */
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
    const lists = this.#lists;
    const passes = this.#passes;
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
      const rank = (passes[pass + MEMBERS] as number) + countBits(before);
      const run = rank - (passes[pass + RANK] as number);
      passes[pass + RANK] = rank + 1;
      let end = passes[pass + CODES_END] as number;
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
        // The slot has changed hands. An add begins with the bit that says what follows a removal.
        lists[end++] = RETURN;
        lists[end++] = code + ENTER + hasMask;
      }
      passes[pass + CODES_END] = end;
      if (hasMask === 1) {
        const combination = this.#combination(observer * SET_WORDS, word, low, (enters & low) !== 0);
        const place = passes[pass + LIST_END] as number;
        lists[place] = (word << 5) + bit + (combination << 11);
        passes[pass + LIST_END] = place + 1;
      }
    }
  }

  /**
   * Lists a pass of locals of a crowd: up to four players at once by codes of groups. Where somebody leaves, and where
   * teleports make the bits of a group too many for a code, it goes player by player.
   */
  #writeLocalGroups(base: number, list: number): void {
    const { state, work } = this.#memory;
    const lists = this.#lists;
    const groups = this.#groups;
    const narrow = this.#narrow;
    const flip = list === 1 ? 0 : -1;
    const pass = list * PASS_COUNTS;
    const observer = base / STATE_WORDS;
    let end = this.#passes[pass + CODES_END] as number;
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
            this.#passes[pass + CODES_END] = end;
            run = this.#writePlayers(list, word, shift, members, run);
            end = this.#passes[pass + CODES_END] as number;
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
    this.#passes[pass + CODES_END] = end;
  }

  /** A group, player by player. Takes and gives how many players before and at its end are skipped. */
  #writePlayers(list: number, word: number, shift: number, members: number, runBefore: number): number {
    const { work, masked } = this.#memory;
    const lists = this.#lists;
    const mine = word * WORK_SETS;
    const leaves = work[mine + LEAVES] as number;
    const enters = work[mine + ENTERS] as number;
    const events = work[mine + LOCAL_EVENTS] as number;
    let end = this.#passes[list * PASS_COUNTS + CODES_END] as number;
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
    this.#passes[list * PASS_COUNTS + CODES_END] = end;
    return run;
  }

  /** Notes pending locals of a crowd; those of `leaves` have gone and come back as somebody else. */
  #listPending(observer: number, list: number, word: number, pending: number, leaves: number): void {
    const lists = this.#lists;
    const pass = list * PASS_COUNTS;
    let place = this.#passes[pass + LIST_END] as number;
    for (let left = pending; left !== 0; left &= left - 1) {
      const low = left & -left;
      let entry = (word << 5) + 31 - Math.clz32(low);
      if ((leaves & low) !== 0) entry |= this.#combination(observer * SET_WORDS, word, low, true) << 11;
      lists[place++] = entry;
    }
    this.#passes[pass + LIST_END] = place;
  }

  /** The players of a pass after its last event. */
  #skipRest(list: number): void {
    const pass = list * PASS_COUNTS;
    const run = (this.#passes[pass + MEMBERS] as number) - (this.#passes[pass + RANK] as number);
    if (run === 0) return;
    const end = this.#passes[pass + CODES_END] as number;
    this.#lists[end] = SKIPS + run;
    this.#passes[pass + CODES_END] = end + 1;
  }

  /** Appends the bits of the codes of a pass. */
  #join(list: number): void {
    const { codeBits, codeLength, codeRest } = this.#memory;
    const lists = this.#lists;
    const cursor = this.#cursor;
    const data = this.#data;
    const end = this.#passes[list * PASS_COUNTS + CODES_END] as number;
    let held = cursor[0] as number;
    let fill = cursor[1] as number;
    let at = cursor[2] as number;
    for (let next = list * PASS_WORDS; next < end; next++) {
      const code = lists[next] as number;
      let bits = codeBits[code] as number;
      let length = codeLength[code] as number;
      if (length > 32) {
        const now = held | (bits >>> fill);
        data.setInt32(at, now);
        at += 4;
        held = (bits << (31 - fill)) << 1;
        bits = codeRest[code] as number;
        length -= 32;
      }
      const now = held | (bits >>> fill);
      // Two shifts, since a shift by 32 does nothing.
      const later = (bits << (31 - fill)) << 1;
      data.setInt32(at, now);
      fill += length;
      const full = -(fill >>> 5);
      held = now ^ ((now ^ later) & full);
      at -= full << 2;
      fill &= 31;
    }
    cursor[0] = held;
    cursor[1] = fill;
    cursor[2] = at;
  }

  #align(): void {
    const cursor = this.#cursor;
    this.#data.setInt32(cursor[2] as number, cursor[0] as number);
    cursor[2] = (cursor[2] as number) + (((cursor[1] as number) + 7) >> 3);
    cursor[0] = 0;
    cursor[1] = 0;
  }

  /** What an observer does not have of a player beside the blocks of this tick. */
  combinationOf(observer: number, index: number, enters: boolean): number {
    return this.#combination(observer * SET_WORDS, index >> 5, 1 << (index & 31), enters);
  }

  #combination(base: number, word: number, bit: number, enters: boolean): number {
    const { has, known, enterKept } = this.#memory;
    let combination = enters && ((enterKept[word] as number) & bit) !== 0 ? ENTERING : 0;
    for (let which = 0; which < this.#masks.keptByIndex.length; which++) {
      const has32 = (has[which] as Int32Array)[word] as number;
      if ((has32 & ~((known[which] as Int32Array)[base + word] as number) & bit) !== 0) combination |= 1 << which;
    }
    return combination;
  }

  /**
   * Appends the masks of the pending players of all passes, up to the byte `limit`: returns false when they do not fit.
   */
  #appendMasks(limit: number, own: OwnMasks | undefined): boolean {
    const { passFlags } = this.#dialect;
    for (let pass = 0; pass < 4; pass++) {
      const list = (pass & 2) | (passFlags[pass] as number);
      const start = list * PASS_WORDS + CODE_WORDS;
      const end = this.#passes[list * PASS_COUNTS + LIST_END] as number;
      if (start < end && !this.#appendList(start, end, limit, own)) return false;
    }
    return true;
  }

  #appendList(first: number, last: number, limit: number, own: OwnMasks | undefined): boolean {
    const { maskStart, maskLength } = this.#memory;
    const masks = this.#masks;
    const lists = this.#lists;
    const to = this.#data;
    let from = masks.data;
    let at = this.#cursor[2] as number;
    for (let next = first; next < last; next++) {
      const entry = lists[next] as number;
      let start: number;
      let length: number;
      if (entry < PLAYER_SLOTS && own === undefined) {
        start = maskStart[entry] as number;
        length = maskLength[entry] as number;
      } else {
        const index = entry & (PLAYER_SLOTS - 1);
        if (own === undefined) masks.variant(index, entry >> 11);
        else own.compose(index, entry >> 11);
        from = masks.data;
        ({ start, length } = masks);
      }
      const end = at + length;
      if (end > limit) return false;
      // Eight bytes at a time and past the end: what comes next writes over it.
      do {
        to.setInt32(at, from.getInt32(start, true), true);
        to.setInt32(at + 4, from.getInt32(start + 4, true), true);
        at += 8;
        start += 8;
      } while (at < end);
      at = end;
    }
    this.#cursor[2] = at;
    return true;
  }

  /** Makes the codes of groups: for every subset, its bits without the last player and that player appended. */
  #makeGroups(): void {
    this.#groupsMade = true;
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

  /** Whether the last packet would have had, or has, masks of the player; and whether it comes into view by it. */
  isPending(index: number): boolean {
    return inSet(this.#memory.work, index, PENDING, WORK_SETS);
  }

  comesIntoView(index: number): boolean {
    return inSet(this.#memory.work, index, ENTERS, WORK_SETS);
  }
}
