/** The packets of a tick, observer by observer. The core stops where it needs its host, and goes on when called again. */
import { forgetCrowd } from "./crowd";
import { listed } from "./cursor";
import { findChangedKinds, forgetChanged, lacking, updateKnown, updateOwed } from "./known";
import {
  CHOOSY,
  inSet,
  MASKED,
  OBSERVING,
  OWED,
  OWN_MASKED,
  PACKET_END,
  PACKET_START,
  packets,
  packetsEnd,
  SET,
  SPECIAL,
  state,
  VISIBLE,
} from "./memory";
import { TOO_LONG_PACKET, WANTS_MASKS, writeMute, writePacket } from "./packet";
import { entered, setVariantTick } from "./sorting";
import { makeActive, makeCodes } from "./tick";
import { addTwin, findTwin, forgetTwins } from "./twins";
import { choose, makeViewSets, visibleCount } from "./views";

// Why `makePackets` returns.
/** All packets are made. */
export const DONE: u32 = 0;
/** The masks listed at `requestList` must be composed: see `docs/player-info-core.md`. */
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

let observer: u32 = 1;
/** Players in view of the observer, once they are chosen. */
let inView: u32 = 0;
let isChosen: bool = false;
let isReady: bool = false;
let isLeft: bool = false;
/** Players in view in this tick, of all observers; and whether most of them came into view in the tick before. */
let seen: u32 = 0;
let allEntered: bool = false;
/** Where the next packet begins. */
let end: usize = 0;

/**
 * Begins tick `tick`, which is greater than the last one, after the players' moves: makes codes and views. Then the host sets masks,
 * and calls {@link makePackets}.
 */
export function beginTick(tick: u32): void {
  allEntered = entered * 2 > seen;
  seen = 0;
  makeCodes();
  makeViewSets(tick);
  setVariantTick(tick);
  forgetCrowd();
  forgetTwins();
  observer = 1;
  isChosen = false;
  isReady = false;
  isLeft = false;
  end = packets;
}

/** Makes packets until all are made ({@link DONE}) or the host is needed: {@link NEEDS_MASKS} to {@link NO_ROOM}. */
export function makePackets(): u32 {
  if (!isReady) {
    makeActive(allEntered);
    findChangedKinds();
    isReady = true;
  }
  while (observer < 2048) {
    if (load<u8>(OBSERVING + observer) != 0) {
      const stop = makePacket();
      if (stop != DONE) return stop;
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
  observer++;
  isChosen = false;
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
      updateKnown(observer);
      return DONE;
    }
  }
  if (isLeft || end + MAX_PACKET_BYTES + SLACK_BYTES > packetsEnd) return NO_ROOM;
  const own = owed && chooseMasked();
  const isCrowd = !own && inView >= CROWD_PLAYERS && inView * 4 >= visibleCount;
  const last = writePacket(observer, own ? OWN_MASKED : MASKED, own, end, end + MAX_PACKET_BYTES, isCrowd);
  if (last == WANTS_MASKS) return NEEDS_MASKS;
  if (last == TOO_LONG_PACKET) return TOO_LONG;
  place(last - end);
  if (owed) {
    updateOwed(observer);
    store<u8>(OWED + observer, 0);
  } else {
    updateKnown(observer);
    if (shares) addTwin(observer);
  }
  return DONE;
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
    v128.store(OWN_MASKED + at, v128.or(v128.load(MASKED + at), owed));
  }
  return v128.any_true(more);
}
