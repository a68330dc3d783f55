import type { FeedMoment } from "@wirewalk/server/feed";
import { expect, test } from "vitest";
import {
  beyondPossible,
  claimedWay,
  judgedStep,
  judgedWay,
  lengthOf,
  playerPlace,
  serverWay,
  shadowShare,
  splitWay,
  toleratedCorners,
} from "./geometry.ts";

const step = (ms: number, x: number, kind: "correct" | null = null) => ({
  ms,
  message: "move",
  places: [{ x, y: 0 }],
  mover: null,
  room: null,
  clockMs: null,
  kind,
  isJudged: kind !== null,
});
const moment = {
  verdict: { room: "1" },
  picture: "places",
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

test("what a rule measures is straight from there to the place that it names; of a rule without places it is what the message names", () => {
  const at = { x: 7, y: 7 };
  expect(judgedWay({ ...moment, at })).toEqual([{ x: 2, y: 0 }, at]);
  expect(judgedWay({ ...moment, at: null })).toEqual([]);
  expect(judgedWay({ ...moment, picture: "amount" })).toEqual([{ x: 12, y: 0 }]);
});

test("a message that was refused led nowhere, and the player is where the server had it", () => {
  const claimed = [step(-900, 90, "correct"), ...moment.claimed];
  expect(claimedWay({ ...moment, claimed }, 0)).toEqual(claimedWay(moment, 0));
  expect([-80, 0, 900].map((ms) => playerPlace(moment, ms)?.x)).toEqual([1.5, 1.5, 2]);
  expect(playerPlace({ ...moment, server: [] }, 0)).toEqual(moment.from);
});

test("the shadow grows from the message before to the judged one, and stays", () => {
  expect([-500, -400, -100, 0, 900].map((ms) => shadowShare(moment, ms))).toEqual([undefined, 0, 0.75, 1, 1]);
  expect(shadowShare({ ...moment, envelope: null }, 0)).toBeUndefined();
});

test("a way is cut where it leaves what was possible, whatever is tolerated beyond it", () => {
  const box = { shape: "box", left: -4, right: 4, top: -2, bottom: 9, spare: 3 } as const;
  const way = [
    { x: 0, y: 0 },
    { x: 8, y: 0 },
  ];
  const { within, beyond } = splitWay(way, box);
  expect(within.at(-1)?.x).toBeCloseTo(4, 4);
  expect([beyond[0]?.x, beyond.at(-1)]).toEqual([within.at(-1)?.x, way[1]]);
  expect(beyondPossible(box, { x: 8, y: 0 })).toBe(4);
  expect(splitWay(way, { shape: "circle", x: 0, y: 0, radius: 20 })).toEqual({ within: way, beyond: [] });
  expect(splitWay(way, null)).toEqual({ within: [], beyond: way });
});

test("what is tolerated beyond a box is so much along both axes together, and none beside an open side", () => {
  const box = { shape: "box", left: -4, right: 4, top: -2, bottom: 9, spare: 3 } as const;
  const corners = toleratedCorners(box);
  expect(corners.length).toBe(8);
  for (const corner of corners) expect(beyondPossible(box, corner)).toBe(3);
  expect(toleratedCorners({ shape: "box", left: 1, right: 2, spare: 3 })).toEqual([]);
});

test("a rule that measures one axis has its way along that one", () => {
  const [from, at] = [
    { x: 0, y: 0 },
    { x: 3, y: 4 },
  ];
  expect(lengthOf(from, at, { shape: "box", left: -1, right: 1 })).toBe(3);
  expect(lengthOf(from, at, { shape: "box", top: -1 })).toBe(4);
  expect(lengthOf(from, at, { shape: "circle", x: 0, y: 0, radius: 1 })).toBe(5);
});
