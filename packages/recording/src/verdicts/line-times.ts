/** What the times of a player's messages say of its connection: pauses, and piles of late messages. */
import type { VerdictExplanation } from "./explain-verdict.ts";

/** Less silence than this delays no client's messages noticeably. */
export const STALL_MS = 1_000;
/** A pause so many times longer than the usual one is no habit of the client. */
export const STALL_SHARE = 5;
/** Messages so near to each other came in one burst. */
export const BURST_MS = 50;
export const BURST_MESSAGES = 8;
/** What comes longer after a pause was not held back by it. */
const AFTER_STALL_MS = 2_000;

export interface LineTimes {
  readonly longestMs: number;
  readonly usualMs: number;
  /** The last pause that may have been a stall, and when it ended, in milliseconds after the verdict. */
  readonly stall: { readonly pauseMs: number; readonly endMs: number } | undefined;
  /** Messages that came with the judged one. */
  readonly burst: number;
}

/** Undefined where too few messages came before the verdict. */
export function lineTimes({ claimed }: Pick<VerdictExplanation, "claimed">): LineTimes | undefined {
  const times = claimed.filter(({ ms }) => ms <= 0).map(({ ms }) => ms);
  if (times.length < 3) return undefined;
  const pauses = times.slice(1).map((ms, index) => ms - (times[index] as number));
  const usualMs = pauses.toSorted((a, b) => a - b)[pauses.length >> 1] as number;
  const stalls = pauses.flatMap((pauseMs, index) => {
    const endMs = times[index + 1] as number;
    const isOne = pauseMs >= STALL_MS && pauseMs >= STALL_SHARE * usualMs && endMs >= -AFTER_STALL_MS;
    return isOne ? [{ pauseMs, endMs }] : [];
  });
  const burst = times.filter((ms) => ms >= -BURST_MS).length;
  return { longestMs: Math.max(...pauses), usualMs, stall: stalls.at(-1), burst };
}
