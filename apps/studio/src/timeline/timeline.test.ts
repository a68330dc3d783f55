import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import type { WireEntry } from "../feed/wire-log.ts";
import { marksOf, nextMark } from "./marks.ts";
import { type FeedObservation, ObservationLog } from "./observation-log.ts";
import { ViewClock } from "./view-clock.ts";

test("the time that is looked at is held, goes on at another speed, and ends in the present", () => {
  const clock = new ViewClock();
  expect(clock.at(1_000)).toBe(1_000);
  clock.hold(600);
  expect([clock.at(1_000), clock.at(5_000), clock.isLive]).toEqual([600, 600, false]);
  clock.play(2, 5_000);
  expect(clock.at(5_100)).toBe(800);
  // 4,400 ms behind: at double speed the present is reached after 4,400 ms.
  expect(clock.at(9_400)).toBe(9_400);
  expect(clock.viewing.value).toEqual({ state: "live" });
});

const observation = (what: string): FeedObservation => ({
  type: "observation",
  world: "w",
  room: "1",
  player: 1,
  atMs: 0,
  what,
  data: {},
});

test("observations wait while a moment is held, and come again, as repeats, when the time goes back", () => {
  const log = new ObservationLog();
  const seen: string[] = [];
  log.listen(({ what }, atMs) => seen.push(`${what} at ${atMs}${log.isRepeat ? " again" : ""}`));
  log.add(observation("a"), 10, true);
  log.add(observation("b"), 20, false);
  expect(seen).toEqual(["a at 10"]);
  log.showAgain(15);
  log.showUntil(30);
  expect(seen).toEqual(["a at 10", "a at 10 again", "b at 20"]);
});

test("an observation that no view was there for is shown to the first one", () => {
  const log = new ObservationLog();
  log.add(observation("a"), 10, true);
  const seen: boolean[] = [];
  log.listen(() => seen.push(log.isRepeat));
  log.showAgain(20);
  expect(seen).toEqual([false]);
});

test("marks are within the window, oldest first, and one steps from one to the next", () => {
  const entry = (id: number, atMs: number): WireEntry => ({
    id,
    atMs,
    sender: "client",
    payload: new Uint8Array(),
    verdict: signal(undefined),
    moved: signal(undefined),
  });
  const verdict = {
    kind: "correct",
    rule: "r",
    reason: "",
    player: 1,
    name: null,
    room: "1",
    atMs: 50,
    measured: null,
    allowed: null,
    unit: null,
    message: "",
    stateBefore: {},
  } as const;
  const all = [verdict, { ...verdict, kind: "benign" } as const];
  const marks = marksOf([entry(2, 300), entry(1, 100), entry(0, 5)], all, (atMs) => atMs + 100, [10, 400]);
  expect(marks.map(({ kind, atMs }) => `${kind} ${atMs}`)).toEqual(["packet 100", "correction 150", "packet 300"]);
  expect(nextMark(marks, 100, 1)?.atMs).toBe(150);
  expect(nextMark(marks, 150, -1)?.atMs).toBe(100);
  expect(nextMark(marks, 300, 1)).toBeUndefined();
});
