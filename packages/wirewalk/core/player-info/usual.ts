/**
 * Usual passes: players stay, leave and come into view, with the masks of the tick. They are written by a list of their updates. How
 * many updates a word has is as good as random, and a processor that guesses wrong loses more time than some updates take: so
 * the list is made by fours and eights, past its end, and what is past it is overwritten. An entry is the place of the code in
 * its table, and the player's place in the pass << 16.
 */
import { fill, held, listEnd, out, run, setCursor, setListEnd, setRun, skipBits, storeReversed } from "./cursor";
import { ENTER_CODES, EVENTS, FLAG, LEAVES, LOCAL, LOCAL_CODES, own, SKIPS, UPDATES, WORDS } from "./memory";

/** A pass of players in view that stay or leave. */
export function writeUsualLocals(flip: u64): void {
  const area = own();
  let last: usize = area + UPDATES;
  let rank: u32 = 0;
  for (let word: usize = 0; word < WORDS; word++) {
    const members = load<u64>(area + (word << 3), LOCAL) & (load<u64>(area + (word << 3), FLAG) ^ flip);
    let left = members & load<u64>(area + (word << 3), EVENTS);
    if (left != 0) {
      const leaves = load<u64>(area + (word << 3), LEAVES);
      let first = (rank << 16) + (<u32>word << 10);
      let at = last;
      last += <usize>popcnt<u64>(left) << 2;
      if (left == members) {
        // All have updates: nobody is skipped.
        do {
          left = putNext(at, left, leaves, first);
          left = putNext(at + 4, left, leaves, first + 0x1_0000);
          left = putNext(at + 8, left, leaves, first + 0x2_0000);
          left = putNext(at + 12, left, leaves, first + 0x3_0000);
          left = putNext(at + 16, left, leaves, first + 0x4_0000);
          left = putNext(at + 20, left, leaves, first + 0x5_0000);
          left = putNext(at + 24, left, leaves, first + 0x6_0000);
          left = putNext(at + 28, left, leaves, first + 0x7_0000);
          at += 32;
          first += 0x8_0000;
        } while (left != 0);
      } else {
        do {
          left = putLocal(at, left, members, leaves, first);
          left = putLocal(at + 4, left, members, leaves, first);
          left = putLocal(at + 8, left, members, leaves, first);
          left = putLocal(at + 12, left, members, leaves, first);
          at += 16;
        } while (left != 0);
      }
    }
    rank += <u32>popcnt<u64>(members);
  }
  putUpdates(last, LOCAL_CODES, 4);
  setRun(rank - run);
}

/** Lists the first update of `left`, next in the pass. Returns the others. */
@inline
function putNext(at: usize, left: u64, leaves: u64, first: u32): u64 {
  const bit = ctz<u64>(left);
  store<u32>(at, first + (<u32>bit << 4) + ((<u32>(leaves >> bit) & 1) << 3));
  return left & (left - 1);
}

/** The same of one that others may be before. */
@inline
function putLocal(at: usize, left: u64, members: u64, leaves: u64, first: u32): u64 {
  const bit = ctz<u64>(left);
  const others = left & (left - 1);
  const before = <u32>popcnt<u64>(members & ((left ^ others) - 1));
  store<u32>(at, first + (before << 16) + (<u32>bit << 4) + ((<u32>(leaves >> bit) & 1) << 3));
  return others;
}

/** A pass of players that are not in view, of whom some come into view. */
export function writeUsualExternals(flip: u64): void {
  const area = own();
  let last: usize = area + UPDATES;
  let rank: u32 = 0;
  for (let word: usize = 0; word < WORDS; word++) {
    let members = ~load<u64>(area + (word << 3), LOCAL) & (load<u64>(area + (word << 3), FLAG) ^ flip);
    // Slot 0 is unused.
    if (word == 0) members &= ~1;
    let left = members & load<u64>(area + (word << 3), EVENTS);
    if (left != 0) {
      const first = (rank << 16) + (<u32>word << 9);
      const count = popcnt<u64>(left);
      let at = last;
      if (count <= 2) {
        left = putExternal(at, left, members, first);
        putExternal(at + 4, left, members, first);
      } else {
        do {
          left = putExternal(at, left, members, first);
          left = putExternal(at + 4, left, members, first);
          left = putExternal(at + 8, left, members, first);
          left = putExternal(at + 12, left, members, first);
          left = putExternal(at + 16, left, members, first);
          left = putExternal(at + 20, left, members, first);
          left = putExternal(at + 24, left, members, first);
          left = putExternal(at + 28, left, members, first);
          at += 32;
        } while (left != 0);
      }
      last += <usize>count << 2;
    }
    rank += <u32>popcnt<u64>(members);
  }
  putUpdates(last, ENTER_CODES, 3);
  setRun(rank - run);
}

@inline
function putExternal(at: usize, left: u64, members: u64, first: u32): u64 {
  const others = left & (left - 1);
  const before = <u32>popcnt<u64>(members & ((left ^ others) - 1));
  store<u32>(at, first + (before << 16) + (<u32>ctz<u64>(left) << 3));
  return others;
}

/**
 * Puts the codes of the listed updates, each after the skip before it. Leaves the place after the last one in `run`. Two updates are
 * joined before they are put: what waits for the last put is the least part of the work then.
 */
@inline
function putUpdates(last: usize, codes: usize, shift: u32): void {
  const updates = own() + UPDATES;
  let to = out;
  let bits = held;
  let count: u64 = fill;
  let place: u32 = 0;
  let masked = listEnd;
  // Slot 0 has no code: an odd list ends with it.
  if (last != updates) {
    const end = (load<u32>(last - 4) & 0xffff_0000) + 0x1_0000;
    store<u32>(last, end);
    setRun(end >> 16);
  }
  for (let at: usize = updates; at < last; at += 8) {
    const one = load<u32>(at);
    const two = load<u32>(at, 4);
    const skip1 = load<u32>(SKIPS + (((one >> 16) - place) << 2));
    const skip2 = load<u32>(SKIPS + (((two >> 16) - (one >> 16) - 1) << 2));
    place = (two >> 16) + 1;
    const code1 = load<u64>(codes + (<usize>one & 0xffff));
    const code2 = load<u64>(codes + (<usize>two & 0xffff));
    const length1 = (<u64>skip1 & 31) + (code1 & 63);
    const length2 = (<u64>skip2 & 31) + (code2 & 63);
    const piece1 = skipBits(skip1) | ((code1 & ~127) >> (<u64>skip1 & 31));
    const piece2 = skipBits(skip2) | ((code2 & ~127) >> (<u64>skip2 & 31));
    const length = length1 + length2;
    if (length <= 56) {
      bits |= (piece1 | (piece2 >> length1)) >> count;
      count += length;
    } else {
      // An entry has 38 bits at most, and the skip before it 14.
      bits |= piece1 >> count;
      count += length1;
      storeReversed(to, bits);
      to += <usize>(count >> 3);
      bits <<= count & 56;
      count &= 7;
      bits |= piece2 >> count;
      count += length2;
    }
    storeReversed(to, bits);
    to += <usize>(count >> 3);
    bits <<= count & 56;
    count &= 7;
    store<u32>(masked, (one & 0xffff) >> shift);
    masked += <usize>(code1 >> 4) & 4;
    store<u32>(masked, (two & 0xffff) >> shift);
    masked += <usize>(code2 >> 4) & 4;
  }
  setCursor(to, bits, <u32>count);
  setListEnd(masked);
}
