import { describe, expect, it } from "vitest";
import { nodesOf } from "../movement/nodes.ts";
import { Fragment, stances } from "../wire/fragment.ts";
import type { Flight } from "./flight.ts";
import { freeTerrain, judgeFreeFlight } from "./free-flight.ts";
import { mapleRuleDefaults } from "./limits.ts";
import { nothingSupposed } from "./supposed-map.ts";
import { noMomentum } from "./terrain.ts";

const factors = { speed: 1, jump: 1 };
const standing = { foothold: 1, state: stances.stand << 1 };
const { jumpPxPerSecond } = mapleRuleDefaults;

interface Step {
  readonly y: number;
  readonly ms: number;
  readonly foothold?: number;
  readonly stance?: number;
}

const jump = Fragment.of("relative", { type: 1, vy: -555, state: stances.jump << 1 });
const to = ({ y, ms, foothold = 0, stance = foothold === 0 ? stances.jump : stances.stand }: Step): Fragment =>
  Fragment.of("absolute", { type: 0, y, foothold, state: stance << 1, durationMs: ms });

/** One path after the other from y = 0 on; by how much each is too high. */
function above(paths: readonly (readonly Fragment[])[], pushes = 0, first = standing): readonly number[] {
  let flight: Flight | undefined;
  let from = first;
  let y = 0;
  let place = { before: noMomentum, supposed: nothingSupposed };
  return paths.map((fragments) => {
    const path = nodesOf(fragments, "v62", { x: 0, y });
    const free = { factors, floats: stances.swim, namesGround: true, ...place };
    const travelled = freeTerrain(path.nodes, { ...path.start, ...from }, free, mapleRuleDefaults);
    place = { before: travelled.momentum, supposed: travelled.supposed };
    const claim = { path, factors, hasSkill: false, pushes, from, floats: stances.swim, terrain: travelled.nodes };
    const judged = judgeFreeFlight(flight, claim);
    const last = path.nodes.at(-1);
    flight = judged.flight;
    if (last !== undefined) {
      y = last.y;
      from = { foothold: last.foothold, state: last.state };
    }
    return Math.round(judged.abovePx);
  });
}

describe("a player on an unknown map", () => {
  it("jumps up a stair of any steps that a jump reaches", () => {
    const step = (y: number) => [jump, to({ y: y - 77, ms: 280 }), to({ y: y - 77, ms: 20, foothold: 1 })];
    expect(above([step(0), step(-77), step(-154), step(-231)])).toEqual([0, 0, 0, 0]);
  });

  it("does not land on something higher while it rises", () => {
    const step = (y: number) => [jump, to({ y: y - 50, ms: 100 }), to({ y: y - 50, ms: 0, foothold: 1 })];
    for (const found of above([step(0), step(-50), step(-100)])) expect(found).toBeGreaterThan(40);
  });

  it("lands on something higher after a weaker jump that is over sooner, as off a ladder", () => {
    const off = (vy: number) => Fragment.of("relative", { type: 1, vy, state: stances.jump << 1 });
    const onLadder = to({ y: -20, ms: 200, foothold: -1, stance: stances.ladder });
    const hop = [to({ y: -38, ms: 150 }), to({ y: -36, ms: 30, foothold: 1 })];
    expect(above([[onLadder, off(-277), ...hop]])).toEqual([0]);
    expect(above([[onLadder, off(-277)], hop])).toEqual([0, 0]);
    // As fast as it says, and no higher than that leads.
    expect(above([[onLadder, off(-277), to({ y: -70, ms: 200 })]])[0]).toBeGreaterThan(20);
    expect(above([[onLadder, off(-555), ...hop]])[0]).toBeGreaterThan(10);
  });

  it("comes onto a slope while it still rises, as often as it may be pushed", () => {
    const step = (y: number) => [jump, to({ y: y - 50, ms: 100 }), to({ y: y - 50, ms: 0, foothold: 1 })];
    expect(above([step(0), step(-50)], 1)).toEqual([0, 0]);
  });

  it("is thrown by a spring, and falls from there", () => {
    const thrown = [
      Fragment.of("relative", { type: 2, vy: -1000, state: stances.jump << 1 }),
      to({ y: -250, ms: 500 }),
    ];
    expect(above([thrown])).toEqual([0]);
    expect(above([thrown, [to({ y: -300, ms: 200 })]])[1]).toBeGreaterThan(40);
    expect(
      above([[Fragment.of("relative", { type: 2, vy: -1000, state: 6 }), to({ y: -300, ms: 500 })]])[0],
    ).toBeGreaterThan(40);
  });

  it("may land at once where it jumped, and lower", () => {
    const hop = [jump, to({ y: 1, ms: 90 }), to({ y: 1, ms: 30, foothold: 1 })];
    expect(above([hop, hop])).toEqual([0, 0]);
  });

  it("rises no second time in the air, however long it has hung there", () => {
    const rise = [jump, to({ y: -70, ms: 270 })];
    expect(above([rise, [to({ y: -70, ms: 2000 })], [to({ y: -100, ms: 300 })]])).toEqual([0, 0, 27]);
  });

  it("is pushed in the air as often as is believed", () => {
    const push = (y: number) => [jump, to({ y, ms: 270 })];
    expect(above([push(-70), push(-130)], 1)).toEqual([0, 0]);
    expect(above([push(-70), push(-130)])[1]).toBeGreaterThan(40);
  });

  it("may come in in the moment in which it is lifted onto a ladder, and is lifted no further", () => {
    const climb = (y: number) => to({ y, ms: 50, foothold: -1, stance: stances.ladder });
    expect(above([[climb(-14)]], 0, { foothold: -1, state: stances.ladder << 1 })).toEqual([0]);
    expect(above([[climb(-40)]], 0, { foothold: -1, state: stances.ladder << 1 })[0]).toBeGreaterThan(0);
  });

  it("walks and climbs up as fast as it walks, and is lifted onto a ladder once", () => {
    const climb = (y: number, ms: number, foothold: number) => to({ y, ms, foothold, stance: stances.ladder });
    expect(above([[to({ y: -60, ms: 500, foothold: 1 })], [to({ y: -120, ms: 500, foothold: 2 })]])).toEqual([0, 0]);
    expect(above([[to({ y: -270, ms: 500, foothold: 1 })]])[0]).toBeGreaterThan(200);
    expect(above([[climb(-64, 500, -1)], [climb(-114, 500, -1)]])).toEqual([0, 0]);
    expect(above([[climb(-14, 0, -1)], [climb(-28, 0, -1)]])[1]).toBeGreaterThan(10);
  });

  it("swims and flies up, no faster than one that flies", () => {
    const swim = (y: number) => [to({ y, ms: 500, stance: stances.swim })];
    expect(above([[], swim(-100), swim(-200), swim(-300)])).toEqual([0, 0, 0, 0]);
    expect(above([[], swim(-100), swim(-370)])[2]).toBeGreaterThan(80);
  });

  it("jumps higher in water, and out of it", () => {
    const rise = (y: number, ms: number, stance: number) => to({ y, ms, stance });
    const leaves = [jump, rise(-100, 240, stances.swim), rise(-116, 150, stances.jump)];
    expect(above([leaves])).toEqual([0]);
    // In the air the same is too high.
    expect(above([[jump, rise(-100, 240, stances.jump), rise(-116, 150, stances.jump)]])[0]).toBeGreaterThan(20);
    // A body that flies rises from the ground as fast as it jumps, and then as fast as it flies.
    expect(above([[jump, rise(-131, 450, stances.swim)], [rise(-191, 300, stances.swim)]])).toEqual([0, 0]);
    expect(above([[jump, rise(-131, 450, stances.swim)], [rise(-250, 300, stances.swim)]])[1]).toBeGreaterThan(20);
  });

  it("makes a stroke when the last one is over", () => {
    const stroke = Fragment.of("relative", { type: 1, vy: -388, state: stances.swim << 1 });
    const strokes = (ms: number, px: number) =>
      [0, 1, 2].map((index) => [stroke, to({ y: -px * (index + 1), ms, stance: stances.swim })]);
    expect(above([[], ...strokes(210, 55)])).toEqual([0, 0, 0, 0]);
    const [, , ...later] = above([[], ...strokes(90, 33)]);
    for (const found of later) expect(found).toBeGreaterThan(3);
  });

  /** How fast the fastest stair is that is not found: of every period and height, with jumps of several speeds. */
  function fastestStair(stance: number): number {
    let most = 0;
    for (const vy of [-555, -388, -60]) {
      const jumps = Fragment.of("relative", { type: 1, vy, state: stance << 1 });
      for (let ms = 30; ms <= 600; ms += 10) {
        for (let px = 1; px <= 160; px++) {
          const step = (y: number) => [jumps, to({ y: y - px, ms, stance }), to({ y: y - px, ms: 0, foothold: 1 })];
          const found = above([step(0), step(-px), step(-2 * px), step(-3 * px)]);
          if (found.every((each) => each === 0)) most = Math.max(most, (px * 1000) / ms);
        }
      }
    }
    return most;
  }

  it("gains no more height than full jumps up a stair, whatever lands when", () => {
    const most = fastestStair(stances.jump);
    expect(most).toBeGreaterThan(jumpPxPerSecond / 2 - 10);
    expect(most).toBeLessThan(330);
  });

  it("gains no more height than up a stair where players fly", () => {
    // 355 ms from a full jump to the speed of those that fly, 134 px higher: 378 px/s, and 5 % of the impulse.
    const most = fastestStair(stances.swim);
    expect(most).toBeGreaterThan(378 - 10);
    expect(most).toBeLessThan(410);
  });
});
