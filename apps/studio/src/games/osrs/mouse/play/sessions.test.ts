import { expect, test } from "vitest";
import { MAX_PATH_POINTS, type PathPoint } from "wirewalk/osrs/mouse";
import type { JsonObject } from "wirewalk/wire";
import { KEPT_MS, readingOf, type SeenKinematics, SeenSessions } from "./sessions.ts";

function packet(number: number, atMs: readonly number[], of: JsonObject = {}) {
  const points = atMs.map((at) => ({ x: 1, y: 2, atMs: at, known: true, outside: false, speed: 9, packet: number }));
  const data = { packet: number, bytes: 5, spanMs: 50, cutBytes: 0, early: false, points, ...of };
  return { player: 1, what: "mouse-packet", data };
}

function kinematics(strokes: number, score: number): SeenKinematics {
  return { score, findings: [], summary: { strokes, jumps: 0 } as SeenKinematics["summary"] };
}

test("packets are put together to a path", () => {
  const sessions = new SeenSessions();
  sessions.apply(packet(0, [10, 60]));
  sessions.apply(packet(1, [110], { early: true }));
  const session = sessions.get(1);
  expect(session?.points.map(({ atMs }: PathPoint) => atMs)).toEqual([10, 60, 110]);
  expect(session?.packets.map(({ records, early }) => [records, early])).toEqual([
    [2, false],
    [1, true],
  ]);
});

test("old points and points over the limit are forgotten, except the last one", () => {
  const sessions = new SeenSessions();
  sessions.apply(packet(0, [0, 50]));
  sessions.apply(packet(1, [KEPT_MS + 60]));
  expect(sessions.get(1)?.points.map(({ atMs }) => atMs)).toEqual([KEPT_MS + 60]);
  expect(sessions.get(1)?.packets.map((seen) => seen.packet)).toEqual([1]);
  for (let number = 2; number < 500; number++) sessions.apply(packet(number, [KEPT_MS + 60 + number]));
  expect(sessions.get(1)?.points).toHaveLength(MAX_PATH_POINTS);
  expect(sessions.get(1)?.packets).toHaveLength(MAX_PATH_POINTS);
});

test("a new player with an old id has no old path", () => {
  const sessions = new SeenSessions();
  sessions.apply(packet(0, [10]));
  sessions.apply(packet(1, [20]));
  sessions.apply(packet(0, [30]));
  expect(sessions.get(1)?.points.map(({ atMs }) => atMs)).toEqual([30]);
});

test("after missed packets the path begins anew, and the measurements stay", () => {
  const sessions = new SeenSessions();
  sessions.apply(packet(0, [10]));
  sessions.apply({ player: 1, what: "mouse-kinematics", data: kinematics(15, 0.1) as unknown as JsonObject });
  sessions.apply(packet(2, [20_000]));
  expect(sessions.get(1)?.points.map(({ atMs }) => atMs)).toEqual([20_000]);
  expect(sessions.get(1)?.packets.map((seen) => seen.packet)).toEqual([2]);
  expect(sessions.get(1)?.kinematics?.summary.strokes).toBe(15);
});

test("players who left are forgotten", () => {
  const sessions = new SeenSessions();
  sessions.apply(packet(0, [10]));
  sessions.keep(new Set([2]));
  expect(sessions.get(1)).toBeUndefined();
});

test("observations of another kind make no session", () => {
  const sessions = new SeenSessions();
  sessions.apply({ player: 1, what: "fireworks", data: {} });
  expect(sessions.get(1)).toBeUndefined();
});

test.each([
  [undefined, "early"],
  [kinematics(5, 0), "early"],
  [kinematics(9, 1), "early"],
  [kinematics(10, 0.1), "human"],
  [kinematics(10, 0.3), "unclear"],
  [kinematics(10, 0.5), "machine"],
])("%j is read as %s", (measured, reading) => {
  expect(readingOf(measured)).toBe(reading);
});

test("the server's kinematics are kept as they are", () => {
  const sessions = new SeenSessions();
  const measured = kinematics(15, 0.97);
  sessions.apply({ player: 1, what: "mouse-kinematics", data: measured as unknown as JsonObject });
  expect(sessions.get(1)?.kinematics).toEqual(measured);
});
