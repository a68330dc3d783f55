/**
 * The cursor of the packet that is written, in variables of the module: bits not yet stored, the first the highest, and their
 * number. Every put stores eight bytes and keeps the last, unfinished byte. And the list of the players whose masks follow.
 */
import { MASK_LIST, own, SKIPS } from "./memory";

export let out: usize = 0;
export let held: u64 = 0;
export let fill: u32 = 0;
/** Players of the pass that are skipped since its last update. */
export let run: u32 = 0;
/** The end of the list of players with masks. */
export let listEnd: usize = MASK_LIST;

/** Begins a packet. */
export function beginPacket(start: usize): void {
  setCursor(start, 0, 0);
  listEnd = own() + MASK_LIST;
}

@inline
export function setCursor(at: usize, bits: u64, count: u32): void {
  out = at;
  held = bits;
  fill = count;
}

@inline
export function setRun(count: u32): void {
  run = count;
}

@inline
export function setListEnd(end: usize): void {
  listEnd = end;
}

/** Lists a player whose masks follow. `entry`: its index, and the combination of its blocks << 11. */
@inline
export function list(entry: u32): void {
  store<u32>(listEnd, entry);
  listEnd += 4;
}

/** How many players are listed. */
export function listed(): u32 {
  return <u32>((listEnd - own() - MASK_LIST) >> 2);
}

/** The bits of a skip, left-aligned in 64. */
@inline
export function skipBits(skip: u32): u64 {
  return <u64>(skip & ~31) << 32;
}

@inline
export function storeReversed(to: usize, word: u64): void {
  // Faster than shifts, and than what compilers make of them.
  const both = i64x2.splat(word);
  const reversed = i8x16.shuffle(both, both, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0);
  v128.store_lane<u64>(to, reversed, 0);
}

/** Stores the whole bytes of the bits that are held: at most 63 of them. */
@inline
export function flush(): void {
  storeReversed(out, held);
  out += fill >> 3;
  held <<= fill & 56;
  fill &= 7;
}

/** Puts the skip of the run, 14 bits at most. */
@inline
export function putSkip(): void {
  const skip = load<u32>(SKIPS + (run << 2));
  held |= skipBits(skip) >> fill;
  fill += skip & 31;
  run = 0;
}

/** Puts a player's code after the run before it. */
@inline
export function putCode(code: u64): void {
  putSkip();
  // With a skip and seven bits held, no more than 42 bits are sure to fit: codes of entries are longer.
  if (fill + (<u32>code & 63) > 63) flush();
  held |= (code & ~63) >> fill;
  fill += <u32>code & 63;
  flush();
}

/** Fills the last byte of a pass with zeros. */
export function align(): void {
  store<u8>(out, <u8>(held >> 56));
  out++;
  held = 0;
  fill = 0;
}

/** Puts the low `width` bits of a number, up to 32. */
export function putBits(value: u32, width: u32): void {
  held |= (<u64>value << (64 - width)) >> fill;
  fill += width;
  flush();
}
