/**
 * The memory of the core: fixed addresses in one linear memory. Below {@link ENGINE} it is the core's own; from there on
 * are the regions that a host reads and writes, in the order of `engine-memory.ts`. Masks and packets are where `setup` says.
 *
 * A **set** is 2048 bits, bit i for player i: 32 words of 64 bits, little-endian, so that it is also 64 words of 32 bits.
 * A **table** is a set for every player. Numbers are 32 bits, little-endian.
 */

/** Words of 64 bits in a set. */
export const WORDS: usize = 32;
/** Bytes of a set, of a number or a byte for every player, and of a table. */
export const SET: usize = 256;
const NUMBERS: usize = 2048 * 4;
const BYTES: usize = 2048;
const TABLE: usize = 2048 * SET;

// The work area of a thread: each has one of its own, `own` bytes after this one. First the sets of the observer whose packet is made.
/** Players in view, by the observer's last packet; and the flags of the players that it skipped. */
export const LOCAL: usize = 1024;
export const FLAG: usize = LOCAL + SET;
/** Players with an update in this packet; with masks in it; that leave; that come into view. */
export const EVENTS: usize = FLAG + SET;
export const PENDING: usize = EVENTS + SET;
export const LEAVES: usize = PENDING + SET;
export const ENTERS: usize = LEAVES + SET;
/** The kind of an update in two bits; the third is that of {@link ENTERS}: see MOVE to RETURN. */
export const KIND0: usize = ENTERS + SET;
export const KIND1: usize = KIND0 + SET;
/** Players whose masks have blocks that the observer is owed, beside those of the tick. */
export const OWED_MASKS: usize = KIND1 + SET;
/** The players with masks, for an observer that is owed blocks of players that stay in view. */
export const OWN_MASKED: usize = OWED_MASKS + SET;
/** A view that is tried, and all players in view at the full distance. */
export const OTHER_VIEW: usize = OWN_MASKED + SET;
export const FAR_VIEW: usize = OTHER_VIEW + SET;
/** An empty set. */
export const NOBODY: usize = FAR_VIEW + SET;

// Sets of the tick, the same for all threads.
/** Players whose map quarter changes. */
export const QUARTER_MOVED: usize = NOBODY + SET;
/** Players that a local's observer is sent an update for: they move or have masks. */
export const ACTIVE: usize = QUARTER_MOVED + SET;
/** Players whose movement has more bits than a subset of a crowd's group has room for. */
export const WIDE: usize = ACTIVE + SET;
/** Players without an update in the tick before: the flag that most observers have for them. */
export const QUIET_BEFORE: usize = WIDE + SET;

// Of a crowd, a thread's own: made once a tick. See `crowd.ts`.
/** By word: the members of pass 0, and those of pass 1. */
export const MEMBERS: usize = QUIET_BEFORE + SET;
/** By word: six steps of masks that move the members of either pass to the low end. */
export const SQUEEZE: usize = MEMBERS + 2 * SET;
/** By pass and word, and at the end of the pass: its first group. */
export const FIRST_GROUP: usize = SQUEEZE + 6 * 2 * SET;
export const FIRST_GROUP_PASS: usize = 33 * 4;
/** By pass: a byte for each group, the members of it that the observer has in view. */
export const SUBSETS: usize = FIRST_GROUP + 2 * FIRST_GROUP_PASS + 56;
export const SUBSETS_PASS: usize = 272;

/** The players of this packet that masks follow for, in the order of the passes: numbers, player | combination << 11. */
export const MASK_LIST: usize = SUBSETS + 2 * SUBSETS_PASS + 32;
/** By player: the combination of its masks in this packet, for those of {@link OWED_MASKS}. */
export const COMBINATIONS: usize = MASK_LIST + NUMBERS;
/** The updates of a pass: see `packet.ts`. Eight more than there can be are written. */
export const UPDATES: usize = COMBINATIONS + BYTES;
/** Observers by hash of their tile, and from one to the next: 16 bits each, 0 ends a list. See `twins.ts`. */
export const TWIN_HEADS: usize = UPDATES + NUMBERS + 64;
export const TWIN_NEXT: usize = TWIN_HEADS + 4096 * 2;
/** The view of the observer. */
export const OWN_VIEW: usize = TWIN_NEXT + 2048 * 2;
/** New players of slots, without the observer itself. */
export const NEWCOMERS: usize = OWN_VIEW + SET;
/** The observer whose packet is made, its view distance before, and whether the packet is there: numbers. See `threads.ts`. */
export const ATTEMPT: usize = NEWCOMERS + SET;
/** By group and subset: the bits of its movements, left-aligned. Both passes of locals have 288 groups of eight at most. */
export const SUBSET_BITS: usize = ATTEMPT + 64;
/** And facts: their number, the quiet players before them (<< 8) and after them (<< 16). */
export const SUBSET_FACTS: usize = SUBSET_BITS + 288 * 256 * 8;
/** The codes of all players that come into view, one after the other, and by player where they begin, in bits. See `entries.ts`. */
export const ENTRIES: usize = SUBSET_FACTS + 288 * 256 * 4 + 64;
export const ENTRY_BITS: usize = ENTRIES + 9792;
const WORK_END: usize = ENTRY_BITS + NUMBERS + 64;
/** Bytes from the work area of a thread to that of the next one, which begin on a cache line. */
export const WORK_BYTES: usize = WORK_END - LOCAL;

// Of all threads.
/** The visible players, as numbers. */
export const VISIBLE_LIST: usize = WORK_END;
/** By coordinate: how far the set of the visible players up to it is from the first, in bytes. */
export const X_RANK: usize = VISIBLE_LIST + NUMBERS;
export const Z_RANK: usize = X_RANK + 16384 * 4;
/** By player and kind: the code of an update, 64 bits, left-aligned, with its length in the six lowest bits. */
export const CODES: usize = Z_RANK + 16384 * 4;
/**
 * The codes with the masks of the tick. By player: to stay in view, and to leave it; and to come into view. Bit 6 says whether masks
 * follow.
 */
export const LOCAL_CODES: usize = CODES + 2048 * 8 * 8;
export const ENTER_CODES: usize = LOCAL_CODES + 2048 * 2 * 8;
/** By player: where its masks of the tick are from the start of the masks on, and how many bytes << 32. */
export const MASK_PLACES: usize = ENTER_CODES + 2048 * 8;
/** By number of players: the code that skips them, 32 bits, left-aligned, with its length in the five lowest bits. */
export const SKIPS: usize = MASK_PLACES + 2048 * 8;
/** What threads tell each other: see `threads.ts`. */
export const SHARED: usize = SKIPS + NUMBERS;
const SHARED_BYTES: usize = 1024;
/** By observer, 0 or 1: its packet of this tick is not made yet. In the build for threads alone. */
export const LEFT: usize = SHARED + SHARED_BYTES;
/** Masks that threads miss in a turn: numbers, player | combination << 11, as many as a host is asked for at once. */
export const WANTED: usize = LEFT + BYTES;
export const WANTED_COUNT: u32 = 2047;
const CORE_END: usize = WANTED + NUMBERS;

// Regions of the host. Its own are after them.
/** Where they begin: {@link CORE_END}, rounded up. */
export const ENGINE: usize = 0x14_0000;
/** By player: where it is, and where it was after the last tick. */
export const X: usize = ENGINE;
export const Z: usize = X + NUMBERS;
export const LEVEL: usize = Z + NUMBERS;
export const SENT_X: usize = LEVEL + NUMBERS;
export const SENT_Z: usize = SENT_X + NUMBERS;
export const SENT_LEVEL: usize = SENT_Z + NUMBERS;
/** By slot: the map quarter that every client has for it while it is out of view, level << 28 | x << 14 | z. */
export const QUARTER: usize = SENT_LEVEL + NUMBERS;
/** By player: its masks of the tick, from the start of the masks on, and how many bytes. */
export const MASK_START: usize = QUARTER + NUMBERS;
export const MASK_LENGTH: usize = MASK_START + NUMBERS;
/** By observer: tiles at which its view ends; its packet of the tick, from the start of the packets on. */
export const RADIUS: usize = MASK_LENGTH + NUMBERS;
export const PACKET_START: usize = RADIUS + NUMBERS;
export const PACKET_END: usize = PACKET_START + NUMBERS;
/** By player, 0 or 1: it is in the world; it moves by a teleport in this tick. */
export const PRESENT: usize = PACKET_END + NUMBERS;
export const TELEPORTED: usize = PRESENT + BYTES;
/** By observer, 0 or 1: it observes; it has a standing other than ordinary; it may lack blocks of players in view. */
export const OBSERVING: usize = TELEPORTED + BYTES;
export const CHOOSY: usize = OBSERVING + BYTES;
export const OWED: usize = CHOOSY + BYTES;
/** By observer, 0 or 1: the host makes its packets. */
export const SPECIAL: usize = OWED + BYTES;
/** By observer, 0 or 1: its last packet brought more than the blocks of the tick. */
export const LACKED: usize = SPECIAL + BYTES;
/** Sets: players that move; new in their slots since the last tick; with masks of this tick; that are not hidden. */
export const MOVED: usize = LACKED + BYTES;
export const REUSED: usize = MOVED + SET;
export const MASKED: usize = REUSED + SET;
export const VISIBLE: usize = MASKED + SET;
/** Visible players of each of the four levels. */
export const VISIBLE_ON: usize = VISIBLE + SET;
/** By kind of block that clients keep by index, four of them: players that have one, and whose block is new in this tick. */
export const HAS: usize = VISIBLE_ON + 4 * SET;
export const CHANGED: usize = HAS + 4 * SET;
/** Players with blocks that are sent whenever they come into view. */
export const ENTER_KEPT: usize = CHANGED + 4 * SET;
/** The view of the observer at which the core has stopped. */
export const VIEW: usize = ENTER_KEPT + SET;
/** By player and combination of blocks, 32 of them: the tick in which its masks were composed, where, and how long they are. */
export const VARIANT_TICK: usize = VIEW + SET;
export const VARIANT_START: usize = VARIANT_TICK + 32 * NUMBERS;
export const VARIANT_LENGTH: usize = VARIANT_START + 32 * NUMBERS;
/** By observer, two sets that alternate by 32 bits: players in view, and flags. One is the state, the other the next one. */
export const STATES: usize = VARIANT_LENGTH + 32 * NUMBERS;
export const STATE_TABLE: usize = 2 * TABLE;
/** By kind of block kept by index: by observer, the players whose present block its client has. */
export const KNOWN: usize = STATES + 2 * STATE_TABLE;
export const KNOWN_TABLE: usize = TABLE;
/** By observer: players that it is shown first, and never. */
export const FIRST: usize = KNOWN + 4 * TABLE;
export const NEVER: usize = FIRST + TABLE;
/** Set n holds the visible players with one of the n smallest coordinates. */
export const X_SETS: usize = NEVER + TABLE;
export const Z_SETS: usize = X_SETS + TABLE;
/** The first byte after the regions that the core knows. */
export const ENGINE_END: usize = Z_SETS + TABLE;

// Kinds of updates: a player's codes.
export const MOVE: usize = 0;
export const MOVE_MASKED: usize = 1;
export const LEAVE: usize = 2;
export const QUARTER_CHANGE: usize = 3;
export const ENTER: usize = 4;
export const ENTER_MASKED: usize = 5;
/** The slot of a player in view has a new player, in view too: removed and added in one packet. */
export const RETURN: usize = 6;
export const RETURN_MASKED: usize = 7;

/** How far the work area of this thread is from the first one. */
let workArea: usize = 0;

/** The same, as a constant in the build without threads. */
@inline
export function own(): usize {
  return THREADS != 0 ? workArea : 0;
}

/** Gives this thread its work area, {@link WORK_BYTES} from `at` on. */
export function setWorkArea(at: usize): void {
  workArea = at - LOCAL;
}

// Settings of the engine.
/** Bit n: the flag of the players of pass n. */
export let passFlags: u32 = 0;
/** Whether every pass begins at a whole byte. */
export let aligns: bool = false;
/** -1 when players that come into view count as skipped, else 0. */
export let addedFlags: i32 = 0;
export let viewDistance: i32 = 0;
export let maxLocals: u32 = 0;
/** How many kinds of blocks clients keep by index, 0..4. */
export let keptByIndex: u32 = 0;
export let masks: usize = 0;
export let packets: usize = 0;
export let packetsEnd: usize = 0;

/** What the observers have in view, before and after this tick's packets. */
export let state: usize = STATES;
export let next: usize = STATES + STATE_TABLE;

/**
 * Sets up an engine in a memory of zeros. To be called once.
 *
 * @param dialect bits 0..3 the flags of the players of the four passes, bit 4 whether passes begin at whole bytes, bit 5
 * whether players that come into view count as skipped: 0x36 is the dialect `client`, 0x0a the dialect `documented`
 * @param distance tiles along each axis at which views end, 0..16384; 16384 shows everybody on the level
 * @param locals players in view at most, 1..2047
 * @param kept how many kinds of blocks clients keep by index, 0..4
 * @param masksAt where the masks of a tick are; 16 bytes after them are read too
 * @param packetsAt where packets go, and `packetsBytes` the room for them
 */
export function setup(
  dialect: u32,
  distance: i32,
  locals: u32,
  kept: u32,
  masksAt: usize,
  packetsAt: usize,
  packetsBytes: usize,
): void {
  // Writes what every tick writes: the first one need not wait for the pages. A page takes 1.7 us.
  memory.fill(VISIBLE_LIST, 0, SHARED - VISIBLE_LIST);
  if (CORE_END > ENGINE) ERROR("The core's own memory reaches into the regions of the host");
  passFlags = dialect & 15;
  aligns = ((dialect >> 4) & 1) != 0;
  addedFlags = ((dialect >> 5) & 1) != 0 ? -1 : 0;
  viewDistance = distance;
  maxLocals = locals;
  keptByIndex = kept;
  masks = masksAt;
  packets = packetsAt;
  packetsEnd = packetsAt + packetsBytes;
  makeSkips();
}

/** 0, two bits for the size of the number, and the number of players after the first. */
function makeSkips(): void {
  store<u32>(SKIPS, 0);
  for (let count: u32 = 1; count < 2048; count++) {
    const more = count - 1;
    const size: u32 = more == 0 ? 0 : more < 1 << 5 ? 1 : more < 1 << 8 ? 2 : 3;
    const width: u32 = size == 0 ? 0 : 2 + size * 3;
    store<u32>(SKIPS + (count << 2), (((size << width) | more) << (29 - width)) | (3 + width));
  }
}

/** The settings and states, from the first thread to the others. */
export function shareSettings(at: usize): void {
  store<u32>(at, passFlags);
  store<u32>(at, aligns ? 1 : 0, 4);
  store<i32>(at, addedFlags, 8);
  store<i32>(at, viewDistance, 12);
  store<u32>(at, maxLocals, 16);
  store<u32>(at, keptByIndex, 20);
  store<usize>(at, masks, 24);
  store<usize>(at, packets, 28);
  store<usize>(at, packetsEnd, 32);
  store<usize>(at, state, 36);
  store<usize>(at, next, 40);
}

export function takeSettings(at: usize): void {
  passFlags = load<u32>(at);
  aligns = load<u32>(at, 4) != 0;
  addedFlags = load<i32>(at, 8);
  viewDistance = load<i32>(at, 12);
  maxLocals = load<u32>(at, 16);
  keptByIndex = load<u32>(at, 20);
  masks = load<usize>(at, 24);
  packets = load<usize>(at, 28);
  packetsEnd = load<usize>(at, 32);
  state = load<usize>(at, 36);
  next = load<usize>(at, 40);
}

/** The next states become the states. Returns where they are. */
export function swapStates(): usize {
  const before = state;
  state = next;
  next = before;
  return state;
}

// Sets are copied and filled 128 bits at a time.
@inline
export function copySet(to: usize, from: usize): void {
  for (let at: usize = 0; at < SET; at += 16) v128.store(to + at, v128.load(from + at));
}

@inline
export function clearSet(set: usize): void {
  for (let at: usize = 0; at < SET; at += 16) v128.store(set + at, i32x4.splat(0));
}

@inline
export function inSet(set: usize, player: u32): bool {
  return ((load<u32>(set + ((player >> 5) << 2)) >> (player & 31)) & 1) != 0;
}

@inline
export function include(set: usize, player: u32): void {
  const at = set + ((player >> 5) << 2);
  store<u32>(at, load<u32>(at) | (1 << (player & 31)));
}

@inline
export function exclude(set: usize, player: u32): void {
  const at = set + ((player >> 5) << 2);
  store<u32>(at, load<u32>(at) & ~(1 << (player & 31)));
}
