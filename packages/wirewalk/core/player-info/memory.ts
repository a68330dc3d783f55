/**
 * The memory of the core. The first 64 KiB of the linear memory are its own, by the addresses below; everything above belongs
 * to the engine, which passes the addresses of its regions to `setup` once and those of the observers' sets to `beginTick`.
 *
 * A **set** is 2048 bits, bit i for player i: 32 words of 64 bits, little-endian, so that it is also the engine's 64 words
 * of 32 bits.
 */

/** Words of 64 bits in a set. */
export const WORDS: usize = 32;
/** Bytes of a set. */
export const SET: usize = 256;

// Sets of the observer whose packet is written.
/** Players in view, by the observer's last packet; and the flags of the players that it skipped. */
export const LOCAL: usize = 1024;
export const FLAG: usize = LOCAL + SET;
/** Players with an update in this packet; with a deferred or present mask block; that leave; that come into view. */
export const EVENTS: usize = FLAG + SET;
export const PENDING: usize = EVENTS + SET;
export const LEAVES: usize = PENDING + SET;
export const ENTERS: usize = LEAVES + SET;
/** The kind of an update in two bits, and a third for those that come into view: MOVE to ENTER_MASKED of `engine-memory.ts`. */
export const KIND0: usize = ENTERS + SET;
export const KIND1: usize = KIND0 + SET;

// Sets of the tick.
/** Players that move, whose map quarter changes, and that are new in their slots. */
export const MOVED: usize = KIND1 + SET;
export const QUARTER_MOVED: usize = MOVED + SET;
export const REUSED: usize = QUARTER_MOVED + SET;
/** Players that a local's observer is sent an update for: they move or have masks. */
export const ACTIVE: usize = REUSED + SET;
/** Players whose movement has more bits than a subset of a crowd's group has room for. */
export const WIDE: usize = ACTIVE + SET;
/** Players without an update in the tick before: the flag that most observers have for them. */
export const QUIET_BEFORE: usize = WIDE + SET;

// Of a crowd, made once a tick: see `crowd.ts`.
/** By word: the members of pass 0, and those of pass 1. */
export const MEMBERS: usize = QUIET_BEFORE + SET;
/** By word: six steps of masks that move the members of either pass to the low end. */
export const SQUEEZE: usize = MEMBERS + 2 * SET;
/** By pass and word, and at the end of the pass: its first group. */
export const FIRST_GROUP: usize = SQUEEZE + 6 * 2 * SET;
export const FIRST_GROUP_PASS: usize = 33 * 4;
/** By pass: a byte for each group, the members of it that the observer has in view. */
export const SUBSETS: usize = FIRST_GROUP + 2 * FIRST_GROUP_PASS + 8;
export const SUBSETS_PASS: usize = 272;

/** The players of this packet that masks follow for, in the order of the passes: 2048 numbers of 32 bits. */
export const MASK_LIST: usize = SUBSETS + 2 * SUBSETS_PASS;

/** Codes of a player in the engine's table. */
export const PLAYER_CODES: usize = 8;
/** Groups of eight players at most: those of both passes of locals. */
export const GROUPS: usize = 288;

// Where the engine's regions are.
export let codeBits: usize = 0;
export let codeRest: usize = 0;
export let codeLength: usize = 0;
export let tickSets: usize = 0;
export let maskStart: usize = 0;
export let maskLength: usize = 0;
export let masked: usize = 0;
export let enterKept: usize = 0;
export let has: usize = 0;
export let known: usize = 0;
/** How many kinds of blocks clients keep by index. */
export let keptByIndex: u32 = 0;
/** By player and code: its bits, left-aligned, with their number in the six lowest bits. */
export let codes: usize = 0;
/** By number of players: the code that skips them, 32 bits, left-aligned, with its length in the five lowest bits. */
export let skips: usize = 0;
/** By group and subset: the bits of its movements, left-aligned. */
export let subsetBits: usize = 0;
/** And facts: their number, the quiet players before them (<< 8) and after them (<< 16). */
export let subsetFacts: usize = 0;
/** What the observers have in view, before and after this tick's packets. */
export let state: usize = 0;
export let next: usize = 0;

/** Tells the core where the engine's regions are. To be called once. */
export function setup(
  codeBitsAt: usize,
  codeRestAt: usize,
  codeLengthAt: usize,
  tickSetsAt: usize,
  maskStartAt: usize,
  maskLengthAt: usize,
  maskedAt: usize,
  enterKeptAt: usize,
  hasAt: usize,
  knownAt: usize,
  kept: u32,
  codesAt: usize,
  skipsAt: usize,
  subsetsAt: usize,
): void {
  codeBits = codeBitsAt;
  codeRest = codeRestAt;
  codeLength = codeLengthAt;
  tickSets = tickSetsAt;
  maskStart = maskStartAt;
  maskLength = maskLengthAt;
  masked = maskedAt;
  enterKept = enterKeptAt;
  has = hasAt;
  known = knownAt;
  keptByIndex = kept;
  codes = codesAt;
  skips = skipsAt;
  subsetBits = subsetsAt;
  subsetFacts = subsetsAt + GROUPS * 256 * 8;
  store<u32>(skipsAt, 0);
  for (let count: usize = 1; count < 2048; count++) {
    const code = 2048 * PLAYER_CODES + count;
    store<u32>(skipsAt + (count << 2), load<u32>(codeBitsAt + (code << 2)) | load<u8>(codeLengthAt + code));
  }
}

export function setStates(stateAt: usize, nextAt: usize): void {
  state = stateAt;
  next = nextAt;
}
