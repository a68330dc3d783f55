/**
 * What happens between two ticks, for hosts that have no regions of their own. Every function returns whether it was done: not
 * for an index outside of 1..2047, a slot without a player (or, to add one, with a player), or a tile outside of the world.
 */
import { beginPacket, putBits } from "./cursor";
import {
  CHANGED,
  CHOOSY,
  clearSet,
  ENTER_KEPT,
  exclude,
  FIRST,
  HAS,
  include,
  keptByIndex,
  KNOWN,
  KNOWN_TABLE,
  LEVEL,
  MASK_LENGTH,
  MASK_START,
  MASKED,
  NEVER,
  OBSERVING,
  OWED,
  PACKET_END,
  PACKET_START,
  PRESENT,
  QUARTER,
  RADIUS,
  REUSED,
  SENT_LEVEL,
  SENT_X,
  SENT_Z,
  SET,
  SPECIAL,
  state,
  TELEPORTED,
  viewDistance,
  VISIBLE,
  X,
  Z,
} from "./memory";

@inline
function isIndex(index: u32): bool {
  return index - 1 < 2047;
}

@inline
function isPresent(index: u32): bool {
  return isIndex(index) && load<u8>(PRESENT + index) != 0;
}

@inline
function isTile(level: u32, x: u32, z: u32): bool {
  return level < 4 && x < 16384 && z < 16384;
}

function setTile(index: u32, level: u32, x: u32, z: u32): void {
  const at = index << 2;
  store<u32>(X + at, x);
  store<u32>(Z + at, z);
  store<u32>(LEVEL + at, level);
}

/** A player enters the world. */
export function addPlayer(index: u32, level: u32, x: u32, z: u32): bool {
  if (!isIndex(index) || !isTile(level, x, z) || load<u8>(PRESENT + index) != 0) return false;
  const at = index << 2;
  setTile(index, level, x, z);
  store<u32>(SENT_X + at, x);
  store<u32>(SENT_Z + at, z);
  store<u32>(SENT_LEVEL + at, level);
  store<u8>(PRESENT + index, 1);
  store<u8>(TELEPORTED + index, 0);
  include(VISIBLE, index);
  include(REUSED, index);
  return true;
}

/** A player leaves the world, and observes no more. */
export function removePlayer(index: u32): bool {
  if (!isPresent(index)) return false;
  unobserve(index);
  store<u8>(PRESENT + index, 0);
  exclude(VISIBLE, index);
  exclude(MASKED, index);
  exclude(ENTER_KEPT, index);
  for (let which: u32 = 0; which < 4; which++) exclude(HAS + which * SET, index);
  for (let observer: u32 = 1; observer < 2048; observer++) {
    if (load<u8>(CHOOSY + observer) != 0) stand(observer, index, 0);
  }
  return true;
}

/** A player walks, runs, or jumps on its level. */
export function movePlayer(index: u32, x: u32, z: u32): bool {
  if (!isPresent(index) || !isTile(0, x, z)) return false;
  store<u32>(X + (index << 2), x);
  store<u32>(Z + (index << 2), z);
  return true;
}

/** A player is put on a tile, however near. */
export function teleportPlayer(index: u32, level: u32, x: u32, z: u32): bool {
  if (!isPresent(index) || !isTile(level, x, z)) return false;
  setTile(index, level, x, z);
  store<u8>(TELEPORTED + index, 1);
  return true;
}

/** Hides a player from all observers but itself, or shows it again. */
export function hidePlayer(index: u32, isHidden: bool): bool {
  if (!isPresent(index)) return false;
  if (isHidden) exclude(VISIBLE, index);
  else include(VISIBLE, index);
  return true;
}

/** How an observer is shown a player: 0 like others, 1 before others, 2 never. */
export function setStanding(observer: u32, index: u32, standing: u32): bool {
  if (!isPresent(observer) || !isPresent(index) || standing > 2) return false;
  if (observer != index) stand(observer, index, standing);
  return true;
}

function stand(observer: u32, index: u32, standing: u32): void {
  const first = FIRST + observer * SET;
  const never = NEVER + observer * SET;
  exclude(first, index);
  exclude(never, index);
  if (standing == 1) include(first, index);
  if (standing == 2) include(never, index);
  let any = i32x4.splat(0);
  for (let at: usize = 0; at < SET; at += 16) {
    any = v128.or(any, v128.or(v128.load(first + at), v128.load(never + at)));
  }
  store<u8>(CHOOSY + observer, v128.any_true(any) ? 1 : 0);
}

/** The masks of a player in this tick are `length` bytes at `start`, from the start of the masks on. */
export function setMasks(index: u32, start: u32, length: u32): bool {
  if (!isPresent(index) || length == 0) return false;
  include(MASKED, index);
  store<u32>(MASK_START + (index << 2), start);
  store<u32>(MASK_LENGTH + (index << 2), length);
  return true;
}

/** A player has a new block of a kind that clients keep by index, which is among its masks of this tick. */
export function setKept(index: u32, kind: u32): bool {
  if (!isPresent(index) || kind >= keptByIndex) return false;
  include(HAS + kind * SET, index);
  include(CHANGED + kind * SET, index);
  return true;
}

/** Whether a player has blocks of other kinds, that are sent whenever it comes into view. */
export function setEntering(index: u32, has: bool): bool {
  if (!isPresent(index)) return false;
  if (has) include(ENTER_KEPT, index);
  else exclude(ENTER_KEPT, index);
  return true;
}

/** A player begins to observe, or begins again. Its client knows nothing but the initialisation. */
export function observe(index: u32): bool {
  if (!isPresent(index)) return false;
  const row = state + (index << 9);
  memory.fill(row, 0, 512);
  const own = row + ((index >> 5) << 3);
  store<u32>(own, 1 << (index & 31));
  for (let kind: usize = 0; kind < 4; kind++) clearSet(KNOWN + kind * KNOWN_TABLE + index * SET);
  store<u8>(OBSERVING + index, 1);
  store<u8>(OWED + index, 1);
  store<u8>(SPECIAL + index, 0);
  store<i32>(RADIUS + (index << 2), viewDistance);
  forgetPacket(index);
  return true;
}

function forgetPacket(index: u32): void {
  store<u32>(PACKET_START + (index << 2), 0);
  store<u32>(PACKET_END + (index << 2), 0);
}

/** No more packets for this player. */
export function unobserve(index: u32): bool {
  if (!isPresent(index)) return false;
  store<u8>(OBSERVING + index, 0);
  store<u8>(CHOOSY + index, 0);
  clearSet(FIRST + index * SET);
  clearSet(NEVER + index * SET);
  forgetPacket(index);
  return true;
}

/** Whether an observer has a player in view. */
export function sees(observer: u32, index: u32): bool {
  if (!isPresent(observer) || !isIndex(index)) return false;
  return hasIn(state + (observer << 9), index);
}

/** Whether a set that alternates with another has a player. */
@inline
function hasIn(set: usize, index: u32): bool {
  return ((load<u32>(set + ((index >> 5) << 3)) >> (index & 31)) & 1) != 0;
}

/** Writes the initialisation of an observer, 4,608 bytes and seven more, which mean nothing, to `to`. */
export function writeInitialisation(index: u32, to: usize): bool {
  if (!isPresent(index)) return false;
  const at = index << 2;
  beginPacket(to);
  putBits(load<u32>(SENT_LEVEL + at), 2);
  putBits(load<u32>(SENT_X + at), 14);
  putBits(load<u32>(SENT_Z + at), 14);
  for (let other: u32 = 1; other < 2048; other++) {
    if (other == index) continue;
    const quarter = load<u32>(QUARTER + (other << 2));
    putBits(((quarter >> 12) & 0x3_0000) | ((quarter >> 6) & 0xff00) | (quarter & 0xff), 18);
  }
  return true;
}
