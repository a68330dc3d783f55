import { expect, test } from "vitest";
import type { PathPoint } from "wirewalk/osrs/mouse";
import type { SeenSession } from "../play/sessions.ts";
import { drawnPath, REST_MS, speedProfile } from "./path.ts";

function point(atMs: number, x: number, of: Partial<PathPoint> = {}): PathPoint {
  return { x, y: 0, atMs, known: true, outside: false, speed: 100, packet: 0, ...of };
}

function session(points: readonly PathPoint[], earlyPackets: readonly number[] = []): SeenSession {
  const packets = [...new Set(points.map(({ packet }) => packet))].map((packet) => {
    return { packet, bytes: 1, spanMs: 1, cutBytes: 0, records: 1, early: earlyPackets.includes(packet) };
  });
  return { points, packets, kinematics: undefined };
}

test("points that were not played yet are not drawn", () => {
  const path = drawnPath(session([point(100, 0), point(150, 10)]), 99, 1000);
  expect(path).toEqual({ lines: [], rests: [], ends: [], exits: [], pointer: undefined });
});

test("the pointer moves between two points, and the line with it", () => {
  const path = drawnPath(session([point(100, 0), point(200, 10)]), 150, 1000);
  expect(path.pointer).toEqual({ x: 5, y: 0, stance: "moving" });
  expect(path.lines).toEqual([{ fromX: 0, fromY: 0, x: 5, y: 0, speed: 100, age: 0 }]);
});

test("lines age, and are gone after the span", () => {
  const points = [point(0, 0), point(100, 10), point(600, 20), point(700, 30)];
  expect(drawnPath(session(points), 1100, 1000).lines.map(({ age }) => age)).toEqual([1, 0.5, 0.4]);
  expect(drawnPath(session(points), 1101, 1000).lines).toHaveLength(2);
});

test("a rest lasts until the next movement; a movement of unknown speed shows at its end", () => {
  const points = [point(0, 0), point(1000, 10, { speed: 0 }), point(1050, 20)];
  const before = drawnPath(session(points), 900, 5000);
  expect(before.rests).toMatchObject([{ x: 0, ms: 900, age: 0 }]);
  expect(before.pointer).toEqual({ x: 0, y: 0, stance: "resting" });
  const after = drawnPath(session(points), 1050, 5000);
  expect(after.rests).toMatchObject([{ x: 0, ms: 1000 }]);
  expect(after.lines).toHaveLength(2);
});

test("a pointer that has not moved rests, longer and longer", () => {
  const path = (atMs: number) => drawnPath(session([point(0, 7)]), atMs, 1000);
  expect(path(REST_MS - 1).rests).toEqual([]);
  expect(path(60_000).rests).toEqual([{ x: 7, y: 0, ms: 60_000, age: 0 }]);
});

test("packets end at their last point; a packet that a button sent is marked", () => {
  const points = [point(0, 0), point(50, 10), point(100, 20, { packet: 1 }), point(150, 30, { packet: 1 })];
  expect(drawnPath(session(points, [1]), 200, 1000).ends.map(({ x, early }) => [x, early])).toEqual([
    [10, false],
    [30, true],
  ]);
});

test("the tick of a packet stands across the path", () => {
  const [end] = drawnPath(session([point(0, 0), point(50, 10)]), 60, 1000).ends;
  expect(end?.turnRadians).toBeCloseTo(Math.PI / 2);
});

test("outside there is no position: the path ends where the pointer left and begins where it enters", () => {
  const away = { x: -1, y: -1, outside: true, speed: 0 };
  const points = [point(0, 0), point(50, 10), point(100, 0, away), point(150, 90, { speed: 0 }), point(200, 80)];
  const outside = drawnPath(session(points), 120, 1000);
  expect(outside.pointer).toEqual({ x: 10, y: 0, stance: "outside" });
  expect(outside.exits).toMatchObject([{ x: 10, y: 0 }]);
  const back = drawnPath(session(points), 200, 1000);
  expect(back.lines.map(({ fromX, x }) => [fromX, x])).toEqual([
    [0, 10],
    [90, 80],
  ]);
  expect(back.pointer).toEqual({ x: 80, y: 0, stance: "resting" });
});

test("while the position is unknown nothing is drawn, but the speeds are right", () => {
  const unknown = session([point(0, 0, { known: false }), point(50, 10, { known: false })]);
  expect(drawnPath(unknown, 60, 1000)).toMatchObject({ lines: [], ends: [], pointer: { stance: "unknown" } });
  expect(speedProfile(unknown, 60, 100).map(({ speed }) => speed)).toEqual([100, 100]);
});

test("the speed profile is at zero during rests, before the first movement, and after the last", () => {
  const points = [point(1000, 0, { speed: 0 }), point(1050, 5, { speed: 300 })];
  expect(speedProfile(session(points), 2000, 2000)).toEqual([
    { atMs: 0, speed: 0 },
    { atMs: 999, speed: 0 },
    { atMs: 1000, speed: 0 },
    { atMs: 1050, speed: 300 },
    { atMs: 1050, speed: 0 },
    { atMs: 2000, speed: 0 },
  ]);
});

test("the speed profile shows nothing older and nothing that was not played yet", () => {
  const points = [point(0, 0), point(500, 0), point(550, 0), point(600, 0)];
  expect(speedProfile(session(points), 560, 100).map(({ atMs }) => atMs)).toEqual([500, 550]);
});
