/** The packets of a tick, observer by observer. The core stops where it needs its host, and goes on when called again. */
import { forgetCrowd } from "./crowd";
import { list, listed, setListEnd } from "./cursor";
import { forgetEntries } from "./entries";
import {
  changedKinds,
  findChangedKinds,
  forgetChanged,
  lacking,
  setChangedKinds,
  updateKnown,
  updateOwed,
} from "./known";
import {
  CHOOSY,
  copySet,
  inSet,
  LACKED,
  LEFT,
  MASK_LIST,
  MASKED,
  NEWCOMERS,
  OBSERVING,
  OWED,
  OWN_MASKED,
  OWN_VIEW,
  own,
  PACKET_END,
  PACKET_START,
  packets,
  packetsEnd,
  RADIUS,
  REUSED,
  SET,
  SPECIAL,
  shareSettings,
  state,
  takeSettings,
  VIEW,
  VISIBLE,
  WANTED,
} from "./memory";
import { TOO_LONG_PACKET, WANTS_MASKS, writeMute, writePacket } from "./packet";
import { addEntered, entered, setVariantTick, variantTick } from "./sorting";
import {
  addCounts,
  attempt,
  attemptMade,
  BLOCK_BYTES,
  beginTurn,
  begunThreads,
  CHUNK,
  CHUNKS,
  claim,
  clearCounts,
  counts,
  finishChunk,
  freeBlocks,
  giveUpAttempt,
  helpers,
  isTurn,
  join,
  lastAttempt,
  MAKE,
  missedMasks,
  PARAMETERS,
  setBlocks,
  setTurn,
  takeBlock,
  WAKE,
} from "./threads";
import { makeActive, makeCodes } from "./tick";
import { addTwin, findTwin, forgetTwins } from "./twins";
import { choose, makeViewSets, shareViews, takeViews, visibleCount } from "./views";

// Why `makePackets` returns.
/** All packets are made. */
export const DONE: u32 = 0;
/** The masks listed at `requests` must be composed: see `docs/player-info-core.md`. */
export const NEEDS_MASKS: u32 = 1;
/** The packet of this observer is the host's. */
export const SPECIAL_OBSERVER: u32 = 2;
/** The packet would be longer than {@link MAX_PACKET_BYTES}. */
export const TOO_LONG: u32 = 3;
/** There is no room for another packet. */
export const NO_ROOM: u32 = 4;

export const MAX_PACKET_BYTES: usize = 40_000;
/** Masks are copied 32 bytes at a time, past their end. */
const SLACK_BYTES: usize = 64;
/** Players in view from which groups pay for their table (measured). */
const CROWD_PLAYERS: u32 = 300;
/** Packets from which threads are worth to be woken. */
const MANY_PACKETS: u32 = 64;

let observer: u32 = 1;
/** Players in view of the observer, once they are chosen. */
let inView: u32 = 0;
let isChosen: bool = false;
let isReady: bool = false;
let isLeft: bool = false;
/** Players in view in this tick, of all observers; and whether most of them came into view in the tick before. */
let seen: u32 = 0;
let allEntered: bool = false;
/** Where the next packet begins, and the end of the room. */
let end: usize = 0;
let roomEnd: usize = 0;
/** The last tick was worth waking threads for. */
let areMany: bool = false;
/** The host is asked for the masks that the last turn missed: then there is another one. */
let isAsked: bool = false;

/**
 * Begins tick `tick`, which is greater than the last one, after the players' moves: makes codes and views. Then the host sets masks,
 * and calls {@link makePackets}.
 */
export function beginTick(tick: u32): void {
  if (THREADS != 0 && areMany && helpers() > 0) beginTurn(WAKE);
  allEntered = entered * 2 > seen;
  seen = 0;
  makeCodes();
  makeViewSets(tick);
  setVariantTick(tick);
  forgetCrowd();
  forgetEntries();
  forgetTwins();
  observer = 1;
  isChosen = false;
  isReady = false;
  isAsked = false;
  isLeft = false;
  end = packets;
  roomEnd = packetsEnd;
}

/** Makes packets until all are made ({@link DONE}) or the host is needed: {@link NEEDS_MASKS} to {@link NO_ROOM}. */
export function makePackets(): u32 {
  if (!isReady) {
    makeActive(allEntered);
    findChangedKinds();
    copySet(own() + NEWCOMERS, REUSED);
    isReady = true;
    if (THREADS != 0) {
      memory.copy(LEFT, OBSERVING, 2048);
      areMany = false;
      makeTogether();
    }
  } else if (THREADS != 0 && isAsked) {
    makeTogether();
  }
  if (THREADS != 0 && isAsked) return askForMasks();
  while (observer < 2048) {
    if (load<u8>((THREADS != 0 ? LEFT : OBSERVING) + observer) != 0) {
      const stop = makePacket();
      if (stop != DONE) {
        copySet(VIEW, own() + OWN_VIEW);
        return stop;
      }
      if (THREADS != 0) store<u8>(LEFT + observer, 0);
    }
    observer++;
    isChosen = false;
  }
  return DONE;
}

/** The observer at which the core has stopped. */
export function stoppedAt(): u32 {
  return observer;
}

/** How many masks are requested. */
export function requestCount(): u32 {
  return listed();
}

/** Where the observer's packet would begin. */
export function packetPlace(): usize {
  return end;
}

/** The host has made the observer's packet, `bytes` long, at `packetPlace`. Its next state and view are the host's work too. */
export function acceptPacket(bytes: usize): void {
  place(bytes);
  pass();
}

function pass(): void {
  if (THREADS != 0) store<u8>(LEFT + observer, 0);
  observer++;
  isChosen = false;
}

/**
 * Makes the observer's packet, which would be too long, without masks. Blocks kept by index are owed and sent later; other
 * blocks of the tick are lost to this observer.
 */
export function leaveOutMasks(): void {
  place(writeMute(observer, end, end + MAX_PACKET_BYTES) - end);
  forgetChanged(observer);
  store<u8>(OWED + observer, 1);
  pass();
}

/** The host has taken all packets of this tick so far: the next ones are written over them. */
export function reusePackets(): void {
  end = packets;
  forgetTwins();
}

/** The host makes the rest of the tick's packets: the core stops at each with {@link NO_ROOM}, but for those that are copies. */
export function leaveToHost(): void {
  isLeft = true;
}

function place(bytes: usize): void {
  store<u32>(PACKET_START + (observer << 2), end - packets);
  end += bytes;
  store<u32>(PACKET_END + (observer << 2), end - packets);
}

function makePacket(): u32 {
  if (!isChosen) {
    inView = choose(observer);
    seen += inView;
    isChosen = true;
  }
  if (load<u8>(SPECIAL + observer) != 0) return SPECIAL_OBSERVER;
  const owed = load<u8>(OWED + observer) != 0;
  const shares = !owed && load<u8>(CHOOSY + observer) == 0 && inSet(VISIBLE, observer);
  if (shares) {
    const twin = findTwin(observer);
    if (twin != 0) {
      store<u32>(PACKET_START + (observer << 2), load<u32>(PACKET_START + (twin << 2)));
      store<u32>(PACKET_END + (observer << 2), load<u32>(PACKET_END + (twin << 2)));
      if (THREADS != 0) attemptMade();
      updateKnown(observer);
      return DONE;
    }
  }
  if (isLeft || (!fits() && !(THREADS != 0 && isTurn && takeRoom()))) return NO_ROOM;
  const isOwn = owed && chooseMasked();
  const isCrowd = !isOwn && inView >= CROWD_PLAYERS && inView * 4 >= visibleCount;
  const masked = isOwn ? own() + OWN_MASKED : MASKED;
  const last = writePacket(observer, masked, isOwn, end, end + MAX_PACKET_BYTES, isCrowd ? inView : 0);
  if (last == WANTS_MASKS) return NEEDS_MASKS;
  if (last == TOO_LONG_PACKET) return TOO_LONG;
  place(last - end);
  if (THREADS != 0) attemptMade();
  if (owed) {
    updateOwed(observer);
    store<u8>(OWED + observer, 0);
  } else {
    updateKnown(observer);
    if (shares) addTwin(observer);
  }
  return DONE;
}

/** Whether there is room for any packet. */
@inline
function fits(): bool {
  return end + MAX_PACKET_BYTES + SLACK_BYTES <= roomEnd;
}

/** Takes another block of the room, in a turn. Returns false when all are taken. */
function takeRoom(): bool {
  const start = packets + takeBlock() * BLOCK_BYTES;
  if (start + BLOCK_BYTES > packetsEnd) return false;
  end = start;
  roomEnd = start + BLOCK_BYTES;
  return true;
}

/**
 * Makes what is left of the tick's packets with the other threads, if there are others and it is worth it. Packets for which a
 * thread needs the host are left again.
 */
function makeTogether(): void {
  let left: u32 = 0;
  for (let at: usize = 0; at < 2048; at += 8) left += <u32>popcnt<u64>(load<u64>(LEFT + at));
  isAsked = false;
  if (isLeft || left < MANY_PACKETS || helpers() == 0) return;
  areMany = true;
  setBlocks(<i32>((end - packets + BLOCK_BYTES - 1) / BLOCK_BYTES));
  clearCounts();
  shareTick();
  const before = observer;
  // Not in the middle of a block.
  roomEnd = end;
  makeChunks(beginTurn(MAKE));
  const isWhole = join();
  observer = before;
  isChosen = false;
  end = min(packets + freeBlocks() * BLOCK_BYTES, packetsEnd);
  roomEnd = packetsEnd;
  seen += <u32>(counts() >> 32);
  addEntered(<u32>counts());
  isAsked = missedMasks() > 0;
  if (!isWhole) mendAttempts();
}

/** Asks the host for the masks that the turn has missed. */
function askForMasks(): u32 {
  setListEnd(MASK_LIST);
  for (let at: u32 = 0; at < missedMasks(); at++) list(load<u32>(WANTED + (at << 2)));
  return NEEDS_MASKS;
}

/** Claims chunks of a turn and makes their packets, until none is left. */
function makeChunks(turn: i32): void {
  setTurn(true);
  for (let chunk = claim(turn); chunk < CHUNKS; chunk = claim(turn)) {
    const next = (chunk + 1) * CHUNK;
    for (observer = chunk * CHUNK; observer < next; observer++) {
      if (load<u8>(LEFT + observer) == 0) continue;
      attempt(observer);
      isChosen = false;
      if (makePacket() == DONE) store<u8>(LEFT + observer, 0);
      else giveUpAttempt(observer);
    }
    if (own() != 0) {
      addCounts(seen, entered);
      seen = 0;
      addEntered(-entered);
    }
    finishChunk();
  }
  setTurn(false);
}

/** Another thread: helps in a turn. */
export function help(turn: i32): void {
  takeTick();
  makeChunks(turn);
}

/** What the thread of the host has found out about the tick, for the others. */
function shareTick(): void {
  shareSettings(PARAMETERS);
  shareViews(PARAMETERS + 64);
  store<u32>(PARAMETERS, variantTick, 128);
  store<u32>(PARAMETERS, changedKinds, 132);
}

function takeTick(): void {
  takeSettings(PARAMETERS);
  takeViews(PARAMETERS + 64);
  // Later turns of a tick have the same crowd.
  if (variantTick != load<u32>(PARAMETERS, 128)) {
    forgetCrowd();
    forgetEntries();
  }
  setVariantTick(load<u32>(PARAMETERS, 128));
  setChangedKinds(load<u32>(PARAMETERS, 132));
  copySet(own() + NEWCOMERS, REUSED);
  forgetTwins();
  seen = 0;
  // The first packet takes a block.
  end = 0;
  roomEnd = 0;
}

/** A thread has died. What it has not finished is as before, or finished here. */
function mendAttempts(): void {
  for (let place = 0; place < begunThreads(); place++) {
    const at = lastAttempt(place);
    const which = load<u32>(at);
    if (which == 0 || load<u8>(LEFT + which) == 0) continue;
    if (load<u32>(at, 8) == 0) {
      store<u32>(RADIUS + (which << 2), load<u32>(at, 4));
      continue;
    }
    if (load<u8>(OWED + which) != 0) updateOwed(which);
    else updateKnown(which);
    store<u8>(OWED + which, 0);
    // Nobody is its twin.
    store<u8>(LACKED + which, 1);
    store<u8>(LEFT + which, 0);
  }
}

/**
 * Puts the players with masks for an observer that is owed blocks into {@link OWN_MASKED}. Returns false when they are those
 * for everybody.
 */
function chooseMasked(): bool {
  const row = state + (observer << 9);
  let more = i32x4.splat(0);
  for (let at: usize = 0; at < SET; at += 16) {
    const local = v128.shuffle<i32>(v128.load(row + (at << 1)), v128.load(row + (at << 1), 16), 0, 2, 4, 6);
    const owed = v128.and(lacking(observer, at), local);
    more = v128.or(more, owed);
    v128.store(own() + OWN_MASKED + at, v128.or(v128.load(MASKED + at), owed));
  }
  return v128.any_true(more);
}
