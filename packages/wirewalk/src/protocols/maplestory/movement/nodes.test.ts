import { expect, it } from "vitest";
import { durationOf, nodesOf } from "./nodes.ts";

const start = { x: 100, y: 50 };
const walked = { type: 0, x: 150, y: 50, vx: 100, vy: 0, foothold: 3, state: 2, durationMs: 500 };
const bare = (durationMs: number) => ({ type: 21, state: 4, durationMs });

it("the time of a bare fragment passes before the next place is reached", () => {
  const { nodes } = nodesOf([bare(200), bare(100), walked], "v83", start);
  expect(nodes).toMatchObject([{ x: 150, y: 50, durationMs: 800, foothold: 3, state: 2 }]);
});

it("a path that ends with bare fragments stays where it is for so long", () => {
  const fragments = [walked, bare(300)];
  const { nodes } = nodesOf(fragments, "v83", start);
  expect(nodes).toMatchObject([
    { durationMs: 500 },
    { x: 150, y: 50, vx: 0, vy: 0, durationMs: 300, foothold: 3, state: 2 },
  ]);
  expect(nodes.reduce((sum, node) => sum + node.durationMs, 0)).toBe(durationOf(fragments));
});

it("a path of nothing else stays where it began, with its own state", () => {
  expect(nodesOf([bare(300)], "v83", start).nodes).toMatchObject([{ ...start, durationMs: 300, state: 4, type: 21 }]);
  expect(nodesOf([bare(0)], "v83", start).nodes).toEqual([]);
});
