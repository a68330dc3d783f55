/**
 * Locals of a crowd, eight at a time. Nearly all observers of a crowd have the same players in a pass, but for who is in
 * view: the members of each pass are put together, word by word, into full groups of eight, and for every subset of a group
 * the bits of its movements are made once a tick: by each thread for itself, which takes 0.1 ms, since tables that another thread has just
 * made take longer to read. An observer's subset of a group is then a byte.
 *
 * A word of 64 players is **plain** for an observer when its flags are the usual ones, and none of its locals leaves or moves
 * by a code of more than eight bits. The others are written player by player.
 */
import { skipBits } from "./cursor";
import {
  ACTIVE,
  CODES,
  FIRST_GROUP,
  FIRST_GROUP_PASS,
  FLAG,
  LEAVES,
  LOCAL,
  MASKED,
  MEMBERS,
  own,
  passFlags,
  QUIET_BEFORE,
  SKIPS,
  SQUEEZE,
  SUBSET_BITS,
  SUBSET_FACTS,
  SUBSETS,
  SUBSETS_PASS,
  WIDE,
  WORDS,
} from "./memory";

let isMade: bool = false;

export function forgetCrowd(): void {
  isMade = false;
}

/** Makes the tables of this tick, unless they are made. */
export function prepareCrowd(): void {
  if (isMade) return;
  isMade = true;
  const area = own();
  let group: u32 = 0;
  for (let pass: u32 = 0; pass < 2; pass++) {
    const flip: u64 = ((passFlags >> pass) & 1) != 0 ? 0 : ~0;
    for (let word: usize = 0; word < WORDS; word++) {
      store<u32>(area + FIRST_GROUP + pass * FIRST_GROUP_PASS + (word << 2), group);
      let members = load<u64>(word << 3, QUIET_BEFORE) ^ flip;
      // Slot 0 is unused.
      if (word == 0) members &= ~1;
      store<u64>(area + MEMBERS + (word << 4) + (pass << 3), members);
      group = makeGroups(word, members, group);
      makeSteps(word, pass, members);
    }
    store<u32>(area + FIRST_GROUP + pass * FIRST_GROUP_PASS + (WORDS << 2), group);
  }
}

/** Makes the subsets of the groups of a word. Returns the number of the next group. */
function makeGroups(word: usize, members: u64, first: u32): u32 {
  const active = load<u64>(word << 3, ACTIVE);
  const masks = load<u64>(word << 3, MASKED);
  let group = first;
  let bits: usize = 0;
  let facts: usize = 0;
  let place: usize = 8;
  for (let left = members; left != 0; left &= left - 1, place++) {
    if (place == 8) {
      place = 0;
      bits = own() + SUBSET_BITS + (group << 11);
      facts = own() + SUBSET_FACTS + (group << 10);
      group++;
      store<u64>(bits, 0);
      store<u32>(facts, 0);
    }
    const bit = ctz<u64>(left);
    const code = (((word << 6) + <usize>bit) << 3) + (<usize>(masks >> bit) & 1);
    addPlayer(bits, facts, place, ((active >> bit) & 1) != 0, load<u64>(CODES + (code << 3)));
  }
  return group;
}

/** Makes the subsets with a player out of those without it, which have only players before it. */
function addPlayer(bits: usize, facts: usize, place: usize, isActive: bool, code: u64): void {
  const half: usize = 1 << place;
  for (let subset: usize = 0; subset < half; subset++) {
    const before = load<u32>(facts + (subset << 2));
    let joined = load<u64>(bits + (subset << 3));
    let after = before;
    if (isActive) {
      const skip = load<u32>(SKIPS + (((before >> 16) & 15) << 2));
      let length = before & 127;
      joined |= skipBits(skip) >> length;
      length += skip & 31;
      joined |= (code & ~63) >> length;
      after = (before & 0xff00) + ((length + (<u32>code & 63)) & 127);
    } else {
      after += (before & 127) != 0 ? 1 << 16 : 1 << 8;
    }
    store<u64>(bits + ((half + subset) << 3), joined);
    store<u32>(facts + ((half + subset) << 2), after);
  }
}

/** The masks of the six steps that compress a word's members: Hacker's Delight 7-4. */
function makeSteps(word: usize, pass: usize, members: u64): void {
  let left = members;
  let free = ~left << 1;
  for (let step: u32 = 0; step < 6; step++) {
    let parity = free ^ (free << 1);
    parity ^= parity << 2;
    parity ^= parity << 4;
    parity ^= parity << 8;
    parity ^= parity << 16;
    parity ^= parity << 32;
    const moving = parity & left;
    left = (left ^ moving) | (moving >> (1 << step));
    free &= ~parity;
    store<u64>(own() + SQUEEZE + word * 96 + (step << 4) + (pass << 3), moving);
  }
}

@inline
function squeezed(set: v128, step: usize, by: i32): v128 {
  const moving = v128.and(set, v128.load(step));
  return v128.or(v128.xor(set, moving), i64x2.shr_u(moving, by));
}

/** Finds the observer's subset of every group, for both passes. Returns its plain words, a bit for each. */
export function gatherSubsets(): u32 {
  const area = own();
  let plain: u32 = 0;
  const secondPass = load<u32>(area + FIRST_GROUP + FIRST_GROUP_PASS);
  for (let word: usize = 0; word < WORDS; word++) {
    const local = load<u64>(area + (word << 3), LOCAL);
    const unusual = load<u64>(area + (word << 3), FLAG) ^ load<u64>(word << 3, QUIET_BEFORE);
    if ((local & (unusual | load<u64>(word << 3, WIDE) | load<u64>(area + (word << 3), LEAVES))) != 0) continue;
    plain |= 1 << <u32>word;
    const steps = area + SQUEEZE + word * 96;
    let members = v128.and(i64x2.splat(local), v128.load(area + MEMBERS + (word << 4)));
    members = squeezed(members, steps, 1);
    members = squeezed(members, steps + 16, 2);
    members = squeezed(members, steps + 32, 4);
    members = squeezed(members, steps + 48, 8);
    members = squeezed(members, steps + 64, 16);
    members = squeezed(members, steps + 80, 32);
    store<u64>(area + SUBSETS + load<u32>(area + FIRST_GROUP + (word << 2)), i64x2.extract_lane(members, 0));
    const second = load<u32>(area + FIRST_GROUP + FIRST_GROUP_PASS + (word << 2)) - secondPass;
    store<u64>(area + SUBSETS + SUBSETS_PASS + second, i64x2.extract_lane(members, 1));
  }
  return plain;
}
