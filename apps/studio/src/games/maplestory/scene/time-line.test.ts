import { expect, test } from "vitest";
import { Fragment } from "wirewalk/maplestory";
import { Actor } from "../play/actor.ts";
import { laneOf, placeAt, TIME_LINE_MS } from "./time-line.ts";
import { timeScale } from "./time-line-drawing.ts";
import { ViewClock } from "./view-clock.ts";

const walk = Fragment.of("absolute", { type: 0, x: 20, vx: 50, foothold: 1, state: 2, durationMs: 400 });
const jump = Fragment.of("relative", { type: 1, vy: -555, state: 6 });
const flight = Fragment.of("absolute", { type: 0, x: 25, y: -50, vx: 50, vy: -335, state: 6, durationMs: 110 });
const received = { start: { x: 0, y: 0 }, fragments: [walk, jump, flight] };

function actor(): Actor {
  const who = new Actor({ kind: "player", id: 7, dialect: "v62" });
  who.receive(received, 50, 10_510, undefined);
  who.receive({ ...received, start: { x: 25, y: -50 } }, 50, 11_065, undefined);
  return who;
}

test("a packet is a block of 510 ms, its fragments in scale, and the time of its arrival", () => {
  const { key, blocks } = laneOf(actor(), 12_000);
  expect(key).toBe("player 7");
  expect(blocks).toHaveLength(2);
  const [first, second] = blocks;
  expect([first?.fromMs, first?.toMs]).toEqual([10_000.2, 10_510.2].map((ms) => expect.closeTo(ms, 0)));
  expect(first?.segments.map(({ fromMs, toMs, inAir }) => [Math.round(toMs - fromMs), inAir])).toEqual([
    [400, false],
    [110, true],
  ]);
  expect(first?.marks.map(({ kind, atMs }) => [kind, Math.round(atMs)])).toEqual([["relative", 10_400]]);
  expect(first?.lateMs).toBeCloseTo(0, 0);
  // 555 ms after the first one: 45 ms of jitter.
  expect(second?.lateMs).toBeCloseTo(45, 0);
  expect(second?.fromMs).toBeCloseTo(first?.toMs ?? 0);
});

test("a packet is open until the ghost receives it, and gone when it is old", () => {
  const who = actor();
  expect(laneOf(who, 9_000).blocks).toEqual([]);
  expect(laneOf(who, 10_300).blocks.map(({ isOpen }) => isOpen)).toEqual([true]);
  expect(laneOf(who, 10_600).blocks.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  expect(laneOf(who, 10_700 + TIME_LINE_MS).blocks.map(({ batch }) => batch.number)).toEqual([2]);
});

test("a place on a lane is a fragment; one without a duration is hit from beside it", () => {
  const lane = laneOf(actor(), 12_000);
  const place = { key: "player 7", batch: 1 };
  expect(placeAt(lane, 10_100, 20)).toEqual({ ...place, fragment: 0 });
  expect(placeAt(lane, 10_390, 20)).toEqual({ ...place, fragment: 1 });
  expect(placeAt(lane, 10_450, 20)).toEqual({ ...place, fragment: 2 });
  expect(placeAt(lane, 11_500, 20)).toBeUndefined();
});

test("the scale goes from the left edge to now and back", () => {
  const scale = timeScale(608, 20_000);
  expect(scale.x(20_000 - TIME_LINE_MS)).toBe(0);
  expect(scale.x(20_000)).toBe(600);
  expect(scale.ms(scale.x(17_321))).toBeCloseTo(17_321);
});

test("the shown time never runs backwards: to add delay it slows down", () => {
  const clock = new ViewClock();
  expect(clock.at(10_000, 1_000)).toBe(9_000);
  expect(clock.at(10_016, 0)).toBe(10_016);
  expect(clock.at(11_016, 1_000)).toBe(10_516);
  expect(clock.at(13_016, 1_000)).toBe(12_016);
  expect(clock.at(12_000, 1_000)).toBe(12_016);
});
