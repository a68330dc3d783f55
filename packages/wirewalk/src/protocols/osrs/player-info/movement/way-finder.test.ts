import { describe, expect, it } from "vitest";
import { Collision } from "../../maps/collision.ts";
import { collisionMapsOf } from "../../maps/collision-maps.ts";
import { drawRegion } from "../../testing/draw-region.ts";
import { WayFinder } from "./way-finder.ts";

/** Ways on a drawing, whose south-west tile is 0, 0 here. */
function finderOf(lines: readonly string[]) {
  const finder = new WayFinder(new Collision(collisionMapsOf("mine", [drawRegion(50, 50, lines)])));
  return (fromX: number, fromZ: number, toX: number, toZ: number) => {
    const from = { x: 3200 + fromX, z: 3200 + fromZ };
    const way = finder.findWay(0, from, { x: 3200 + toX, z: 3200 + toZ });
    return { ...way, tiles: way.tiles.map(({ x, z }) => `${x - 3200},${z - 3200}`).join(" ") };
  };
}

const open = (width: number, height: number): string[] => new Array<string>(height).fill(".".repeat(width));

describe("a way", () => {
  it("goes straight first and across last, since the search tries west, east, south and north before the corners", () => {
    const find = finderOf(open(9, 9));
    // Back from the end: each tile was reached from the first tile in the queue.
    expect(find(1, 1, 4, 2).tiles).toBe("2,1 3,1 4,2");
    expect(find(4, 4, 1, 3).tiles).toBe("3,4 2,4 1,3");
    expect(find(1, 1, 2, 4).tiles).toBe("1,2 1,3 2,4");
    expect(find(1, 1, 3, 3).tiles).toBe("2,2 3,3");
    expect(find(2, 2, 2, 2)).toMatchObject({ tiles: "", arrives: true });
  });

  it("leads around walls and cuts no corner", () => {
    const find = finderOf(["....", ".##.", ".#..", "...."]);
    expect(find(0, 2, 2, 1).tiles).toBe("0,1 0,0 1,0 2,0 2,1");
    expect(find(0, 2, 3, 2).tiles).toBe("0,3 1,3 2,3 3,3 3,2");
  });

  it("ends at the tile nearest to one that no way leads to, then with the fewest steps, then the west-most", () => {
    const find = finderOf([".......", "..###..", "..#.#..", "..###..", "......."]);
    // 3,0 and 3,4 and 1,2 and 5,2 are two tiles away.
    expect(find(0, 2, 3, 2)).toMatchObject({ tiles: "1,2", arrives: false });
    expect(find(6, 2, 3, 2)).toMatchObject({ tiles: "5,2", arrives: false });
    expect(find(6, 0, 3, 2).tiles).toBe("6,1 5,2");
    // 1,2 and 3,2 are beside 2,2, and three steps away.
    expect(finderOf(["..#..", "..#..", "....."])(2, 0, 2, 2)).toMatchObject({ tiles: "1,0 1,1 1,2", arrives: false });
    // Nothing within ten tiles of it was reached.
    expect(find(0, 0, 30, 0)).toMatchObject({ tiles: "", arrives: false });
    expect(find(0, 0, 16, 0).tiles).toBe("1,0 2,0 3,0 4,0 5,0 6,0");
  });

  it("has 25 corners, and ends at the last of them", () => {
    // A comb: each tooth is gone around with four corners.
    const width = 40;
    const row = (closed: (x: number) => boolean): string =>
      Array.from({ length: width }, (_, x) => (closed(x) ? "#" : ".")).join("");
    const find = finderOf([row((x) => x % 4 === 1), row((x) => x % 2 === 1), row((x) => x % 4 === 3)]);
    const { tiles, arrives } = find(0, 0, 38, 0);
    expect(arrives).toBe(false);
    const ways = ["0,0", ...tiles.split(" ")].map((tile) => tile.split(",").map(Number) as [number, number]);
    const turns = ways.filter(([x, z], at) => {
      const [before, after] = [ways[at - 1], ways[at + 1]];
      if (before === undefined) return false;
      return after === undefined || after[0] - x !== x - before[0] || after[1] - z !== z - before[1];
    });
    expect(turns).toHaveLength(25);
    expect(find(0, 0, 18, 0).arrives).toBe(true);
  });

  it("says that it met tiles that are not known", () => {
    const find = finderOf(open(64, 64));
    expect(find(20, 20, 24, 20).metUnknown).toBe(false);
    expect(find(0, 0, 3, 0).metUnknown).toBe(true);
    expect(find(0, 0, -3, 0)).toMatchObject({ tiles: "", arrives: false, metUnknown: true });
  });
});
