import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { simulate } from "../../../testing/simulation.ts";
import { MapleBot } from "../bots/bot.ts";
import { mapleStory } from "../maplestory.ts";
import { nodesOf } from "../movement/nodes.ts";
import { yardMaps as maps } from "../testing/made-yard.ts";
import { Fragment, stances } from "../wire/fragment.ts";
import { freeTerrain } from "./free-flight.ts";
import { mapleRuleDefaults } from "./limits.ts";
import { nothingSupposed, type SupposedMap, withPortal } from "./supposed-map.ts";
import { noMomentum } from "./terrain.ts";

const factors = { speed: 1, jump: 1 };

let supposed: SupposedMap;
let momentum = noMomentum;

/** What an unknown map allows on the way to each place; what it must have for that is supposed from then on. */
function allowed(start: { readonly x: number; readonly y: number }, fragments: readonly Fragment[]) {
  const { nodes } = nodesOf(fragments, "v62", start);
  const from = { ...start, foothold: 1, state: stances.walk << 1 };
  const free = { factors, floats: stances.swim, namesGround: true, before: momentum, supposed };
  const found = freeTerrain(nodes, from, free, mapleRuleDefaults);
  ({ momentum, supposed } = found);
  return found.nodes;
}

function begin(): void {
  supposed = nothingSupposed;
  momentum = noMomentum;
}

/** A walk to x within half a second. */
const walk = (x: number, y = 0) =>
  Fragment.of("absolute", { type: 0, x, y, foothold: 1, state: stances.walk << 1, durationMs: 510 });
const push = (vy: number, vx = 0) => Fragment.of("relative", { type: 2, vx, vy, state: stances.jump << 1 });
const leap = (x: number, y: number) => Fragment.of("instant", { type: 4, x, y, foothold: 1, state: 4 });

/** Half a second at a place. */
const stand = (x: number) => walk(x);

const right = (x: number, px: number) => allowed({ x, y: 0 }, [walk(x + px)])[0]?.right ?? 0;
const left = (x: number, px: number) => allowed({ x, y: 0 }, [walk(x - px)])[0]?.left ?? 0;

describe("an unknown map that a player supposes", () => {
  it("carries to one side where it carries at all, no faster than the strongest conveyor", () => {
    begin();
    expect(right(0, 63)).toBe(125);
    expect(right(0, 217)).toBe(425);
    expect(right(100, 300)).toBe(425);
    // The same ground does not carry back.
    momentum = noMomentum;
    expect(left(300, 217)).toBe(125);
    // Another one does.
    expect(allowed({ x: 300, y: 80 }, [walk(83, 80)])[0]?.left).toBe(425);
  });

  it("allows nothing for a walk that no conveyor explains", () => {
    begin();
    expect(right(0, 250)).toBe(125);
    expect(supposed.conveyors).toEqual([]);
  });

  it("lets a body keep what it was given in the air, and takes it on the ground by its drag", () => {
    begin();
    right(0, 217);
    const flight = Fragment.of("absolute", { type: 0, x: 400, y: 0, state: stances.jump << 1, durationMs: 510 });
    expect(allowed({ x: 217, y: 0 }, [flight])[0]?.right).toBe(425);
    expect(right(2000, 60)).toBe(425);
    expect(right(2060, 60)).toBe(125);
  });

  it("has no more conveyors than the richest map", () => {
    begin();
    const found = Array.from({ length: 34 }, (_, index) => {
      momentum = noMomentum;
      return allowed({ x: 0, y: 100 * index }, [walk(100, 100 * index)])[0]?.right;
    });
    expect(found.indexOf(125)).toBe(32);
  });

  it("throws from some places, no faster than the strongest spring, and from these as often as a body comes there", () => {
    begin();
    expect(allowed({ x: 0, y: 0 }, [push(-1500, 200)])[0]).toMatchObject({ rise: 1500, spring: { pxPerSecond: 1500 } });
    momentum = noMomentum;
    expect(allowed({ x: 0, y: 0 }, [push(-5000)])[0]).toMatchObject({ rise: 2000 });
    expect(supposed.springs).toHaveLength(1);
    const thrown = Array.from({ length: 33 }, (_, index) => {
      momentum = noMomentum;
      return allowed({ x: 0, y: -300 * index }, [push(-2000)])[0]?.rise;
    });
    expect(thrown.indexOf(555)).toBe(32);
    momentum = noMomentum;
    expect(allowed({ x: 50, y: -300 }, [push(-2000)])[0]?.rise).toBe(2000);
  });

  it("has portals that lead to one place each, and no more than the richest map", () => {
    begin();
    const through = (x: number, to: number) => allowed({ x, y: 0 }, [stand(x), stand(x), leap(to, 500)])[2]?.isPortal;
    const found = Array.from({ length: 65 }, (_, index) => through(0, 1000 + 20 * index));
    expect(found.indexOf(false)).toBe(64);
    expect(through(50, 1000)).toBe(true);
    expect(through(500, 1000)).toBe(false);
  });

  it("has portals that lead no farther than those of any map, one in a path, and one in a second after the first three", () => {
    begin();
    expect(allowed({ x: 0, y: 0 }, [leap(14_001, 0)])[0]?.isPortal).toBe(false);
    expect(allowed({ x: 0, y: 0 }, [leap(13_600, 0), leap(0, 0)]).map(({ isPortal }) => isPortal)).toEqual([
      true,
      false,
    ]);
    const there = (from: number, to: number, ...before: Fragment[]) =>
      allowed({ x: from, y: 0 }, [...before, leap(to, 0)]).at(-1)?.isPortal;
    expect([there(13_600, 0), there(0, 13_600), there(13_600, 0)]).toEqual([true, true, false]);
    expect(there(13_600, 0, stand(13_600))).toBe(false);
    expect(there(13_600, 0, stand(13_600))).toBe(true);
  });

  it("lets a body that has fallen below everything come back from anywhere, to where that leads", () => {
    const once = withPortal({ ...nothingSupposed, lowestY: 300 }, { x: 0, y: 400 }, { x: 0, y: 0 });
    if (once === undefined) throw new Error("no portal");
    expect(withPortal(once, { x: 900, y: 400 }, { x: 0, y: 0 })?.portals).toBe(once.portals);
    expect(withPortal(once, { x: 900, y: 300 }, { x: 0, y: 0 })?.portals).not.toBe(once.portals);
  });
});

describe.each(["v62", "v83", "v95", "documented"])(
  "honest players of %s on maps that the world does not know",
  (dialect) => {
    it("have no verdict for conveyors, springs, portals within a map, water and slopes", () => {
      const random = createRandom(31);
      const bots = Array.from({ length: 8 }, (_, number) => {
        const room = [500, 502, 503, 505][number % 4] ?? 500;
        return {
          bot: new MapleBot({ dialect, random: random.fork(), number, cheat: "none", maps, room }),
          joining: { account: `a${number}`, name: `b${number}`, room: String(room) },
          startMs: number * 37,
          listens: true,
        };
      });
      const found: string[] = [];
      simulate({
        protocol: mapleStory,
        world: { dialect, seed: 31, demo: false },
        seed: 31,
        durationMs: 60_000,
        conditions: { latencyMs: { low: 20, high: 80 }, jitterMs: 0 },
        bots,
        onVerdict: ({ kind, rule, room }) => {
          if (kind !== "accept" && kind !== "benign") found.push(`${kind} ${rule} ${room}`);
        },
      });
      expect(found).toEqual([]);
    });
  },
);
