/**
 * The rules of a session and of its ticks, each as a function of what was measured: it returns a finding or nothing, and
 * changes nothing. The rules of single packets are in `consistency.ts`.
 */

import type { Verdict } from "../../../motion/index.ts";
import type { TimeBudget } from "../movement/time-budget.ts";
import { consistencyRules } from "./consistency.ts";

const sessionRules = ["not-playing", "hello-twice", "wrong-version", "no-hello"] as const;
const tickRules = ["tick-ahead", "replayed-tick", "fast-clock"] as const;

/** Names of all rules that a verdict may have. `docs/scrap-mechanic.md` describes each and names its test. */
export const scrapRules = [...sessionRules, ...tickRules, ...consistencyRules] as const;
export type ScrapRule = (typeof scrapRules)[number];
export type SessionRule = (typeof sessionRules)[number];

/** What a rule has found in one message. */
export interface Finding extends Pick<Verdict, "kind" | "reason" | "measured" | "allowed" | "unit"> {
  readonly rule: ScrapRule;
}

/** A tick that may be played no sooner than this is refused: no network brings packets before they are sent. */
const MAX_FUTURE_MS = 3000;
/** After that long of nothing but refused ticks the player's clock has leapt for good: its ticks count on from there. */
const RESYNC_MS = 2000;
/** Packets in a second whose tick was received or played before: a network that doubles every fifth brings eight. */
const MAX_REPLAYS = 20;
/** What a fast client clock may gain, as a share of time. No crystal is off by more. */
export const MAX_GAIN = 0.005;

/** True for a tick from the far future: `aheadMs` before the earliest time at which it may be played; NaN for the first. */
export function isFarAhead(aheadMs: number): boolean {
  return aheadMs > MAX_FUTURE_MS;
}

/** A tick from the far future, after `refusedForMs` of nothing else: refused, or accepted as the new count of ticks (a flag). */
export function judgeTickAhead(aheadMs: number, refusedForMs: number): Finding {
  const isForGood = refusedForMs >= RESYNC_MS;
  return {
    kind: isForGood ? "flag" : "reject",
    rule: "tick-ahead",
    reason: isForGood ? "Ticks have leapt ahead and are counted on from there" : "A tick from far in the future",
    measured: Math.round(aheadMs),
    allowed: MAX_FUTURE_MS,
    unit: "ms",
  };
}

/** The `replays`-th packet within a second that had an old tick. */
export function judgeReplays(replays: number): Finding | undefined {
  if (replays <= MAX_REPLAYS) return undefined;
  return {
    kind: "flag",
    rule: "replayed-tick",
    reason: "More packets with old ticks than a network delays; they have no effect",
    measured: replays,
    allowed: MAX_REPLAYS,
    unit: "packets/s",
  };
}

/** A tick that was received before with other keys or another view direction, `behind` ticks before the one played last. */
export function changedTick(behind: number): Finding {
  return {
    kind: "flag",
    rule: "replayed-tick",
    reason: "A tick that was received before, now with other keys or another view direction; it has no effect",
    measured: behind,
    allowed: 0,
    unit: "ticks ago",
  };
}

/** A client that claims more time than has passed, and has used up its slack. */
export function judgeClock(budget: TimeBudget): Finding | undefined {
  if (!budget.isOverdrawn) return undefined;
  const { rate } = budget;
  const evidence =
    rate === undefined
      ? { measured: Math.round(budget.aheadMs), allowed: 0, unit: "ms ahead" }
      : { measured: rate, allowed: 1 + MAX_GAIN, unit: "s/s" };
  const reason = "The client's clock is too fast: its ticks wait until they are due";
  return { kind: "flag", rule: "fast-clock", reason, ...evidence };
}
