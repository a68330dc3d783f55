/**
 * The players that an observer has in view: those within its distance, which shrinks when there are too many and grows again
 * when there is room; plus the players that it is shown first, minus those that it is never shown.
 */
import {
  CHOOSY,
  clearSet,
  copySet,
  FAR_VIEW,
  FIRST,
  include,
  inSet,
  LEVEL,
  maxLocals,
  NEVER,
  OTHER_VIEW,
  OWN_VIEW,
  own,
  RADIUS,
  SET,
  state,
  viewDistance,
  VISIBLE,
  VISIBLE_LIST,
  VISIBLE_ON,
  WORDS,
  X,
  X_RANK,
  X_SETS,
  Z,
  Z_RANK,
  Z_SETS,
} from "./memory";

const WORLD_TILES: i32 = 16384;
/** While a shrunk view is nearly full, it tries to grow once in this many ticks. */
const GROW_TICKS: u32 = 5;
/** A view grows only into so many tenths of its limit, so that it does not shrink again at once. */
const GROW_TENTHS: u64 = 9;

/** Number of visible players. */
export let visibleCount: u32 = 0;
let ticks: u32 = 0;
// The smallest and the greatest coordinates of visible players.
let west: i32 = 0;
let east: i32 = 0;
let south: i32 = 0;
let north: i32 = 0;

@inline
function countInto(sum: v128, set: v128): v128 {
  return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(set))));
}

@inline
function total(sum: v128): u32 {
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
}

/** What {@link makeViewSets} has found, from the first thread to the others. */
export function shareViews(at: usize): void {
  store<u32>(at, visibleCount);
  store<u32>(at, ticks, 4);
  store<i32>(at, west, 8);
  store<i32>(at, east, 12);
  store<i32>(at, south, 16);
  store<i32>(at, north, 20);
}

export function takeViews(at: usize): void {
  visibleCount = load<u32>(at);
  ticks = load<u32>(at, 4);
  west = load<i32>(at, 8);
  east = load<i32>(at, 12);
  south = load<i32>(at, 16);
  north = load<i32>(at, 20);
}

/** Makes the sets of this tick from the visible players. */
export function makeViewSets(tick: u32): void {
  ticks = tick;
  for (let level: usize = 0; level < 4; level++) clearSet(VISIBLE_ON + level * SET);
  let count: u32 = 0;
  west = WORLD_TILES;
  south = WORLD_TILES;
  east = -1;
  north = -1;
  for (let word: usize = 0; word < WORDS; word++) {
    for (let left = load<u64>(word << 3, VISIBLE); left != 0; left &= left - 1) {
      const player = (<u32>word << 6) + <u32>ctz<u64>(left);
      store<u32>(VISIBLE_LIST + (count++ << 2), player);
      include(VISIBLE_ON + load<u32>(LEVEL + (player << 2)) * SET, player);
      const x = load<i32>(X + (player << 2));
      const z = load<i32>(Z + (player << 2));
      west = min(west, x);
      east = max(east, x);
      south = min(south, z);
      north = max(north, z);
    }
  }
  visibleCount = count;
  makePrefixSets(X, X_RANK, X_SETS, west, east);
  makePrefixSets(Z, Z_RANK, Z_SETS, south, north);
}

/** Makes the prefix sets of an axis, and for every coordinate of `from` to `to` the place of its set. */
function makePrefixSets(coordinates: usize, rank: usize, sets: usize, from: i32, to: i32): void {
  clearSet(sets);
  if (to < from) return;
  memory.fill(rank + (<usize>from << 2), 0, <usize>(to - from + 1) << 2);
  const count = visibleCount;
  for (let at: usize = 0; at < count; at++) {
    const player = load<u32>(VISIBLE_LIST + (at << 2));
    store<u32>(rank + (load<u32>(coordinates + (player << 2)) << 2), SET);
  }
  let place: u32 = 0;
  for (let at = rank + (<usize>from << 2), last = rank + (<usize>to << 2); at <= last; at += 4) {
    place += load<u32>(at);
    store<u32>(at, place);
  }
  memory.fill(sets + SET, 0, place);
  for (let at: usize = 0; at < count; at++) {
    const player = load<u32>(VISIBLE_LIST + (at << 2));
    include(sets + load<u32>(rank + (load<u32>(coordinates + (player << 2)) << 2)), player);
  }
  for (let at = sets + SET, end = sets + SET + place; at < end; at += 16) {
    v128.store(at, v128.or(v128.load(at), v128.load(at - SET)));
  }
}

/** The set of the players whose coordinate is not greater. */
@inline
function setBefore(rank: usize, sets: usize, from: i32, to: i32, coordinate: i32): usize {
  return coordinate < from ? sets : sets + load<u32>(rank + (<usize>min(coordinate, to) << 2));
}

/** Fills `view` with the visible players of a level, at most `distance` tiles away on each axis. Returns how many. */
function within(view: usize, level: usize, x: i32, z: i32, distance: i32): u32 {
  const on = VISIBLE_ON + level * SET;
  let sum = i32x4.splat(0);
  if (distance >= WORLD_TILES) {
    for (let at: usize = 0; at < SET; at += 16) {
      const seen = v128.load(on + at);
      v128.store(view + at, seen);
      sum = countInto(sum, seen);
    }
    return total(sum);
  }
  const before = setBefore(X_RANK, X_SETS, west, east, x - distance - 1);
  const upTo = setBefore(X_RANK, X_SETS, west, east, x + distance);
  const below = setBefore(Z_RANK, Z_SETS, south, north, z - distance - 1);
  const above = setBefore(Z_RANK, Z_SETS, south, north, z + distance);
  for (let at: usize = 0; at < SET; at += 16) {
    const along = v128.andnot(v128.load(upTo + at), v128.load(before + at));
    const across = v128.andnot(v128.load(above + at), v128.load(below + at));
    const seen = v128.and(v128.load(on + at), v128.and(along, across));
    v128.store(view + at, seen);
    sum = countInto(sum, seen);
  }
  return total(sum);
}

/** Fills `view` with the players that an observer has in view at a distance. Returns how many. */
function viewAt(observer: u32, distance: i32, view: usize): u32 {
  const level: usize = load<u32>(LEVEL + (observer << 2));
  const x = load<i32>(X + (observer << 2));
  const z = load<i32>(Z + (observer << 2));
  let count = within(view, level, x, z, distance);
  if (!inSet(view, observer)) {
    include(view, observer);
    count++;
  }
  if (load<u8>(CHOOSY + observer) == 0) return count;
  const far = own() + FAR_VIEW;
  within(far, level, x, z, viewDistance);
  const first = FIRST + observer * SET;
  const never = NEVER + observer * SET;
  let sum = i32x4.splat(0);
  for (let at: usize = 0; at < SET; at += 16) {
    const wanted = v128.or(v128.load(view + at), v128.and(v128.load(far + at), v128.load(first + at)));
    const seen = v128.andnot(wanted, v128.load(never + at));
    v128.store(view + at, seen);
    sum = countInto(sum, seen);
  }
  return total(sum);
}

/** Puts the players that the observer is to have in view into {@link OWN_VIEW}. Returns how many. */
export function choose(observer: u32): u32 {
  const radius = load<i32>(RADIUS + (observer << 2));
  const view = own() + OWN_VIEW;
  const count = viewAt(observer, radius, view);
  if (count > maxLocals) {
    const fewer = shrink(observer, radius);
    return fewer > maxLocals ? chooseOnTile(observer) : fewer;
  }
  if (radius >= viewDistance) return count;
  const side: u64 = <u64>radius * 2 + 1;
  const fits = <u64>count * (side + 2) * (side + 2) * 10 <= <u64>maxLocals * GROW_TENTHS * side * side;
  if (!fits && (ticks + observer) % GROW_TICKS != 0) return count;
  const wider = own() + OTHER_VIEW;
  const more = viewAt(observer, radius + 1, wider);
  if (<u64>more * 10 > <u64>maxLocals * GROW_TENTHS) return count;
  store<i32>(RADIUS + (observer << 2), radius + 1);
  copySet(view, wider);
  return more;
}

/** Shrinks a view to the greatest distance that fits, or to 0: one tile if that is enough, otherwise by binary search. */
function shrink(observer: u32, radius: i32): u32 {
  const view = own() + OWN_VIEW;
  let low: i32 = 0;
  let high = radius - 1;
  let middle = high;
  while (low < high) {
    if (viewAt(observer, middle, view) <= maxLocals) low = middle;
    else high = middle - 1;
    middle = (low + high + 1) >> 1;
  }
  store<i32>(RADIUS + (observer << 2), low);
  return viewAt(observer, low, view);
}

/**
 * The observer's own tile has more players than the view may hold. Takes the observer, players that it is shown first,
 * players already in view, then others by index, from a start that differs by observer and tick.
 */
function chooseOnTile(observer: u32): u32 {
  const view = own() + OWN_VIEW;
  const all = own() + OTHER_VIEW;
  copySet(all, view);
  clearSet(view);
  include(view, observer);
  const start = (observer * 37 + ticks * 11) & 2047;
  let count: u32 = 1;
  for (let turn = 0; turn < 3; turn++) {
    for (let step: u32 = 0; step < 2048 && count < maxLocals; step++) {
      const player = (start + step) & 2047;
      if (!inSet(all, player) || inSet(view, player)) continue;
      if (turn == 0 && !inSet(FIRST + observer * SET, player)) continue;
      // Players in view and flags alternate, 32 bits each.
      const local = load<u32>(state + (observer << 9) + ((player >> 5) << 3));
      if (turn == 1 && ((local >> (player & 31)) & 1) == 0) continue;
      include(view, player);
      count++;
    }
  }
  return count;
}
