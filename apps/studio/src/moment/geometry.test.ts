import type { FeedMoment } from "@wirewalk/server/feed";
import { expect, test } from "vitest";
import { claimedWay, judgedStep, judgedWay, serverWay, shadowShare, splitWay } from "./geometry.ts";

const step = (ms: number, x: number, kind: "correct" | null = null) => ({
  ms,
  message: "move",
  places: [{ x, y: 0 }],
  mover: null,
  room: null,
  kind,
  isJudged: kind !== null,
});
const moment = {
  verdict: { room: "1" },
  at: { x: 12, y: 0 },
  from: { x: 2, y: 0 },
  envelope: { shape: "circle", x: 2, y: 0, radius: 4 },
  claimed: [step(-1_000, 1), step(-400, 2), step(0, 12, "correct"), step(500, 3)],
  server: [
    { ms: -50, x: 1.5, y: 0 },
    { ms: 50, x: 2, y: 0 },
  ],
} as unknown as FeedMoment;

test("ways grow with time, and the judged message is a way of its own", () => {
  expect(judgedStep(moment)?.ms).toBe(0);
  const xs = (ms: number): number[] => claimedWay(moment, ms).map(({ x }) => x);
  expect([xs(-2_000), xs(-400), xs(0), xs(600)]).toEqual([[], [1, 2], [1, 2], [1, 2, 3]]);
  expect(serverWay(moment, 0)).toEqual([{ ms: -50, x: 1.5, y: 0 }]);
  expect(judgedWay(moment).map(({ x }) => x)).toEqual([2, 12]);
});

test("ways of others than the judged one, and places of other rooms, are left out", () => {
  const others = [
    { ...step(-900, 50), mover: "monster 3" },
    { ...step(-800, 60), room: "2" },
  ];
  const mixed = { ...moment, claimed: [...others, ...moment.claimed] } as FeedMoment;
  expect(claimedWay(mixed, 0)).toEqual(claimedWay(moment, 0));
});

test("what a verdict compares by itself is the way: from there to the place that it names", () => {
  const at = { x: 7, y: 7 };
  expect(judgedWay({ ...moment, at })).toEqual([{ x: 2, y: 0 }, at]);
  expect(judgedWay({ ...moment, at: null })).toEqual([]);
});

test("the shadow grows from the message before to the judged one, and stays", () => {
  expect([-500, -400, -100, 0, 900].map((ms) => shadowShare(moment, ms))).toEqual([undefined, 0, 0.75, 1, 1]);
  expect(shadowShare({ ...moment, envelope: null }, 0)).toBeUndefined();
});

test("a way is cut where what was allowed is used up", () => {
  const way = [
    { x: 0, y: 0 },
    { x: 3, y: 0 },
    { x: 3, y: 10 },
  ];
  expect(splitWay(way, 5)).toEqual({
    within: [way[0], way[1], { x: 3, y: 2 }],
    beyond: [{ x: 3, y: 2 }, way[2]],
  });
  expect(splitWay(way, 20)).toEqual({ within: way, beyond: [] });
  expect(splitWay(way, undefined)).toEqual({ within: [], beyond: way });
});
