/**
 * What a player's pings show of its line. A client answers a ping after all that it sent before, so an answer proves that nothing from before
 * its ping is still on the way (docs/protocols/slime-online-2.md, standard 9.7).
 */
import { flag, list, number, type StateOf, state } from "../../world-kit/index.ts";
import { type Line, unprovenLine } from "../movement/reach.ts";

/** From an answer to the next ping. */
const PING_MS = 1000;
/** How soon a client is pinged again that has not answered: it gives up after about 30 s without a ping. */
const AGAIN_MS = 20_000;
/** Pings that are kept for their answers. */
const MAX_OPEN = 8;
/** A line whose answer takes so much longer than its fastest one may stall: more than working lines vary by. */
const SLOW_MS = 300;
/** How long that is remembered: all that a line may hold back comes back in this time. */
const SLOW_FOR_MS = 40_000;

export const savedPings = state({
  /** When the next ping is due. */
  dueMs: number,
  /** When those were sent that are not answered, oldest first. */
  openMs: list(number),
  /** When the last one was sent that is answered; -Infinity before the first answer. */
  provenMs: number,
  /** The fastest answer; Infinity before the first. */
  fastestMs: number,
  /** Until then the line may stall. */
  slowUntilMs: number,
  /** The client sends pings of its own, or answers those of another server: which of its pings are answers is not known. */
  isUnclear: flag,
});
export type Pings = Readonly<StateOf<typeof savedPings>>;

export function noPings(nowMs: number, isUnclear = false): Pings {
  const dueMs = nowMs + (isUnclear ? AGAIN_MS : 0);
  return { dueMs, openMs: [], provenMs: -Infinity, fastestMs: Infinity, slowUntilMs: -Infinity, isUnclear };
}

/** A ping is sent now. */
export function asked(pings: Pings, nowMs: number): Pings {
  const { openMs, isUnclear } = pings;
  const isFull = openMs.length === MAX_OPEN;
  return {
    ...pings,
    dueMs: nowMs + AGAIN_MS,
    openMs: [...(isFull ? openMs.slice(1) : openMs), nowMs],
    isUnclear: isUnclear || isFull,
  };
}

/** A ping of the client has arrived, which answers the oldest one. Undefined: none is open, so that it is a question of its own. */
export function answered(pings: Pings, nowMs: number): Pings | undefined {
  const [sentMs, ...openMs] = pings.openMs;
  if (sentMs === undefined) return undefined;
  const tookMs = nowMs - sentMs;
  // Of the first one it is not known how fast the line is.
  const isSlow = tookMs > SLOW_MS + (pings.fastestMs === Infinity ? 0 : pings.fastestMs);
  return {
    ...pings,
    dueMs: nowMs + (pings.isUnclear ? AGAIN_MS : PING_MS),
    openMs,
    provenMs: sentMs,
    fastestMs: Math.min(pings.fastestMs, tookMs),
    slowUntilMs: isSlow ? nowMs + SLOW_FOR_MS : pings.slowUntilMs,
  };
}

/** What is known of the line by now. */
export function lineOf({ openMs, provenMs, fastestMs, slowUntilMs, isUnclear }: Pings, nowMs: number): Line {
  if (isUnclear || provenMs === -Infinity) return unprovenLine;
  const openSince = openMs[0] ?? nowMs;
  return { provenMs, isSteady: nowMs >= slowUntilMs && nowMs - openSince <= fastestMs + SLOW_MS };
}
