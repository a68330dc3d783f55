import { expect, test } from "vitest";
import { positionAt, type ReceivedPlayback, sayPosition, showPosition } from "./position.ts";

const state: ReceivedPlayback = {
  atMs: 10_000,
  isPlaying: true,
  speed: 2,
  isHeld: false,
  isSeeking: false,
  jump: 0,
  isMissing: false,
  gameMs: null,
  difference: null,
  damage: null,
  receivedMs: 500,
};

test("a position follows from the last state, and ends with the recording", () => {
  expect(positionAt(state, { lastMs: 60_000 }, 1_500)).toBe(12_000);
  expect(positionAt(state, { lastMs: 11_000 }, 1_500)).toBe(11_000);
  expect(positionAt({ ...state, isPlaying: false }, { lastMs: 60_000 }, 1_500)).toBe(10_000);
  expect(positionAt({ ...state, isSeeking: true }, { lastMs: 60_000 }, 1_500)).toBe(10_000);
});

test.each([
  [0, "0:00.0", "0 seconds"],
  [5_299, "0:05.2", "5.2 seconds"],
  [61_000, "1:01.0", "1 minute 1 second"],
  [59_999, "0:59.9", "59.9 seconds"],
  [3_723_400, "1:02:03.4", "1 hour 2 minutes 3.4 seconds"],
])("%d ms are %s, in words %s", (atMs, shown, said) => {
  expect(showPosition(atMs)).toBe(shown);
  expect(sayPosition(atMs)).toBe(said);
});

test("a position with milliseconds is that of a message, and the shorter one never runs ahead of it", () => {
  expect([0, 5_299, 65_007.9, 3_723_400].map((atMs) => showPosition(atMs, 3))).toEqual([
    "0:00.000",
    "0:05.299",
    "1:05.007",
    "1:02:03.400",
  ]);
});
