import { describe, expect, test } from "vitest";
import { CANDIDATES, candidatesOf, LEAST_COST, moveFrom, type PlacementNode } from "./placement.ts";

const named = (count: number, load = 0): PlacementNode[] =>
  Array.from({ length: count }, (_, n) => ({ name: `node-${n}`, load }));
const worlds = Array.from({ length: 400 }, (_, n) => `world-${n}`);

/** Each world goes to its first candidate, one after the other. */
function place(nodes: readonly PlacementNode[], cost = LEAST_COST): Map<string, string> {
  const loads = new Map(nodes.map(({ name, load }) => [name, load]));
  return new Map(
    worlds.map((world) => {
      const now = nodes.map(({ name }) => ({ name, load: loads.get(name) ?? 0 }));
      const { name } = candidatesOf(world, now)[0] as PlacementNode;
      loads.set(name, (loads.get(name) ?? 0) + cost);
      return [world, name];
    }),
  );
}

function counts(placed: ReadonlyMap<string, string>): number[] {
  const by = new Map<string, number>();
  for (const node of placed.values()) by.set(node, (by.get(node) ?? 0) + 1);
  return [...by.values()].sort((a, b) => a - b);
}

describe("candidates", () => {
  test("all nodes of a small cluster, four of a large one, in whatever order they are named", () => {
    expect(candidatesOf("w", named(3))).toHaveLength(3);
    const large = named(100);
    const chosen = candidatesOf("w", large);
    expect(chosen).toHaveLength(CANDIDATES);
    expect(candidatesOf("w", large.toReversed())).toEqual(chosen);
    expect(candidatesOf("w", [])).toEqual([]);
  });

  test("the one with the least load is first", () => {
    const chosen = candidatesOf("w", named(100));
    const free = chosen[2]?.name;
    const nodes = named(100, 0.5).map((node) => (node.name === free ? { ...node, load: 0.1 } : node));
    expect(candidatesOf("w", nodes)[0]?.name).toBe(free);
  });

  test("worlds of equal cost spread evenly, and a node that joins is a candidate of few of them", () => {
    const placed = place(named(20));
    expect(counts(placed)[0]).toBeGreaterThanOrEqual(18);
    expect(counts(placed).at(-1)).toBeLessThanOrEqual(22);
    const changed = worlds.filter((world) => {
      const [before, after] = [named(20), named(21)].map((nodes) =>
        candidatesOf(world, nodes)
          .map(({ name }) => name)
          .sort(),
      );
      return before?.join() !== after?.join();
    });
    // A share of 4/21.
    expect(changed.length).toBeGreaterThan(40);
    expect(changed.length).toBeLessThan(120);
  });
});

describe("moves", () => {
  test("one node with all worlds hands them over to one that joins, until both have half", () => {
    const costs = new Map(worlds.slice(0, 8).map((world) => [world, LEAST_COST]));
    const moved = new Map<string, number>();
    for (let n = 0; n < 20; n += 1) {
      const nodes = [
        { name: "a", load: costs.size * LEAST_COST },
        { name: "b", load: moved.size * LEAST_COST },
      ];
      const move = moveFrom(nodes[0] as PlacementNode, costs, nodes);
      if (move === undefined) break;
      expect(move.to).toBe("b");
      costs.delete(move.world);
      moved.set(move.world, LEAST_COST);
    }
    expect([costs.size, moved.size]).toEqual([4, 4]);
    const level = [
      { name: "a", load: 0.04 },
      { name: "b", load: 0.04 },
    ];
    expect(moveFrom(level[1] as PlacementNode, moved, level)).toBeUndefined();
  });

  test("a world that is too large to help stays; the largest that helps goes", () => {
    const nodes = [
      { name: "a", load: 0.9 },
      { name: "b", load: 0.1 },
    ];
    const [from] = nodes as [PlacementNode];
    expect(moveFrom(from, new Map([["large", 0.85]]), nodes)).toBeUndefined();
    const costs = new Map([
      ["large", 0.6],
      ["some", 0.2],
      ["little", 0.1],
    ]);
    expect(moveFrom(from, costs, nodes)).toEqual({ world: "some", to: "b" });
    expect(moveFrom(from, costs, [from])).toBeUndefined();
  });
});
