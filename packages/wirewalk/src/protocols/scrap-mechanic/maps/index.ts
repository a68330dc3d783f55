/**
 * Places of Scrap Mechanic: the ground, its ceilings and its seats, out of files with height grids.
 *
 * ```ts
 * import { memoryFiles } from "wirewalk/protocol";
 * import { loadMaps } from "wirewalk/scrap-mechanic/maps";
 *
 * const json = '{ "origin": [0, 0], "cell": 10, "width": 2, "height": 2, "heights": [0, 1, 0, 1] }';
 * const maps = loadMaps(memoryFiles("mine", new Map([["1.json", new TextEncoder().encode(json)]])));
 * maps.grid("1")?.ground(5, 5); // => 0.5
 * ```
 *
 * @module
 */
export { type GridMaps, gridMapsOf, gridReading, isGridMaps, loadMaps } from "./grid-maps.ts";
export { type GridParts, type HeightGrid, makeGrid } from "./height-grid.ts";
