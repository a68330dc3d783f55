import { describe, expect, it } from "vitest";
import { demoMap } from "../maps/demo-maps.ts";
import { nodesOf } from "../movement/nodes.ts";
import { Fragment } from "../wire/fragment.ts";
import { type Gain, judgeGain, noGain } from "./gain.ts";

const map = demoMap(1);
const factors = { speed: 1, jump: 1 };

/** Walks so many paths of so many milliseconds at a speed, rounded as a client does it. */
function walked(pxPerSecond: number, paths: number, ms: number): Gain {
  let gain = noGain(0);
  let x = 0;
  let at = { x: 0, y: 300, foothold: 1 };
  for (let index = 0; index < paths; index++) {
    x += (pxPerSecond * ms) / 1000;
    const to = { x: Math.round(x), y: 300, foothold: 1 };
    const path = nodesOf([Fragment.of("absolute", { type: 0, ...to, state: 2, durationMs: ms })], "v62", at);
    gain = judgeGain(gain, { nodes: path.nodes, from: at, factors, map, overMs: 0 }, gain.atMs + ms).gain;
    at = to;
  }
  return gain;
}

describe("a gain", () => {
  it.each([30, 90, 270, 510])("is none at the walking speed, in paths of %i ms, however long", (ms) => {
    expect(walked(125, 2000, ms).heldPx).toBe(0);
  });

  it("grows at 1.05 times the walking speed, whatever the length of the paths", () => {
    // 6.25 px a second, one of which is forgiven.
    for (const ms of [30, 510]) {
      const { heldPx } = walked(131.25, Math.round(20_000 / ms), ms);
      expect(heldPx).toBeGreaterThan(95);
      expect(heldPx).toBeLessThan(106);
    }
  });

  it("is forgiven by a pixel a second", () => {
    const held = walked(250, 1, 510);
    expect(held.heldPx).toBeCloseTo(63 - 0.51, 0);
    expect(judgeGain(held, { ...still, overMs: 0 }, held.atMs + 30_000).gain.heldPx).toBeCloseTo(held.heldPx - 30, 5);
  });

  const stillPath = nodesOf(
    [Fragment.of("absolute", { type: 0, y: 300, foothold: 1, state: 4, durationMs: 30 })],
    "v62",
    { x: 0, y: 300 },
  );
  const still = {
    nodes: stillPath.nodes,
    from: { x: 0, y: 300, foothold: 1 },
    factors,
    map,
  };

  it("counts time that has not passed as the way that it allows, and a start elsewhere as a way", () => {
    expect(judgeGain(noGain(0), { ...still, overMs: 400 }, 0).gain.heldPx).toBe(50);
    expect(
      judgeGain(noGain(0), { ...still, from: { x: -60, y: 300, foothold: 1 }, overMs: 0 }, 0).gain.heldPx,
    ).toBeCloseTo(60 - 125 * 0.03 - 1, 5);
  });

  it("is refused above the tolerance", () => {
    expect(judgeGain(noGain(0), { ...still, overMs: 400 }, 0)).toMatchObject({
      accepted: true,
      gain: { heldPx: 50 },
    });
    expect(judgeGain(noGain(0), { ...still, overMs: 401 }, 0).accepted).toBe(false);
  });

  it("leaves the step to a ladder out, once, where the map has one", () => {
    const grab = (x: number, foothold: number) => {
      const node = Fragment.of("absolute", { type: 0, x, y: 290, foothold, state: 14, durationMs: 30 });
      const start = { x: -388, y: 300 };
      const { nodes } = nodesOf([node], "v62", start);
      return judgeGain(noGain(0), { nodes, from: { ...start, foothold: 1 }, factors, map, overMs: 0 }, 0).gain.heldPx;
    };
    expect(grab(-400, -1)).toBe(0);
    expect(grab(-400, -2)).toBeGreaterThan(7);
    expect(grab(-370, -1)).toBeGreaterThan(7);
  });
});
