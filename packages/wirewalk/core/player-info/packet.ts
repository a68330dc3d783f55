/**
 * The packet of one observer: its sets by set algebra, then the four passes bit by bit, then the masks.
 *
 * The cursor is held in variables of the module: bits not yet stored, the first the highest, and their number. Every put
 * stores eight bytes and keeps the last, unfinished byte.
 */
import { gatherSubsets, prepareCrowd, skipBits } from "./crowd";
import {
  codes,
  enterKept,
  ENTERS,
  EVENTS,
  FIRST_GROUP,
  FIRST_GROUP_PASS,
  FLAG,
  has,
  keptByIndex,
  KIND0,
  KIND1,
  known,
  LEAVES,
  LOCAL,
  MASK_LIST,
  maskLength,
  maskStart,
  masked,
  MOVED,
  next,
  PENDING,
  QUARTER_MOVED,
  REUSED,
  SET,
  skips,
  state,
  subsetBits,
  SUBSETS,
  SUBSETS_PASS,
  subsetFacts,
  WORDS,
} from "./memory";

/** The packet has a case that the core does not know: nothing is written. */
const ODD: usize = 1;
/** The packet would be too long: nothing is written. */
const TOO_LONG: usize = 0;

// The cursor.
let out: usize = 0;
let held: u64 = 0;
let fill: u32 = 0;
/** Players of the pass that are skipped since its last update. */
let run: u32 = 0;
/** The end of the list of players with masks. */
let listEnd: usize = 0;
let anyPending: bool = false;

/**
 * Writes the packet of an observer.
 *
 * @param view the players that it is to have in view
 * @param start where the packet begins, and `limit` where it must end
 * @param isCrowd whether to write locals by groups; the bytes are the same
 * @param passFlags bit n is the flag of the players of pass n
 * @param aligns whether every pass begins at a whole byte
 * @param flagsAdded -1 when players that come into view count as skipped, else 0
 * @param masks where the composed masks of the tick begin
 * @returns the end of the packet, or {@link TOO_LONG}, or {@link ODD}
 */
export function writePacket(
  observer: u32,
  view: usize,
  start: usize,
  limit: usize,
  isCrowd: bool,
  passFlags: u32,
  aligns: bool,
  flagsAdded: i32,
  masks: usize,
): usize {
  if (sortPlayers(observer, view, flagsAdded)) return ODD;
  if (isCrowd) prepareCrowd(passFlags);
  const plain = isCrowd ? gatherSubsets() : 0;
  out = start;
  held = 0;
  fill = 0;
  listEnd = MASK_LIST;
  for (let pass: u32 = 0; pass < 4; pass++) {
    const flip: u64 = ((passFlags >> pass) & 1) != 0 ? 0 : ~0;
    run = 0;
    if (pass < 2) writeLocals(pass, flip, plain);
    else writeExternals(flip);
    if (run != 0) {
      putSkip();
      flush();
    }
    if ((aligns || pass == 3) && fill != 0) align();
  }
  return appendMasks(limit, masks);
}

/** Fills the sets of the observer and its next state. Returns whether the packet is odd. */
function sortPlayers(observer: u32, view: usize, flagsAdded: i32): bool {
  const from = state + (observer << 9);
  const to = next + (observer << 9);
  const added = i32x4.splat(flagsAdded);
  let entered = i32x4.splat(0);
  let waiting = i32x4.splat(0);
  let returned = i32x4.splat(0);
  // The observer itself may be new in its slot.
  const self = REUSED + ((observer >> 5) << 2);
  const reused = load<u32>(self);
  store<u32>(self, reused & ~(1 << (observer & 31)));
  for (let at: usize = 0; at < SET; at += 16) {
    // Players in view and flags alternate, 32 bits each.
    const low = v128.load(from + (at << 1));
    const high = v128.load(from + (at << 1), 16);
    const local = v128.shuffle<i32>(low, high, 0, 2, 4, 6);
    const flag = v128.shuffle<i32>(low, high, 1, 3, 5, 7);
    const sees = v128.load(view + at);
    const mask = v128.load(masked + at);
    const stay = v128.and(local, sees);
    const leaves = v128.andnot(local, sees);
    const enters = v128.andnot(sees, local);
    const quarters = v128.andnot(v128.load(at, QUARTER_MOVED), v128.or(local, enters));
    const acts = v128.and(stay, v128.or(v128.load(at, MOVED), mask));
    const events = v128.or(v128.or(leaves, acts), v128.or(enters, quarters));
    const nextLocal = v128.or(stay, enters);
    const nextFlag = v128.or(v128.not(events), v128.and(enters, added));
    v128.store(to + (at << 1), v128.shuffle<i32>(nextLocal, nextFlag, 0, 4, 1, 5));
    v128.store(to + (at << 1), v128.shuffle<i32>(nextLocal, nextFlag, 2, 6, 3, 7), 16);
    const pending = v128.and(nextLocal, mask);
    returned = v128.or(returned, v128.and(stay, v128.load(at, REUSED)));
    entered = v128.or(entered, enters);
    waiting = v128.or(waiting, pending);
    v128.store(at, local, LOCAL);
    v128.store(at, flag, FLAG);
    v128.store(at, events, EVENTS);
    v128.store(at, enters, ENTERS);
    v128.store(at, pending, PENDING);
    v128.store(at, leaves, LEAVES);
    v128.store(at, v128.or(v128.or(v128.and(stay, mask), quarters), v128.and(enters, pending)), KIND0);
    v128.store(at, v128.or(leaves, quarters), KIND1);
  }
  store<u32>(self, reused);
  anyPending = v128.any_true(waiting);
  // A slot in view has a new player: removed and added in one packet.
  if (v128.any_true(returned)) return true;
  return v128.any_true(entered) && owesEntering(observer);
}

/** Whether a player comes into view with blocks beside those of the tick. */
function owesEntering(observer: u32): bool {
  for (let word: usize = 0; word < WORDS; word++) {
    const enters = load<u64>(word << 3, ENTERS);
    if (enters == 0) continue;
    let owed = load<u64>(enterKept + (word << 3));
    for (let which: usize = 0; which < keptByIndex; which++) {
      const knows = load<u64>(known + (((which << 11) + observer) << 8) + (word << 3));
      owed |= load<u64>(has + (which << 8) + (word << 3)) & ~knows;
    }
    if ((owed & enters) != 0) return true;
  }
  return false;
}

@inline
function bytesReversed(word: u64): u64 {
  // Faster than shifts, and than what compilers make of them.
  const both = i64x2.splat(word);
  return i64x2.extract_lane(i8x16.shuffle(both, both, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0), 0);
}

/** Stores the whole bytes of the bits that are held: at most 63 of them. */
@inline
function flush(): void {
  store<u64>(out, bytesReversed(held));
  out += fill >> 3;
  held <<= fill & 56;
  fill &= 7;
}

/** Puts the skip of the run, 14 bits at most. */
@inline
function putSkip(): void {
  const skip = load<u32>(skips + (run << 2));
  held |= skipBits(skip) >> fill;
  fill += skip & 31;
  run = 0;
}

/** Puts a player's code after the run before it. */
@inline
function putCode(code: u64): void {
  putSkip();
  // With a skip and seven bits held, no more than 42 bits are sure to fit: codes of entries are longer.
  if (fill + (<u32>code & 63) > 63) flush();
  held |= (code & ~63) >> fill;
  fill += <u32>code & 63;
  flush();
}

/** Fills the last byte of a pass with zeros. */
function align(): void {
  store<u8>(out, <u8>(held >> 56));
  out++;
  held = 0;
  fill = 0;
}

@inline
function listPending(word: usize, members: u64): void {
  for (let left = members & load<u64>(word << 3, PENDING); left != 0; left &= left - 1) {
    store<u32>(listEnd, (<u32>word << 6) + <u32>ctz<u64>(left));
    listEnd += 4;
  }
}

/** A pass of players in view. `plain`: the words that are written by groups. */
function writeLocals(pass: u32, flip: u64, plain: u32): void {
  for (let word: usize = 0; word < WORDS; word++) {
    if (((plain >> <u32>word) & 1) != 0) {
      const end = word + ctz<u32>(~(plain >> <u32>word));
      writeGroups(pass, word, end);
      if (anyPending) {
        for (let each = word; each < end; each++) {
          listPending(each, load<u64>(each << 3, LOCAL) & (load<u64>(each << 3, FLAG) ^ flip));
        }
      }
      word = end - 1;
      continue;
    }
    const members = load<u64>(word << 3, LOCAL) & (load<u64>(word << 3, FLAG) ^ flip);
    if (members == 0) continue;
    writeUpdates(word, members, 0);
  }
}

/** The groups of the words from `word` up to `end`. */
function writeGroups(pass: u32, word: usize, end: usize): void {
  const first = FIRST_GROUP + pass * FIRST_GROUP_PASS;
  const group = load<u32>(first + (word << 2));
  const subsets = SUBSETS + pass * SUBSETS_PASS - load<u32>(first);
  const last = subsets + load<u32>(first + (end << 2));
  let bits = subsetBits + (group << 11);
  let facts = subsetFacts + (group << 10);
  for (let at = subsets + group; at < last; at++, bits += 2048, facts += 1024) {
    const subset: usize = load<u8>(at);
    const fact = load<u32>(facts + (subset << 2));
    run += (fact >> 8) & 15;
    const length = fact & 127;
    if (length == 0) continue;
    putSkip();
    // Up to 64 bits after up to 21 that are held.
    const joined = load<u64>(bits + (subset << 3));
    held |= joined >> fill;
    store<u64>(out, bytesReversed(held));
    let after = fill + length;
    if (after > 63) {
      out += 8;
      held = (joined << 1) << (63 - fill);
      after -= 64;
      store<u64>(out, bytesReversed(held));
    }
    out += after >> 3;
    held <<= after & 56;
    fill = after & 7;
    run = (fact >> 16) & 15;
  }
}

/** The updates among `members` of a word, in ascending order. `enters`: those of them that come into view. */
@inline
function writeUpdates(word: usize, members: u64, enters: u64): void {
  let left = members & load<u64>(word << 3, EVENTS);
  if (left == 0) {
    run += <u32>popcnt<u64>(members);
    return;
  }
  let skipped = members & ~left;
  const kind0 = load<u64>(word << 3, KIND0);
  const kind1 = load<u64>(word << 3, KIND1);
  do {
    const low = left & -left;
    const before = skipped & (low - 1);
    run += <u32>popcnt<u64>(before);
    skipped ^= before;
    const bit = ctz<u64>(left);
    const kind = (<u32>(kind0 >> bit) & 1) | ((<u32>(kind1 >> bit) & 1) << 1) | ((<u32>(enters >> bit) & 1) << 2);
    putCode(load<u64>(codes + (((((word << 6) + <usize>bit) << 3) + kind) << 3)));
    left ^= low;
  } while (left != 0);
  run += <u32>popcnt<u64>(skipped);
  listPending(word, members);
}

/** A pass of players that are not in view. */
function writeExternals(flip: u64): void {
  for (let word: usize = 0; word < WORDS; word++) {
    let members = ~load<u64>(word << 3, LOCAL) & (load<u64>(word << 3, FLAG) ^ flip);
    // Slot 0 is unused.
    if (word == 0) members &= ~1;
    if (members == 0) continue;
    writeUpdates(word, members, load<u64>(word << 3, ENTERS));
  }
}

/** Appends the masks of the listed players. */
function appendMasks(limit: usize, masks: usize): usize {
  let to = out;
  for (let at: usize = MASK_LIST; at < listEnd; at += 4) {
    const player: usize = load<u32>(at);
    const from = masks + load<u32>(maskStart + (player << 2));
    const length: usize = load<u32>(maskLength + (player << 2));
    if (to + length > limit) return TOO_LONG;
    // Sixteen bytes at a time, past the end: the next masks overwrite it.
    let copied: usize = 0;
    do {
      v128.store(to + copied, v128.load(from + copied));
      copied += 16;
    } while (copied < length);
    to += length;
  }
  return to;
}
