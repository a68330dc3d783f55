import { describe, expect, it } from "vitest";
import { type MapFiles, memoryFiles } from "../../map-files.ts";
import { MapError, type MapProblem } from "../../maps.ts";
import { osrs } from "../osrs.ts";
import { drawRegion } from "../testing/draw-region.ts";
import { Collision } from "./collision.ts";
import { collisionMapReading, collisionMapsOf, isCollisionMaps, loadMaps } from "./collision-maps.ts";
import { MAX_REGION_BYTES, Region } from "./region.ts";

/** Files that count how often each is opened. */
function counted(files: Readonly<Record<string, Uint8Array>>): { readonly files: MapFiles; readonly opened: string[] } {
  const inner = memoryFiles("mine", new Map(Object.entries(files)));
  const opened: string[] = [];
  return {
    opened,
    files: {
      ...inner,
      open(path) {
        opened.push(path);
        return inner.open(path);
      },
    },
  };
}

describe("a region", () => {
  it("has two bits for each tile, the lowest first: to the north, and to the east", () => {
    // Tile 3 of row 1: bit (64 + 3) * 2 = 134, in byte 16 bits 6 and 7.
    const bytes = new Uint8Array(17);
    bytes[16] = 0b0100_0000;
    const region = new Region(50, 50, bytes);
    expect([region.mayStepNorth(0, 3203, 3201), region.mayStepEast(0, 3203, 3201)]).toEqual([true, false]);
    bytes[16] = 0xff;
    expect(region.mayStepEast(0, 3203, 3201)).toBe(false);
    const east = new Region(
      50,
      50,
      Uint8Array.from({ length: 17 }, (_, at) => (at === 16 ? 0b1000_0000 : 0)),
    );
    expect([east.mayStepNorth(0, 3203, 3201), east.mayStepEast(0, 3203, 3201)]).toEqual([false, true]);
  });

  it("reads 0 beyond its end, and has as many levels as it has bytes of", () => {
    const levels = [0, 1, 1024, 1025, 2048, 3073, 4096].map((size) => new Region(1, 2, new Uint8Array(size)).levels);
    expect(levels).toEqual([0, 1, 1, 2, 2, 4, 4]);
    const full = new Region(1, 2, new Uint8Array(1025).fill(0xff));
    expect([full.mayStepEast(1, 3, 0), full.mayStepEast(1, 4, 0), full.mayStepEast(3, 63, 63)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("is the same with zeros at its end", () => {
    const [short, long, other] = [[7], [7, 0, 0], [7, 0, 1]].map((bytes) => new Region(1, 2, Uint8Array.from(bytes)));
    expect(short?.digest()).toBe(long?.digest());
    expect(short?.digest()).not.toBe(other?.digest());
  });

  it("in numbers: what may step north, east, and neither", () => {
    expect(drawRegion(50, 51, ["..#", "...", "#.."]).summary()).toEqual({
      region: "50_51",
      levels: 1,
      north: 4,
      east: 4,
      // Of 4,096 tiles five have a step of their own.
      closed: 4091,
      left: 3200,
      top: 3327,
      right: 3263,
      bottom: 3264,
      omitted: [],
    });
  });
});

describe("a set of regions", () => {
  const { files, opened } = counted({
    "maps/50_50": Uint8Array.of(1),
    "maps/9_200": Uint8Array.of(2),
    "maps/50_49": Uint8Array.of(3),
    "maps/readme.txt": Uint8Array.of(4),
    "maps/050_1": Uint8Array.of(5),
    "maps/256_1": Uint8Array.of(6),
  });

  it("is the files that have the name of a region, in whatever folder; none is read before it is asked for", () => {
    const maps = loadMaps(files);
    expect(isCollisionMaps(maps)).toBe(true);
    expect([maps.game, maps.name, maps.places()]).toEqual(["osrs", "mine", ["9_200", "50_49", "50_50"]]);
    expect(opened).toEqual([]);
    expect(maps.region(50, 49)?.mayStepEast(0, 0, 0)).toBe(true);
    expect(maps.region(50, 49)).toBe(maps.region(50, 49));
    expect(opened).toEqual(["maps/50_49"]);
    expect([maps.region(1, 1), maps.summary("1_1"), maps.digest("1_1"), maps.summary("readme.txt")]).toEqual(
      new Array(4).fill(undefined),
    );
    expect(osrs.capabilities.maps).toBe(collisionMapReading);
  });

  it("keeps as many as it may, and those that were used last", () => {
    const { files: more, opened: reads } = counted(
      Object.fromEntries([1, 2, 3].map((x) => [`${x}_0`, Uint8Array.of(x)])),
    );
    const maps = loadMaps(more, { kept: 2 });
    for (const x of [1, 2, 1, 3, 1, 2]) expect(maps.region(x, 0)?.x).toBe(x);
    expect(reads).toEqual(["1_0", "2_0", "3_0", "2_0"]);
  });

  it("names a region that cannot be read, once, and goes on without it", () => {
    const problems: MapProblem[] = [];
    const { files: broken } = counted({ "a/1_1": new Uint8Array(MAX_REGION_BYTES + 1), "a/1_2": Uint8Array.of(1) });
    const maps = loadMaps(broken, { kept: 1, onProblem: (problem) => problems.push(problem) });
    for (let time = 0; time < 3; time++) expect([maps.region(1, 1), maps.region(1, 2)?.z]).toEqual([undefined, 2]);
    const reason = "a/1_1: A region has at most 4096 bytes, the file has 4097";
    expect(problems).toEqual([{ place: "1_1", reason }]);
    expect(() => maps.summary("1_1")).toThrow(new MapError(reason));
    expect(maps.digest("1_1")).toBeUndefined();
  });

  it("needs a region, and each one once", () => {
    expect(() => loadMaps(memoryFiles("empty", new Map([["a.txt", new Uint8Array()]])))).toThrow(
      "empty has no region: its files have names of regions, such as 50_50",
    );
    const twice = memoryFiles("both", new Map(["a/1_1", "b/1_1"].map((path) => [path, new Uint8Array()])));
    expect(() => loadMaps(twice)).toThrow("both has region 1_1 twice: a/1_1 and b/1_1");
  });
});

describe("steps on a set of regions", () => {
  const lines = ["....", ".##.", "....", "...."];
  const heard: string[] = [];
  const maps = collisionMapsOf("mine", [drawRegion(50, 50, lines), drawRegion(51, 50, lines)]);
  const collision = new Collision(maps, (place) => heard.push(place));
  const may = (x: number, z: number, dx: number, dz: number) => collision.mayStep(0, 3200 + x, 3200 + z, dx, dz);

  it("lead beside and across, past no corner of a wall", () => {
    expect([may(0, 0, 0, 1), may(0, 0, 1, 0), may(1, 1, 0, -1), may(1, 1, -1, 0)]).toEqual([true, true, true, true]);
    expect([may(0, 0, 1, 1), may(1, 1, -1, -1)]).toEqual([true, true]);
    // Walls stand on tiles 1 and 2 of row 2.
    expect([may(1, 1, 0, 1), may(0, 2, 1, 0), may(3, 2, -1, 0), may(1, 3, 0, -1)]).toEqual(new Array(4).fill(false));
    expect([may(0, 1, 1, 1), may(1, 1, -1, 1), may(0, 3, 1, -1), may(0, 2, 1, 1)]).toEqual(new Array(4).fill(false));
    expect([may(0, 1, 0, 1), may(0, 2, 0, 1)]).toEqual([true, true]);
  });

  it("are not known where a region on the way is missing", () => {
    expect([may(0, 0, -1, 0), may(0, 0, 0, -1), may(0, 0, -1, -1), may(0, 0, 1, -1)]).toEqual(
      new Array(4).fill(undefined),
    );
    // What is closed beside the edge is closed.
    expect(collision.mayStep(0, 3200 + 10, 3200, 1, -1)).toBe(false);
    // Within the set the edge of a region is like any other line.
    expect(collision.mayStep(0, 3263, 3200, 1, 0)).toBe(false);
    expect(new Set(heard)).toEqual(new Set(["50_50", "51_50"]));
    expect(heard).toHaveLength(2);
  });

  it("of a tick: a runner may be seen one tile across, past a corner that nobody cuts", () => {
    const go = (x: number, z: number, dx: number, dz: number) =>
      collision.mayGo(0, 3200 + x, 3200 + z, 3200 + x + dx, 3200 + z + dz);
    expect([go(0, 0, 2, 0), go(0, 0, 2, 1), go(0, 1, 0, 2), go(3, 1, 0, 2)]).toEqual([true, true, true, true]);
    // By 0, 2 and 0, 3.
    expect([may(0, 2, 1, 1), go(0, 2, 1, 1)]).toEqual([false, true]);
    expect([go(1, 1, 0, 1), go(1, 1, 0, 2), go(0, 2, 2, 0)]).toEqual([false, false, false]);
    expect([go(0, 0, -1, 0), go(0, 0, -2, 0)]).toEqual([undefined, undefined]);
  });
});
