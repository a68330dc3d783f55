import { describe, expect, it } from "vitest";
import { memoryFiles } from "../../map-files.ts";
import { MapError, type MapProblem } from "../../maps.ts";
import { scrapMechanic } from "../scrap-mechanic.ts";
import { gridReading, isGridMaps, loadMaps } from "./grid-maps.ts";
import { makeGrid } from "./height-grid.ts";

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const filesOf = (files: Readonly<Record<string, unknown>>) =>
  memoryFiles(
    "mine",
    new Map(Object.entries(files).map(([path, each]) => [path, each instanceof Uint8Array ? each : bytes(each)])),
  );
const raw = (...values: number[]): Uint8Array => {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [at, value] of values.entries()) view.setFloat32(at * 4, value, true);
  return new Uint8Array(view.buffer);
};

/** Rises by 1 along x and by 10 along y, in cells of 2 units. */
const slope = { origin: [-2, 4], cell: 2, width: 3, height: 2, heights: [0, 1, 2, 10, 11, 12] };

describe("a height grid", () => {
  const grid = loadMaps(filesOf({ "hill.json": { ...slope, ceiling: [5, 5, null, 5, 5, null] } })).grid("1");

  it("has its heights at its points, and between them what follows from four of them", () => {
    expect([grid?.ground(-2, 4), grid?.ground(2, 4), grid?.ground(-2, 6), grid?.ground(2, 6)]).toEqual([0, 2, 10, 12]);
    expect([grid?.ground(-1, 4), grid?.ground(-2, 5), grid?.ground(0, 5), grid?.ground(1.5, 5.5)]).toEqual([
      0.5, 5, 6, 9.25,
    ]);
    const tiny = makeGrid({
      ...{ origin: { x: 0, y: 0 }, cell: 1, width: 2, height: 2 },
      heights: Float32Array.of(0.5, 2 ** -149, 0.5, 2 ** -149),
    });
    expect(tiny.ground(1, 1)).toBe(2 ** -149);
    const saddle = makeGrid({
      origin: { x: 0, y: 0 },
      cell: 1,
      width: 2,
      height: 2,
      heights: Float32Array.of(0, 1, 1, 0),
    });
    expect([saddle.ground(0.5, 0.5), saddle.ground(0.5, 0), saddle.ground(0.25, 0.75)]).toEqual([0.5, 0.5, 0.625]);
  });

  it("goes on beyond its edge as it is there, under an open sky", () => {
    expect([grid?.ground(-90, 5), grid?.ground(90, 90), grid?.ground(0, -90)]).toEqual([5, 12, 1]);
    expect([grid?.ceiling(-1, 5), grid?.ceiling(-2.1, 5), grid?.ceiling(-1, 6.1)]).toEqual([5, Infinity, Infinity]);
    expect(Number.isFinite(grid?.ground(Number.NaN, 0))).toBe(true);
  });

  it("has a ceiling between four points that have one", () => {
    expect([grid?.ceiling(-1.5, 4.5), grid?.ceiling(0.5, 4.5), grid?.ceiling(2, 6)]).toEqual([5, Infinity, Infinity]);
  });

  it("has heights in a raw file beside it, or in itself: the same place", () => {
    const both = loadMaps(
      filesOf({
        "a/1.json": { ...slope, heights: "1.f32", ceiling: "1.sky.f32" },
        "a/1.f32": raw(...slope.heights),
        "a/1.sky.f32": raw(5, 5, Infinity, 5, 5, Infinity),
        "a/2.json": { ...slope, ceiling: [5, 5, null, 5, 5, null] },
        "a/3.json": { ...slope, ceiling: [5, 5, null, 5, 5, 4] },
      }),
    );
    expect(both.digest("1")).toMatch(/^[0-9a-f]{16}$/);
    expect(both.digest("2")).toBe(both.digest("1"));
    expect(both.digest("3")).not.toBe(both.digest("1"));
  });
});

describe("a set of height grids", () => {
  it("gives a room the place of its name, and every room the only one", () => {
    const several = loadMaps(filesOf({ "1.json": slope, "town/2.json": { ...slope, cell: 4 }, "readme.txt": "x" }));
    expect([several.places(), several.grid("2")?.parts.cell, several.grid("3"), several.placeOf("3")]).toEqual([
      ["1", "2"],
      4,
      undefined,
      undefined,
    ]);
    const one = loadMaps(filesOf({ "hill.json": slope }));
    expect([one.placeOf("3"), one.grid("3")?.ground(-2, 4)]).toEqual(["hill", 0]);
    expect([isGridMaps(one), scrapMechanic.capabilities.maps]).toEqual([true, gridReading]);
    expect(one.summary("3")).toBeUndefined();
    expect(one.summary("hill")).toEqual({
      ...{ place: "hill", width: 3, height: 2, cell: 2, lowest: 0, highest: 12, covered: 0, seats: 0 },
      ...{ left: -2, top: 6, right: 2, bottom: 4, omitted: [] },
    });
  });

  it("names what cannot be read, once, with file and place, and goes on", () => {
    const problems: MapProblem[] = [];
    const maps = loadMaps(filesOf({ "1.json": "{", "2.json": slope }), {
      onProblem: (problem) => problems.push(problem),
    });
    for (let time = 0; time < 2; time++) expect([maps.grid("1"), maps.grid("2")?.parts.cell]).toEqual([undefined, 2]);
    expect(problems).toEqual([{ place: "1", reason: expect.stringMatching(/^1\.json: .*JSON/) }]);
    expect(() => maps.summary("1")).toThrow(MapError);
    expect(() => loadMaps(filesOf({ "a.txt": "x" }))).toThrow(
      "mine has no height grid: a place is a file that ends with .json",
    );
    expect(() => loadMaps(filesOf({ "a/1.json": slope, "b/1.json": slope }))).toThrow("has place 1 twice");
  });

  it.each([
    [[], "the file must be an object"],
    [{ ...slope, hieghts: [] }, "unknown member hieghts"],
    [{ ...slope, origin: 1 }, "origin must be a list"],
    [{ ...slope, origin: [0, "1"] }, "origin[1] must be a number"],
    [{ ...slope, origin: [0, 1e9] }, "origin[1] must be a number from -1000000 to 1000000, got 1000000000"],
    [{ ...slope, cell: 0 }, "cell must be over 0 and at most 1000000, got 0"],
    [{ ...slope, width: 1.5 }, "width must be an integer from 2 on, got 1.5"],
    [{ ...slope, height: 1 }, "height must be an integer from 2 on, got 1"],
    [{ ...slope, width: 3000, height: 3000 }, "width x height must be at most 4194304, got 9000000"],
    [{ ...slope, heights: [0] }, "heights must have 6 heights, got 1"],
    [{ ...slope, heights: [0, 1, 2, 3, "4", 5] }, "heights[4] must be a number"],
    [{ ...slope, heights: [0, 1, null, 3, 4, 5] }, "heights[2] must be a number"],
    [{ ...slope, heights: "no.f32" }, "there is no file no.f32"],
    [{ ...slope, heights: "../odd.f32" }, "there is no file ../odd.f32"],
    [{ ...slope, heights: "odd.f32" }, "odd.f32 has 8 bytes, 24 needed"],
    [{ ...slope, heights: "nan.f32" }, "heights[3] must be a number from -1000000 to 1000000, got NaN"],
    [{ ...slope, seats: [{ x: 0, y: 0 }] }, "seats[0].exit must be an object"],
    [{ ...slope, seats: [{ x: 0, y: 0, exit: { x: 0 } }] }, "seats[0].exit.y must be a number"],
  ])("refuses %j", (json, message) => {
    const files = { "1.json": json, "odd.f32": raw(1, 2), "nan.f32": raw(0, 0, 0, Number.NaN, 0, 0) };
    expect(() => loadMaps(filesOf(files)).summary("1")).toThrow(new MapError(`1.json: ${message}`));
  });
});
