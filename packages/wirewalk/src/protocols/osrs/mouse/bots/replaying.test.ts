import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../motion/index.ts";
import { handCheats, MouseHand } from "./bot.ts";
import { cutStrokes, parsePointerCsv } from "./recorded-pointer.ts";
import { changes, fitHand, fittedMovement, playStroke, rejoin } from "./replaying.ts";

const header = "client timestamp,button,state,x,y";

describe("a recorded pointer", () => {
  it("is read in milliseconds, and in seconds where a monitor's time stands beside", () => {
    expect(parsePointerCsv(`${header}\n100,NoButton,Move,5,6\n117,NoButton,Move,7,8\n`)).toEqual([
      { x: 5, y: 6, ms: 0 },
      { x: 7, y: 8, ms: 17 },
    ]);
    expect(
      parsePointerCsv(`record timestamp,${header}\r\n0,0.5,NoButton,Move,5,6\r\n0,0.75,NoButton,Move,7,8`),
    ).toEqual([
      { x: 5, y: 6, ms: 0 },
      { x: 7, y: 8, ms: 250 },
    ]);
  });

  it("loses marks of outside, times that go back and cut lines, and is refused without its columns", () => {
    expect(parsePointerCsv("ms,x,y\n0,1,1\n20,65535,65535\n10,2,2\n5,3,3\n30,4")).toEqual([
      { x: 1, y: 1, ms: 0 },
      { x: 2, y: 2, ms: 10 },
    ]);
    expect(() => parsePointerCsv("a,b\n")).toThrow("no column x");
    expect(() => parsePointerCsv("ms,x,y\n0,1,one")).toThrow("Line 2");
  });

  it("is cut at rests", () => {
    const csv = "ms,x,y\n0,10,10\n16,20,10\n32,40,10\n48,60,10\n500,60,10\n516,80,10\n532,100,30\n900,101,30\n";
    const strokes = cutStrokes(parsePointerCsv(csv));
    expect(strokes.map(({ points }) => points.length)).toEqual([4, 3]);
    expect(strokes.map(({ restMs }) => restMs)).toEqual([0, 452]);
  });
});

const points = Array.from({ length: 20 }, (_, at) => ({ x: 100 + 10 * at, y: 100 + 4 * (at % 5), ms: 16 * at }));
const strokes = [
  { restMs: 300, points },
  { restMs: 300, points: points.map(({ x, y, ms }) => ({ x: y, y: 2 * x, ms: 2 * ms })) },
];

describe("a replay", () => {
  it("goes where the recording went, from anywhere", () => {
    const plan = playStroke(points, { x: 0, y: 0 });
    expect([plan.at(0), plan.at(24), plan.at(9999)]).toEqual([
      { x: 0, y: 0 },
      { x: 15, y: 6 },
      { x: 190, y: 16 },
    ]);
  });

  it.each(Object.keys(changes))("%s keeps its first point, and time never goes back", (name) => {
    const random = createRandom(3);
    for (let turn = 0; turn < 50; turn++) {
      const played = (changes[name] as (typeof changes)[string])(points, random);
      expect(played[0]).toEqual(points[0]);
      for (let at = 1; at < played.length; at++) {
        expect(played[at]?.ms).toBeGreaterThanOrEqual(played[at - 1]?.ms ?? 0);
      }
    }
  });

  it("in pieces and by what was measured, ends at its target", () => {
    const random = createRandom(5);
    const [from, to] = [
      { x: 500, y: 40 },
      { x: 30, y: 400 },
    ];
    const joined = rejoin(strokes, from, to, random);
    expect(joined.at(0)).toEqual(from);
    expect(joined.at(joined.durationMs).x).toBeCloseTo(to.x);
    const hand = fitHand(strokes);
    expect(hand.spread).toBeLessThan(1);
    const fitted = fittedMovement(hand, from, to, random);
    expect(fitted.at(0)).toEqual(from);
    expect(fitted.at(fitted.durationMs).y).toBeCloseTo(to.y);
  });
});

it.each(handCheats)("%s plays from its seed alone, with a recording and without", (cheat) => {
  const lines = strokes.flatMap(({ points: own }, at) => own.map(({ x, y, ms }) => `${ms + at * 1000},${x},${y}`));
  for (const recording of [undefined, `ms,x,y\n${lines.join("\n")}`]) {
    const run = (): string => {
      const given = recording === undefined ? {} : { recording };
      const hand = new MouseHand({ dialect: "client", random: createRandom(9), number: 0, cheat, ...given }, 0);
      const sent: string[] = [];
      for (let now = 0; now < 20_000; now += 20) sent.push(...hand.step(now).map((payload) => payload.join(" ")));
      return sent.join("\n");
    };
    expect(run().length).toBeGreaterThan(200);
    expect(run()).toBe(run());
  }
});
