/**
 * The packet of one observer: its sets by set algebra, then the four passes bit by bit, then the masks.
 *
 * The cursor is held in variables of the module: bits not yet stored, the first the highest, and their number. Every put
 * stores eight bytes and keeps the last, unfinished byte.
 */
import { gatherSubsets, prepareCrowd, skipBits } from "./crowd";
import { lacking } from "./known";
import {
  addedFlags,
  aligns,
  CODES,
  COMBINATIONS,
  ENTER_KEPT,
  ENTERS,
  EVENTS,
  FIRST_GROUP,
  FIRST_GROUP_PASS,
  FLAG,
  HAS,
  keptByIndex,
  KIND0,
  KIND1,
  KNOWN,
  KNOWN_TABLE,
  LEAVES,
  LOCAL,
  MASK_LENGTH,
  MASK_LIST,
  MASK_START,
  masks,
  MOVED,
  next,
  OWED_MASKS,
  passFlags,
  PENDING,
  QUARTER_MOVED,
  REUSED,
  SET,
  SKIPS,
  state,
  SUBSET_BITS,
  SUBSET_FACTS,
  SUBSETS,
  SUBSETS_PASS,
  VARIANT_LENGTH,
  VARIANT_START,
  VARIANT_TICK,
  VIEW,
  WORDS,
} from "./memory";

/** Masks of this packet are not composed yet: nothing is written. */
export const WANTS_MASKS: usize = 1;
/** The packet would be too long: nothing is written. */
export const TOO_LONG_PACKET: usize = 0;
/** The combination's bit for blocks that are sent whenever a player comes into view. */
const ENTERING: u32 = 16;

// The cursor.
let out: usize = 0;
let held: u64 = 0;
let fill: u32 = 0;
/** Players of the pass that are skipped since its last update. */
let run: u32 = 0;
/** The end of the list of players with masks. */
let listEnd: usize = 0;
let anyPending: bool = false;
let anyOwed: bool = false;
let variantTick: u32 = 0;

export function setVariantTick(tick: u32): void {
  variantTick = tick;
}

/** How many players are listed. */
export function listed(): u32 {
  return <u32>((listEnd - MASK_LIST) >> 2);
}

/**
 * Writes the packet of an observer, whose view is {@link VIEW}.
 *
 * @param masked the players with masks
 * @param own whether they are other players than those for everybody
 * @param start where the packet begins, and `limit` where it must end
 * @param isCrowd whether to write locals by groups; the bytes are the same
 * @returns the end of the packet, or {@link TOO_LONG_PACKET}, or {@link WANTS_MASKS}
 */
export function writePacket(observer: u32, masked: usize, own: bool, start: usize, limit: usize, isCrowd: bool): usize {
  sortPlayers(observer, masked, own);
  if (anyOwed && requestMasks(observer)) return WANTS_MASKS;
  if (isCrowd) prepareCrowd();
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
  return appendMasks(limit);
}

/** Fills the sets of the observer and its next state. */
function sortPlayers(observer: u32, masked: usize, own: bool): void {
  const from = state + (observer << 9);
  const to = next + (observer << 9);
  const added = i32x4.splat(addedFlags);
  const owing = own ? i32x4.splat(-1) : i32x4.splat(0);
  let waiting = i32x4.splat(0);
  let owedAny = i32x4.splat(0);
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
    const sees = v128.load(VIEW + at);
    // A new player of a slot is new to all observers but itself.
    const stay = v128.andnot(v128.and(local, sees), v128.load(at, REUSED));
    const leaves = v128.andnot(local, stay);
    // Into view, or into it again: removed and added in one packet.
    const enters = v128.andnot(sees, stay);
    const news = v128.andnot(sees, local);
    const quarters = v128.andnot(v128.load(at, QUARTER_MOVED), v128.or(local, sees));
    const mask = v128.load(masked + at);
    const acts = v128.and(stay, v128.or(v128.load(at, MOVED), mask));
    const events = v128.or(v128.or(leaves, acts), v128.or(news, quarters));
    const nextFlag = v128.or(v128.not(events), v128.and(news, added));
    v128.store(to + (at << 1), v128.shuffle<i32>(sees, nextFlag, 0, 4, 1, 5));
    v128.store(to + (at << 1), v128.shuffle<i32>(sees, nextFlag, 2, 6, 3, 7), 16);
    let pending = v128.and(sees, mask);
    let owed = v128.and(v128.and(stay, mask), owing);
    if (v128.any_true(news)) owed = v128.or(owed, v128.and(news, v128.or(v128.load(at, ENTER_KEPT), lacking(observer, at))));
    pending = v128.or(pending, owed);
    owedAny = v128.or(owedAny, owed);
    waiting = v128.or(waiting, pending);
    v128.store(at, local, LOCAL);
    v128.store(at, flag, FLAG);
    v128.store(at, events, EVENTS);
    v128.store(at, enters, ENTERS);
    v128.store(at, pending, PENDING);
    v128.store(at, leaves, LEAVES);
    v128.store(at, owed, OWED_MASKS);
    v128.store(at, v128.or(quarters, pending), KIND0);
    v128.store(at, v128.or(leaves, quarters), KIND1);
  }
  store<u32>(self, reused);
  anyPending = v128.any_true(waiting);
  anyOwed = v128.any_true(owedAny);
}

/** Finds the combinations of blocks that the observer is owed, and lists those that are not composed yet. Returns whether there are any. */
function requestMasks(observer: u32): bool {
  listEnd = MASK_LIST;
  for (let word: usize = 0; word < WORDS; word++) {
    const enters = load<u64>(word << 3, ENTERS);
    const entering = enters & load<u64>(word << 3, ENTER_KEPT);
    for (let left = load<u64>(word << 3, OWED_MASKS); left != 0; left &= left - 1) {
      const bit = ctz<u64>(left);
      let combination: u32 = ((entering >> bit) & 1) != 0 ? ENTERING : 0;
      for (let which: u32 = 0; which < keptByIndex; which++) {
        const knows = load<u64>(KNOWN + which * KNOWN_TABLE + observer * SET + (word << 3));
        const has = load<u64>(HAS + which * SET + (word << 3));
        combination |= <u32>(((has & ~knows) >> bit) & 1) << which;
      }
      const player = (<u32>word << 6) + <u32>bit;
      store<u8>(COMBINATIONS + player, <u8>combination);
      const variant = ((player << 5) + combination) << 2;
      if (combination == 0 || load<u32>(VARIANT_TICK + variant) == variantTick) continue;
      store<u32>(listEnd, player | (combination << 11));
      listEnd += 4;
    }
  }
  return listEnd != MASK_LIST;
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
  const skip = load<u32>(SKIPS + (run << 2));
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
  const owed: u64 = anyOwed ? load<u64>(word << 3, OWED_MASKS) : 0;
  for (let left = members & load<u64>(word << 3, PENDING); left != 0; left &= left - 1) {
    const bit = ctz<u64>(left);
    let entry = (<u32>word << 6) + <u32>bit;
    if (((owed >> bit) & 1) != 0) entry |= <u32>load<u8>(COMBINATIONS + entry) << 11;
    store<u32>(listEnd, entry);
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
    writeUpdates(word, members, load<u64>(word << 3, ENTERS));
  }
}

/** The groups of the words from `word` up to `end`. */
function writeGroups(pass: u32, word: usize, end: usize): void {
  const first = FIRST_GROUP + pass * FIRST_GROUP_PASS;
  const group = load<u32>(first + (word << 2));
  const subsets = SUBSETS + pass * SUBSETS_PASS - load<u32>(first);
  const last = subsets + load<u32>(first + (end << 2));
  let bits = SUBSET_BITS + (group << 11);
  let facts = SUBSET_FACTS + (group << 10);
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
    putCode(load<u64>(CODES + (((((word << 6) + <usize>bit) << 3) + kind) << 3)));
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
function appendMasks(limit: usize): usize {
  let to = out;
  for (let at: usize = MASK_LIST; at < listEnd; at += 4) {
    const entry: usize = load<u32>(at);
    let start = MASK_START + (entry << 2);
    let size = MASK_LENGTH + (entry << 2);
    if (entry > 2047) {
      const variant = ((entry & 2047) << 7) + ((entry >> 11) << 2);
      start = VARIANT_START + variant;
      size = VARIANT_LENGTH + variant;
    }
    const from = masks + load<u32>(start);
    const length: usize = load<u32>(size);
    if (to + length > limit) return TOO_LONG_PACKET;
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
