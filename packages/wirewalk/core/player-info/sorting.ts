/** What an observer's packet has: its sets, by set algebra, and its next state; and the masks that must be composed for it. */
import { list, listEnd, setListEnd } from "./cursor";
import { lacking } from "./known";
import {
  addedFlags,
  COMBINATIONS,
  ENTER_KEPT,
  ENTERS,
  EVENTS,
  FLAG,
  HAS,
  keptByIndex,
  KIND0,
  KIND1,
  KNOWN,
  KNOWN_TABLE,
  LEAVES,
  LOCAL,
  MASK_LIST,
  MOVED,
  NEWCOMERS,
  next,
  OWED_MASKS,
  OWN_VIEW,
  own,
  PENDING,
  QUARTER_MOVED,
  SET,
  state,
  VARIANT_TICK,
  WORDS,
} from "./memory";
import { isTurn, missMasks } from "./threads";

/** The combination's bit for blocks that are sent whenever a player comes into view. */
const ENTERING: u32 = 16;

/** Whether masks follow. */
export let anyPending: bool = false;
/** Whether some of them have blocks beside those of the tick. */
export let anyOwed: bool = false;
/** Whether all updates are moves, removals and entries with the masks of the tick. */
export let isUsual: bool = false;
/** Players that came into an observer's view in this tick, of all observers. */
export let entered: u32 = 0;
export let variantTick: u32 = 0;

export function setVariantTick(tick: u32): void {
  variantTick = tick;
  entered = 0;
}

/** Adds those that other threads have counted. */
export function addEntered(count: u32): void {
  entered += count;
}

/** Fills the sets of the observer and its next state. `isMute`: the packet has no masks. */
export function sortPlayers(observer: u32, masked: usize, isOwn: bool, isMute: bool): void {
  const area = own();
  const from = state + (observer << 9);
  const to = next + (observer << 9);
  const added = i32x4.splat(addedFlags);
  const owing = isOwn ? i32x4.splat(-1) : i32x4.splat(0);
  let waiting = i32x4.splat(0);
  let owedAny = i32x4.splat(0);
  let unusual = i32x4.splat(isOwn || isMute ? -1 : 0);
  // The observer itself may be new in its slot.
  const self = area + NEWCOMERS + ((observer >> 5) << 2);
  const reused = load<u32>(self);
  store<u32>(self, reused & ~(1 << (observer & 31)));
  for (let at: usize = 0; at < SET; at += 16) {
    // Players in view and flags alternate, 32 bits each.
    const low = v128.load(from + (at << 1));
    const high = v128.load(from + (at << 1), 16);
    const local = v128.shuffle<i32>(low, high, 0, 2, 4, 6);
    const flag = v128.shuffle<i32>(low, high, 1, 3, 5, 7);
    const sees = v128.load(area + at, OWN_VIEW);
    // A new player of a slot is new to all observers but itself.
    const stay = v128.andnot(v128.and(local, sees), v128.load(area + at, NEWCOMERS));
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
    if (v128.any_true(news)) {
      entered += <u32>popcnt<u64>(i64x2.extract_lane(news, 0)) + <u32>popcnt<u64>(i64x2.extract_lane(news, 1));
      if (!isMute) owed = v128.or(owed, v128.and(news, v128.or(v128.load(at, ENTER_KEPT), lacking(observer, at))));
    }
    pending = v128.or(pending, owed);
    owedAny = v128.or(owedAny, owed);
    unusual = v128.or(unusual, v128.or(quarters, v128.xor(enters, news)));
    waiting = v128.or(waiting, pending);
    v128.store(area + at, local, LOCAL);
    v128.store(area + at, flag, FLAG);
    v128.store(area + at, events, EVENTS);
    v128.store(area + at, enters, ENTERS);
    v128.store(area + at, pending, PENDING);
    v128.store(area + at, leaves, LEAVES);
    v128.store(area + at, owed, OWED_MASKS);
    v128.store(area + at, v128.or(quarters, pending), KIND0);
    v128.store(area + at, v128.or(leaves, quarters), KIND1);
  }
  store<u32>(self, reused);
  anyPending = v128.any_true(waiting);
  anyOwed = v128.any_true(owedAny);
  isUsual = !anyOwed && !v128.any_true(unusual);
}

/** Finds the combinations of blocks that the observer is owed, and lists those that are not composed yet. Returns whether it misses any. */
export function requestMasks(observer: u32): bool {
  const area = own();
  let misses = false;
  setListEnd(area + MASK_LIST);
  for (let word: usize = 0; word < WORDS; word++) {
    const enters = load<u64>(area + (word << 3), ENTERS);
    const entering = enters & load<u64>(word << 3, ENTER_KEPT);
    for (let left = load<u64>(area + (word << 3), OWED_MASKS); left != 0; left &= left - 1) {
      const bit = ctz<u64>(left);
      let combination: u32 = ((entering >> bit) & 1) != 0 ? ENTERING : 0;
      for (let which: u32 = 0; which < keptByIndex; which++) {
        const knows = load<u64>(KNOWN + which * KNOWN_TABLE + observer * SET + (word << 3));
        const has = load<u64>(HAS + which * SET + (word << 3));
        combination |= <u32>(((has & ~knows) >> bit) & 1) << which;
      }
      const player = (<u32>word << 6) + <u32>bit;
      store<u8>(area + COMBINATIONS + player, <u8>combination);
      const variant = ((player << 5) + combination) << 2;
      if (combination == 0 || load<u32>(VARIANT_TICK + variant) == variantTick) continue;
      misses = true;
      const entry = player | (combination << 11);
      if (THREADS != 0 && isTurn) missMasks(entry, variant, variantTick);
      else list(entry);
    }
  }
  return misses;
}
