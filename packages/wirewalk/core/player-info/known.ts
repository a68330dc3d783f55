/** The present blocks kept by index that each observer's client has: as `known-blocks.ts` of the engine. */
import { CHANGED, HAS, keptByIndex, KNOWN, KNOWN_TABLE, LACKED, next, SET, state } from "./memory";

/** Bit n: any player has a new block of kind n in this tick. */
export let changedKinds: u32 = 0;

export function setChangedKinds(kinds: u32): void {
  changedKinds = kinds;
}

export function findChangedKinds(): void {
  changedKinds = 0;
  for (let which: usize = 0; which < keptByIndex; which++) {
    let any = i32x4.splat(0);
    for (let at: usize = 0; at < SET; at += 16) any = v128.or(any, v128.load(CHANGED + which * SET + at));
    if (v128.any_true(any)) changedKinds |= 1 << <u32>which;
  }
}

/** The players in view of 128 slots of a row of states. */
@inline
function localsOf(row: usize, at: usize): v128 {
  return v128.shuffle<i32>(v128.load(row + (at << 1)), v128.load(row + (at << 1), 16), 0, 2, 4, 6);
}

/** After a packet: the observer has the kept blocks of all players in view, and no new blocks of the others. */
export function updateKnown(observer: u32): void {
  const before = state + (observer << 9);
  const after = next + (observer << 9);
  let lacked = i32x4.splat(0);
  for (let which: usize = 0; which < keptByIndex; which++) {
    const knows = KNOWN + which * KNOWN_TABLE + observer * SET;
    const has = HAS + which * SET;
    const changed = ((changedKinds >> <u32>which) & 1) != 0 ? i32x4.splat(-1) : i32x4.splat(0);
    for (let at: usize = 0; at < SET; at += 16) {
      const local = localsOf(after, at);
      const enters = v128.andnot(local, localsOf(before, at));
      const fresh = v128.and(changed, v128.load(CHANGED + which * SET + at));
      if (!v128.any_true(v128.or(enters, fresh))) continue;
      const known = v128.load(knows + at);
      const having = v128.load(has + at);
      const sent = v128.and(v128.or(enters, v128.and(local, fresh)), having);
      lacked = v128.or(lacked, v128.andnot(v128.and(enters, having), known));
      v128.store(knows + at, v128.or(v128.andnot(known, fresh), sent));
    }
  }
  store<u8>(LACKED + observer, v128.any_true(lacked) ? 1 : 0);
}

/** The same for an observer that was owed blocks of players in view: it has all of them now. */
export function updateOwed(observer: u32): void {
  const after = next + (observer << 9);
  for (let which: usize = 0; which < keptByIndex; which++) {
    const knows = KNOWN + which * KNOWN_TABLE + observer * SET;
    for (let at: usize = 0; at < SET; at += 16) {
      const kept = v128.andnot(v128.load(knows + at), v128.load(CHANGED + which * SET + at));
      v128.store(knows + at, v128.or(kept, v128.and(localsOf(after, at), v128.load(HAS + which * SET + at))));
    }
  }
}

/** The same for a packet without masks: the observer does not have new blocks. */
export function forgetChanged(observer: u32): void {
  for (let which: usize = 0; which < keptByIndex; which++) {
    const knows = KNOWN + which * KNOWN_TABLE + observer * SET;
    for (let at: usize = 0; at < SET; at += 16) {
      v128.store(knows + at, v128.andnot(v128.load(knows + at), v128.load(CHANGED + which * SET + at)));
    }
  }
}

/** Players with a block kept by index that the observer's client does not have, among 128 slots. */
@inline
export function lacking(observer: u32, at: usize): v128 {
  let lacks = i32x4.splat(0);
  for (let which: usize = 0; which < keptByIndex; which++) {
    const knows = v128.load(KNOWN + which * KNOWN_TABLE + observer * SET + at);
    lacks = v128.or(lacks, v128.andnot(v128.load(HAS + which * SET + at), knows));
  }
  return lacks;
}

/** Whether two observers lacked the same blocks: none of the players that come into the view of `twin`. */
export function lacksAsTwin(observer: u32, twin: u32): bool {
  if (load<u8>(LACKED + twin) != 0) return false;
  if (keptByIndex == 0) return true;
  const before = state + (twin << 9);
  const after = next + (twin << 9);
  for (let at: usize = 0; at < SET; at += 16) {
    const enters = v128.andnot(localsOf(after, at), localsOf(before, at));
    if (v128.any_true(v128.and(enters, lacking(observer, at)))) return false;
  }
  return true;
}
