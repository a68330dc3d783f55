/**
 * The rules of a session and of its ticks, each as a function of what was measured: it returns a finding or nothing, and
 * changes nothing. The rules of single packets are in `consistency.ts`.
 */

import type { Verdict } from "../../../motion/index.ts";
import type { PossibleResponses } from "../../responses.ts";
import type { TimeBudget } from "../movement/time-budget.ts";
import { consistencyRules } from "./consistency.ts";
import type { ScrapLimits } from "./limits.ts";

const sessionRules = ["not-playing", "hello-twice", "wrong-version", "no-hello"] as const;
const tickRules = ["tick-ahead", "replayed-tick", "fast-clock", "saved-up"] as const;

/** Names of all rules that a verdict may have. `docs/scrap-mechanic.md` describes each and names its test. */
export const scrapRules = [...sessionRules, ...tickRules, ...consistencyRules] as const;
/** Rules about single packets: a dropped one is played as one without keys, in the view direction before. */
export const scrapResponses: PossibleResponses = Object.fromEntries(
  consistencyRules.map((rule) => [rule, ["relay", "drop"]]),
);

export type ScrapRule = (typeof scrapRules)[number];
export type SessionRule = (typeof sessionRules)[number];

/** What a rule has found in one message. */
export interface Finding extends Pick<Verdict, "kind" | "reason" | "measured" | "allowed" | "unit"> {
  readonly rule: ScrapRule;
}

/** True for a tick from the far future: `aheadMs` before the earliest time at which it may be played; NaN for the first. */
export function isFarAhead(aheadMs: number, { maxFutureMs }: ScrapLimits): boolean {
  return aheadMs > maxFutureMs;
}

/** A tick from the far future, after `refusedForMs` of nothing else: refused, or accepted as the new count of ticks (a flag). */
export function judgeTickAhead(aheadMs: number, refusedForMs: number, { maxFutureMs, resyncMs }: ScrapLimits): Finding {
  const isForGood = refusedForMs >= resyncMs;
  return {
    kind: isForGood ? "flag" : "reject",
    rule: "tick-ahead",
    reason: isForGood ? "Ticks have leapt ahead and are counted on from there" : "A tick from far in the future",
    measured: Math.round(aheadMs),
    allowed: maxFutureMs,
    unit: "ms",
  };
}

/** The `replays`-th packet within a second that had an old tick. */
export function judgeReplays(replays: number, { maxReplays }: ScrapLimits): Finding | undefined {
  if (replays <= maxReplays) return undefined;
  return {
    kind: "flag",
    rule: "replayed-tick",
    reason: "More packets with old ticks than a network delays; they have no effect",
    measured: replays,
    allowed: maxReplays,
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
export function judgeClock(budget: TimeBudget, { maxGain }: ScrapLimits): Finding | undefined {
  if (!budget.isOverdrawn) return undefined;
  const { rate } = budget;
  const evidence =
    rate === undefined
      ? { measured: Math.round(budget.aheadMs), allowed: 0, unit: "ms ahead" }
      : { measured: rate, allowed: 1 + maxGain, unit: "s/s" };
  const reason = "The client's clock is too fast: its ticks wait until they are due";
  return { kind: "flag", rule: "fast-clock", reason, ...evidence };
}

/** A player that has played too much at once: its ticks wait. */
export function savedTicks(heldMs: number, { savedMs }: ScrapLimits): Finding {
  return {
    kind: "flag",
    rule: "saved-up",
    reason: "Sends nothing, then many ticks at once, again and again: they are played hardly faster than time passes",
    measured: Math.round(heldMs) / 1000,
    allowed: savedMs / 1000,
    unit: "s",
  };
}
