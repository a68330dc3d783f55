/** Who is in view of a tile: one AND for each edge of the square, 128 players at a time. */
import { SET } from "./memory";

@inline
function countInto(sum: v128, set: v128): v128 {
  return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(set))));
}

@inline
function total(sum: v128): u32 {
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
}

/**
 * Fills `view` with the players of `level` in a square. `west` and `south` are the prefix sets of all players before it,
 * `east` and `north` those of all players up to its end. Returns how many.
 */
export function viewSquare(view: usize, level: usize, west: usize, east: usize, south: usize, north: usize): u32 {
  let sum = i32x4.splat(0);
  for (let at: usize = 0; at < SET; at += 16) {
    const along = v128.andnot(v128.load(east + at), v128.load(west + at));
    const across = v128.andnot(v128.load(north + at), v128.load(south + at));
    const seen = v128.and(v128.load(level + at), v128.and(along, across));
    v128.store(view + at, seen);
    sum = countInto(sum, seen);
  }
  return total(sum);
}

/** Fills `view` with all players of `level`. Returns how many. */
export function viewLevel(view: usize, level: usize): u32 {
  let sum = i32x4.splat(0);
  for (let at: usize = 0; at < SET; at += 16) {
    const seen = v128.load(level + at);
    v128.store(view + at, seen);
    sum = countInto(sum, seen);
  }
  return total(sum);
}

/** Adds to `view` the players of `far` that are shown first, and removes those that are never shown. Returns how many are left. */
export function applyStandings(view: usize, far: usize, first: usize, never: usize): u32 {
  let sum = i32x4.splat(0);
  for (let at: usize = 0; at < SET; at += 16) {
    const wanted = v128.or(v128.load(view + at), v128.and(v128.load(far + at), v128.load(first + at)));
    const seen = v128.andnot(wanted, v128.load(never + at));
    v128.store(view + at, seen);
    sum = countInto(sum, seen);
  }
  return total(sum);
}
