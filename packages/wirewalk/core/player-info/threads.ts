/**
 * One tick on several threads, in the build for shared memory. Every thread has an instance of the module, with variables of its own, and
 * a work area of its own; all other memory is everybody's. The thread of the host does the tick, and the others help it to make packets:
 * a **turn** is work in 64 chunks, such as 32 observers each, and a thread claims the next chunk when it is done with one. So a
 * thread that is late, or does not run at all, costs nothing but its help.
 *
 * What an observer's packet changes is the observer's own: its states, its kept blocks, its view distance. A thread that needs the host for
 * a packet leaves it. When masks are missed, all threads list them, the host composes them, and there is another turn for what was left;
 * other packets are made by the thread of the host.
 */
import { ATTEMPT, LOCAL, own, RADIUS, SHARED, VARIANT_TICK, WANTED, WANTED_COUNT } from "./memory";

// Of all threads. What several threads write is on cache lines of its own.
/** The turn, a number that grows; the others wait for another one. And what it is for. */
export const TURN: usize = SHARED;
const KIND: usize = SHARED + 4;
/**
 * Chunks that nobody has claimed: from the low 16 bits up to the next 16. And the turn << 32: a late thread claims nothing of a turn that it
 * does not know.
 */
export const CLAIMS: usize = SHARED + 64;
/** Chunks of the turn that are done: the thread of the host waits for all. */
const FINISHED: usize = SHARED + 128;
/** The next blocks of the room for packets: for threads that claim the first chunks, and for those that claim the last ones. */
const BLOCKS: usize = SHARED + 192;
const TOP_BLOCKS: usize = SHARED + 384;
/** Players in view << 32 and players that came into view, as counted by the other threads. */
const COUNTS: usize = SHARED + 256;
/** How many masks are missed. */
const MISSED: usize = SHARED + 448;
/** How many other threads have begun to serve, and where their work areas are. */
const THREADS_BEGUN: usize = SHARED + 320;
const WORK_AREAS: usize = SHARED + 324;
const MAX_THREADS: i32 = 15;
/** The settings of the tick. */
export const PARAMETERS: usize = SHARED + 512;

// What a turn is for.
/** A tick has begun: packets are next, in a moment. */
export const WAKE: i32 = 0;
export const MAKE: i32 = 1;
/** The others return. */
export const CLOSE: i32 = 2;

/** Chunks of a turn, and the observers of one. */
export const CHUNKS: u32 = 128;
export const CHUNK: u32 = 2048 / CHUNKS;
/** Threads take the room for packets by blocks of this size. */
export const BLOCK_BYTES: usize = 1 << 18;

/** How often a thread looks for what it waits for before it sleeps: some tenths of a millisecond. To wake it takes as long. */
const SPINS: i32 = 500_000;
const WAIT_MS: i64 = 50;
const TIMED_OUT: i32 = 2;

/** The thread of the host: makes all packets alone, since another thread has not answered or all have ended. */
let isAlone: bool = false;
/** After so many milliseconds a thread that has claimed a chunk counts as dead. */
let patienceMs: i64 = 10_000;

/**
 * This thread claims the last chunks first: so two threads have the same observers in every tick, but for some in the middle, and find
 * their rows in their own cache.
 */
let isFromTop: bool = false;

/** How many other threads have begun to serve, and how many of them help. */
export function begunThreads(): i32 {
  return min(atomic.load<i32>(THREADS_BEGUN), MAX_THREADS);
}

export function helpers(): i32 {
  return isAlone ? 0 : begunThreads();
}

/** Another thread begins to serve. Returns the present turn. */
export function beginToServe(workArea: usize): i32 {
  const turn = atomic.load<i32>(TURN);
  const place = atomic.add<i32>(THREADS_BEGUN, 1);
  isFromTop = (place & 1) == 0;
  if (place < MAX_THREADS) store<usize>(WORK_AREAS + (<usize>place << 2), workArea);
  return turn;
}

/** Ends the help of all other threads: they return when they see it. */
export function endHelp(): void {
  isAlone = true;
  beginTurn(CLOSE);
}

export function setPatience(ms: i32): void {
  patienceMs = ms;
}

/** Begins a turn. Returns its number. */
export function beginTurn(kind: i32): i32 {
  const turn = load<i32>(TURN) + 1;
  // Old claims end first, new ones begin last.
  atomic.store<i64>(CLAIMS, (<i64>turn << 32) | (kind == MAKE ? CHUNKS << 16 : 0));
  store<i32>(KIND, kind);
  atomic.store<i32>(FINISHED, 0);
  atomic.store<i32>(TURN, turn);
  atomic.notify(TURN, MAX_THREADS);
  return turn;
}

/** Another thread: waits for a turn after `last`, and returns it. */
export function waitForTurn(last: i32): i32 {
  for (let spins = 0; spins < SPINS; spins++) {
    const turn = atomic.load<i32>(TURN);
    if (turn != last) return turn;
  }
  while (atomic.load<i32>(TURN) == last) atomic.wait<i32>(TURN, last, -1);
  return atomic.load<i32>(TURN);
}

export function kindOfTurn(): i32 {
  return load<i32>(KIND);
}

/** Claims a chunk of a turn. Returns its number, or {@link CHUNKS} when all are claimed or the turn is over. */
export function claim(turn: i32): u32 {
  let claims = atomic.load<i64>(CLAIMS);
  while (<i32>(claims >> 32) == turn) {
    const first = <u32>claims & 0xffff;
    const end = (<u32>claims >> 16) & 0xffff;
    if (first == end) break;
    const before = atomic.cmpxchg<i64>(CLAIMS, claims, isFromTop ? claims - (1 << 16) : claims + 1);
    if (before == claims) return isFromTop ? end - 1 : first;
    claims = before;
  }
  return CHUNKS;
}

/** A chunk is done. Wakes the thread of the host when it was the last. */
export function finishChunk(): void {
  if (atomic.add<u32>(FINISHED, 1) == CHUNKS - 1) atomic.notify(FINISHED, 1);
}

/** The thread of the host: waits until all chunks are done. Returns false when a thread has died on the way: it helps no more. */
export function join(): bool {
  for (let spins = 0; spins < SPINS; spins++) {
    if (atomic.load<u32>(FINISHED) == CHUNKS) return true;
  }
  for (let waitedMs: i64 = 0; waitedMs < patienceMs; ) {
    const finished = atomic.load<u32>(FINISHED);
    if (finished == CHUNKS) return true;
    if (atomic.wait<i32>(FINISHED, <i32>finished, WAIT_MS * 1_000_000) == TIMED_OUT) waitedMs += WAIT_MS;
  }
  if (atomic.load<u32>(FINISHED) == CHUNKS) return true;
  endHelp();
  return false;
}

/** Blocks are taken from the `first` on. */
export function setBlocks(first: i32): void {
  store<i32>(BLOCKS, first);
  store<i32>(TOP_BLOCKS, first + 1);
}

/** Takes a block of the room for packets, every other one: so a thread has the same blocks in every tick. Returns its number. */
export function takeBlock(): usize {
  return <usize>atomic.add<i32>(isFromTop ? TOP_BLOCKS : BLOCKS, 2);
}

/** The first block that none has taken, nor any after it. */
export function freeBlocks(): usize {
  return <usize>max(load<i32>(BLOCKS), load<i32>(TOP_BLOCKS)) - 1;
}

export function clearCounts(): void {
  store<i64>(COUNTS, 0);
  store<i32>(MISSED, 0);
}

export function addCounts(seen: u32, entered: u32): void {
  atomic.add<i64>(COUNTS, (<i64>seen << 32) + <i64>entered);
}

/** Players in view << 32, and players that came into view. */
export function counts(): u64 {
  return load<u64>(COUNTS);
}

/** A turn is on: this thread is not alone. */
export let isTurn: bool = false;

export function setTurn(is: bool): void {
  isTurn = is;
}

/** Lists masks that are not composed yet, once in a turn. `variant`: their place among the variants, in bytes. */
export function missMasks(entry: u32, variant: usize, tick: u32): void {
  if (load<u32>(VARIANT_TICK + variant) == ~tick) return;
  const place = atomic.add<u32>(MISSED, 1);
  if (place >= WANTED_COUNT) return;
  store<u32>(WANTED + (place << 2), entry);
  // Another thread may list them too: then they are composed once.
  store<u32>(VARIANT_TICK + variant, ~tick);
}

/** How many masks the turn has listed. */
export function missedMasks(): u32 {
  return min(load<u32>(MISSED), WANTED_COUNT);
}

/** A packet is begun: so it can be begun again should the thread die. */
@inline
export function attempt(observer: u32): void {
  const at = own() + ATTEMPT;
  store<u32>(at, observer);
  store<u32>(at, load<u32>(RADIUS + (observer << 2)), 4);
  store<u32>(at, 0, 8);
}

/** Its bytes, place and next state are there. What follows may be done twice. */
@inline
export function attemptMade(): void {
  store<u32>(own() + ATTEMPT, 1, 8);
}

/** The packet is left to the thread of the host, which chooses its view anew. */
@inline
export function giveUpAttempt(observer: u32): void {
  store<u32>(RADIUS + (observer << 2), load<u32>(own() + ATTEMPT, 4));
}

/** After a thread has died: the last attempt of thread `place`, as an address of an observer, its view distance, and whether it was made. */
export function lastAttempt(place: i32): usize {
  return load<usize>(WORK_AREAS + (<usize>place << 2)) - LOCAL + ATTEMPT;
}
