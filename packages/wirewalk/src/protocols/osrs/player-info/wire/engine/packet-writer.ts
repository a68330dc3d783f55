/**
 * Writes the packets of one tick. The players are sorted into lists of codes (`pass-sorter.ts`, and for crowds
 * `crowd-groups.ts`); here the bits of the codes are joined and masks appended.
 */
import { MAX_PACKET_BYTES, PLAYER_SLOTS, SET_WORDS } from "../constants.ts";
import type { PlayerInfoDialect } from "../dialect.ts";
import { MAX_PLAYER_MASK_BYTES } from "../masks/mask-revision.ts";
import { CrowdGroups } from "./crowd-groups.ts";
import { ENTERS, type EngineMemory, inSet, PENDING, STATE_WORDS, WORK_SETS } from "./engine-memory.ts";
import { COPY_SLACK_BYTES, type MaskStore } from "./mask-store.ts";
import * as passPlaces from "./pass-lists.ts";
import { PassLists } from "./pass-lists.ts";
import { PassSorter } from "./pass-sorter.ts";
import { makeFixedCodes } from "./tick-bits.ts";

// Constants of this module, as in `pass-sorter.ts`.
const { CODE_WORDS, CODES_END, LIST_END, PASS_COUNTS, PASS_WORDS } = passPlaces;

/** Bytes written past the limit at most before a packet is found to be full. */
const SLACK_BYTES = MAX_PLAYER_MASK_BYTES + COPY_SLACK_BYTES + 64;
const FIRST_OUTPUT_BYTES = 1 << 20;

/** Masks that are different for one observer. */
export interface OwnMasks {
  /**
   * Composes the masks of a player. `combination`: the blocks that the observer lacks. Result as of the store.
   */
  compose(index: number, combination: number): void;
}

/** Makes packets one after the other in one memory, which is kept from tick to tick. */
export class PacketWriter {
  /** All packets of the tick; another array when it had to grow. */
  bytes: Uint8Array;
  #data: DataView;
  readonly #room: Uint8Array | undefined;
  readonly #memory: EngineMemory;
  readonly #masks: MaskStore;
  readonly #dialect: PlayerInfoDialect;
  readonly #passLists = new PassLists();
  readonly #sorter: PassSorter;
  readonly #groups: CrowdGroups;
  /** Bits not yet written, the first the highest; how many; and the next byte. */
  readonly #cursor = new Int32Array(3);
  #bitBytes = 0;

  /** `room`: where the packets of a tick go, up to its end: longer ones move to another array for the tick. */
  constructor(memory: EngineMemory, masks: MaskStore, dialect: PlayerInfoDialect, room?: Uint8Array) {
    this.bytes = room ?? new Uint8Array(FIRST_OUTPUT_BYTES);
    this.#data = dataOf(this.bytes);
    this.#room = room;
    this.#memory = memory;
    this.#masks = masks;
    this.#dialect = dialect;
    this.#sorter = new PassSorter(memory, this.#passLists, masks.keptByIndex.length, dialect);
    this.#groups = new CrowdGroups(memory, this.#passLists, this.#sorter);
    makeFixedCodes(memory);
  }

  /** The end of the last packet, where the next one begins. */
  get end(): number {
    return this.#cursor[2] as number;
  }

  /** Bytes that the passes of the last packet with {@link OwnMasks} took. */
  get bitBytes(): number {
    return this.#bitBytes;
  }

  beginTick(): void {
    this.#cursor.fill(0);
    this.#groups.beginTick();
    if (this.#room !== undefined && this.bytes !== this.#room) {
      this.bytes = this.#room;
      this.#data = dataOf(this.bytes);
    }
  }

  /** The next packet begins there: others have been written to `bytes` up to it. */
  continueAt(end: number): void {
    this.#cursor[2] = end;
  }

  /**
   * Appends the packet of an observer whose view is `memory.view`, and writes the observer's next state to `memory.next`.
   * Returns false, with nothing appended, when it would be over the limit.
   *
   * @param masked the players with masks
   * @param isCrowd whether to write locals by groups; the bytes are the same
   */
  write(observer: number, masked: Int32Array, isCrowd: boolean, own?: OwnMasks): boolean {
    const start = this.#cursor[2] as number;
    const { passFlags, alignsPasses } = this.#dialect;
    this.#reserve(MAX_PACKET_BYTES + SLACK_BYTES);
    const grouped = isCrowd && own === undefined;
    if (grouped) this.#groups.prepare();
    this.#sorter.sort(observer, masked, grouped, own !== undefined);
    for (let pass = 0; pass < 4; pass++) {
      const list = (pass & 2) | (passFlags[pass] as number);
      if (grouped && list < 2) this.#groups.writeLocals(observer * STATE_WORDS, list);
      else this.#passLists.skipRest(list);
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
    this.#data = dataOf(grown);
  }

  /** Appends the bits of the codes of a pass. */
  #join(list: number): void {
    const { codeBits, codeLength, codeRest } = this.#memory;
    const lists = this.#passLists.lists;
    const cursor = this.#cursor;
    const data = this.#data;
    const end = this.#passLists.counts[list * PASS_COUNTS + CODES_END] as number;
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

  /**
   * Appends the masks of the pending players of all passes, up to the byte `limit`: returns false when they do not fit.
   */
  #appendMasks(limit: number, own: OwnMasks | undefined): boolean {
    const { passFlags } = this.#dialect;
    for (let pass = 0; pass < 4; pass++) {
      const list = (pass & 2) | (passFlags[pass] as number);
      const start = list * PASS_WORDS + CODE_WORDS;
      const end = this.#passLists.counts[list * PASS_COUNTS + LIST_END] as number;
      if (start < end && !this.#appendList(start, end, limit, own)) return false;
    }
    return true;
  }

  #appendList(first: number, last: number, limit: number, own: OwnMasks | undefined): boolean {
    const { maskStart, maskLength } = this.#memory;
    const masks = this.#masks;
    const lists = this.#passLists.lists;
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
      // Sixteen bytes at a time, past the end: the next masks overwrite it. V8 keeps these numbers of 64 bits in registers: with those of 32
      // the benchmark's scene `box` took 18.0 ms instead of 16.6.
      do {
        to.setBigInt64(at, from.getBigInt64(start, true), true);
        to.setBigInt64(at + 8, from.getBigInt64(start + 8, true), true);
        at += 16;
        start += 16;
      } while (at < end);
      at = end;
    }
    this.#cursor[2] = at;
    return true;
  }

  /** The blocks of a player that an observer lacks, beside those of this tick. */
  combinationOf(observer: number, index: number, enters: boolean): number {
    return this.#sorter.combination(observer * SET_WORDS, index >> 5, 1 << (index & 31), enters);
  }

  /** Whether the last packet, written or too long, has masks of the player; and whether the player comes into view in it. */
  isPending(index: number): boolean {
    return inSet(this.#memory.work, index, PENDING, WORK_SETS);
  }

  comesIntoView(index: number): boolean {
    return inSet(this.#memory.work, index, ENTERS, WORK_SETS);
  }
}

function dataOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
