/** Height grids. */
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

const MAX_BYTES = 600;
/** Between the JSON and the raw file. */
const BETWEEN = 0;

export const scrapGrids: Target = {
  name: "scrap-mechanic grids",
  summary: "a JSON file, a byte 0, a raw file: refused by a MapError that names the file, or a grid with its heights",
  cover: new RegExp(`${src}protocols/scrap-mechanic/maps/(?!index).*(?<!\\.test)\\.ts$`),
  maxBytes: MAX_BYTES,
  async open() {
    const { memoryFiles, MapError } = await import("wirewalk/protocol");
    const { gridMapsOf, loadMaps } = await import("wirewalk/scrap-mechanic/maps");
    const { placeOf } = await import("../../../packages/wirewalk/src/protocols/scrap-mechanic/movement/place.ts");
    const run: Run = (input) => {
      const at = input.indexOf(BETWEEN);
      const [json, raw] = at < 0 ? [input, new Uint8Array()] : [input.subarray(0, at), input.subarray(at + 1)];
      const files = memoryFiles(
        "mine",
        new Map([
          ["a/1.json", json],
          ["a/1.f32", raw],
          ["a/2.json", raw],
        ]),
      );
      const reasons: string[] = [];
      const maps = loadMaps(files, { kept: 1, onProblem: ({ place, reason }) => reasons.push(`${place} ${reason}`) });
      const grid = maps.grid("1");
      maps.grid("2");
      placeOf({ maps, room: "3" });
      if (maps.grid("1") !== grid && reasons.length > 1)
        throw new Error("A grid is another when it is asked for again");
      for (const reason of reasons) if (!/^(\d) a\/\1\.json: /.test(reason)) throw new Error(`A reason: ${reason}`);
      if (grid === undefined) {
        try {
          maps.summary("1");
        } catch (error) {
          if (error instanceof MapError) return;
          throw error;
        }
        throw new Error("A summary of what cannot be read");
      }
      const { origin, cell, width, height, heights } = grid.parts;
      const { lowest, highest } = maps.summary("1") as { lowest: number; highest: number };
      for (let point = 0; point < Math.min(width * height, 64); point++) {
        const [x, y] = [origin.x + (point % width) * cell, origin.y + Math.floor(point / width) * cell];
        // Rounding may leave a point just beside itself where the origin is large against the cell.
        const isExact = (x - origin.x) / cell === point % width && (y - origin.y) / cell === Math.floor(point / width);
        if (isExact && grid.ground(x, y) !== heights[point]) throw new Error(`Height ${point} is ${grid.ground(x, y)}`);
        for (const part of [0.25, 0.5, 1.75]) {
          const between = grid.ground(x + part * cell, y + part * cell);
          const slack = 1e-6 * Math.max(1, Math.abs(lowest), Math.abs(highest));
          if (!(between >= lowest - slack && between <= highest + slack))
            throw new Error(`Between heights is ${between}`);
          if (Number.isNaN(grid.ceiling(x + part * cell, y - part * cell))) throw new Error("A ceiling is no number");
        }
      }
      const again = gridMapsOf("again", { 1: grid });
      if (again.digest("1") !== maps.digest("1")) throw new Error("One grid has two digests");
    };
    const text = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
    const slope = { origin: [-2, 4], cell: 2, width: 3, height: 2, heights: [0, 1, 2, 10, 11, 12] };
    const ceiling = [5, null, 5, 5, null, 5];
    const seat = { x: 1, y: 2, exit: { x: 1, y: 3 } };
    const raw = new Uint8Array(Float32Array.of(0, 1, 2, 3, Number.POSITIVE_INFINITY, 5).buffer);
    const beside = (json: object): Uint8Array => Uint8Array.of(...text(json), BETWEEN, ...raw);
    const wrong: readonly object[] = [
      [],
      { ...slope, other: 1 },
      { ...slope, origin: 1 },
      { ...slope, origin: [0, "1"] },
      { ...slope, origin: [2e6, 0] },
      { ...slope, cell: 0 },
      { ...slope, width: 1 },
      { ...slope, width: 3000, height: 3000 },
      { ...slope, heights: [0] },
      { ...slope, heights: [0, 1, null, 1, 1, 1] },
      { ...slope, heights: "no" },
      { ...slope, ceiling: [1] },
      { ...slope, seats: [{ x: 1 }] },
      { ...slope, seats: [{ ...seat, x: "1" }] },
      { ...slope, seats: [{ ...seat, x: 1e9 }] },
      { ...slope, seats: new Array(10_001).fill(0) },
    ].filter((each) => text(each).length <= MAX_BYTES);
    return {
      run,
      seeds: [
        text(slope),
        text({ ...slope, ceiling, seats: [seat] }),
        beside({ ...slope, ceiling: "1.f32" }),
        beside({ ...slope, heights: "1.f32" }),
        beside({ ...slope, width: 2, heights: "1.f32" }),
        Uint8Array.of(...text(slope), BETWEEN, ...text(slope)),
        ...wrong.map(text),
        text("x").subarray(1),
      ],
      words: ['"ceiling":', '"seats":', '"heights":', "null", "1e6", "-0", '"1.f32"'].map((word) =>
        new TextEncoder().encode(word),
      ),
    };
  },
};
