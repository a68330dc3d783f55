/** Passes of all kinds, word by word: the groups of a crowd, and the updates of single players. */
import { fill, held, list, out, putCode, run, setCursor, setRun, skipBits, storeReversed } from "./cursor";
import {
  CODES,
  COMBINATIONS,
  ENTERS,
  EVENTS,
  FIRST_GROUP,
  FIRST_GROUP_PASS,
  FLAG,
  KIND0,
  KIND1,
  LOCAL,
  OWED_MASKS,
  own,
  PENDING,
  SKIPS,
  SUBSET_BITS,
  SUBSET_FACTS,
  SUBSETS,
  SUBSETS_PASS,
  WORDS,
} from "./memory";
import { anyOwed, anyPending } from "./sorting";

@inline
function listPending(word: usize, members: u64): void {
  const area = own();
  const owed: u64 = anyOwed ? load<u64>(area + (word << 3), OWED_MASKS) : 0;
  for (let left = members & load<u64>(area + (word << 3), PENDING); left != 0; left &= left - 1) {
    const bit = ctz<u64>(left);
    let entry = (<u32>word << 6) + <u32>bit;
    if (((owed >> bit) & 1) != 0) entry |= <u32>load<u8>(area + COMBINATIONS + entry) << 11;
    list(entry);
  }
}

/** A pass of players in view. `plain`: the words that are written by groups. */
export function writeLocals(pass: u32, flip: u64, plain: u32): void {
  const area = own();
  for (let word: usize = 0; word < WORDS; word++) {
    if (((plain >> <u32>word) & 1) != 0) {
      const end = word + ctz<u32>(~(plain >> <u32>word));
      writeGroups(pass, word, end);
      if (anyPending) {
        for (let each = word; each < end; each++) {
          listPending(each, load<u64>(area + (each << 3), LOCAL) & (load<u64>(area + (each << 3), FLAG) ^ flip));
        }
      }
      word = end - 1;
      continue;
    }
    const members = load<u64>(area + (word << 3), LOCAL) & (load<u64>(area + (word << 3), FLAG) ^ flip);
    if (members == 0) continue;
    writeUpdates(word, members);
  }
}

/** The groups of the words from `word` up to `end`. */
function writeGroups(pass: u32, word: usize, end: usize): void {
  const area = own();
  const first = area + FIRST_GROUP + pass * FIRST_GROUP_PASS;
  const group = load<u32>(first + (word << 2));
  const subsets = area + SUBSETS + pass * SUBSETS_PASS - load<u32>(first);
  const last = subsets + load<u32>(first + (end << 2));
  let bits = area + SUBSET_BITS + (group << 11);
  let facts = area + SUBSET_FACTS + (group << 10);
  let to = out;
  let pending = held;
  let count = fill;
  let skipped = run;
  for (let at = subsets + group; at < last; at++, bits += 2048, facts += 1024) {
    const subset: usize = load<u8>(at);
    const fact = load<u32>(facts + (subset << 2));
    skipped += (fact >> 8) & 15;
    const length = fact & 127;
    if (length == 0) continue;
    const skip = load<u32>(SKIPS + (skipped << 2));
    pending |= skipBits(skip) >> count;
    count += skip & 31;
    // Up to 64 bits after up to 21 that are held.
    const joined = load<u64>(bits + (subset << 3));
    pending |= joined >> count;
    storeReversed(to, pending);
    let after = count + length;
    if (after > 63) {
      to += 8;
      pending = (joined << 1) << (63 - count);
      after -= 64;
      storeReversed(to, pending);
    }
    to += after >> 3;
    pending <<= after & 56;
    count = after & 7;
    skipped = (fact >> 16) & 15;
  }
  setCursor(to, pending, count);
  setRun(skipped);
}

/** The updates among `members` of a word, in ascending order. */
function writeUpdates(word: usize, members: u64): void {
  const at = own() + (word << 3);
  let left = members & load<u64>(at, EVENTS);
  if (left == 0) {
    setRun(run + <u32>popcnt<u64>(members));
    return;
  }
  let skipped = members & ~left;
  const kind0 = load<u64>(at, KIND0);
  const kind1 = load<u64>(at, KIND1);
  const enters = load<u64>(at, ENTERS);
  do {
    const low = left & -left;
    const before = skipped & (low - 1);
    setRun(run + <u32>popcnt<u64>(before));
    skipped ^= before;
    const bit = ctz<u64>(left);
    const kind = (<u32>(kind0 >> bit) & 1) | ((<u32>(kind1 >> bit) & 1) << 1) | ((<u32>(enters >> bit) & 1) << 2);
    putCode(load<u64>(CODES + (((((word << 6) + <usize>bit) << 3) + kind) << 3)));
    left ^= low;
  } while (left != 0);
  setRun(run + <u32>popcnt<u64>(skipped));
  listPending(word, members);
}

/** A pass of players that are not in view. */
export function writeExternals(flip: u64): void {
  const area = own();
  for (let word: usize = 0; word < WORDS; word++) {
    let members = ~load<u64>(area + (word << 3), LOCAL) & (load<u64>(area + (word << 3), FLAG) ^ flip);
    // Slot 0 is unused.
    if (word == 0) members &= ~1;
    if (members == 0) continue;
    writeUpdates(word, members);
  }
}
