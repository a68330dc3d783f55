import { expect, test } from "vitest";
import { encodePath, Fragment, v62Fragments } from "wirewalk/maplestory";
import { formatHex, WireError } from "wirewalk/wire";
import { type BatchOptions, createBatch, fieldsOf, pointInBatch, type ReceivedPath, readPath } from "./batch.ts";

const walk = (x: number, vx: number, durationMs: number): Fragment =>
  Fragment.of("absolute", { type: 0, x, y: 300, vx, foothold: 1, state: 2, durationMs });
const jump = Fragment.of("relative", { type: 1, vx: 100, vy: -555, state: 6 });
const flight = Fragment.of("absolute", { type: 0, x: 130, y: 240, vx: 100, vy: -355, state: 6, durationMs: 100 });

function batchOf(fragments: readonly Fragment[], more: Partial<BatchOptions> = {}) {
  const received: ReceivedPath = { start: { x: 100, y: 300 }, fragments };
  const times = { clockMs: 510, receivedMs: 510, arrivesMs: 510 };
  const options = { dialect: "v62", number: 1, received, packetBytes: 40, ...times, last: undefined, seamless: false };
  return createBatch({ ...options, ...more });
}

test("a path is read out of the bytes of a relay", () => {
  const received = { start: { x: -7, y: 300 }, fragments: [walk(20, 100, 410), jump, flight] };
  const hex = formatHex(encodePath(received, v62Fragments));
  expect(readPath(hex, "v62")).toEqual(received);
  expect(() => readPath(hex.slice(0, -2), "v62")).toThrow(WireError);
  expect(() => readPath("00", "v62")).toThrow(WireError);
});

test("a path of the document has no start", () => {
  // Four opaque bytes, one fragment: absolute, at (5,6), for 500 ms.
  const hex = "01020304 01 00 0500 0600 7d00 0000 0000 02 f401".replaceAll(" ", "");
  const { start, fragments } = readPath(hex, "documented");
  expect(start).toBeUndefined();
  expect(fragments).toMatchObject([{ kind: "absolute", x: 5, y: 6, vx: 125, durationMs: 500 }]);
});

test("each fragment has a node where it ends, and an impulse has one where it starts", () => {
  const { nodes, durationMs } = batchOf([walk(120, 100, 410), jump, flight]);
  expect(durationMs).toBe(510);
  expect(nodes.map(({ kind, x, y, atMs, inAir }) => [kind, x, y, atMs, inAir])).toEqual([
    ["absolute", 120, 300, 410, false],
    ["relative", 120, 300, 410, true],
    ["absolute", 130, 240, 510, true],
  ]);
});

test("in documented a node is where its fragment starts", () => {
  const fragments = [
    Fragment.of("absolute", { type: 0, x: 100, y: 300, vx: 125, state: 2, durationMs: 200 }),
    Fragment.of("absolute", { type: 0, x: 125, y: 300, state: 4, durationMs: 300 }),
  ];
  const received = { start: undefined, fragments };
  const { nodes } = batchOf([], { dialect: "documented", received });
  expect(nodes.map(({ x, atMs }) => [x, atMs])).toEqual([
    [100, 0],
    [125, 200],
  ]);
});

test("equipment is a node where it is put on, without movement", () => {
  const { nodes, path } = batchOf([
    walk(120, 100, 60),
    Fragment.of("equipment", { type: 10, data: 3 }),
    walk(126, 100, 60),
  ]);
  expect(nodes.map(({ kind, x }) => [kind, x])).toEqual([
    ["absolute", 120],
    ["equipment", 120],
    ["absolute", 126],
  ]);
  expect(path.nodes).toHaveLength(2);
});

test("a jump is a parabola between two nodes, and the actor stands after the last one", () => {
  const apex = Fragment.of("absolute", { type: 0, x: 100, y: 223, vy: 0, state: 6, durationMs: 278 });
  const up = Fragment.of("relative", { type: 1, vy: -555, state: 6 });
  const batch = batchOf([up, apex]);
  // y = 300 - 555 t + 1000 t².
  expect(pointInBatch(batch, 139, "v62").y).toBeCloseTo(242.2, 0);
  expect(pointInBatch(batch, 9_000, "v62")).toMatchObject({ x: 100, y: 223, source: "held" });
});

test("a seamless batch continues with the velocity of the one before it", () => {
  const last = { x: 100, y: 300, vx: 125, vy: 0, durationMs: 30, jump: false, gravity: 0, state: 2 };
  const fragments = [walk(225, 125, 1000)];
  expect(pointInBatch(batchOf(fragments, { last, seamless: true }), 500, "v62").x).toBeCloseTo(162.5);
  // From rest it starts slower.
  expect(pointInBatch(batchOf(fragments, { last, seamless: false }), 500, "v62").x).toBeLessThan(150);
});

test("the fields of a fragment come in wire order", () => {
  expect(fieldsOf(jump, "v62")).toEqual([
    ["vx", 100],
    ["vy", -555],
    ["state", 6],
    ["durationMs", 0],
  ]);
});

test("a path that goes on from the one before begins at its end, and one after a portal where it says", () => {
  const last = batchOf([walk(98, 100, 510)]).path.nodes.at(-1);
  expect(pointInBatch(batchOf([walk(150, 100, 510)], { last, seamless: true }), 0, "v62").x).toBe(98);
  const received = { start: { x: 2_000, y: -400 }, fragments: [walk(2_050, 100, 510)] };
  const { x, y } = pointInBatch(batchOf([], { received, last, seamless: true }), 0, "v62");
  expect([x, y]).toEqual([2_000, -400]);
});
