/** What all packets of a tick share: its sets, each on its own, and every player's codes in one word. */
import {
  ACTIVE,
  codeBits,
  codeLength,
  codeRest,
  codes,
  masked,
  MOVED,
  PLAYER_CODES,
  QUARTER_MOVED,
  QUIET_BEFORE,
  REUSED,
  SET,
  setStates,
  tickSets,
  WIDE,
  WORDS,
} from "./memory";
import { forgetCrowd } from "./crowd";

/** Bits of a code that fit beside its length, and after the bits of an unfinished byte. The longest, an entry with a change of map quarter, has 51. */
const MAX_CODE_BITS: u64 = 56;
/** Bits of a movement at most of which eight fit into a word. */
const NARROW_BITS: u32 = 8;

/**
 * Begins a tick: the engine has made its codes, its sets and its masks. Returns 0 when a code is too long for the core: then
 * the tick is not for it.
 */
export function beginTick(stateAt: usize, nextAt: usize): u32 {
  setStates(stateAt, nextAt);
  forgetCrowd();
  let longest: u64 = 0;
  for (let code: usize = 0; code < 2048 * PLAYER_CODES; code++) {
    const length: u64 = load<u8>(codeLength + code);
    const rest: u64 = length > 32 ? load<u32>(codeRest + (code << 2)) : 0;
    store<u64>(codes + (code << 3), (<u64>load<u32>(codeBits + (code << 2)) << 32) | rest | length);
    longest = max<u64>(longest, length);
  }
  // The engine alternates four sets word by word.
  for (let at: usize = 0; at < SET; at += 4) {
    const from = tickSets + (at << 2);
    store<u32>(at, ~load<u32>(at, ACTIVE), QUIET_BEFORE);
    store<u32>(at, load<u32>(from), MOVED);
    store<u32>(at, load<u32>(from, 4), QUARTER_MOVED);
    store<u32>(at, load<u32>(from, 8), REUSED);
    store<u32>(at, load<u32>(from) | load<u32>(masked + at), ACTIVE);
  }
  for (let word: usize = 0; word < WORDS; word++) {
    let wide: u64 = 0;
    for (let left = load<u64>(word << 3, ACTIVE); left != 0; left &= left - 1) {
      const bit = ctz<u64>(left);
      if (load<u8>(codeLength + ((word << 6) + <usize>bit) * PLAYER_CODES) > NARROW_BITS) wide |= <u64>1 << bit;
    }
    store<u64>(word << 3, wide, WIDE);
  }
  return longest <= MAX_CODE_BITS ? 1 : 0;
}
