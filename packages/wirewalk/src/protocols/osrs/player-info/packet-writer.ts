/**
 * Writes the packets of one tick, by algebra on sets of players: who leaves, enters, has something to say and is
 * skipped, 32 players at a time. What it appends has been made once for all observers.
 */
import { MAX_PACKET_BYTES, PLAYER_SLOTS, SET_WORDS } from "./constants.ts";
import type { PlayerInfoDialect } from "./dialect.ts";
import { countBits, type EngineMemory, GROUP_PLAYERS, inSet } from "./engine-memory.ts";
import { ENTERING, type MaskStore } from "./mask-store.ts";
import { MASK_BIT, skipBits, skipLength } from "./tick-bits.ts";

/** Players in view from which on the table of groups is faster than one player after the other (measured). */
const GROUPED_FROM = 512;
/** Room that a packet may need: its bits, its masks as they would be without a limit, and what copies write too much. */
const SLACK_BYTES = 64;
const FIRST_OUTPUT_BYTES = 1 << 20;

/** What is different for one observer. */
export interface OwnMasks {
  /** Composes the masks of a player; its combination says what else the observer does not have. Result as of the store. */
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

  // The bit cursor between passes: bits not yet written, the first the highest; how many; and the next byte.
  readonly #cursor = new Int32Array(3);
  /** Pending players in the order of the packet: index | combination << 11. */
  readonly #list = new Int32Array(PLAYER_SLOTS);
  #listed = 0;
  #maskBytes = 0;
  #groupsMade = false;
  /** Whether anybody is pending, among locals and externals. */
  #localPending = false;
  #externalPending = false;
  /** By pass: whether it has players and whether it has events. */
  readonly #members = new Int32Array(4);
  readonly #events = new Int32Array(4);
  #bitBytes = 0;

  constructor(memory: EngineMemory, masks: MaskStore, dialect: PlayerInfoDialect) {
    this.#memory = memory;
    this.#masks = masks;
    this.#dialect = dialect;
  }

  /** The end of the last packet, where the next one begins. */
  get end(): number {
    return this.#cursor[2] as number;
  }

  /** Bytes that the passes of the last packet took. */
  get bitBytes(): number {
    return this.#bitBytes;
  }

  /** Bytes of masks that the last packet has, or would have had. */
  get maskBytes(): number {
    return this.#maskBytes;
  }

  beginTick(): void {
    this.#cursor.fill(0);
    this.#groupsMade = false;
  }

  /**
   * Appends the packet of an observer whose view is `memory.view`, and puts what it makes of the observer's locals and
   * flags into `nextLocals` and `nextFlags`. Returns false, with nothing appended, when it would be over the limit.
   *
   * @param masked who of the players in view has masks
   * @param barred who may not come into view
   * @param viewCount players in view
   */
  write(observer: number, masked: Int32Array, barred: Int32Array, viewCount: number, own?: OwnMasks): boolean {
    const start = this.#cursor[2] as number;
    this.#reserve(MAX_PACKET_BYTES + SLACK_BYTES);
    const base = observer * SET_WORDS;
    this.#classify(observer, base, masked, barred);
    this.#listed = 0;
    this.#maskBytes = 0;
    const { passFlags, alignsPasses } = this.#dialect;
    const grouped = viewCount >= GROUPED_FROM && own === undefined;
    if (grouped && !this.#groupsMade) this.#makeGroups();
    for (let pass = 0; pass < 4; pass++) {
      const flip = passFlags[pass] === 1 ? 0 : -1;
      if (this.#members[pass] !== 0) {
        if (pass >= 2) this.#writeExternals(base, pass, flip);
        else if (this.#events[pass] === 0) this.#skipLocals(base, flip);
        else if (grouped) this.#writeLocalGroups(base, flip, masked);
        else this.#writeLocals(base, flip, masked, own !== undefined);
      }
      if (alignsPasses) this.#align();
    }
    if (!alignsPasses) this.#align();
    this.#bitBytes = this.end - start;
    if (this.#listed > 0) {
      this.#measure(own);
      if (this.#bitBytes + this.#maskBytes > MAX_PACKET_BYTES) {
        this.#cursor[2] = start;
        return false;
      }
      this.#appendMasks(own);
    }
    return true;
  }

  #reserve(bytes: number): void {
    const needed = this.end + bytes;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
    this.#data = new DataView(grown.buffer);
  }

  /** Who leaves, who enters, whose bits are written and who is skipped; and what that makes of locals and flags. */
  #classify(observer: number, base: number, masked: Int32Array, barred: Int32Array): void {
    const memory = this.#memory;
    const { locals, flags, nextLocals, nextFlags, view, moved, quarterMoved, reused, has, known } = memory;
    const { leave, enter, localEvents, externalEvents, pending } = memory;
    const { passFlags, flagsAdded } = this.#dialect;
    const keptCount = this.#masks.keptByIndex.length;
    const { enterKept } = this.#masks;
    const addedFlags = flagsAdded ? -1 : 0;
    let clearLocals = 0;
    let setLocals = 0;
    let clearExternals = 0;
    let setExternals = 0;
    let clearLocalEvents = 0;
    let setLocalEvents = 0;
    let clearExternalEvents = 0;
    let setExternalEvents = 0;
    let localPending = 0;
    let externalPending = 0;
    const selfWord = observer >> 5;
    const selfBit = 1 << (observer & 31);
    for (let word = 0; word < SET_WORDS; word++) {
      const local = locals[base + word] as number;
      const flag = flags[base + word] as number;
      const sees = (view[word] as number) & ~(barred[word] as number);
      let stale = reused[word] as number;
      // A slot that has a new player is new to all but that player.
      if (stale !== 0 && word === selfWord) stale &= ~selfBit;
      const stay = local & sees & ~stale;
      const leaves = local & ~stay;
      const enters = sees & ~local;
      // Who has the slot now may come into view in the same packet.
      const returns = leaves & sees;
      const external = (word === 0 ? ~1 : -1) & ~local;
      const mask = masked[word] as number;
      const localEvent = leaves | (stay & ((moved[word] as number) | mask));
      const externalEvent = enters | (external & (quarterMoved[word] as number));
      leave[word] = leaves;
      enter[word] = enters | returns;
      localEvents[word] = localEvent;
      externalEvents[word] = externalEvent;
      clearLocals |= local & ~flag;
      setLocals |= local & flag;
      clearExternals |= external & ~flag;
      setExternals |= external & flag;
      clearLocalEvents |= localEvent & ~flag;
      setLocalEvents |= localEvent & flag;
      clearExternalEvents |= externalEvent & ~flag;
      setExternalEvents |= externalEvent & flag;
      let pend = (stay | enters | returns) & mask;
      if ((enters | returns) !== 0) {
        let owed = enterKept[word] as number;
        for (let which = 0; which < keptCount; which++) {
          owed |= ((has[which] as Int32Array)[word] as number) & ~((known[which] as Int32Array)[base + word] as number);
        }
        pend |= (enters | returns) & owed;
      }
      pending[word] = pend;
      localPending |= pend & local;
      externalPending |= pend & external;
      nextLocals[base + word] = stay | enters | returns;
      // Everybody counts as skipped whose update was not read; who was added by pass 3 or 4 does too.
      nextFlags[base + word] = ~(localEvent | externalEvent) | (enters & addedFlags);
    }
    this.#localPending = localPending !== 0;
    this.#externalPending = externalPending !== 0;
    for (let pass = 0; pass < 4; pass++) {
      const set = passFlags[pass] === 1;
      if (pass < 2) {
        this.#members[pass] = set ? setLocals : clearLocals;
        this.#events[pass] = set ? setLocalEvents : clearLocalEvents;
      } else {
        this.#members[pass] = set ? setExternals : clearExternals;
        this.#events[pass] = set ? setExternalEvents : clearExternalEvents;
      }
    }
  }

  /** A pass of locals of which all are skipped. */
  #skipLocals(base: number, flip: number): void {
    const { locals, flags } = this.#memory;
    let run = 0;
    for (let word = 0; word < SET_WORDS; word++) {
      const members = (locals[base + word] as number) & ((flags[base + word] as number) ^ flip);
      if (members !== 0) run += countBits(members);
    }
    this.#put(skipBits[run] as number, skipLength[run] as number);
  }

  #writeLocals(base: number, flip: number, masked: Int32Array, own: boolean): void {
    const { locals, flags, localEvents, leave, enter, pending } = this.#memory;
    const { moveBits, moveRest, moveLength, leaveBits, leaveLength } = this.#memory;
    const cursor = this.#cursor;
    const data = this.#data;
    const anyPending = this.#localPending;
    let held = cursor[0] as number;
    let fill = cursor[1] as number;
    let at = cursor[2] as number;
    let run = 0;
    for (let word = 0; word < SET_WORDS; word++) {
      const members = (locals[base + word] as number) & ((flags[base + word] as number) ^ flip);
      if (members === 0) continue;
      let left = members & (localEvents[word] as number);
      let quiet = members ^ left;
      if (left === 0) {
        run += countBits(quiet);
        continue;
      }
      const leaves = leave[word] as number;
      const mask = masked[word] as number;
      do {
        const low = left & -left;
        left ^= low;
        const index = (word << 5) + 31 - Math.clz32(low);
        const before = quiet & (low - 1);
        if (before !== 0) {
          quiet ^= before;
          run += countBits(before);
        }
        if (run !== 0) {
          const bits = skipBits[run] as number;
          const length = skipLength[run] as number;
          run = 0;
          held |= bits >>> fill;
          fill += length;
          if (fill >= 32) {
            data.setInt32(at, held);
            at += 4;
            fill -= 32;
            // Two shifts, since a shift by 32 does nothing.
            held = (bits << (length - fill - 1)) << 1;
          }
        }
        let bits: number;
        let length: number;
        if ((leaves & low) === 0) {
          bits = moveBits[index] as number;
          if ((mask & low) !== 0) bits |= MASK_BIT;
          length = moveLength[index] as number;
        } else if (((enter[word] as number) & low) === 0) {
          bits = leaveBits[index] as number;
          length = leaveLength[index] as number;
        } else {
          cursor[0] = held;
          cursor[1] = fill;
          cursor[2] = at;
          this.#putReturn(index);
          held = cursor[0] as number;
          fill = cursor[1] as number;
          at = cursor[2] as number;
          continue;
        }
        let rest = 0;
        if (length > 32) rest = length - 32;
        length -= rest;
        held |= bits >>> fill;
        fill += length;
        if (fill >= 32) {
          data.setInt32(at, held);
          at += 4;
          fill -= 32;
          held = (bits << (length - fill - 1)) << 1;
        }
        if (rest !== 0) {
          bits = moveRest[index] as number;
          held |= bits >>> fill;
          fill += rest;
          if (fill >= 32) {
            data.setInt32(at, held);
            at += 4;
            fill -= 32;
            held = (bits << (rest - fill - 1)) << 1;
          }
        }
      } while (left !== 0);
      if (quiet !== 0) run += countBits(quiet);
      if (anyPending) {
        const pend = members & (pending[word] as number);
        if (pend !== 0) this.#listWord(base, word, pend, leaves, own);
      }
    }
    cursor[0] = held;
    cursor[1] = fill;
    cursor[2] = at;
    if (run !== 0) this.#put(skipBits[run] as number, skipLength[run] as number);
  }

  /**
   * The same for crowds: the bits of up to four players at once, out of a table that all observers share. Where players
   * leave or have no entry, the word is written one by one.
   */
  #writeLocalGroups(base: number, flip: number, masked: Int32Array): void {
    const { locals, flags, localEvents, leave, enter, pending, groupBits, groupMeta } = this.#memory;
    const { moveBits, moveRest, moveLength, leaveBits, leaveLength } = this.#memory;
    const cursor = this.#cursor;
    const data = this.#data;
    const anyPending = this.#localPending;
    let held = cursor[0] as number;
    let fill = cursor[1] as number;
    let at = cursor[2] as number;
    let run = 0;
    for (let word = 0; word < SET_WORDS; word++) {
      const members = (locals[base + word] as number) & ((flags[base + word] as number) ^ flip);
      if (members === 0) continue;
      let left = members & (localEvents[word] as number);
      if (left === 0) {
        run += countBits(members);
        continue;
      }
      const leaves = leave[word] as number;
      if ((leaves & members) === 0) {
        let rest = members;
        for (let group = word << 7; rest !== 0; group += 16, rest >>>= 4) {
          const meta = groupMeta[group + (rest & 15)] as number;
          run += (meta >>> 8) & 255;
          const eventLength = meta & 255;
          if (eventLength === 0) continue;
          if (run !== 0) {
            const bits = skipBits[run] as number;
            const length = skipLength[run] as number;
            held |= bits >>> fill;
            fill += length;
            if (fill >= 32) {
              data.setInt32(at, held);
              at += 4;
              fill -= 32;
              held = (bits << (length - fill - 1)) << 1;
            }
          }
          run = meta >>> 16;
          if (eventLength <= 32) {
            const bits = groupBits[group + (rest & 15)] as number;
            held |= bits >>> fill;
            fill += eventLength;
            if (fill >= 32) {
              data.setInt32(at, held);
              at += 4;
              fill -= 32;
              held = (bits << (eventLength - fill - 1)) << 1;
            }
          } else {
            cursor[0] = held;
            cursor[1] = fill;
            cursor[2] = at;
            this.#putGroup((group >>> 4) << 2, rest & 15);
            held = cursor[0] as number;
            fill = cursor[1] as number;
            at = cursor[2] as number;
          }
        }
      } else {
        let quiet = members ^ left;
        const mask = masked[word] as number;
        cursor[0] = held;
        cursor[1] = fill;
        cursor[2] = at;
        do {
          const low = left & -left;
          left ^= low;
          const index = (word << 5) + 31 - Math.clz32(low);
          const before = quiet & (low - 1);
          quiet ^= before;
          run += countBits(before);
          if (run !== 0) this.#put(skipBits[run] as number, skipLength[run] as number);
          run = 0;
          if ((leaves & low) === 0) {
            const length = moveLength[index] as number;
            this.#put((moveBits[index] as number) | ((mask & low) === 0 ? 0 : MASK_BIT), Math.min(length, 32));
            if (length > 32) this.#put(moveRest[index] as number, length - 32);
          } else if (((enter[word] as number) & low) === 0) {
            this.#put(leaveBits[index] as number, leaveLength[index] as number);
          } else {
            this.#putReturn(index);
          }
        } while (left !== 0);
        run += countBits(quiet);
        held = cursor[0] as number;
        fill = cursor[1] as number;
        at = cursor[2] as number;
      }
      if (anyPending) {
        const pend = members & (pending[word] as number);
        if (pend !== 0) this.#listWord(base, word, pend, leaves, false);
      }
    }
    cursor[0] = held;
    cursor[1] = fill;
    cursor[2] = at;
    if (run !== 0) this.#put(skipBits[run] as number, skipLength[run] as number);
  }

  #writeExternals(base: number, pass: number, flip: number): void {
    const { locals, flags, externalEvents, enter, pending } = this.#memory;
    const { enterBits, enterRest, enterLength, quarterBits, quarterLength } = this.#memory;
    const eventful = this.#events[pass] !== 0;
    const anyPending = this.#externalPending;
    let run = 0;
    for (let word = 0; word < SET_WORDS; word++) {
      const external = (word === 0 ? ~1 : -1) & ~(locals[base + word] as number);
      const members = external & ((flags[base + word] as number) ^ flip);
      if (members === 0) continue;
      let left = eventful ? members & (externalEvents[word] as number) : 0;
      if (left === 0) {
        run += countBits(members);
        continue;
      }
      let quiet = members ^ left;
      const enters = enter[word] as number;
      const pend = members & (pending[word] as number);
      do {
        const low = left & -left;
        left ^= low;
        const index = (word << 5) + 31 - Math.clz32(low);
        const before = quiet & (low - 1);
        quiet ^= before;
        run += countBits(before);
        if (run !== 0) this.#put(skipBits[run] as number, skipLength[run] as number);
        run = 0;
        if ((enters & low) === 0) {
          this.#put(quarterBits[index] as number, quarterLength[index] as number);
        } else {
          const length = enterLength[index] as number;
          const last = (pend & low) === 0 ? 0 : 0x8000_0000;
          if (length <= 32) {
            this.#put((enterBits[index] as number) | (last >>> (length - 1)), length);
          } else {
            this.#put(enterBits[index] as number, 32);
            this.#put((enterRest[index] as number) | (last >>> (length - 33)), length - 32);
          }
        }
      } while (left !== 0);
      run += countBits(quiet);
      if (anyPending && pend !== 0) this.#listWord(base, word, pend, -1, false);
    }
    if (run !== 0) this.#put(skipBits[run] as number, skipLength[run] as number);
  }

  /** A player out of view and, in the same packet, who has its slot now into view. */
  #putReturn(index: number): void {
    const { enterBits, enterRest, enterLength, pending } = this.#memory;
    const length = enterLength[index] as number;
    const last = inSet(pending, index) ? 0x8000_0000 : 0;
    // 1000 is the removal up to the bit that says what follows; an add begins with that bit.
    this.#put(0b1000 << 28, 4);
    if (length <= 32) {
      this.#put((enterBits[index] as number) | (last >>> (length - 1)), length);
    } else {
      this.#put(enterBits[index] as number, 32);
      this.#put((enterRest[index] as number) | (last >>> (length - 33)), length - 32);
    }
  }

  #put(bits: number, length: number): void {
    const cursor = this.#cursor;
    const fill = (cursor[1] as number) + length;
    const held = (cursor[0] as number) | (bits >>> (cursor[1] as number));
    if (fill < 32) {
      cursor[0] = held;
      cursor[1] = fill;
      return;
    }
    this.#data.setInt32(cursor[2] as number, held);
    cursor[2] = (cursor[2] as number) + 4;
    cursor[1] = fill - 32;
    cursor[0] = (bits << (length - (fill - 32) - 1)) << 1;
  }

  #align(): void {
    const cursor = this.#cursor;
    if (cursor[1] === 0) return;
    this.#data.setInt32(cursor[2] as number, cursor[0] as number);
    cursor[2] = (cursor[2] as number) + (((cursor[1] as number) + 7) >> 3);
    cursor[0] = 0;
    cursor[1] = 0;
  }

  /** Notes the pending players of a word, in order. `entering` are those who come into view. */
  #listWord(base: number, word: number, pend: number, entering: number, own: boolean): void {
    const list = this.#list;
    let listed = this.#listed;
    let left = pend;
    do {
      const low = left & -left;
      left ^= low;
      const index = (word << 5) + 31 - Math.clz32(low);
      const enters = (entering & low) !== 0;
      list[listed++] = enters || own ? index | (this.#combination(base, word, low, enters) << 11) : index;
    } while (left !== 0);
    this.#listed = listed;
  }

  /** What an observer does not have of a player beside the blocks of this tick. */
  combinationOf(observer: number, index: number, enters: boolean): number {
    return this.#combination(observer * SET_WORDS, index >> 5, 1 << (index & 31), enters);
  }

  #combination(base: number, word: number, bit: number, enters: boolean): number {
    const { has, known } = this.#memory;
    const { enterKept, keptByIndex } = this.#masks;
    let combination = enters && ((enterKept[word] as number) & bit) !== 0 ? ENTERING : 0;
    for (let which = 0; which < keptByIndex.length; which++) {
      const owed =
        ((has[which] as Int32Array)[word] as number) & ~((known[which] as Int32Array)[base + word] as number) & bit;
      if (owed !== 0) combination |= 1 << which;
    }
    return combination;
  }

  #measure(own: OwnMasks | undefined): void {
    const { maskLength } = this.#memory;
    const list = this.#list;
    let bytes = 0;
    for (let at = 0; at < this.#listed; at++) {
      const entry = list[at] as number;
      if (entry < PLAYER_SLOTS && own === undefined) {
        bytes += maskLength[entry] as number;
      } else {
        this.#compose(entry, own);
        bytes += this.#masks.length;
      }
    }
    this.#maskBytes = bytes;
  }

  #compose(entry: number, own: OwnMasks | undefined): void {
    const index = entry & (PLAYER_SLOTS - 1);
    if (own === undefined) this.#masks.variant(index, entry >> 11);
    else own.compose(index, entry >> 11);
  }

  #appendMasks(own: OwnMasks | undefined): void {
    const { maskStart, maskLength } = this.#memory;
    const masks = this.#masks;
    const list = this.#list;
    const to = this.#data;
    let from = masks.data;
    let at = this.#cursor[2] as number;
    for (let next = 0; next < this.#listed; next++) {
      const entry = list[next] as number;
      let start: number;
      let length: number;
      if (entry < PLAYER_SLOTS && own === undefined) {
        start = maskStart[entry] as number;
        length = maskLength[entry] as number;
      } else {
        this.#compose(entry, own);
        from = masks.data;
        ({ start, length } = masks);
      }
      const end = at + length;
      // Four bytes at a time and past the end: what comes next writes over it.
      do {
        to.setInt32(at, from.getInt32(start, true), true);
        at += 4;
        start += 4;
      } while (at < end);
      at = end;
    }
    this.#cursor[2] = at;
  }

  /** The bits of one subset of a group, player by player: where they are too many for a table entry. */
  #putGroup(first: number, subset: number): void {
    const { moveBits, moveRest, moveLength, moved, masked } = this.#memory;
    let run = 0;
    let begun = false;
    for (let player = 0; player < GROUP_PLAYERS; player++) {
      if ((subset & (1 << player)) === 0) continue;
      const index = first + player;
      const hasMask = inSet(masked, index);
      if (!hasMask && !inSet(moved, index)) {
        run++;
        continue;
      }
      if (begun && run > 0) this.#put(skipBits[run] as number, skipLength[run] as number);
      begun = true;
      run = 0;
      const length = moveLength[index] as number;
      this.#put((moveBits[index] as number) | (hasMask ? MASK_BIT : 0), Math.min(length, 32));
      if (length > 32) this.#put(moveRest[index] as number, length - 32);
    }
  }

  /** For every group of players and every subset of it, what it contributes to a pass. */
  #makeGroups(): void {
    this.#groupsMade = true;
    const { groupBits, groupMeta, moveBits, moveLength, moved, masked } = this.#memory;
    for (let first = 0; first < PLAYER_SLOTS; first += GROUP_PLAYERS) {
      const base = (first / GROUP_PLAYERS) << GROUP_PLAYERS;
      const events = ((moved[first >> 5] as number) | (masked[first >> 5] as number)) >>> (first & 31);
      const masks = (masked[first >> 5] as number) >>> (first & 31);
      groupMeta[base] = 0;
      groupBits[base] = 0;
      for (let subset = 1; subset < 1 << GROUP_PLAYERS; subset++) {
        // The subset without its last player, and that player appended.
        const player = 31 - Math.clz32(subset);
        const before = base + (subset ^ (1 << player));
        const meta = groupMeta[before] as number;
        let length = meta & 255;
        let lead = (meta >>> 8) & 255;
        let trail = meta >>> 16;
        let bits = groupBits[before] as number;
        if (((events >>> player) & 1) === 0) {
          if (length === 0) lead++;
          else trail++;
        } else {
          if (trail > 0) {
            bits |= (skipBits[trail] as number) >>> length;
            length += skipLength[trail] as number;
            trail = 0;
          }
          const move = (moveBits[first + player] as number) | (((masks >>> player) & 1) === 0 ? 0 : MASK_BIT);
          if (length < 32) bits |= move >>> length;
          length += moveLength[first + player] as number;
        }
        groupBits[base + subset] = bits;
        groupMeta[base + subset] = length | (lead << 8) | (trail << 16);
      }
    }
  }
}
