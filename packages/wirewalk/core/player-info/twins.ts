/** Observers with the same view and the same state get the same bytes: found again by the observer's tile. */
import { lacksAsTwin } from "./known";
import { LEVEL, next, own, RADIUS, state, TWIN_HEADS, TWIN_NEXT, X, Z } from "./memory";

const WORLD_TILES: i32 = 16384;
/** Observers on one tile whose packets are compared before an observer gets one of its own. */
const MAX_TWINS: u32 = 4;
/** Bytes of a row of states. */
const ROW: usize = 512;

export function forgetTwins(): void {
  memory.fill(own() + TWIN_HEADS, 0, 4096 * 2);
}

/** The list of the observers with the same hash of their tile. */
function listOf(observer: u32): usize {
  const at = observer << 2;
  // Without a distance the tile does not matter.
  const isEndless = load<i32>(RADIUS + at) >= WORLD_TILES;
  const tile: u32 = isEndless ? 0 : (load<u32>(X + at) << 14) | load<u32>(Z + at);
  return own() + TWIN_HEADS + ((((tile + load<u32>(LEVEL + at)) * 0x9e37_79b1) >> 20) << 1);
}

export function addTwin(observer: u32): void {
  const list = listOf(observer);
  store<u16>(own() + TWIN_NEXT + (observer << 1), load<u16>(list));
  store<u16>(list, <u16>observer);
}

/**
 * An observer of this tick with the packet that `observer` would get, or 0. Its next state is copied into that of `observer`.
 */
export function findTwin(observer: u32): u32 {
  const at = observer << 2;
  const radius = load<i32>(RADIUS + at);
  const level = load<i32>(LEVEL + at);
  const x = load<i32>(X + at);
  const z = load<i32>(Z + at);
  const isEndless = radius >= WORLD_TILES;
  let twin: u32 = load<u16>(listOf(observer));
  for (let tries: u32 = 0; twin != 0 && tries < MAX_TWINS; tries++, twin = load<u16>(own() + TWIN_NEXT + (twin << 1))) {
    const other = twin << 2;
    if (load<i32>(LEVEL + other) != level || load<i32>(RADIUS + other) != radius) continue;
    if (!isEndless && (load<i32>(X + other) != x || load<i32>(Z + other) != z)) continue;
    if (!isSameState(observer, twin) || !lacksAsTwin(observer, twin)) continue;
    memory.copy(next + observer * ROW, next + twin * ROW, ROW);
    return twin;
  }
  return 0;
}

function isSameState(observer: u32, twin: u32): bool {
  const one = state + observer * ROW;
  const other = state + twin * ROW;
  for (let at: usize = 0; at < ROW; at += 16) {
    if (v128.any_true(v128.xor(v128.load(one + at), v128.load(other + at)))) return false;
  }
  return true;
}
