import { expect, test } from "vitest";
import type { Track } from "wirewalk/motion";
import { keySets, type MovementKeys } from "wirewalk/scrap-mechanic";
import { describeKeys, directionArrow, figureOfTrack, forward, keysWords, liftOf, walkingWay } from "./figure.ts";

const keys = (byte: number): MovementKeys => keySets[byte] as MovementKeys;
const track = (details: Track["details"], z = 0.7): Track => ({
  player: 3,
  room: "1",
  atMs: 0,
  position: { x: 1, y: 2, z },
  velocity: { x: 0, y: 0 },
  facingTurns: 0,
  stance: "walk",
  source: "simulated",
  ...(details === undefined ? {} : { details }),
});

test("a track becomes a figure with its look and its keys", () => {
  const figure = figureOfTrack(track({ keys: 12, yaw: 64, pitch: 96, direction: 64 }, 1.2));
  expect(figure).toMatchObject({ player: 3, x: 1, y: 2, yawTurns: 0.25, pitch: 96, direction: 64, keys: keys(12) });
  expect(figure.lift).toBeCloseTo(0.5, 9);
});

test("without details of a track the character stands and looks level", () => {
  for (const details of [undefined, {}, { keys: "all", yaw: null, pitch: 1 / 0 }]) {
    expect(figureOfTrack(track(details))).toMatchObject({ yawTurns: 0, pitch: 64, keys: keys(0) });
  }
});

test("a body that crawls is as near to the ground as one that stands", () => {
  expect([liftOf(0.7, false), liftOf(0.4, true), liftOf(0.2, false)]).toEqual([0, 0, 0]);
});

test("looks up the screen at first, and turns to the left", () => {
  expect(forward(0)).toEqual({ x: -0, y: -1 });
  expect(forward(0.25).x).toBeCloseTo(-1, 9);
});

test("walks where keys and look lead together", () => {
  const way = (yawTurns: number, direction: number) => {
    const { x, y } = walkingWay({ ...figureOfTrack(track({})), yawTurns, direction });
    return [Math.round(x) + 0, Math.round(y) + 0];
  };
  // Forward is where the look goes; right of a look to the left is up the screen.
  expect(way(0, 64)).toEqual([0, -1]);
  expect(way(0.25, 64)).toEqual([-1, 0]);
  expect(way(0.25, 0)).toEqual([0, -1]);
});

test.each([
  [0, "→"],
  [64, "↑"],
  [96, "↖"],
  [192, "↓"],
  [250, "→"],
])("direction %d is %s on a keyboard", (direction, arrow) => {
  expect(directionArrow(direction)).toBe(arrow);
});

test("keys in words leave out what is not held", () => {
  expect(keysWords(keys(0), 64)).toBe("");
  expect(keysWords(keys(29), 64)).toBe("↑ sprint jump aim");
  expect(keysWords(keys(3), 64)).toBe("crawl jump");
  expect(describeKeys({ keys: 4, direction: 128 })).toBe("←");
  expect(describeKeys(undefined)).toBe("");
});
