/** What all packets of a tick share: every player's codes, and the sets of the tick. */
import {
  ACTIVE,
  addedFlags,
  CHANGED,
  clearSet,
  CODES,
  ENTER,
  ENTER_CODES,
  ENTER_MASKED,
  inSet,
  keptByIndex,
  LEAVE,
  LEVEL,
  LOCAL_CODES,
  MASK_LENGTH,
  MASK_PLACES,
  MASK_START,
  MASKED,
  MOVE,
  MOVE_MASKED,
  MOVED,
  PRESENT,
  QUARTER,
  QUARTER_CHANGE,
  QUARTER_MOVED,
  QUIET_BEFORE,
  RETURN,
  RETURN_MASKED,
  REUSED,
  SENT_LEVEL,
  SENT_X,
  SENT_Z,
  SET,
  swapStates,
  TELEPORTED,
  WIDE,
  WORDS,
  X,
  Z,
} from "./memory";

/** Bits of a movement at most of which eight fit into a word. */
const NARROW_BITS: u32 = 8;
/** The mask bit of a local player's movement. */
const MASK_BIT: u64 = 1 << 62;
const REMOVAL: u64 = (0b10000 << 59) | 5;

/** The code of a kind of update of the player whose codes are at `codes`: the low `length` bits, 1..56. */
@inline
function putCode(codes: usize, kind: usize, bits: u64, length: u64): void {
  store<u64>(codes + (kind << 3), (bits << (64 - length)) | length);
}

/** The map quarter of a tile, level << 28 | x << 14 | z. */
@inline
function quarterOf(level: i32, x: i32, z: i32): i32 {
  return (level << 28) | ((x >> 13) << 14) | (z >> 13);
}

/** Makes the codes of every player, and the sets of players that move and of players whose quarter changes. */
export function makeCodes(): void {
  for (let word: usize = 0; word < WORDS; word++) {
    let moved: u64 = 0;
    let quarters: u64 = 0;
    for (let bit: usize = 0; bit < 64; bit++) {
      const player = (word << 6) + bit;
      const codes = CODES + (player << 6);
      if (load<u8>(PRESENT + player) == 0) {
        // A removed player leaves the view. Its quarter stays the same.
        store<u64>(codes + (LEAVE << 3), REMOVAL);
        continue;
      }
      const number = player << 2;
      const x = load<i32>(X + number);
      const z = load<i32>(Z + number);
      const level = load<i32>(LEVEL + number);
      const dx = x - load<i32>(SENT_X + number);
      const dz = z - load<i32>(SENT_Z + number);
      const levels = (level - load<i32>(SENT_LEVEL + number)) & 3;
      const jumps = load<u8>(TELEPORTED + player) != 0;
      moved |= <u64>(jumps || (dx | dz | levels) != 0) << bit;
      makeMovement(codes, dx, dz, levels, jumps);
      const from = load<i32>(QUARTER + number);
      const to = quarterOf(level, x, z);
      quarters |= <u64>(from != to) << bit;
      makeOthers(codes, player, from, to, x, z);
    }
    store<u64>(word << 3, moved, MOVED);
    store<u64>(word << 3, quarters, QUARTER_MOVED);
  }
}

/** A walk's direction 0..7 of a step of one tile. */
@inline
function walkDirection(dx: i32, dz: i32): u64 {
  const place = (dz + 1) * 3 + dx + 1;
  return <u64>(place < 4 ? place : place - 1);
}

/** A run's direction 0..15 of a step of two tiles: the outer ring of 5 x 5, row by row. */
@inline
function runDirection(dx: i32, dz: i32): u64 {
  if (dz == -2) return <u64>(dx + 2);
  if (dz == 2) return <u64>(dx + 13);
  return <u64>(7 + dz * 2 + (dx > 0 ? 1 : 0));
}

function makeMovement(codes: usize, dx: i32, dz: i32, levels: i32, jumps: bool): void {
  let bits: u64 = 0b1000;
  let length: u64 = 4;
  if (!jumps && levels == 0 && dx >= -2 && dx <= 2 && dz >= -2 && dz <= 2) {
    if (dx >= -1 && dx <= 1 && dz >= -1 && dz <= 1) {
      if ((dx | dz) != 0) {
        bits = (0b1001 << 3) | walkDirection(dx, dz);
        length = 7;
      }
    } else {
      bits = (0b1010 << 4) | runDirection(dx, dz);
      length = 8;
    }
  } else if (dx >= -16 && dx <= 15 && dz >= -16 && dz <= 15) {
    bits = (0b10110 << 12) | (<u64>levels << 10) | ((<u64>dx & 31) << 5) | (<u64>dz & 31);
    length = 17;
  } else {
    bits = (0b10111 << 30) | (<u64>levels << 28) | ((<u64>dx & 0x3fff) << 14) | (<u64>dz & 0x3fff);
    length = 35;
  }
  putCode(codes, MOVE, bits, length);
  store<u64>(codes + (MOVE_MASKED << 3), load<u64>(codes + (MOVE << 3)) | MASK_BIT);
}

/** The codes of a player that is or was out of view. */
function makeOthers(codes: usize, player: u32, from: i32, to: i32, x: i32, z: i32): void {
  // A change of quarter, or a 0 in an entry.
  let bits: u64 = 0;
  let length: u64 = 1;
  if (from != to) {
    const levels = <u64>((to >> 28) - (from >> 28)) & 3;
    const dx = ((to >> 14) & 0xff) - ((from >> 14) & 0xff);
    const dz = (to & 0xff) - (from & 0xff);
    if ((dx | dz) == 0) {
      bits = (0b101 << 2) | levels;
      length = 5;
    } else {
      // The world is 2 x 2 quarters: all others are neighbours.
      bits = (0b110 << 5) | (levels << 3) | walkDirection(dx, dz);
      length = 8;
    }
    putCode(codes, QUARTER_CHANGE, bits, length);
  }
  // A removal is 1000, and then a change of quarter or a 0.
  putCode(codes, LEAVE, ((<u64>0b1000) << length) | bits, length + 4);
  const enter = (((((<u64>0b100) << length) | bits) << 27) | ((<u64>x & 0x1fff) << 14) | ((<u64>z & 0x1fff) << 1));
  putCode(codes, ENTER, enter, length + 30);
  putCode(codes, ENTER_MASKED, enter | 1, length + 30);
  if (inSet(REUSED, player)) {
    // An add begins with the bit for an update after a removal.
    const again = ((<u64>0b1000) << (length + 30)) | enter;
    putCode(codes, RETURN, again, length + 34);
    putCode(codes, RETURN_MASKED, again | 1, length + 34);
  }
}

/**
 * Makes the sets and the codes that depend on masks. `allEntered`: most players in view came into it in the last tick, and so
 * have the flag of players that are added.
 */
export function makeActive(allEntered: bool): void {
  const added = i32x4.splat(addedFlags);
  for (let player: usize = 1; player < 2048; player++) {
    const codes = CODES + (player << 6);
    const hasMasks: usize = inSet(MASKED, <u32>player) ? 1 : 0;
    const bit = <u64>hasMasks << 6;
    const place = <u64>load<u32>(MASK_START + (player << 2)) | (<u64>load<u32>(MASK_LENGTH + (player << 2)) << 32);
    store<u64>(MASK_PLACES + (player << 3), place);
    store<u64>(LOCAL_CODES + (player << 4), load<u64>(codes + ((MOVE + hasMasks) << 3)) | bit);
    store<u64>(LOCAL_CODES + (player << 4) + 8, load<u64>(codes + (LEAVE << 3)));
    store<u64>(ENTER_CODES + (player << 3), load<u64>(codes + ((ENTER + hasMasks) << 3)) | bit);
  }
  for (let at: usize = 0; at < SET; at += 16) {
    v128.store(at, allEntered ? added : v128.not(v128.load(at, ACTIVE)), QUIET_BEFORE);
    v128.store(at, v128.or(v128.load(at, MOVED), v128.load(at, MASKED)), ACTIVE);
  }
  for (let word: usize = 0; word < WORDS; word++) {
    let wide: u64 = 0;
    for (let left = load<u64>(word << 3, MOVED); left != 0; left &= left - 1) {
      const bit = ctz<u64>(left);
      const code = load<u64>(CODES + (((word << 6) + <usize>bit) << 6));
      if ((<u32>code & 63) > NARROW_BITS) wide |= <u64>1 << bit;
    }
    store<u64>(word << 3, wide, WIDE);
  }
}

/** Ends a tick: what was sent is where everybody is. Returns where the states are now. */
export function endTick(): usize {
  for (let player: usize = 1; player < 2048; player++) {
    if (load<u8>(PRESENT + player) == 0) continue;
    const number = player << 2;
    const x = load<i32>(X + number);
    const z = load<i32>(Z + number);
    const level = load<i32>(LEVEL + number);
    store<i32>(SENT_X + number, x);
    store<i32>(SENT_Z + number, z);
    store<i32>(SENT_LEVEL + number, level);
    store<i32>(QUARTER + number, quarterOf(level, x, z));
  }
  memory.fill(TELEPORTED, 0, 2048);
  clearSet(REUSED);
  clearSet(MASKED);
  for (let which: usize = 0; which < keptByIndex; which++) clearSet(CHANGED + which * SET);
  return swapStates();
}
