import { describe, expect, it } from "vitest";
import { unprovenLine } from "../movement/reach.ts";
import { answered, asked, lineOf, noPings, type Pings } from "./pings.ts";

/** A line whose answers take so long, one after the other, in ms. */
function after(...tookMs: readonly number[]): { readonly pings: Pings; readonly nowMs: number } {
  let pings = noPings(0);
  let nowMs = 0;
  for (const took of tookMs) {
    nowMs = pings.dueMs;
    pings = asked(pings, nowMs);
    nowMs += took;
    pings = answered(pings, nowMs) as Pings;
  }
  return { pings, nowMs };
}

describe("pings", () => {
  it("an answer proves that what was sent before its ping has arrived", () => {
    const { pings, nowMs } = after(100, 100);
    expect(lineOf(pings, nowMs)).toEqual({ provenMs: nowMs - 100, isSteady: true });
    expect(lineOf(pings, nowMs + 900).provenMs).toBe(nowMs - 100);
  });

  it("nothing is proven before the first answer", () => {
    expect(lineOf(noPings(0), 0)).toBe(unprovenLine);
    expect(lineOf(asked(noPings(0), 1000), 60_000)).toBe(unprovenLine);
  });

  it("a line is not steady while an answer is late by more than 0.3 s, and for 40 s after it", () => {
    const { pings, nowMs } = after(100, 100);
    const open = asked(pings, nowMs + 1000);
    expect(lineOf(open, nowMs + 1400).isSteady).toBe(true);
    expect(lineOf(open, nowMs + 1401).isSteady).toBe(false);
    const late = answered(open, nowMs + 1401) as Pings;
    expect(lineOf(late, nowMs + 41_400).isSteady).toBe(false);
    expect(lineOf(late, nowMs + 41_401).isSteady).toBe(true);
  });

  it("of the first answer it is not known how fast the line is", () => {
    const slow = after(5000);
    expect(lineOf(slow.pings, slow.nowMs).isSteady).toBe(false);
    const far = after(1200, 1200);
    expect(lineOf(far.pings, far.nowMs).isSteady).toBe(false);
    expect(lineOf(far.pings, far.nowMs + 40_000).isSteady).toBe(true);
  });

  it("answers come in the order of their pings", () => {
    const both = asked(asked(noPings(0), 1000), 21_000);
    const first = answered(both, 21_050) as Pings;
    expect(first.provenMs).toBe(1000);
    expect((answered(first, 21_060) as Pings).provenMs).toBe(21_000);
  });

  it("a ping that answers none is a question, and too many open pings prove nothing", () => {
    expect(answered(noPings(0), 10)).toBeUndefined();
    const asks = noPings(0, true);
    expect(lineOf(answered(asked(asks, 1000), 1010) as Pings, 1010)).toBe(unprovenLine);
    let pings = after(100).pings;
    for (let count = 0; count < 9; count++) pings = asked(pings, 2000 + count);
    expect(pings.openMs).toHaveLength(8);
    expect(lineOf(pings, 3000)).toBe(unprovenLine);
  });
});
